import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../../lib/api.ts";
import { hasPasskeys } from "../../../lib/has-passkeys.ts";
import { useStaffWords } from "../../../lib/i18n/staff.ts";
import { ComingInPlace } from "../../../ui/coming.tsx";
import { FormSheet } from "../../../ui/form-sheet.tsx";
import { lazyPart } from "../../../ui/lazy.tsx";
import { Loading } from "../../../ui/loading.tsx";
import type { Me } from "../auth/index.ts";
import { CodeEntry } from "./code-entry.tsx";
import { twoFactorQuery } from "./queries.ts";
import { RecoveryCodes } from "./recovery-codes.tsx";
import classes from "./two-factor.module.css";
import { useAttempt, WrongCode } from "./use-attempt.ts";
import { useEnabling } from "./use-enabling.ts";

/** Its QR encoder is larger than the rest of the dialog, and is used once. */
const SetUp = lazyPart(() => import("./set-up.tsx").then(({ SetUp }) => SetUp), ComingInPlace);

/** Few have a passkey. */
const EnterByPasskey = lazyPart(
  () => import("./enter-by-passkey.tsx").then(({ EnterByPasskey }) => EnterByPasskey),
  null,
  { ahead: false },
);

interface Props {
  me: Me;
  onPassed: () => void;
  onCancel: (settingUp: boolean) => void;
}

/** The code that elevates a staff session; if two-factor is not on yet, its set-up (specification, operator's side 2). */
export function TwoFactorDialog({ me, onPassed, onCancel }: Props) {
  const { twoFactor: words } = useStaffWords();
  const [byRecovery, setByRecovery] = useState(false);
  const status = useQuery(twoFactorQuery(me.id));
  const lock = { seconds: status.data?.retryAfter ?? 0, at: status.dataUpdatedAt };
  const enabling = useEnabling(me.id, status.data, lock);
  const entry = useAttempt({
    send: async (token) => {
      const { valid, retryAfter } = await api("POST /totp/{id}/verify", { params: { id: me.id }, body: { token } });
      if (!valid) throw new WrongCode(words.wrong, retryAfter);
    },
    onRight: onPassed,
    lock,
    failed: words.failed,
    recovery: byRecovery,
  });

  if (enabling.codes) return <RecoveryCodes codes={enabling.codes} onSaved={onPassed} />;
  const settingUp = status.data?.enabled === false;
  const attempt = settingUp ? enabling.attempt : entry;
  return (
    <FormSheet
      draft={null}
      title={words.title}
      onClose={() => onCancel(settingUp)}
      submit={{
        ...attempt.button(settingUp ? words.enable : words.confirm, words.working),
        disabled: attempt.left > 0 || !status.data,
      }}
      onSubmit={attempt.submit}
      cancel={words.cancel}
    >
      <Loading of={status} failed={words.statusFailed} />
      {status.data && settingUp && (
        <>
          <p className={classes.why}>{words.setupWhy}</p>
          <SetUp status={status.data} attempt={attempt} />
        </>
      )}
      {status.data?.enabled && <CodeEntry attempt={entry} byRecovery={byRecovery} onByRecovery={setByRecovery} />}
      {status.data?.byPasskey && hasPasskeys() && <EnterByPasskey onPassed={onPassed} />}
    </FormSheet>
  );
}
