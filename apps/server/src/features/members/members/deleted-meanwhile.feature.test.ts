import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { configInput } from "../../../../testing/config-input.ts";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";

/** A member with everything that the acts need. */
async function newMember(club: Club) {
  const member = await club.member({ configLimit: 9 });
  const create = async (name: string) =>
    (await club.as(member).call("POST /vpn/configs", { body: await configInput(club, member, { name }) })).body.id;
  const [kept, gone] = [await create("kept"), await create("gone")];
  await club.as(member).call("DELETE /vpn/configs/{id}", { params: { id: gone } });
  const { code } = (await club.as(member).call("POST /users/generate-invite", { body: {} })).body;
  return { member, kept, gone, code, input: await configInput(club, member, { name: "new" }) };
}

/** What may be under way when a member is deleted: method, path, body, and who does it; null: a guest. */
async function actsOf(club: Club, admin: Person, of: Awaited<ReturnType<typeof newMember>>) {
  const { member, kept, gone, code, input } = of;
  const { id, username, password } = member;
  const [server] = (await club.as(admin).call("GET /admin/servers")).body;
  const [tunnel] = (await club.as(admin).call("GET /admin/servers/interfaces")).body;
  const target = `198.51.100.${Math.floor(Math.random() * 255)}`;
  const acts: [string, string, unknown, Person | null][] = [
    ["POST", "/admin/servers/assign", { userId: id, serverId: server?.id }, admin],
    ["POST", "/admin/servers/interfaces/assign", { userId: id, interfaceId: tunnel?.id }, admin],
    ["POST", `/admin/users/${id}/notes`, { content: "a note" }, admin],
    ["POST", `/users/${id}/password-link`, undefined, admin],
    ["POST", "/admin/rules", { target, appliesTo: [id] }, admin],
    ["POST", `/users/${id}/configs`, { ...input, name: "by-staff" }, admin],
    ["PUT", `/users/${id}`, { displayName: "another" }, admin],
    ["POST", "/api-tokens", { name: "bot", scopes: ["configs:read"], days: 5 }, member],
    ["POST", "/support/messages", { content: "help" }, member],
    ["POST", "/support/tickets", { subject: "help", description: "me" }, member],
    ["POST", "/payments/claim", {}, member],
    ["POST", "/vpn/configs", input, member],
    ["POST", `/vpn/configs/${kept}/key`, {}, member],
    ["POST", `/vpn/configs/${gone}/restore`, undefined, member],
    ["GET", `/totp/${id}/status`, undefined, member],
    ["POST", "/users/change-password", { currentPassword: password, newPassword: "another long phrase" }, member],
    ["POST", "/auth/login", { username, password }, null],
    ["POST", "/auth/lost-device", { username }, null],
    ["POST", "/auth/register", { username: `friend-${id.slice(0, 8)}`, password, inviteCode: code }, null],
  ];
  return () =>
    acts.map(async ([method, path, body, who]) => {
      const answer = await (who === null ? club.guest : club.as(who)).send(method, `/api${path}`, body);
      expect(answer.status, `${method} ${path}: ${answer.message}`).toBeLessThan(500);
    });
}

/** How many rows of each table name this member. */
async function rowsAbout(club: Club, { id }: Person): Promise<Map<string, number>> {
  await club.settle();
  const count = (rows: object[]) => rows.filter((row) => JSON.stringify(row).includes(id)).length;
  return new Map([...(await club.allRows())].map(([table, rows]) => [table, count(rows)]));
}

test("what is under way while a member is being deleted leaves no more of them than what was done before", async () => {
  const club = await startClub();
  onTestFinished(() => club.stop());
  const admin = await club.admin();
  await club.as(admin).call("PUT /admin/payments/settings", { body: { price: "300" } });
  const remove = ({ id }: Person) => club.as(admin).call("DELETE /users/{id}", { params: { id } });

  const before = await newMember(club);
  await Promise.all((await actsOf(club, admin, before))());
  expect((await remove(before.member)).status).toBe(204);
  const usual = await rowsAbout(club, before.member);

  club.clock.advance(61_000);
  const { member, ...rest } = await newMember(club);
  const act = await actsOf(club, admin, { member, ...rest });
  let removed: ReturnType<typeof remove> | undefined;
  let acts: Promise<void>[] = [];
  // The deletion has begun and waits for the sessions. The others are let in, and come after it.
  await club.transact(async (tx) => {
    await sql`update sessions set device = 'held' where member_id = ${member.id}`.execute(tx);
    removed = remove(member);
    await wait(500);
    acts = act();
    await wait(1_000);
  });
  await Promise.all(acts);
  expect((await removed)?.status).toBe(204);
  const left = [...(await rowsAbout(club, member))].filter(([table, count]) => count > (usual.get(table) ?? 0));
  expect(left).toEqual([]);
});
