import type { Left } from "./one-by-one.ts";
import classes from "./staff-payments.module.css";

/** Whose month was not set, and why. */
export const LeftOut = ({ left }: { left: readonly Left[] }) => (
  <ul className={classes.left}>
    {left.map(({ name, why }, place) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: namesakes differ by their places
      <li key={place}>
        {name}
        <span>{why}</span>
      </li>
    ))}
  </ul>
);
