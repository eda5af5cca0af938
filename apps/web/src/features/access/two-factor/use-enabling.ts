import { useState } from "react";
import { api, Refusal } from "../../../lib/api.ts";
import { useStaffWords } from "../../../lib/i18n/staff.ts";
import type { TwoFactorStatus } from "./queries.ts";
import { useAttempt } from "./use-attempt.ts";

/** Turns two-factor on with the offered secret and a code. `codes` are the recovery codes, shown only once. */
export function useEnabling(
  memberId: string,
  status: TwoFactorStatus | undefined,
  lock: { seconds: number; at: number },
) {
  const { twoFactor: words } = useStaffWords();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const attempt = useAttempt({
    send: async (token) => {
      const secret = status?.secret;
      if (!secret) throw new Refusal(words.noSecret);
      return (await api("POST /totp/{id}/enable", { params: { id: memberId }, body: { secret, token } })).recoveryCodes;
    },
    onRight: setCodes,
    lock,
    failed: words.failed,
  });
  return { attempt, codes, forgetCodes: () => setCodes(null) };
}
