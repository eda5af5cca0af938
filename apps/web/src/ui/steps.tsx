import classes from "./steps.module.css";

/** What to do, one after the other. */
export function Steps({ steps }: { steps: readonly string[] }) {
  return (
    <ol className={classes.steps}>
      {steps.map((step, index) => (
        <li key={step}>
          <span className={classes.number} aria-hidden="true">
            {index + 1}
          </span>
          <span>{step}</span>
        </li>
      ))}
    </ol>
  );
}
