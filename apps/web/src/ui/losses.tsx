import classes from "./losses.module.css";

/** What is lost when something is deleted, item by item. */
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
