import { useId } from "react";
import classes from "./count-filter.module.css";

interface Props<Value extends string> {
  /** Names the group for those who cannot see it. */
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  choices: readonly {
    value: Value;
    label: string;
    /** Undefined until it is known. */
    count: number | undefined;
    more?: React.ReactNode;
  }[];
}

/** A list's counts by state. Each number also filters by its state. Keyboards get radio buttons. */
export function CountFilter<Value extends string>({ label, value, onChange, choices }: Props<Value>) {
  const name = useId();
  return (
    <fieldset className={classes.group}>
      <legend className="k-spoken">{label}</legend>
      {choices.map((choice) => (
        <label key={choice.value} className={classes.choice} data-taken={choice.value === value || undefined}>
          <input
            type="radio"
            name={name}
            className="k-spoken"
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
          />
          <span className={classes.name}>{choice.label}</span>
          <b className={classes.count}>{choice.count ?? "\u00a0"}</b>
          {choice.more && <span className={classes.more}>{choice.more}</span>}
        </label>
      ))}
    </fieldset>
  );
}
