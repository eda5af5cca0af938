import { describe, expect, test } from "vitest";
import { isStaff, ROLES } from "./roles.ts";
import { MODERATOR_SWITCHES, may, mayEver, STAFF_ACTIONS, type StaffAction } from "./staff-actions.ts";

const actions = Object.keys(STAFF_ACTIONS) as StaffAction[];

describe("who may do what", () => {
  test("staff are moderators and admins", () => {
    expect(ROLES.filter(isStaff)).toEqual(["moderator", "admin"]);
  });

  test("a member may do none of it, even with every switch on; an admin may do everything", () => {
    expect(actions.filter((action) => mayEver("user", action))).toEqual([]);
    expect(actions.filter((action) => may("admin", action))).toEqual(actions);
  });

  test("a moderator changes only payments, answers and notes until an admin switches more on", () => {
    const changes = actions.filter((action) => !/\.(see|enter)/.test(action) && may("moderator", action));
    expect(changes).toEqual(["notes.write", "payments.set", "support.answer"]);
  });

  test("a moderator sees everything except VIP members, servers' secrets and the system", () => {
    const hidden = actions.filter((action) => /\.see/.test(action) && !may("moderator", action));
    expect(hidden).toEqual(["members.see_vip", "servers.see_secrets", "system.see"]);
  });

  test.each([
    ["moderatorMayInvites", ["invites.create"]],
    ["moderatorMayInterfaces", ["interfaces.rename", "interfaces.assign"]],
    ["moderatorMayPasswordLinks", ["members.send_password_link"]],
  ] as const)("%s lets moderators do %s, and nothing else does", (name, granted) => {
    const others = MODERATOR_SWITCHES.filter((other) => other !== name);
    expect(actions.filter((action) => may("moderator", action, [name]) && !may("moderator", action))).toEqual(granted);
    expect(granted.filter((action) => may("moderator", action, others))).toEqual([]);
  });

  test("no switch gives a moderator what only admins may do", () => {
    const closed: StaffAction[] = ["members.delete", "payments.set_not_required", "servers.change", "system.change"];
    expect(closed.filter((action) => mayEver("moderator", action))).toEqual([]);
  });
});
