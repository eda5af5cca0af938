import { useLiveRing } from "../../../ui/use-live-ring.ts";
import classes from "./pulse.module.css";

/** Seats around the circle: as many as can still be told apart. */
const MOST_SEATS = 60;
const CENTRE = 100;
const INNER = 78;
const OUTER = 94;

/** The club as a circle of seats, lit for those connected; the same is written inside it. */
export function ClubRing({ all, online, children }: { all: number; online: number; children: React.ReactNode }) {
  const isLive = useLiveRing()("on") === "on";
  const seats = Math.max(12, Math.min(MOST_SEATS, all));
  // A single device of a thousand is still somebody.
  const lit = all === 0 ? 0 : Math.min(seats, Math.max(online > 0 ? 1 : 0, Math.round((online / all) * seats)));
  return (
    <div className={classes.ring}>
      <svg viewBox="0 0 200 200" strokeWidth={Math.max(3, 110 / seats)} aria-hidden="true">
        {Array.from({ length: seats }, (_, seat) => {
          const turn = (seat / seats) * 2 * Math.PI - Math.PI / 2;
          const at = (far: number) => [CENTRE + far * Math.cos(turn), CENTRE + far * Math.sin(turn)] as const;
          const [[x1, y1], [x2, y2]] = [at(INNER), at(OUTER)];
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a seat is its place
            <line key={seat} {...{ x1, y1, x2, y2 }} data-lit={seat < lit ? (isLive ? "now" : "before") : undefined} />
          );
        })}
      </svg>
      <div className={classes.centre}>{children}</div>
    </div>
  );
}
