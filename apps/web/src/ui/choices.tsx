import classes from "./choices.module.css";

/** Check boxes of one question, under its name. */
export const Choices = ({ label, children }: { label: string; children: React.ReactNode }) => (
  <fieldset className={classes.choices}>
    <legend>{label}</legend>
    {children}
  </fieldset>
);
