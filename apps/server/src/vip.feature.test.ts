import { randomUUID } from "node:crypto";
import { contract } from "@krug/contract/api";
import { accessOf, type EndpointSpec, isStream } from "@krug/contract/endpoint";
import { DAY_MS } from "@krug/domain/moment";
import { afterAll, beforeAll, expect, test } from "vitest";
import { choices } from "../testing/config-input.ts";
import { type Club, PASSWORD, type Person, startClub } from "../testing/start-club.ts";
import { live } from "../testing/whole-life.ts";

/*
 * VIP members are hidden from moderators. Whatever one does, each call answers a moderator, and an admin who views as one, as if
 * there were nobody: in what it lists, counts, finds and refuses.
 */

let club: Club;
let admin: Person;
let moderator: Person;
let member: Person;
/** A staff code that the VIP members joined by. */
let code: string;
let known: Record<string, string[]>;
beforeAll(async () => {
  club = await startClub();
  admin = await club.admin();
  moderator = await club.moderator();
  member = await club.member();
  await club.as(admin).call("PUT /admin/payments/settings", { body: { price: "300", details: "Карта" } });
  const place = await choices(club, member);
  const made = await club
    .as(admin)
    .call("POST /admin/invite-codes", { body: { maxUses: 5, interfaces: [place.interfaceId] } });
  code = made.body.code;
  await live(club, admin, member, "ordinary");
  const { body: servers } = await club.as(admin).call("GET /admin/servers");
  const { body: interfaces } = await club.as(admin).call("GET /admin/servers/interfaces");
  const { body: codes } = await club.as(admin).call("GET /admin/invite-codes");
  const { body: rules } = await club.as(admin).call("GET /admin/rules");
  known = {
    period: [new Date(club.clock.now()).toISOString().slice(0, 7)],
    id: [member.id, ...[servers, interfaces, codes, rules].flatMap((rows) => rows.map(({ id }) => id))],
    userId: [member.id],
  };
});
afterAll(() => club.stop());

const gets = Object.values(contract)
  .flatMap((feature) => Object.values<EndpointSpec>(feature))
  .filter(({ method, answer }) => method === "GET" && !isStream(answer));
const forStaff = gets.filter((spec) => accessOf(spec) === "staff");

/** Every staff call's answers, by path. */
async function sweep(reader: Person, as: string): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  const words = ["", "secret"];
  for (const { path, query } of forStaff) {
    const [, name] = /\{(\w+)\}/.exec(path) ?? [];
    const takesWords = query !== undefined && "q" in query.shape;
    for (const value of name === undefined ? [""] : (known[name] ?? []))
      for (const q of takesWords ? words : [""]) {
        const url = `/api${path.replace(/\{\w+\}/, value)}?${new URLSearchParams({ ...(q && { q }), ...(as && { as }) })}`;
        const { status, body, headers } = await club.as(reader).send("GET", url);
        found[url] = { status, body, total: headers.get("x-total-count"), link: headers.get("link") };
      }
  }
  return found;
}

test("a moderator's answers are the same, whatever a VIP member does", async () => {
  const readers: [Person, string][] = [
    [moderator, ""],
    [admin, "moderator"],
  ];
  const before = await Promise.all(readers.map(([reader, as]) => sweep(reader, as)));
  const inbox = async () => (await club.as(moderator).call("GET /inbox")).body;
  const [noticesBefore, unreadBefore] = [await inbox(), (await club.as(moderator).call("GET /inbox/unread")).body];
  const { body: joined } = await club.guest.call("POST /auth/register", {
    body: { username: "secret-vip", password: PASSWORD, inviteCode: code },
  });
  await club.as(admin).call("PUT /users/{id}", {
    params: { id: joined.user.id },
    body: {
      isVip: true,
      displayName: "Secret Person",
      subscriptionEnd: new Date(club.clock.now().getTime() + 90 * DAY_MS).toISOString(),
    },
  });
  const vip: Person = { id: joined.user.id, username: "secret-vip", password: PASSWORD, token: joined.token };
  await club.as(vip).call("POST /users/accept-rules");
  await live(club, admin, vip, "secret");
  const after = await Promise.all(readers.map(([reader, as]) => sweep(reader, as)));
  for (const [index, one] of before.entries())
    for (const [url, answer] of Object.entries(one)) expect.soft([url, after[index]?.[url]]).toEqual([url, answer]);
  expect.soft(await inbox()).toEqual(noticesBefore);
  expect.soft((await club.as(moderator).call("GET /inbox/unread")).body).toEqual(unreadBefore);
});

test("what a moderator asks about a VIP member is answered as about nobody, to the letter", async () => {
  const vip = await club.member({ username: "hidden-vip", row: { is_vip: 1 } });
  await live(club, admin, vip, "hidden");
  const { body: configs } = await club.as(vip).call("GET /vpn/configs");
  const period = known.period?.[0] ?? "";
  const asked = (id: string, configId: string, target: string): [string, string, object?][] => [
    ["PUT", `/users/${id}`, { displayName: "x" }],
    ["PUT", `/users/${id}`, {}],
    ["POST", `/admin/users/${id}/notes`, { content: "x" }],
    ["POST", `/users/${id}/password-link`, {}],
    ["DELETE", `/admin/users/${id}/sessions`],
    ["POST", "/admin/users/bulk", { ids: [id], action: "block" }],
    ["POST", "/admin/users/bulk", { ids: [id], action: "message", message: "x" }],
    ["POST", `/telegram/notify/${id}`, { message: "x" }],
    ["POST", `/admin/support/conversations/${id}/messages`, { content: "x" }],
    ["POST", `/admin/support/conversations/${id}/read`, { upTo: 1 }],
    ["PUT", `/admin/support/conversations/${id}/waiting`, { waiting: false, upTo: 1 }],
    ["PUT", `/admin/support/conversations/${id}/assignee`, { assignedTo: null, expected: null }],
    ["PUT", "/admin/payments/status", { userId: id, period, status: "paid" }],
    ["POST", "/admin/rules", { type: "whitelist", target, appliesTo: [id] }],
    ["POST", "/admin/servers/assign", { userId: id, serverId: randomUUID() }],
    ["POST", `/users/${id}/configs`, { name: "x" }],
    ["PUT", `/admin/configs/${configId}/blocked`, { isBlocked: true }],
    ["PUT", `/admin/configs/${configId}/interface`, { interfaceId: randomUUID() }],
    ["POST", `/admin/configs/${configId}/link`, {}],
    ["DELETE", `/admin/configs/${configId}/link`],
    ["DELETE", `/vpn/configs/${configId}`],
    ["POST", "/admin/configs/delete", { ids: [configId] }],
    ["POST", `/vpn/configs/${configId}/restore`, {}],
    ["GET", `/vpn/configs?userId=${id}`],
    ["GET", `/vpn/available-interfaces?userId=${id}`],
    ["GET", `/vpn/suggested-services?userId=${id}`],
    ["GET", `/admin/rules/check?userId=${id}&target=203.0.113.6`],
    ["GET", `/admin/statistics/traffic?member=${id}`],
    ["GET", `/vpn/stats/${id}`],
    ["GET", `/users/${id}/invited`],
    ["GET", `/users/${id}/active-invite`],
    ["GET", `/totp/${id}/status`],
    ...forStaff
      .filter(({ path }) => /\{(?:userId|id)\}/.test(path))
      .flatMap(({ path }): [string, string][] =>
        [id, configId].map((value) => ["GET", path.replace(/\{\w+\}/, value)]),
      ),
  ];
  const answers = async (...about: [string, string, string]) => {
    const found: unknown[] = [];
    for (const [method, path, body] of asked(...about)) {
      const { status, body: got } = await club.as(moderator).send(method, `/api${path}`, body);
      const text = JSON.stringify(got)?.replaceAll(about[0], "ID").replaceAll(about[1], "CONFIG");
      found.push([method, path.replaceAll(about[0], "ID").replaceAll(about[1], "CONFIG"), status, text]);
    }
    return found;
  };
  const nobody = await answers(randomUUID(), randomUUID(), "203.0.113.99");
  const hidden = await answers(vip.id, configs[0]?.id ?? "", "203.0.113.6");
  for (const [index, answer] of hidden.entries()) expect.soft(answer).toEqual(nobody[index]);
});
