import { eventType } from "../../../platform/events.ts";

export const passkeyAdded = eventType<{ memberId: string; name: string }>("passkeys.added");

/** `staff`: also by the command line. `password`: it was reset. */
export type ResetBy = "staff" | "password" | "lost_device";

/** All of a member's passkeys were removed. */
export const passkeysReset = eventType<{ memberId: string; by: ResetBy }>("passkeys.reset");

/** A passkey counted its uses as only a copy can, and was refused. */
export const passkeyCopied = eventType<{ memberId: string; name: string }>("passkeys.copied");
