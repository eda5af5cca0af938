import type { Api } from "@krug/contract/api";
import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { ApiError, api } from "../../../lib/api.ts";
import { ageText, dayText, moment } from "../../../lib/format.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { query } from "../../../lib/query.ts";
import { useCommand } from "../../../lib/use-command.ts";
import { useNow } from "../../../lib/use-now.ts";
import { Ask } from "../../../ui/ask.tsx";
import { LoadFailed } from "../../../ui/load-failed.tsx";
import { Ring } from "../../../ui/ring.tsx";
import part from "../../../ui/settings-part.module.css";
import { useToast } from "../../../ui/toasts.tsx";
import { Waiting } from "../../../ui/waiting.tsx";
import { useOwnAccount } from "./account-words.ts";
import classes from "./settings-dialog.module.css";

type Session = Api["GET /auth/sessions"]["answer"][number];

/** More than these are shown on demand. */
const FIRST_SHOWN = 5;

const sessionsQuery = query(["sessions"], "GET /auth/sessions", { staleTime: 0 });

/** Where the member is signed in. Other sessions can be ended here, one by one or all at once. */
export function Sessions() {
  const { sessions: words } = useOwnAccount();
  const list = useQuery(sessionsQuery);
  const [asked, setAsked] = useState<Session | "others" | null>(null);
  const [whole, setWhole] = useState(false);
  const title = useRef<HTMLHeadingElement>(null);
  const end = useEnding(() => {
    setAsked(null);
    // The pressed button is gone: the focus moves to the head of the list.
    title.current?.focus();
  });
  // The current one comes first, whenever it began.
  const all = list.data?.toSorted((a, b) => Number(b.current) - Number(a.current)) ?? [];
  const shown = whole ? all : all.slice(0, FIRST_SHOWN);
  const hasOthers = all.length > 1;
  const one = asked === "others" ? null : asked;
  return (
    <section className={part.part} aria-labelledby="own-sessions">
      <h3 id="own-sessions" className={part.title} ref={title} tabIndex={-1}>
        {words.title}
      </h3>
      {list.isPending && <Waiting room={68} />}
      {list.isError && !list.data && (
        <LoadFailed title={words.failed} error={list.error} onRetry={() => void list.refetch()} />
      )}
      <ul className={part.list}>
        {shown.map((session) => (
          <SessionRow key={session.id} session={session} onEnd={() => setAsked(session)} />
        ))}
      </ul>
      {shown.length < all.length && (
        <Button variant="subtle" className={classes.more ?? ""} onClick={() => setWhole(true)}>
          {words.more(all.length - shown.length)}
        </Button>
      )}
      {list.data && !hasOthers && <p className={part.lead}>{words.only}</p>}
      {hasOthers && (
        <Button variant="outline" className={part.action} onClick={() => setAsked("others")}>
          {words.endOthers}
        </Button>
      )}
      <Ask
        opened={asked !== null}
        onClose={() => {
          setAsked(null);
          end.reset();
        }}
        title={one ? words.askTitle(one.device ?? words.unknown) : words.askOthersTitle}
        text={one ? words.askText : words.askOthersText}
        confirm={words.confirm}
        working={words.working}
        danger
        of={end}
        failed={words.endFailed}
        onConfirm={() => asked !== null && end.mutate(asked)}
      />
    </section>
  );
}

function useEnding(onEnded: () => void) {
  const { sessions: words } = useOwnAccount();
  const queryClient = useQueryClient();
  const toast = useToast();
  return useCommand({
    mutationFn: async (which: Session | "others") => {
      if (which === "others") return api("DELETE /auth/sessions");
      try {
        await api("DELETE /auth/sessions/{id}", { params: { id: which.id } });
      } catch (error) {
        // It had already ended, which is the wanted result.
        if (!(error instanceof ApiError && error.status === 404)) throw error;
      }
    },
    onSuccess: (_, which) => {
      queryClient.setQueryData(sessionsQuery.queryKey, (list) =>
        list?.filter((session) => session.current || (which !== "others" && session.id !== which.id)),
      );
      onEnded();
      void toast("good", which === "others" ? words.othersEnded : words.ended);
    },
    onSettled: () => void queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
}

function SessionRow({ session, onEnd }: { session: Session; onEnd: () => void }) {
  const { sessions: words } = useOwnAccount();
  const { text, language } = useSpeech();
  const nowMs = useNow(60_000);
  const device = session.device ?? words.unknown;
  const signedIn = dayText(session.createdAt, nowMs, language, text.age);
  const seenMs = Date.parse(session.lastSeenAt);
  return (
    <li className={part.row}>
      <Ring state={session.current ? "on" : "idle"} />
      <div className={classes.who}>
        <p className={classes.device}>
          {device}
          {session.current && <span className={classes.current}> {words.current}</span>}
        </p>
        <p className={part.lead} title={moment(seenMs, language)}>
          {session.current ? words.signedIn(signedIn) : words.times(signedIn, ageText(seenMs, nowMs, text.age))}
        </p>
      </div>
      {!session.current && (
        <Button variant="subtle" aria-label={words.endOf(device, signedIn)} onClick={onEnd}>
          {words.end}
        </Button>
      )}
    </li>
  );
}
