import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";

let club: Club;
let left: Person;
let right: Person;
beforeEach(async () => {
  club = await startClub({ localServer: "off" });
  [left, right] = [await club.admin({ username: "left" }), await club.admin({ username: "right" })];
});
afterEach(() => club.stop());

const admins = async () => {
  const rows = await club.db
    .withTables<{ members: { role: string; is_active: number; deleted_at: number | null } }>()
    .selectFrom("members")
    .selectAll()
    .where("role", "=", "admin")
    .where("is_active", "=", 1)
    .where("deleted_at", "is", null)
    .execute();
  return rows.length;
};
const ends = {
  demoted: (by: Person, whom: Person) => club.as(by).send("PUT", `/api/users/${whom.id}`, { role: "user" }),
  blocked: (by: Person, whom: Person) => club.as(by).send("PUT", `/api/users/${whom.id}`, { is_active: 0 }),
  deleted: (by: Person, whom: Person) => club.as(by).send("DELETE", `/api/users/${whom.id}`),
};

describe.each(Object.entries(ends))("the last admin can't be %s", (_end, act) => {
  test("by themselves", async () => {
    expect((await act(left, right)).status).toBeLessThan(300);
    expect((await act(left, left)).code).toBe("member.last_admin");
    expect(await admins()).toBe(1);
  });

  test("also when the last two do it to each other at once", async () => {
    const answers = await Promise.all([act(left, right), act(right, left)]);
    // By then the slower one is the last admin, or is signed out.
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
    expect(answers.every(({ status }) => status < 500)).toBe(true);
    expect(await admins()).toBe(1);
  });

  test("also when both resign at once", async () => {
    const answers = await Promise.all([act(left, left), act(right, right)]);
    expect(answers.map(({ code }) => code ?? "done").sort()).toEqual(["done", "member.last_admin"]);
    expect(await admins()).toBe(1);
  });
});

test("an admin who has not set a password yet does not count as one who can take over", async () => {
  await club.as(left).call("DELETE /users/{id}", { params: { id: right.id } });
  const added = await club.as(left).call("POST /users", { body: { username: "not-yet", role: "admin" } });
  expect(added.status).toBe(201);
  expect((await ends.demoted(left, left)).code).toBe("member.last_admin");
});
