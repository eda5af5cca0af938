import classes from "./choices.module.css";

/** Check boxes of one question, labelled with it. */
export const Choices = ({ label, children }: { label: string; children: React.ReactNode }) => (
  <fieldset className={classes.choices}>
    <legend>{label}</legend>
    {children}
  </fieldset>
);
