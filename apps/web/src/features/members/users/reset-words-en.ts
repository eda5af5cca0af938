import type { resets as ru } from "./reset-words-ru.ts";

/** The questions before a member's ways to sign in are reset, or their sessions ended. */
export const resets: typeof ru = {
  twoFactor: {
    title: "Reset two-factor authentication?",
    text: "The current codes and recovery codes stop working. They set up 2FA again when they next open the administration area. Make sure that the request really comes from them.",
    confirm: "Reset 2FA",
    working: "Resetting...",
    failed: "2FA could not be reset",
    done: "2FA is reset",
  },
  passkeys: {
    title: "Reset the passkeys?",
    text: "The member can no longer sign in with them, and all their sessions end. The password stays. They can add a new passkey in their settings.",
    confirm: "Reset",
    working: "Resetting...",
    failed: "Could not reset the passkeys",
    done: "Passkeys reset",
  },
  sessions: {
    title: "End all sessions?",
    text: "They will have to sign in again on every device. The VPN keeps working.",
    confirm: "End all sessions",
    working: "Ending...",
    failed: "The sessions could not be ended",
    done: "All sessions have ended",
  },
};
