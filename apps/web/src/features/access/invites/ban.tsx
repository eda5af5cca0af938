import { useNewcomerText } from "../../../lib/i18n/newcomer.ts";
import { CountdownRing } from "../../../ui/ring.tsx";
import classes from "./ban.module.css";

const SHORTEST_BAN_S = 300;

/** The ring unwinds until the ban is over. `leftS` is in seconds and more than 0. */
export function Ban({ leftS }: { leftS: number }) {
  const { register } = useNewcomerText();
  return (
    <div className={classes.ban}>
      <CountdownRing size={92} left={leftS / wholeBan(leftS)}>
        <span aria-hidden="true">{clockFace(leftS)}</span>
      </CountdownRing>
      <div>
        <p className={classes.title} role="timer">
          {register.tryIn(leftS)}
        </p>
        <p className={classes.why} role="alert">
          {register.banWhy}
        </p>
      </div>
    </div>
  );
}

/** Bans start at five minutes and double. Returns the shortest one that could have this remainder. */
function wholeBan(leftS: number): number {
  let whole = SHORTEST_BAN_S;
  while (whole < leftS) whole *= 2;
  return whole;
}

/** 275 → "4:35", 4000 → "1:06:40" */
function clockFace(seconds: number): string {
  const two = (part: number) => String(part).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  const rest = two(seconds % 60);
  return minutes < 60 ? `${minutes}:${rest}` : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${rest}`;
}
