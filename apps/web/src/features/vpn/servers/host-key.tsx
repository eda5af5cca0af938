import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../../lib/api.ts";
import { useCommand } from "../../../lib/use-command.ts";
import { Ask } from "../../../ui/ask.tsx";
import { Banner } from "../../../ui/banner.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { useToast } from "../../../ui/toasts.tsx";
import { SERVERS, type Server } from "./queries.ts";
import classes from "./servers.module.css";
import { useServersWords } from "./words.ts";

/** The start and the end of a fingerprint. All of it on demand, to compare and copy. */
export function FingerprintFact({ fingerprint }: { fingerprint: string }) {
  const words = useServersWords();
  const [isWhole, setWhole] = useState(false);
  if (!isWhole)
    return (
      <>
        <code>{`${fingerprint.slice(0, 13)}…${fingerprint.slice(-4)}`}</code>
        <Button variant="subtle" size="sm" className={classes.whole ?? ""} onClick={() => setWhole(true)}>
          {words.wholeFingerprint}
        </Button>
      </>
    );
  return (
    <>
      <code>{fingerprint}</code>
      <CopyButton text={fingerprint} size="sm" variant="subtle" className={classes.whole ?? ""} />
    </>
  );
}

/** The machine has another key than before: both fingerprints, what that may mean, and a button to accept it. */
export function ChangedHostKey({ server, shown }: { server: Server; shown: string }) {
  const { hostKey: words } = useServersWords();
  const toast = useToast();
  const queryClient = useQueryClient();
  const [asked, setAsked] = useState<string | null>(null);
  const accepting = useCommand({
    mutationFn: (fingerprint: string) =>
      api("POST /admin/servers/{id}/accept-host-key", { params: { id: server.id }, body: { fingerprint } }),
    onSuccess: ({ name }) => {
      void toast("good", words.done(name));
      setAsked(null);
    },
    // Also when refused: if the machine's key has changed once more, shows the current one.
    onSettled: () => queryClient.invalidateQueries({ queryKey: SERVERS }),
  });
  return (
    <>
      <Banner
        tone="broken"
        live
        title={words.changed}
        action={
          <Button
            variant="outline"
            onClick={() => {
              accepting.reset();
              setAsked(shown);
            }}
          >
            {words.accept}
          </Button>
        }
      >
        <p>{words.meaning}</p>
        <dl className={classes.keys}>
          <dt>{words.before}</dt>
          <dd>{server.fingerprint ?? "—"}</dd>
          <dt>{words.now}</dt>
          <dd>{shown}</dd>
        </dl>
        <p>{words.compare}</p>
      </Banner>
      {asked !== null && (
        <Ask
          onClose={() => setAsked(null)}
          onConfirm={() => accepting.mutate(asked)}
          title={words.ask(server.name)}
          text={words.text(asked)}
          confirm={words.accept}
          working={words.working}
          of={accepting}
          failed={words.failed}
          reason
          danger
        />
      )}
    </>
  );
}
