import { eventType } from "../../../platform/events.ts";

/** A group was added, changed or deleted; `memberIds`: whose interfaces that changed. */
export const groupChanged = eventType<{ memberIds: readonly string[] }>("group.changed");

/** These members joined or left these groups. */
export const groupMembersChanged = eventType<{ groupIds: readonly string[]; memberIds: readonly string[] }>(
  "group.members_changed",
);

export const groupDeleted = eventType<{ groupId: string; name: string; byId: string | null }>("group.deleted");
