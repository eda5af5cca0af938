import classes from "./tile.module.css";

/** An emoji or a letter in front of a name, for the eye only. */
export const Tile = ({ children }: { children: string }) => (
  <span className={classes.tile} data-picture={children} aria-hidden="true" />
);
