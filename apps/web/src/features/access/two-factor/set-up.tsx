import { useStaffWords } from "../../../lib/i18n/staff.ts";
import { onThisPhone } from "../../../lib/on-this-phone.ts";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { FormMessage } from "../../../ui/form-message.tsx";
import { Qr } from "../../../ui/qr.tsx";
import { CodeField } from "./code-field.tsx";
import type { TwoFactorStatus } from "./queries.ts";
import classes from "./two-factor.module.css";
import type { Attempt } from "./use-attempt.ts";

/** The set-up: the secret as a QR code and as text, and the field for the code that proves it was added to an app. */
export function SetUp({ status, attempt }: { status: TwoFactorStatus; attempt: Attempt }) {
  const { twoFactor: words } = useStaffWords();
  if (status.secret === null) return <FormMessage bad={words.secretFailed} />;
  return (
    <>
      <p>{words.setup}</p>
      <div className={classes.offer}>
        <div className={classes.qr}>
          {status.uri === null ? <FormMessage bad={words.qrFailed} /> : <Qr text={status.uri} label={words.qr} />}
        </div>
        <div className={classes.byHand}>
          <p>
            <span className={classes.label}>{words.secret}</span>
            <code className={classes.secret} translate="no">
              {status.secret.replace(/(.{4})(?=.)/g, "$1 ")}
            </code>
          </p>
          <CopyButton text={status.secret} label={words.copySecret} />
          {status.uri !== null && (
            <a className={`${classes.app} k-focus`} href={status.uri}>
              {words.openApp}
            </a>
          )}
        </div>
      </div>
      {/* On a phone the focus would scroll past the secret, and the keyboard would cover it. */}
      <CodeField attempt={attempt} label={words.setup} autoFocus={!onThisPhone()} />
    </>
  );
}
