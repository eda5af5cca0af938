import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../../lib/api.ts";
import { deviceNow } from "../../../lib/club-clock.ts";
import { useStaffWords } from "../../../lib/i18n/staff.ts";
import { FormSheet } from "../../../ui/form-sheet.tsx";
import { Loading } from "../../../ui/loading.tsx";
import { Ring } from "../../../ui/ring.tsx";
import { SubmitButton } from "../../../ui/submit-button.tsx";
import { useToast } from "../../../ui/toasts.tsx";
import { Screen, useIsReadOnlyBySilence, useViewed } from "../../club/staff/index.ts";
import { CodeEntry } from "./code-entry.tsx";
import { CodeField } from "./code-field.tsx";
import { type TwoFactorStatus, twoFactorQuery } from "./queries.ts";
import { RecoveryCodes } from "./recovery-codes.tsx";
import { SetUp } from "./set-up.tsx";
import classes from "./two-factor.module.css";
import { useAttempt } from "./use-attempt.ts";
import { useEnabling } from "./use-enabling.ts";

/** Warns below this many recovery codes. */
const FEW_CODES = 4;

/** The user's own two-factor authentication: state, set-up, turning it off (specification, operator's side 2). */
export function TwoFactorScreen() {
  const { screens, twoFactor: words } = useStaffWords();
  const { me } = useViewed();
  const status = useQuery(twoFactorQuery(me.id));
  return (
    <Screen title={screens.twoFactor}>
      <section className={classes.card} aria-busy={status.isPending}>
        <Loading of={status} failed={words.statusFailed} />
        {status.data &&
          (status.data.enabled ? <On left={status.data.recoveryCodesLeft} /> : <Off status={status.data} />)}
      </section>
    </Screen>
  );
}

function On({ left }: { left: number }) {
  const { twoFactor: words } = useStaffWords();
  const [open, setOpen] = useState<"renew" | "disable" | null>(null);
  const isReadOnly = useIsReadOnlyBySilence();
  const close = () => setOpen(null);
  return (
    <>
      <div className={classes.state}>
        <Ring state="done" size={28} />
        <div>
          <h2>{words.enabled}</h2>
          <p>{words.enabledLead}</p>
          <p className={left < FEW_CODES ? classes.few : undefined}>
            {words.codesLeft(left)} {left < FEW_CODES && words.codesFew}
          </p>
        </div>
      </div>
      {!isReadOnly && (
        <div className={classes.acts}>
          <Button variant="outline" onClick={() => setOpen("renew")}>
            {words.renew}
          </Button>
          <Button variant="subtle" data-flush="phone" onClick={() => setOpen("disable")}>
            {words.disable}
          </Button>
        </div>
      )}
      {open === "renew" && <Renew onClose={close} />}
      {open === "disable" && <Disable onClose={close} />}
    </>
  );
}

function Off({ status }: { status: TwoFactorStatus }) {
  const { twoFactor: words } = useStaffWords();
  const { me } = useViewed();
  const queryClient = useQueryClient();
  const [openedAt] = useState(deviceNow);
  const { attempt, codes, forgetCodes } = useEnabling(me.id, status, { seconds: status.retryAfter, at: openedAt });
  return (
    <>
      <div className={classes.state}>
        <Ring state="warn" size={28} />
        <div>
          <h2>{words.disabled}</h2>
          <p>{words.disabledLead}</p>
        </div>
      </div>
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          attempt.submit();
        }}
      >
        <SetUp status={status} attempt={attempt} />
        <SubmitButton busy={attempt.busy} label={words.enable} working={words.working} disabled={attempt.left > 0} />
      </form>
      {codes && (
        <RecoveryCodes
          codes={codes}
          onSaved={() => {
            forgetCodes();
            void queryClient.invalidateQueries({ queryKey: twoFactorQuery(me.id).queryKey });
          }}
        />
      )}
    </>
  );
}

/** New recovery codes in exchange for a code of the app. Two-factor stays on. */
function Renew({ onClose }: { onClose: () => void }) {
  const { twoFactor: words } = useStaffWords();
  const { me } = useViewed();
  const queryClient = useQueryClient();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const attempt = useAttempt({
    send: (token) => api("POST /totp/{id}/recovery-codes", { params: { id: me.id }, body: { token } }),
    onRight: ({ recoveryCodes }) => {
      setCodes(recoveryCodes);
      void queryClient.invalidateQueries({ queryKey: twoFactorQuery(me.id).queryKey });
    },
    lock: { seconds: 0, at: 0 },
    failed: words.renewFailed,
  });
  if (codes !== null) return <RecoveryCodes codes={codes} onSaved={onClose} />;
  return (
    <FormSheet
      draft={null}
      title={words.renew}
      onClose={onClose}
      submit={attempt.button(words.renewConfirm, words.working)}
      onSubmit={attempt.submit}
    >
      <p>{words.renewLead}</p>
      <CodeField attempt={attempt} label={words.enter} labelShown />
    </FormSheet>
  );
}

/** Confirms turning two-factor off, with a code. A recovery code works too, or a lost phone could not be replaced. */
function Disable({ onClose }: { onClose: () => void }) {
  const { twoFactor: words } = useStaffWords();
  const { me } = useViewed();
  const [byRecovery, setByRecovery] = useState(false);
  const toast = useToast();
  const queryClient = useQueryClient();
  const attempt = useAttempt({
    send: (token) => api("POST /totp/{id}/disable", { params: { id: me.id }, body: { token } }),
    onRight: () => {
      onClose();
      void toast("good", words.wasDisabled);
      void queryClient.invalidateQueries({ queryKey: twoFactorQuery(me.id).queryKey });
    },
    lock: { seconds: 0, at: 0 },
    failed: words.disableFailed,
    recovery: byRecovery,
  });
  return (
    <FormSheet
      draft={null}
      title={words.disableTitle}
      onClose={onClose}
      submit={{ ...attempt.button(words.disable, words.disabling), danger: true }}
      onSubmit={attempt.submit}
    >
      <p>{words.disableLead}</p>
      <CodeEntry attempt={attempt} byRecovery={byRecovery} onByRecovery={setByRecovery} />
    </FormSheet>
  );
}
