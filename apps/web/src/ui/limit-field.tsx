import { Checkbox, TextInput } from "@mantine/core";
import classes from "./limit-field.module.css";

interface Props {
  words: { label: string; hint?: string | undefined; none: string };
  isLimited: boolean;
  typed: string;
  onLimit: (isLimited: boolean) => void;
  onType: (typed: string) => void;
  inputMode?: "numeric" | "decimal";
  problem: React.ReactNode;
  isFixed?: boolean;
  hasFocus?: boolean;
  /** What belongs to a limit, below it. */
  children?: React.ReactNode;
}

/** A number that staff set, or none. */
export function LimitField({
  words,
  isLimited,
  typed,
  onLimit,
  onType,
  inputMode = "numeric",
  problem,
  isFixed = false,
  hasFocus = false,
  children,
}: Props) {
  return (
    <div className={classes.pair}>
      <TextInput
        label={words.label}
        description={words.hint}
        inputMode={inputMode}
        value={isLimited ? typed : ""}
        disabled={!isLimited || isFixed}
        onChange={(event) => onType(event.currentTarget.value.trim())}
        error={problem}
        autoComplete="off"
        data-autofocus={hasFocus || undefined}
      />
      <Checkbox
        label={words.none}
        checked={!isLimited}
        disabled={isFixed}
        onChange={(event) => onLimit(!event.currentTarget.checked)}
      />
      {children}
    </div>
  );
}
