import { Button, TextInput } from "@mantine/core";
import { useStaffWords } from "../../../lib/i18n/staff.ts";
import { CodeField, Verdict } from "./code-field.tsx";
import classes from "./two-factor.module.css";
import type { Attempt } from "./use-attempt.ts";

interface Props {
  attempt: Attempt;
  byRecovery: boolean;
  onByRecovery: (byRecovery: boolean) => void;
}

/** The app's code, or a recovery code if the phone is lost. */
export function CodeEntry({ attempt, byRecovery, onByRecovery }: Props) {
  const { twoFactor: words } = useStaffWords();
  return (
    <>
      {byRecovery ? (
        <>
          <TextInput
            label={words.recoveryLabel}
            description={words.recoveryHint}
            value={attempt.code}
            onChange={(event) => attempt.setCode(event.currentTarget.value)}
            readOnly={attempt.left > 0}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            data-autofocus
            autoFocus
          />
          <Verdict attempt={attempt} />
        </>
      ) : (
        <>
          <p>{words.enter}</p>
          <CodeField attempt={attempt} label={words.enter} />
        </>
      )}
      <Button
        variant="subtle"
        className={classes.other ?? ""}
        onClick={() => {
          onByRecovery(!byRecovery);
          attempt.setCode("");
          attempt.reset();
        }}
      >
        {byRecovery ? words.byApp : words.byRecovery}
      </Button>
    </>
  );
}
