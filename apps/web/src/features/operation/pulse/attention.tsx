import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useSilentSince } from "../../../lib/use-availability.ts";
import { Ring } from "../../../ui/ring.tsx";
import { useLiveRing } from "../../../ui/use-live-ring.ts";
import { useAlarmLines } from "../../club/staff/index.ts";
import classes from "./pulse.module.css";
import { usePulseWords } from "./words.ts";

/** What waits and what is wrong, the gravest first, each with its one button. Its room is kept until that is known. */
export function Attention() {
  const { waiting: words } = usePulseWords();
  const lines = useAlarmLines();
  const isSilent = useSilentSince() !== null;
  const liveRing = useLiveRing();
  if (lines === undefined) return <div className={classes.calm} aria-busy />;
  if (lines.length === 0)
    return (
      <div className={classes.calm}>
        <Ring state={liveRing("done")} size={32} />
        <p>
          <b>{isSilent ? words.calmBefore : words.calm}</b>
          {!isSilent && <span>{words.calmMore}</span>}
        </p>
      </div>
    );
  return (
    <ul className={classes.attention} aria-label={words.title}>
      {lines.map(({ key, tone, text, to }) => (
        <li key={key} data-tone={tone}>
          <Ring state={tone} size={24} />
          <p>
            {text}
            {to === null && <span>{words.forAdmin}</span>}
          </p>
          {to && (
            <Button
              variant="outline"
              renderRoot={(props) => <Link to="/admin/$" params={{ _splat: to.path }} search={to.search} {...props} />}
            >
              {to.label}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
