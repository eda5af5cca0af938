import { Reason } from "../../../ui/reason.tsx";
import type { OutboxState } from "./queries.ts";
import classes from "./system.module.css";
import { useSystemWords } from "./words.ts";

const WAYS = ["telegram", "push"] as const;

export const noticesRing = (outbox: OutboxState) => (WAYS.some((way) => outbox[way].failed > 0) ? "warn" : "done");

/** Which notices are still to be sent, and which could not be. */
export function NoticesAbout({ outbox }: { outbox: OutboxState }) {
  const { outbox: words } = useSystemWords();
  return WAYS.map((way) => {
    const { waiting, failed, why } = outbox[way];
    return (
      <div key={way}>
        {waiting === 0 ? words.none(words.ways[way]) : words.waiting(words.ways[way], waiting)}
        {failed > 0 && (
          <small className={classes.trouble}>
            {words.lost(words.ways[way], failed)} {why !== null && <Reason why={why} />}
          </small>
        )}
      </div>
    );
  });
}
