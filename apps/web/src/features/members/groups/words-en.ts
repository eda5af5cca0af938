import { counter } from "@krug/domain/plural";
import type { groups as ru } from "./words-ru.ts";

const rules = counter("en", { one: "access rule", other: "access rules" });
const members = counter("en", { one: "member", other: "members" });

export const groups: typeof ru = {
  title: "Groups of members",
  lead: "A member can be in several groups. Filter the list by a group, change all its members at once, and let them use its interfaces in addition to their own.",
  nobody:
    "There are no groups yet. A group collects members so that you can list them together, change all of them at once, and assign interfaces to them.",
  failed: "Error loading groups",
  add: "Add a group",
  edit: "Edit",
  remove: "Delete",
  members: (count: number) => members(count),
  form: {
    addTitle: "New group",
    editTitle: (name: string) => `Group '${name}'`,
    name: "Name",
    nameHint: "For example 'Family' or 'Colleagues'",
    nameEmpty: "Enter a name",
    interfaces: "Interfaces",
    interfacesHint:
      "Members of the group create configs on these and on what is assigned to them personally. Members with nothing assigned use the main server. Existing configs do not change.",
    interfacesNone: "There are no interfaces yet.",
    inactive: "inactive",
    saved: (name: string) => `Group '${name}' saved`,
    saveFailed: "Could not save the group",
    listFailed: "Error loading interfaces",
    conflict: "Another admin changed the group while you were editing it",
    no: "none",
  },
  deletion: {
    title: (name: string) => `Delete group '${name}'?`,
    empty: "Nobody is in the group.",
    stay: (count: number) =>
      `The group has ${members(count)}. All of them stay in the club, and their configs keep working.`,
    interfaces: (names: string) =>
      `For new configs, only those who have these interfaces otherwise may use them: ${names}.`,
    rules: (count: number) => `${rules(count)} for it will be deleted too.`,
    confirm: "Delete",
    working: "Deleting...",
    done: (name: string) => `Group '${name}' deleted`,
    failed: "Could not delete the group",
  },
  of: {
    title: (name: string) => `Groups: ${name}`,
    none: "in no group",
    edit: "Edit groups",
    saved: (name: string) => `${name}'s groups saved`,
    failed: "Could not change the groups",
    conflict: "Another admin changed this member's groups while you were choosing",
  },
  choice: {
    how: "Action",
    join: "Add to a group",
    leave: "Remove from a group",
    group: "Group",
    isNew: "New group",
    name: "Name of the new group",
    confirm: "Apply",
    working: "Applying...",
  },
};
