import { VisuallyHidden } from "@mantine/core";
import { useStaffWords } from "../../../lib/i18n/staff.ts";
import { CodeBoxes } from "../../../ui/code-boxes.tsx";
import { FormMessage } from "../../../ui/form-message.tsx";
import { CountdownRing } from "../../../ui/ring.tsx";
import classes from "./two-factor.module.css";
import type { Attempt } from "./use-attempt.ts";

interface Props {
  attempt: Attempt;
  label: string;
  /** For use among other fields, which have labels. Elsewhere a sentence above the boxes says the same. */
  labelShown?: boolean;
  autoFocus?: boolean;
}

/** Six boxes that send the code when the last is filled. While codes are locked, shows the remaining time. */
export function CodeField({ attempt, label, labelShown = false, autoFocus = true }: Props) {
  const { twoFactor: words } = useStaffWords();
  return (
    <div className={classes.field}>
      {labelShown && (
        <span className={classes.label} aria-hidden="true">
          {label}
        </span>
      )}
      <CodeBoxes
        digits
        label={label}
        boxLabel={words.digit}
        value={attempt.code}
        onChange={attempt.setCode}
        onComplete={attempt.submit}
        error={attempt.isWrong}
        // Not disabled: that would take the focus from somebody who continues after the wait.
        readOnly={attempt.left > 0}
        autoFocus={autoFocus}
      />
      <Verdict attempt={attempt} />
    </div>
  );
}

/** A code's result. A screen reader announces the seconds once. Then they are only shown. */
export function Verdict({ attempt: { left, problem } }: { attempt: Attempt }) {
  const { twoFactor: words } = useStaffWords();
  if (left === 0) return <FormMessage bad={problem} />;
  return (
    <p className={classes.locked} role="timer">
      <CountdownRing left={Math.min(1, left / 10)} size={28}>
        {""}
      </CountdownRing>
      {words.tooMany(left)}
      <VisuallyHidden role="alert">{words.wrong}</VisuallyHidden>
    </p>
  );
}
