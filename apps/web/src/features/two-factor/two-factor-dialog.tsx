import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { api, explain, Refusal } from "../../lib/api.ts";
import { useText } from "../../lib/i18n/use-text.tsx";
import { CodeBoxes } from "../../ui/code-boxes.tsx";
import { FormMessage } from "../../ui/form-message.tsx";
import { Qr } from "../../ui/qr.tsx";
import { Ring } from "../../ui/ring.tsx";
import { Sheet } from "../../ui/sheet.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import type { Me } from "../auth/index.ts";
import classes from "./two-factor-dialog.module.css";

/** The code that elevates a staff session; where two-factor is not on yet, its set-up (admin-side, section 2). */
export function TwoFactorDialog({ me, onClose }: { me: Me; onClose: () => void }) {
  const { twoFactor, common, failure } = useText();
  const queryClient = useQueryClient();
  const formId = useId();
  const [code, setCode] = useState("");
  const status = useQuery({
    queryKey: ["two-factor", me.id],
    queryFn: ({ signal }) => api("GET /totp/{id}/status", { params: { id: me.id }, signal }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const entry = useMutation({
    mutationFn: async (token: string): Promise<string[]> => {
      const params = { id: me.id };
      if (token.length !== 6) throw new Refusal(twoFactor.sixDigits);
      if (status.data?.enabled !== false) {
        const { valid } = await api("POST /totp/{id}/verify", { params, body: { token } });
        if (!valid) throw new Refusal(twoFactor.wrong);
        return [];
      }
      const secret = status.data.secret ?? "";
      return (await api("POST /totp/{id}/enable", { params, body: { secret, token } })).recoveryCodes;
    },
    onSuccess: (recoveryCodes) => {
      // What was refused for want of a code is asked again.
      void queryClient.invalidateQueries();
      if (recoveryCodes.length === 0) onClose();
    },
    onError: () => setCode(""),
  });

  if (entry.data && entry.data.length > 0) return <RecoveryCodes codes={entry.data} onClose={onClose} />;
  const setup = status.data?.enabled === false;
  return (
    <Sheet
      opened
      onClose={onClose}
      title={twoFactor.title}
      footer={
        <SubmitButton
          form={formId}
          fullWidth
          busy={entry.isPending}
          label={setup ? twoFactor.enable : twoFactor.confirm}
          working={twoFactor.working}
        />
      }
    >
      <form
        id={formId}
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (!entry.isPending) entry.mutate(code);
        }}
      >
        {status.isPending && (
          <div role="status" aria-label={common.loading}>
            <Ring state="wait" size={40} />
          </div>
        )}
        {status.data && <p>{setup ? twoFactor.setup : twoFactor.enter}</p>}
        {setup && status.data?.uri && (
          <>
            <div className={classes.qr}>
              <Qr text={status.data.uri} label={twoFactor.title} />
            </div>
            <p className={classes.secret}>
              {twoFactor.secret}: <code>{status.data.secret}</code>
            </p>
          </>
        )}
        {status.data && (
          <CodeBoxes
            digits
            label={setup ? twoFactor.setup : twoFactor.enter}
            boxLabel={twoFactor.digit}
            value={code}
            onChange={setCode}
            onComplete={(whole) => !setup && entry.mutate(whole)}
            error={entry.isError}
            autoFocus
          />
        )}
        <FormMessage
          bad={
            status.error
              ? explain(status.error, twoFactor.statusFailed, failure.silent)
              : entry.error
                ? explain(entry.error, twoFactor.failed, failure.silent)
                : null
          }
        />
      </form>
    </Sheet>
  );
}

function RecoveryCodes({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  const { twoFactor } = useText();
  return (
    <Sheet
      opened
      onClose={onClose}
      title={twoFactor.codesTitle}
      footer={
        <Button fullWidth size="lg" onClick={onClose}>
          {twoFactor.saved}
        </Button>
      }
    >
      <p>{twoFactor.codesLead}</p>
      <ul className={classes.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
    </Sheet>
  );
}
