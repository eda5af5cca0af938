import classes from "./losses.module.css";

/** What goes with a thing that is deleted, named one by one. */
export const Losses = ({ lead, things }: { lead: string; things: readonly string[] }) => (
  <div>
    <p>{lead}</p>
    <ul className={classes.things}>
      {things.map((thing) => (
        <li key={thing}>{thing}</li>
      ))}
    </ul>
  </div>
);
