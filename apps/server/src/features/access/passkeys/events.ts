import { eventType } from "../../../platform/events.ts";

export const passkeyAdded = eventType<{ memberId: string; name: string }>("passkeys.added");

/** All of a member's passkeys were removed: by staff or the command line, or because the password was set anew. */
export const passkeysReset = eventType<{ memberId: string; by: "staff" | "password" }>("passkeys.reset");

/** A passkey counted its uses as only a copy can, and was refused. */
export const passkeyCopied = eventType<{ memberId: string; name: string }>("passkeys.copied");
