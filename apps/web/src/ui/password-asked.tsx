import { useState } from "react";
import { api, Refusal } from "../lib/api.ts";
import { useText } from "../lib/i18n/use-text.tsx";
import { useCommand } from "../lib/use-command.ts";
import { FormMessage } from "./form-message.tsx";
import { PasswordField } from "./password-field.tsx";

/** The password typed once more, for calls that are refused without it: its field and what `send` does with it. */
export function usePasswordAsked({ whose, failed, onGiven }: { whose: string; failed: string; onGiven: () => void }) {
  const { account } = useText();
  const [password, setPassword] = useState("");
  const confirm = useCommand({
    mutationFn: async (typed: string) => {
      if (typed === "") throw new Refusal(account.passwordMissing);
      await api("POST /auth/confirm-password", { body: { password: typed } });
    },
    onSuccess: onGiven,
  });
  const field = (
    <>
      <PasswordField
        label={account.password}
        autoComplete="current-password"
        whose={whose}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        error={confirm.isError}
        data-autofocus
      />
      <FormMessage error={confirm.error} failed={failed} />
    </>
  );
  return { field, busy: confirm.isPending, send: () => confirm.mutate(password) };
}
