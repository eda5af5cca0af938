import classes from "./choices.module.css";

/** Fields of one question, labelled with it. `className`: how they stand. */
export const Question = ({
  label,
  className,
  children,
}: {
  label: string;
  className: string | undefined;
  children: React.ReactNode;
}) => (
  <fieldset className={`${classes.question} ${className}`}>
    <legend>{label}</legend>
    {children}
  </fieldset>
);

/** Check boxes of one question, below each other. */
export const Choices = ({ label, children }: { label: string; children: React.ReactNode }) => (
  <Question label={label} className={classes.choices}>
    {children}
  </Question>
);
