import { api } from "../../../lib/api.ts";
import { AskFirst } from "../../../ui/ask-first.tsx";
import { MEMBERS } from "../../club/staff/index.ts";
import { useResetWords } from "./reset-words.ts";

export type Reset = "twoFactor" | "passkeys" | "sessions";

const SENT: Readonly<Record<Reset, (id: string) => Promise<unknown>>> = {
  twoFactor: (id) => api("POST /totp/{id}/disable", { params: { id }, body: {} }),
  passkeys: (id) => api("DELETE /admin/users/{id}/passkeys", { params: { id } }),
  sessions: (id) => api("DELETE /admin/users/{id}/sessions", { params: { id } }),
};

/** Asks before a way in of a member's is reset, or their sessions end. */
export function ResetDialog({ what, memberId, onClose }: { what: Reset; memberId: string; onClose: () => void }) {
  const words = useResetWords()[what];
  return (
    <AskFirst
      words={words}
      send={() => SENT[what](memberId)}
      done={() => words.done}
      changes={MEMBERS}
      onClose={onClose}
    />
  );
}
