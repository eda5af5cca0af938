import { VisuallyHidden } from "@mantine/core";
import { useStaffWords } from "../../lib/i18n/staff.ts";
import { CodeBoxes } from "../../ui/code-boxes.tsx";
import { FormMessage } from "../../ui/form-message.tsx";
import { CountdownRing } from "../../ui/ring.tsx";
import classes from "./two-factor.module.css";
import type { Attempt } from "./use-attempt.ts";

/** Six boxes for a code, which send it when the last is filled; while the panel takes none, the time that is left. */
export function CodeField({ attempt, label }: { attempt: Attempt; label: string }) {
  const { twoFactor: words } = useStaffWords();
  return (
    <>
      <CodeBoxes
        digits
        label={label}
        boxLabel={words.digit}
        value={attempt.code}
        onChange={attempt.setCode}
        onComplete={attempt.submit}
        error={attempt.isWrong}
        disabled={attempt.left > 0}
        autoFocus
      />
      <Verdict attempt={attempt} />
    </>
  );
}

/** What became of a code. The seconds are told once to a screen reader, and then only shown. */
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
