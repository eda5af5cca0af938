import classes from "./form.module.css";
import { Ring } from "./ring.tsx";

/** A form's result. Both places are in the page from the start, so that screen readers hear what appears. */
export function FormMessage({ bad, good }: { bad?: string | null; good?: string | null }) {
  return (
    <div>
      <div role="alert">
        {bad && (
          <p className={classes.bad}>
            <Ring state="bad" size={20} />
            {bad}
          </p>
        )}
      </div>
      <div role="status">
        {good && (
          <p className={classes.good}>
            <Ring state="done" size={20} />
            {good}
          </p>
        )}
      </div>
    </div>
  );
}
