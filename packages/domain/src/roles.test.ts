import { describe, expect, test } from "vitest";
import { isStaff, may, ROLES, STAFF_ACTIONS, type StaffAction, SWITCHABLE_ACTIONS } from "./roles.ts";

const actions = Object.keys(STAFF_ACTIONS) as StaffAction[];

describe("who may do what", () => {
  test("staff are moderators and admins", () => {
    expect(ROLES.filter(isStaff)).toEqual(["moderator", "admin"]);
  });

  test("a member may nothing of it, even with every switch on; an admin may everything", () => {
    expect(actions.filter((action) => may("user", action, SWITCHABLE_ACTIONS))).toEqual([]);
    expect(actions.filter((action) => may("admin", action))).toEqual(actions);
  });

  test("a moderator changes nothing but payments and answers, until an admin switches more on", () => {
    const changes = actions.filter((action) => !/\.see/.test(action) && may("moderator", action));
    expect(changes).toEqual(["payments.set_paid", "payments.set_overdue", "support.answer"]);
  });

  test("a moderator sees everything but VIP members, servers' secrets and the system", () => {
    const hidden = actions.filter((action) => /\.see/.test(action) && !may("moderator", action));
    expect(hidden).toEqual(["members.see_vip", "servers.see_secrets", "system.see"]);
  });

  test("an admin can switch on for moderators: codes, interfaces' names and assignments, password links", () => {
    expect([...SWITCHABLE_ACTIONS].sort()).toEqual([
      "interfaces.assign",
      "interfaces.rename",
      "invites.create",
      "members.send_password_link",
    ]);
  });

  test.each(SWITCHABLE_ACTIONS)("%s is a moderator's when switched on, and by that switch alone", (action) => {
    const others = SWITCHABLE_ACTIONS.filter((other) => other !== action);
    expect(may("moderator", action)).toBe(false);
    expect(may("moderator", action, others)).toBe(false);
    expect(may("moderator", action, [action])).toBe(true);
  });

  test("no switch opens what is an admin's", () => {
    const closed: StaffAction[] = ["members.delete", "payments.set_not_required", "servers.change", "system.change"];
    expect(closed.filter((action) => may("moderator", action, SWITCHABLE_ACTIONS))).toEqual([]);
  });
});
