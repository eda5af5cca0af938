import classes from "./empty-room.module.css";
import { Ring } from "./ring.tsx";

/** A screen that has nothing to show yet, and what to do about it. */
export const EmptyRoom = ({ title, children }: { title: string; children: React.ReactNode }) => (
  <div className={classes.room}>
    <Ring state="never" size={56} />
    <h2>{title}</h2>
    {children}
  </div>
);
