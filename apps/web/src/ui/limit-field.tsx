import { Checkbox, TextInput } from "@mantine/core";
import classes from "./limit-field.module.css";

interface Props {
  words: { label: string; hint: string; none: string };
  isLimited: boolean;
  typed: string;
  onLimit: (isLimited: boolean) => void;
  onType: (typed: string) => void;
  inputMode: "numeric" | "decimal";
  problem: React.ReactNode;
  /** What belongs to a limit, below it. */
  children?: React.ReactNode;
}

/** A number that staff set, or none. */
export function LimitField({ words, isLimited, typed, onLimit, onType, inputMode, problem, children }: Props) {
  return (
    <div className={classes.pair}>
      <TextInput
        label={words.label}
        description={words.hint}
        inputMode={inputMode}
        value={isLimited ? typed : ""}
        disabled={!isLimited}
        onChange={(event) => onType(event.currentTarget.value.trim())}
        error={problem}
        autoComplete="off"
      />
      <Checkbox label={words.none} checked={!isLimited} onChange={(event) => onLimit(!event.currentTarget.checked)} />
      {children}
    </div>
  );
}
