import { useState } from "react";
import { api, Refusal } from "./api.ts";
import { useText } from "./i18n/use-text.tsx";
import { useCommand } from "./use-command.ts";

/** The password typed once more, for calls that are refused without it. */
export function usePasswordAsked(onGiven: () => void) {
  const { account } = useText();
  const [password, setPassword] = useState("");
  const confirm = useCommand({
    mutationFn: async (typed: string) => {
      if (typed === "") throw new Refusal(account.passwordMissing);
      await api("POST /auth/confirm-password", { body: { password: typed } });
    },
    onSuccess: onGiven,
  });
  return { password, setPassword, confirm };
}
