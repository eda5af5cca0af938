import { useQuery } from "@tanstack/react-query";
import { Banner } from "../../../ui/banner.tsx";
import { Reason } from "../../../ui/reason.tsx";
import { AskedPanel } from "./asked-panel.tsx";
import { type OutboxState, outboxQuery } from "./queries.ts";
import classes from "./system.module.css";
import { useSystemWords } from "./words.ts";

const WAYS = ["telegram", "push"] as const;

/** Which notices are still to be sent, and which could not be. */
export function OutboxPanel() {
  const { outbox: words } = useSystemWords();
  const query = useQuery(outboxQuery);
  return (
    <AskedPanel title={words.title} query={query} failed={words.failed}>
      {(state) => (
        <div className={classes.form}>
          {WAYS.map((way) => (
            <Way key={way} name={words.ways[way]} standing={state[way]} />
          ))}
        </div>
      )}
    </AskedPanel>
  );
}

function Way({ name, standing: { waiting, failed, why } }: { name: string; standing: OutboxState["push"] }) {
  const { outbox: words } = useSystemWords();
  return (
    <>
      <p className={classes.hint}>{waiting === 0 ? words.none(name) : words.waiting(name, waiting)}</p>
      {failed > 0 && (
        <Banner tone="move" title={words.lost(name, failed)}>
          {why !== null && <Reason why={why} />}
        </Banner>
      )}
    </>
  );
}
