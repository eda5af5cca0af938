import { eventType } from "../../../platform/events.ts";
import type { ConfigRow } from "./table.ts";

/** Staff deleted a member's configs; with their names, for the notice. */
export const configsDeletedByStaff = eventType<{ memberId: string; names: string[] }>("configs.deleted_by_staff");

/** Staff made a config for a member. */
export const configMadeByStaff = eventType<{ memberId: string; name: string }>("configs.made_by_staff");

interface Moved {
  memberId: string;
  /** When the former place ends, ms, null if there is none; of several, the last one. */
  until: number | null;
  /** A device that had plain WireGuard now needs another app. */
  needsAmneziawg: boolean;
}

/** Staff moved a member's config. */
export const configMovedByStaff = eventType<Moved & { name: string }>("configs.moved_by_staff");

/** Staff moved several of a member's configs. */
export const configsMovedByStaff = eventType<Moved & { names: string[] }>("configs.all_moved_by_staff");

/** A config without its secrets. */
type HeardOf = Pick<ConfigRow, "id" | "member_id" | "interface_id" | "device_type">;

export const configCreated = eventType<HeardOf>("configs.created");
/** Its owner undid the deletion. */
export const configRestored = eventType<HeardOf>("configs.restored");
export const configsDeleted = eventType<readonly HeardOf[]>("configs.deleted");

/** What happened to devices that nobody uses: they will be switched off, were, or were deleted. */
export type UnseenStage = "soon" | "off" | "deleted";
/** `at`, ms: when they will be switched off at the earliest, until when they are kept, when they were deleted. */
export const devicesUnseen =
  eventType<readonly { memberId: string; names: string[]; stage: UnseenStage; at: number }[]>("configs.unseen");

/** What happened to devices with an end: they will be switched off, were, or were deleted. */
export type EndStage = "soon" | "ended" | "deleted";
/** `at`, ms: their end, until when they are kept, when they were deleted. */
export const devicesEnd =
  eventType<readonly { memberId: string; names: string[]; stage: EndStage; at: number }[]>("configs.end");

/** Configs as these members see them may have changed: made, deleted, applied, marked. */
export const configsChanged = eventType<{ memberIds: readonly string[] }>("configs.changed");

/** A config's services changed; ids. */
export const configServicesChanged = eventType<{
  configId: string;
  removed: readonly string[];
  added: readonly string[];
}>("configs.services_changed");

/** Changed lists marked files of these members; `names`: of all their devices that lists marked. `weekAt`: when the week of one notice began, ms. */
export const filesOutdated =
  eventType<readonly { memberId: string; names: string[]; weekAt: number }[]>("configs.files_outdated");

/** What a device's server routes by changed, or may have: its services or its DNS entry; on these interfaces. */
export const configChoiceChanged = eventType<{ interfaceIds: readonly string[] }>("configs.choice_changed");

/** A device moved from one interface to another; ids. */
export const configMoved = eventType<{ configId: string; from: string; to: string }>("configs.moved");

/** A device took an address of an interface that has few left. */
export const addressesRanLow = eventType<{ interfaceId: string; name: string; server: string; free: number }>(
  "configs.addresses_ran_low",
);
