import classes from "./choices.module.css";

/** Fields of one question, labelled with it. `className`: how they stand. */
export const Question = ({
  label,
  className,
  describedBy,
  children,
}: {
  label: string;
  className: string | undefined;
  describedBy?: string | undefined;
  children: React.ReactNode;
}) => (
  <fieldset className={`${classes.question} ${className}`} aria-describedby={describedBy}>
    <legend>{label}</legend>
    {children}
  </fieldset>
);

/** Check boxes of one question, below each other. */
export const Choices = (props: Omit<React.ComponentProps<typeof Question>, "className">) => (
  <Question {...props} className={classes.choices} />
);
