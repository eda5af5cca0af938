import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, withReason } from "../../../lib/api.ts";
import { ageText } from "../../../lib/format.ts";
import { useSpeech, useText } from "../../../lib/i18n/use-text.tsx";
import { useCommand } from "../../../lib/use-command.ts";
import { Ask } from "../../../ui/ask.tsx";
import { Banner } from "../../../ui/banner.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Reason } from "../../../ui/reason.tsx";
import { useToast } from "../../../ui/toasts.tsx";
import { SERVERS, type Server } from "./queries.ts";
import classes from "./servers.module.css";
import { useServersWords } from "./words.ts";

/** Lets the panel open other firewalls on the server's machine for its tunnels, or stops it. */
function useOpening(onDone: () => void) {
  const { forwarding: words } = useServersWords();
  const toast = useToast();
  const queryClient = useQueryClient();
  return useCommand({
    mutationFn: ({ server, opensForwarding }: { server: Server; opensForwarding: boolean }) =>
      api("PUT /admin/servers/{id}", { params: { id: server.id }, body: { opensForwarding } }),
    onSuccess: ({ name, opensForwarding, forwarding }) => {
      onDone();
      if (!opensForwarding) void toast("good", words.left(name));
      else if (forwarding === null) void toast("good", words.opened(name));
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: SERVERS }),
  });
}

/** A server whose firewalls block members' traffic: which rule it is, and how to open it, by hand or by the panel. */
export function Forwarding({ server, nowMs }: { server: Server; nowMs: number }) {
  const { forwarding: words } = useServersWords();
  const { text } = useSpeech();
  const [asked, setAsked] = useState(false);
  const opening = useOpening(() => setAsked(false));
  const { forwarding } = server;
  if (forwarding === null) return null;
  const { state, since, causes, why } = forwarding;
  const mayOpen = causes.length > 0 && !server.opensForwarding;
  const ask = () => {
    opening.reset();
    setAsked(true);
  };
  return (
    <div className={classes.trouble}>
      <Banner
        tone="broken"
        live
        title={words.title[state]}
        action={
          mayOpen && (
            <Button variant="outline" onClick={ask}>
              {words.open}
            </Button>
          )
        }
      >
        <p>{words.since(ageText(Date.parse(since), nowMs, text.age))}</p>
        {causes.length === 0 && <p>{words.unknown}</p>}
        {causes.map((cause) => (
          <Cause key={`${cause.chain} ${cause.rule}`} cause={cause} />
        ))}
        {server.opensForwarding && <p>{why === null ? words.stillClosed : words.notOpened}</p>}
        {why !== null && <Reason why={why} />}
      </Banner>
      {asked && (
        <Ask
          onClose={() => setAsked(false)}
          onConfirm={() => opening.mutate({ server, opensForwarding: true })}
          title={words.ask(server.name)}
          text={words.askText}
          confirm={words.open}
          working={words.opening}
          of={opening}
          failed={words.openFailed}
          reason
        />
      )}
    </div>
  );
}

function Cause({ cause }: { cause: NonNullable<Server["forwarding"]>["causes"][number] }) {
  const { forwarding: words } = useServersWords();
  const { by, chain, rule, ways, families, isSure, opening } = cause;
  return (
    <div className={classes.cause}>
      <p>
        {words.cause[isSure ? "sure" : "maybe"](by === "docker" ? "Docker" : by, chain)}
        {ways.includes("out") ? "" : ` ${words.answersOnly}`}
        {families.includes(4) ? "" : ` ${words.v6Only}`}
      </p>
      <p>
        {rule === null ? words.policy : words.rule} {rule !== null && <code>{rule}</code>}
      </p>
      <p>{words.byHand}</p>
      <pre>{opening}</pre>
      <CopyButton text={opening} size="sm" variant="subtle" className={classes.whole ?? ""} />
    </div>
  );
}

/** Shown on the card while the panel keeps them open. */
export function OpenedFact({ server }: { server: Server }) {
  const { forwarding: words } = useServersWords();
  const { failure } = useText();
  const toast = useToast();
  const opening = useOpening(() => {});
  const leave = () =>
    opening.mutate(
      { server, opensForwarding: false },
      { onError: (error) => void toast("bad", withReason(words.leaveFailed, error, failure.silent)) },
    );
  return (
    <>
      {words.kept}
      <Button variant="subtle" size="sm" className={classes.whole ?? ""} loading={opening.isPending} onClick={leave}>
        {words.leave}
      </Button>
    </>
  );
}
