import { Button, Checkbox } from "@mantine/core";
import "@mantine/core/styles/Checkbox.layer.css";
import "@mantine/core/styles/InlineInput.layer.css";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { explain } from "../../../lib/api.ts";
import { dayText } from "../../../lib/format.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { useCommand } from "../../../lib/use-command.ts";
import { useNow } from "../../../lib/use-now.ts";
import { FormMessage } from "../../../ui/form-message.tsx";
import { LoadFailed } from "../../../ui/load-failed.tsx";
import { Ring } from "../../../ui/ring.tsx";
import type { Me } from "../../access/auth/index.ts";
import { NoticeChoices } from "../outbox/index.ts";
import { telegramQuery } from "../telegram/index.ts";
import classes from "./push.module.css";
import { type Browser, PUSH, type Push, pushQuery } from "./queries.ts";
import { NoPushService, NotAllowed, remove, turnOff, turnOn } from "./this-browser.ts";
import { usePushWords } from "./words.ts";

/** Notices outside the panel: in which browsers, and of which kinds. Hidden if none can be sent. */
export function PushPart({ me }: { me: Me }) {
  const words = usePushWords();
  const { language } = useSpeech();
  const { data: telegram } = useQuery(telegramQuery);
  const query = useQuery({ ...pushQuery(language), placeholderData: keepPreviousData });
  const title = useRef<HTMLHeadingElement>(null);
  const push = query.data;
  const hasPush = push !== undefined && push.here !== null;
  const isOut = telegram?.telegramConnected === true || (push?.browsers.length ?? 0) > 0;
  if (!hasPush && !isOut && !query.isError) return null;
  return (
    <section className={classes.part} aria-labelledby="push-part">
      <div>
        <h3 id="push-part" className={classes.title} ref={title} tabIndex={-1}>
          {words.title}
        </h3>
        <p className={classes.lead}>{isOut ? words.lead : words.leadOff}</p>
      </div>
      {query.isError && !push && (
        <LoadFailed title={words.loadFailed} error={query.error} onRetry={() => void query.refetch()} />
      )}
      {hasPush && <Here push={push} />}
      {hasPush && (
        <Others browsers={push.browsers.filter(({ current }) => !current)} onRemoved={() => title.current?.focus()} />
      )}
      {isOut && <NoticeChoices me={me} />}
    </section>
  );
}

function Here({ push: { publicKey, here, browsers } }: { push: Push }) {
  const words = usePushWords();
  const { language, text } = useSpeech();
  const queryClient = useQueryClient();
  const own = browsers.find(({ current }) => current);
  const switching = useCommand({
    mutationFn: async (on: boolean) => {
      if (!on) return turnOff(own?.id);
      await turnOn(publicKey ?? "", language);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: PUSH }),
  });
  if (here === "unsupported") return <p className={classes.lead}>{words.unsupported}</p>;
  if (here === "home_screen") return <p className={classes.lead}>{words.homeScreen}</p>;
  const isOn = here === "on" && own !== undefined;
  const { error } = switching;
  const bad =
    error === null || here === "denied"
      ? null
      : error instanceof NotAllowed
        ? words.notGiven
        : error instanceof NoPushService
          ? words.noService
          : explain(error, words.failed, text.failure.silent);
  return (
    <div>
      <Checkbox
        label={words.here}
        description={switching.isPending && switching.variables ? words.asking : words.hereHint}
        checked={switching.isPending ? switching.variables : isOn}
        disabled={here === "denied"}
        onChange={(event) => switching.mutate(event.currentTarget.checked)}
      />
      {here === "denied" && <p className={classes.told}>{words.denied}</p>}
      <FormMessage bad={bad} />
    </div>
  );
}

function Others({ browsers, onRemoved }: { browsers: readonly Browser[]; onRemoved: () => void }) {
  const words = usePushWords();
  const { language, text } = useSpeech();
  const nowMs = useNow(60_000);
  const queryClient = useQueryClient();
  const removing = useCommand({
    mutationFn: remove,
    onSuccess: (_, id) => {
      queryClient.setQueriesData<Push>(
        { queryKey: PUSH },
        (push) => push && { ...push, browsers: push.browsers.filter((browser) => browser.id !== id) },
      );
      // The pressed button is gone: the focus moves to the head of the part.
      onRemoved();
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: PUSH }),
  });
  if (browsers.length === 0) return null;
  return (
    <div>
      <p className={classes.others}>{words.others}</p>
      <ul>
        {browsers.map(({ id, device, createdAt }) => {
          const name = device ?? words.unknown;
          const since = words.since(dayText(createdAt, nowMs, language, text.age));
          return (
            <li key={id} className={classes.browser}>
              <Ring state="on" size={22} />
              <div className={classes.who}>
                <p>{name}</p>
                <p className={classes.lead}>{since}</p>
              </div>
              <Button variant="subtle" aria-label={words.removeOf(name, since)} onClick={() => removing.mutate(id)}>
                {words.remove}
              </Button>
            </li>
          );
        })}
      </ul>
      <FormMessage error={removing.error} failed={words.failed} />
    </div>
  );
}
