import { INVITE_ALPHABET, normalizeInviteCode } from "@krug/domain/invite-rules";
import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useId, useRef, useState } from "react";
import { ApiError, api, explain } from "../../../lib/api.ts";
import { keepForTab, keptForTab } from "../../../lib/browser-storage.ts";
import { useNewcomerText } from "../../../lib/i18n/newcomer.ts";
import { useCommand } from "../../../lib/use-command.ts";
import { useNow } from "../../../lib/use-now.ts";
import { CODE_LENGTH, CodeBoxes } from "../../../ui/code-boxes.tsx";
import { FormMessage } from "../../../ui/form-message.tsx";
import { Hint } from "../../../ui/hint.tsx";
import { Ring } from "../../../ui/ring.tsx";
import { Ban } from "./ban.tsx";
import classes from "./code-step.module.css";
import { broughtCode, forgetBroughtCode } from "./invitation.ts";
import { inviteAttemptsQuery } from "./queries.ts";

/** From an accepted code to the next step (specification, member's side 9). */
const NEXT_STEP_AFTER_MS = 1500;

/** The first letters of a code: a phone may reload the page while somebody looks up the rest in another app. */
const BEGUN = "krug.begun-code";

interface Props {
  onAccepted: (code: string) => void;
  /** A code that was accepted before and can be reused. */
  earlier?: string | null;
}

/**
 * Six boxes and no button: the code checks itself, and one from an invitation link also fills itself in. `onAccepted` is called 1.5
 * s after the server accepts it.
 */
export function CodeStep({ onAccepted, earlier = null }: Props) {
  const { register, failure } = useNewcomerText();
  const [code, setCode] = useState(() => earlier ?? keptForTab(BEGUN) ?? "");
  const [refused, setRefused] = useState(false);
  const queryClient = useQueryClient();
  const hintId = useId();
  const place = useRef<HTMLDivElement>(null);

  const { data: attempts, isPending: isAsking } = useQuery(inviteAttemptsQuery);
  const bannedUntil = attempts?.bannedUntil ?? null;
  const now = useNow(1000, bannedUntil !== null);
  const leftS = bannedUntil === null ? 0 : Math.max(0, Math.ceil((bannedUntil - now) / 1000));
  const banned = leftS > 0;

  const check = useCommand({
    mutationFn: (whole: string) => api("POST /auth/check-invite", { body: { code: whole } }),
    onSettled: (answer, error) => {
      if (answer?.valid) return;
      setCode("");
      if (answer || isWrong(error)) forgetBroughtCode();
      void queryClient.invalidateQueries({ queryKey: inviteAttemptsQuery.queryKey });
      // Returns the focus to where the person is looking.
      requestAnimationFrame(() => place.current?.querySelector("input")?.focus());
    },
  });
  const accepted = check.data?.valid === true;

  const [brought, setBrought] = useState(broughtCode);
  const [broken, setBroken] = useState(false);
  useEffect(() => {
    const look = () => setBrought(broughtCode());
    addEventListener("hashchange", look);
    return () => removeEventListener("hashchange", look);
  }, []);
  const { mutate, isPending: isChecking } = check;
  useEffect(() => {
    if (brought === null || isAsking || banned || isChecking || accepted) return;
    setBrought(null);
    const whole = normalizeInviteCode(brought);
    setBroken(whole === null);
    if (whole === null) return forgetBroughtCode();
    setCode(whole);
    mutate(whole);
  }, [brought, isAsking, banned, isChecking, accepted, mutate]);

  useEffect(() => {
    if (!accepted) return;
    const timer = setTimeout(() => onAccepted(check.variables as string), NEXT_STEP_AFTER_MS);
    return () => clearTimeout(timer);
  }, [accepted, check.variables, onAccepted]);

  const spent = wrong(check) && !check.isPending && code === "" ? (check.variables ?? null) : null;
  const why = broken ? register.brokenLink : spent === null ? register.codeHint : register.spentCode(spent);
  return (
    <div ref={place}>
      {banned ? <Ban leftS={leftS} /> : <p className={classes.lead}>{register.codeLead}</p>}
      <CodeBoxes
        label={register.codeTitle}
        boxLabel={register.codeBox}
        value={banned ? "" : code}
        alphabet={INVITE_ALPHABET}
        onRefused={() => setRefused(true)}
        onChange={(next) => {
          setCode(next);
          keepForTab(BEGUN, next.length < CODE_LENGTH ? next : null);
          setRefused(false);
          setBroken(false);
          if (next && check.isError) check.reset();
        }}
        onComplete={(whole) => {
          if (!banned) check.mutate(whole);
        }}
        disabled={banned}
        readOnly={check.isPending || accepted}
        error={!banned && wrong(check) && code === ""}
        describedBy={hintId}
        autoFocus
      />
      <div className={classes.below}>
        {check.isPending && (
          <p className={classes.checking} role="status">
            <Ring state="wait" size={20} />
            {register.checking}
          </p>
        )}
        <FormMessage
          bad={
            banned
              ? null
              : refused
                ? register.noSuchSign
                : broken
                  ? register.wrongCode
                  : problemOf(check, register, failure.silent)
          }
          good={accepted ? register.accepted : null}
        />
        {earlier !== null && code === earlier && !banned && !check.isPending && !accepted && (
          <Button variant="outline" onClick={() => check.mutate(earlier)}>
            {register.goOn}
          </Button>
        )}
        <Hint id={hintId}>{banned ? register.banHint : why}</Hint>
      </div>
    </div>
  );
}

interface Check {
  error: Error | null;
  data: { valid: boolean } | undefined;
  isPending: boolean;
}

const isWrong = (error: Error | null) => error instanceof ApiError && error.code === "invite.wrong_code";

const wrong = ({ error, data }: Check) => data?.valid === false || isWrong(error);

function problemOf(check: Check, words: { wrongCode: string; checkFailed: string }, silence: string): string | null {
  if (check.isPending) return null;
  if (check.data?.valid === false) return words.wrongCode;
  return check.error ? explain(check.error, words.checkFailed, silence) : null;
}
