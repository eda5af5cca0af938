import type { MantineLoaderComponent } from "@mantine/core";
import classes from "./ring.module.css";

/**
 * The ring is the club's one sign of state. A text is always next to it, so it is hidden from screen readers.
 * on: connected · idle: seen before · never: not yet · wait: waiting or running · done · warn: the person has to act · bad: broken.
 */
export type RingState = "on" | "idle" | "never" | "wait" | "done" | "warn" | "bad";

const INSIDE: Partial<Record<RingState, React.ReactNode>> = {
  on: <circle cx="12" cy="12" r="3.8" fill="currentColor" stroke="none" />,
  done: <path d="M8 12.4l2.8 2.7L16 9.6" />,
  warn: <path d="M12 7.5v5.2M12 16v.1" />,
  bad: <path d="M5.8 18.2L18.2 5.8" />,
};

export function Ring({ state, size = 24 }: { state: RingState; size?: number }) {
  return (
    <svg className={classes.ring} data-state={state} width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <g className={classes.turn}>
        <circle className={classes.line} cx="12" cy="12" r="9" pathLength="360" />
      </g>
      {INSIDE[state]}
    </svg>
  );
}

/** The library's Loader drawn as the waiting ring. */
export const WaitingRing: MantineLoaderComponent = ({ ref }) => (
  <span ref={ref as React.Ref<HTMLSpanElement>} className={classes.loader}>
    <Ring state="wait" size={20} />
  </span>
);

/** A ring that unwinds while a time runs out. `left` is the remaining share, 0 to 1. */
export function CountdownRing({ left, size, children }: { left: number; size: number; children: React.ReactNode }) {
  return (
    <span className={classes.countdown} style={{ width: size, height: size }}>
      <svg viewBox="0 0 92 92" aria-hidden="true">
        <circle className={classes.track} cx="46" cy="46" r="43" />
        <circle
          className={classes.unwinding}
          cx="46"
          cy="46"
          r="43"
          pathLength="1"
          strokeDasharray={`${Math.max(0, Math.min(1, left))} 1`}
        />
      </svg>
      <span className={classes.figures}>{children}</span>
    </span>
  );
}
