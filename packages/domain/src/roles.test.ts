import { describe, expect, test } from "vitest";
import { isStaff, ROLES } from "./roles.ts";
import { may, STAFF_ACTIONS, type StaffAction, SWITCHABLE_ACTIONS } from "./staff-actions.ts";

const actions = Object.keys(STAFF_ACTIONS) as StaffAction[];

describe("who may do what", () => {
  test("staff are moderators and admins", () => {
    expect(ROLES.filter(isStaff)).toEqual(["moderator", "admin"]);
  });

  test("a member may do none of it, even with every switch on; an admin may do everything", () => {
    expect(actions.filter((action) => may("user", action, SWITCHABLE_ACTIONS))).toEqual([]);
    expect(actions.filter((action) => may("admin", action))).toEqual(actions);
  });

  test("a moderator changes only payments, answers and notes until an admin switches more on", () => {
    const changes = actions.filter((action) => !/\.see/.test(action) && may("moderator", action));
    expect(changes).toEqual(["notes.write", "payments.set_paid", "payments.set_overdue", "support.answer"]);
  });

  test("a moderator sees everything except VIP members, servers' secrets and the system", () => {
    const hidden = actions.filter((action) => /\.see/.test(action) && !may("moderator", action));
    expect(hidden).toEqual(["members.see_vip", "servers.see_secrets", "system.see"]);
  });

  test("an admin can let moderators make codes, name and assign interfaces, and send password links", () => {
    expect([...SWITCHABLE_ACTIONS].sort()).toEqual([
      "interfaces.assign",
      "interfaces.rename",
      "invites.create",
      "members.send_password_link",
    ]);
  });

  test.each(SWITCHABLE_ACTIONS)("a moderator may do %s if it is switched on, and only by that switch", (action) => {
    const others = SWITCHABLE_ACTIONS.filter((other) => other !== action);
    expect(may("moderator", action)).toBe(false);
    expect(may("moderator", action, others)).toBe(false);
    expect(may("moderator", action, [action])).toBe(true);
  });

  test("no switch gives a moderator what only admins may do", () => {
    const closed: StaffAction[] = ["members.delete", "payments.set_not_required", "servers.change", "system.change"];
    expect(closed.filter((action) => may("moderator", action, SWITCHABLE_ACTIONS))).toEqual([]);
  });
});
