import { useId } from "react";
import classes from "./segments.module.css";

interface Props<Value extends string> {
  label: string;
  /** null: the current choice is not known yet. */
  value: Value | null;
  onChange: (value: Value) => void;
  choices: { value: Value; label: string; icon?: React.ReactNode; after?: React.ReactNode }[];
  labelHidden?: boolean;
}

/** A few choices side by side, one of them selected. Keyboards and screen readers get radio buttons. */
export function Segments<Value extends string>({ label, value, onChange, choices, labelHidden = false }: Props<Value>) {
  const name = useId();
  return (
    <fieldset className={classes.group}>
      <legend className={labelHidden ? "k-spoken" : classes.legend}>{label}</legend>
      <div className={classes.row}>
        {choices.map((choice) => (
          <label key={choice.value} className={classes.choice} data-taken={choice.value === value || undefined}>
            <input
              type="radio"
              name={name}
              className="k-spoken"
              checked={choice.value === value}
              onChange={() => onChange(choice.value)}
            />
            {choice.icon}
            {choice.label}
            {choice.after}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
