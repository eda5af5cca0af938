import { type Api, contract } from "@krug/contract/api";
import { type Access, type EndpointSpec, isStream } from "@krug/contract/endpoint";
import type { RefusalCode } from "@krug/contract/refusals";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newBrowser, subscriptionOf } from "./dev/push-double.ts";
import { type Club, type Person, startClub } from "./dev/start-club.ts";
import { wishFor } from "./dev/wishes.ts";

/*
 * Who gets what of every call: the roles, with and without the second factor, about what is their own, another member's and
 * a VIP member's (decisions, sections 2 and 3). A call without a row here fails, and so does one whose contract says another
 * access than its row.
 */

type Verdict = "answered" | RefusalCode;

/** What is sent, about something of `owner`'s. */
interface Sent {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
}
type Made = (owner: Person) => Sent | Promise<Sent>;

/** What they get who ask about another's. */
interface Others {
  member: Verdict;
  moderator: Verdict;
  moderatorAboutVip: Verdict;
  admin: Verdict;
  /** An admin who has not passed the second factor; before it staff are members. */
  unproven: Verdict;
}

interface Row {
  access: Access;
  /** Where the call is about something that is somebody's. */
  about?: { made: Made; own: Verdict | null; others: Others };
}

const anyone: Row = { access: "public" };
const member: Row = { access: "member" };
const staff: Row = { access: "staff" };
const admin: Row = { access: "admin" };

/** Its owner's alone; to all others it is not there, or not theirs. */
const ownersAlone = (made: Made, refused: RefusalCode): Row => ({
  access: "member",
  about: {
    made,
    own: "answered",
    others: { member: refused, moderator: refused, moderatorAboutVip: refused, admin: refused, unproven: refused },
  },
});
/** Its owner's, and an admin's. */
const ownersAndAdmins = (made: Made, refused: RefusalCode): Row => ({
  access: "member",
  about: {
    made,
    own: "answered",
    others: {
      member: refused,
      moderator: refused,
      moderatorAboutVip: refused,
      admin: "answered",
      unproven: "auth.two_factor_required",
    },
  },
});
/** Its owner's, and staff's who may see him; `hidden`: of whom a moderator knows nothing. */
const ownersAndStaffs = (made: Made, refused: RefusalCode, hidden: RefusalCode = refused): Row => ({
  access: "member",
  about: {
    made,
    own: "answered",
    others: {
      member: refused,
      moderator: "answered",
      moderatorAboutVip: hidden,
      admin: "answered",
      unproven: "auth.two_factor_required",
    },
  },
});
/** Staff's, about members whom they may see. */
const staffAbout = (made: Made, hidden: RefusalCode): Row => ({
  access: "staff",
  about: {
    made,
    own: null,
    others: {
      member: "auth.forbidden",
      moderator: "answered",
      moderatorAboutVip: hidden,
      admin: "answered",
      unproven: "auth.two_factor_required",
    },
  },
});
const adminAbout = (made: Made): Row => ({
  access: "admin",
  about: {
    made,
    own: null,
    others: {
      member: "auth.forbidden",
      moderator: "auth.forbidden",
      moderatorAboutVip: "auth.forbidden",
      admin: "answered",
      unproven: "auth.two_factor_required",
    },
  },
});

/** Staff's, about members whom they may see; a moderator's once an admin has switched it on, which nobody has here. */
const switchableAbout = (made: Made): Row => ({
  access: "staff",
  about: {
    made,
    own: null,
    others: {
      member: "auth.forbidden",
      moderator: "auth.forbidden",
      moderatorAboutVip: "auth.forbidden",
      admin: "answered",
      unproven: "auth.two_factor_required",
    },
  },
});

let club: Club;

/** What a maker needs must be there: a path without it would be refused for a reason of its own. */
const there = (id: string | undefined): string => {
  if (!id) throw new Error("what the call is about could not be made");
  return id;
};
const him =
  (rest: Omit<Sent, "params"> = {}, name = "id"): Made =>
  ({ id }) => ({ params: { [name]: id }, ...rest });
const hisConfig =
  (rest: Omit<Sent, "params"> = {}): Made =>
  async (owner) => {
    const made = await club.as(owner).call("POST /vpn/configs", { body: await wishFor(club, owner) });
    return { params: { id: there(made.body.id) }, ...rest };
  };
const hisDeletedConfig: Made = async (owner) => {
  const sent = await hisConfig()(owner);
  await club.as(owner).call("DELETE /vpn/configs/{id}", { params: { id: there(sent.params?.id) } });
  return sent;
};
const PICTURE = `data:image/png;base64,${"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="}`;
const ruleForHim: Made = async ({ id }) => {
  const wish = { target: "203.0.113.1", appliesTo: [id] };
  const made = await club.as(people.admin).call("POST /admin/rules", { body: wish });
  return { params: { id: there(made.body.id) } };
};
const hisSession: Made = async (owner) => {
  const [session] = (await club.as(owner).call("GET /auth/sessions")).body;
  return { params: { id: there(session?.id) } };
};
const hisApiToken: Made = async (owner) => {
  const wish = { name: "Отчёт", scopes: ["profile:read" as const], days: 1 };
  const made = await club.as(owner).call("POST /api-tokens", { body: wish });
  return { params: { id: there(made.body.id) } };
};
const hisBrowser: Made = async (owner) => {
  // The club of this test has no address of its own, so the call that adds a browser is closed.
  const { auth, push } = club.app.parts;
  const actor = (await auth.authenticate(owner.token, false)) ?? expect.unreachable();
  await push.subscriptions.subscribe(actor, { ...subscriptionOf(newBrowser("https://1.2.3.4")), language: "ru" });
  return { params: { id: there((await club.as(owner).call("GET /push")).body.browsers[0]?.id) } };
};
const hisClaim =
  (rest: Omit<Sent, "params"> = {}): Made =>
  async (owner) => {
    const { claim } = (await club.as(owner).call("POST /payments/claim", { body: { receipt: PICTURE } })).body;
    return { params: { id: there(claim?.id) }, ...rest };
  };
const hisPicture: Made = async (owner) => {
  const said = await club
    .as(owner)
    .call("POST /support/messages", { body: { content: "см.", attachments: [PICTURE] } });
  return { params: { id: there(said.body.attachments[0]?.split("/").at(-1)) } };
};
const openTicket = async (owner: Person) =>
  (await club.as(owner).call("POST /support/tickets", { body: { subject: "Счёт", description: "Не приходит" } })).body
    .id;
const hisTicket =
  (rest: Omit<Sent, "params"> = {}): Made =>
  async (owner) => ({ params: { id: await openTicket(owner) }, ...rest });
const hisLostDevice: Made = async (owner) => {
  await club.guest.call("POST /auth/lost-device", { body: { username: owner.username } });
  await club.app.jobs.drain();
  const [ticket] = (await club.as(owner).call("GET /support/tickets")).body;
  const { params } = await hisConfig()(owner);
  return { params: { id: there(ticket?.id) }, body: { configId: there(params?.id) } };
};
const inHisTicket =
  (rest: (ticketId: string) => Sent): Made =>
  async (owner) =>
    rest(await openTicket(owner));

const assignment =
  (of: "server" | "interface", how: "body" | "params"): Made =>
  async ({ id }) => {
    const [place] = (await club.as(people.admin).call("GET /admin/servers/interfaces")).body;
    const ids = of === "server" ? { serverId: there(place?.serverId) } : { interfaceId: there(place?.id) };
    return { [how]: { userId: id, ...ids } };
  };

const rows: Record<keyof Api & string, Row> = {
  "POST /auth/login": anyone,
  "POST /auth/lost-device": anyone,
  "POST /auth/register": anyone,
  "POST /auth/check-invite": anyone,
  "GET /auth/invite-attempts": anyone,
  "POST /auth/invite-attempts": anyone,
  "POST /auth/check-role": anyone,
  "POST /auth/logout": anyone,
  "POST /auth/confirm-password": member,
  "GET /auth/me": member,
  "GET /auth/sessions": member,
  "DELETE /auth/sessions": member,
  "DELETE /auth/sessions/{id}": ownersAlone(hisSession, "session.not_found"),
  "POST /auth/setup": anyone,
  "POST /auth/set-password": anyone,
  "GET /totp/{id}/status": ownersAlone(him(), "auth.not_yourself"),
  "POST /totp/{id}/enable": ownersAlone(
    him({ body: { secret: "A".repeat(32), token: "000000" } }),
    "auth.not_yourself",
  ),
  "POST /totp/{id}/disable": ownersAndAdmins(him({ body: { token: "000000" } }), "auth.not_yourself"),
  "POST /totp/{id}/recovery-codes": ownersAlone(him({ body: { token: "000000" } }), "auth.not_yourself"),
  "POST /totp/{id}/verify": ownersAlone(him({ body: { token: "000000" } }), "auth.not_yourself"),
  "GET /api-tokens": member,
  "POST /api-tokens": member,
  "DELETE /api-tokens/{id}": ownersAlone(hisApiToken, "api_token.not_found"),
  "GET /users": staff,
  "GET /admin/users/counts": staff,
  "GET /admin/users/{id}": staffAbout(him(), "member.not_found"),
  "DELETE /admin/users/{id}/sessions": adminAbout(him()),
  "GET /admin/users/{id}/notes": staffAbout(him(), "member.not_found"),
  "POST /admin/users/{id}/notes": staffAbout(him({ body: { content: "Платит с чужой карты" } }), "member.not_found"),
  "DELETE /admin/users/{id}/notes/{noteId}": staff,
  "POST /admin/users/bulk": admin,
  "POST /admin/users/bulk/matching": admin,
  "POST /users": admin,
  "GET /users/{id}": ownersAndStaffs(him(), "auth.forbidden", "member.not_found"),
  "PUT /users/{id}": adminAbout(him({ body: { displayName: "Другое имя" } })),
  "DELETE /users/{id}": adminAbout(him()),
  "POST /users/{id}/password-link": switchableAbout(him()),
  "POST /users/change-password": member,
  "POST /users/accept-rules": member,
  "GET /users/{id}/active-invite": ownersAlone(him(), "auth.not_yourself"),
  "POST /users/generate-invite": member,
  "GET /users/{id}/invited": ownersAndStaffs(him(), "auth.not_yourself", "member.not_found"),
  "GET /admin/templates": staff,
  "POST /admin/templates": admin,
  "PUT /admin/templates/{id}": admin,
  "DELETE /admin/templates/{id}": admin,
  "GET /admin/invite-codes": staff,
  "POST /admin/invite-codes": staff,
  "PUT /admin/invite-codes/{id}": admin,
  "PUT /admin/invite-codes/{id}/deactivate": admin,
  "GET /admin/invite-codes/counts": staff,
  "GET /admin/invite-codes/{id}": staff,
  "GET /admin/invite-codes/{id}/members": staff,
  "GET /services": member,
  "POST /services": admin,
  "PUT /services/{id}": admin,
  "DELETE /services/{id}": admin,
  "GET /dns": member,
  "POST /dns": admin,
  "PUT /dns/{id}": admin,
  "DELETE /dns/{id}": admin,
  "GET /admin/catalog/usage": staff,
  "POST /services/{id}/effect": admin,
  "POST /dns/{id}/effect": admin,
  "GET /vpn/configs": member,
  "POST /vpn/configs": member,
  "GET /vpn/configs/{id}": ownersAndStaffs(him(), "auth.not_yourself", "member.not_found"),
  "DELETE /vpn/configs/{id}": ownersAndAdmins(hisConfig(), "config.not_found"),
  "POST /admin/configs/delete": admin,
  "POST /users/{id}/configs": adminAbout(async (owner) => ({
    params: { id: owner.id },
    body: await wishFor(club, owner),
  })),
  "PUT /admin/configs/{id}/interface": admin,
  "PUT /admin/configs/{id}/blocked": admin,
  "POST /admin/configs/{id}/link": admin,
  "DELETE /admin/configs/{id}/link": admin,
  "POST /vpn/open-link": anyone,
  "POST /vpn/configs/{id}/restore": ownersAlone(hisDeletedConfig, "config.not_found"),
  "PUT /vpn/configs/{id}": ownersAlone(hisConfig({ body: { name: "renamed" } }), "config.not_found"),
  "POST /vpn/configs/{id}/key": ownersAlone(hisConfig({ body: {} }), "config.not_found"),
  "GET /vpn/configs/{id}/download": ownersAlone(hisConfig(), "config.not_found"),
  "GET /vpn/configs/{id}/qrcode": ownersAlone(hisConfig(), "config.not_found"),
  "GET /vpn/configs/{id}/link": ownersAlone(hisConfig(), "config.not_found"),
  "GET /vpn/configs/{id}/stats": ownersAlone(hisConfig(), "config.not_found"),
  "GET /vpn/stats/{id}": ownersAlone(hisConfig(), "config.not_found"),
  "GET /admin/configs/{id}/stats": staffAbout(hisConfig(), "config.not_found"),
  "GET /admin/configs/{id}/diagnosis": staffAbout(hisConfig(), "config.not_found"),
  "GET /vpn/configs/{id}/diagnosis": ownersAlone(hisConfig(), "config.not_found"),
  "GET /vpn/available-servers": ownersAndStaffs(
    ({ id }) => ({ query: { userId: id } }),
    "auth.not_yourself",
    "member.not_found",
  ),
  "GET /vpn/available-interfaces": ownersAndStaffs(
    ({ id }) => ({ query: { userId: id } }),
    "auth.not_yourself",
    "member.not_found",
  ),
  "GET /vpn/suggested-services": ownersAndStaffs(
    ({ id }) => ({ query: { userId: id } }),
    "auth.not_yourself",
    "member.not_found",
  ),
  "GET /vpn/stats": member,
  "GET /vpn/traffic": member,
  "GET /vpn/quota": member,
  "GET /payments/own": member,
  "POST /pictures": member,
  "POST /payments/claim": member,
  "DELETE /payments/claim": member,
  "GET /payments/claim/receipt": member,
  "GET /admin/payments/history/{period}": staff,
  "PUT /admin/payments/status": staffAbout(
    ({ id }) => ({ body: { userId: id, period: "2026-11", status: "paid" } }),
    "member.not_found",
  ),
  "GET /admin/payments/summary/{period}": staff,
  "GET /admin/payments/members/{id}": staffAbout(him(), "member.not_found"),
  "GET /admin/payments/revenue": staff,
  "GET /admin/payments/claims": staff,
  "GET /admin/payments/claims/{id}/receipt": staffAbout(hisClaim(), "payment.receipt_not_found"),
  "PUT /admin/payments/claims/{id}/decline": staffAbout(
    hisClaim({ body: { reason: "Сумма не та" } }),
    "payment.claim_not_found",
  ),
  "GET /admin/payments/settings": staff,
  "PUT /admin/payments/settings": admin,
  "GET /admin/servers": staff,
  "POST /admin/servers": admin,
  "GET /admin/servers/ssh-key": admin,
  "POST /admin/servers/{id}/leave": admin,
  "POST /admin/servers/{id}/accept-host-key": admin,
  "POST /admin/servers/{id}/new-password": admin,
  "POST /admin/servers/{id}/install-docker": admin,
  "POST /admin/servers/{id}/install-wireguard": admin,
  "POST /admin/servers/{id}/configure-wireguard": admin,
  "GET /admin/servers/{id}/setup": admin,
  "GET /admin/servers/{id}/setup/stream": admin,
  "PUT /admin/servers/{id}/setup": admin,
  "POST /admin/servers/{id}/setup/cancel": admin,
  "PUT /admin/servers/{id}": admin,
  "DELETE /admin/servers/{id}": admin,
  "GET /admin/servers/{id}/refresh": admin,
  "GET /admin/servers/{id}/history": staff,
  "GET /admin/servers/emptyings": admin,
  "GET /admin/servers/{id}/emptying": admin,
  "POST /admin/servers/{id}/empty": admin,
  "POST /admin/servers/{id}/empty/stop": admin,
  "GET /admin/servers/interfaces/{id}/emptying": admin,
  "POST /admin/servers/interfaces/{id}/empty": admin,
  "POST /admin/servers/interfaces/{id}/empty/stop": admin,
  "POST /admin/servers/interfaces/{id}/rotate": admin,
  "GET /admin/servers/interfaces/{id}/reach": admin,
  "GET /admin/servers/{id}/amneziawg": admin,
  "POST /admin/servers/{id}/moving-in/preview": admin,
  "POST /admin/servers/{id}/moving-in": admin,
  "GET /admin/unknown-peers": admin,
  "POST /admin/unknown-peers/{id}/take-in": admin,
  "POST /admin/unknown-peers/disconnect": admin,
  "PUT /admin/servers/{id}/set-main": admin,
  "POST /admin/servers/assign": switchableAbout(assignment("server", "body")),
  "DELETE /admin/servers/assign/{userId}/{serverId}": switchableAbout(assignment("server", "params")),
  "GET /admin/servers/user-assignments/{id}": staffAbout(him(), "member.not_found"),
  "GET /admin/servers/interfaces": staff,
  "GET /admin/rules": staff,
  "POST /admin/rules": admin,
  "DELETE /admin/rules/{id}": admin,
  "GET /admin/rules/{id}/members": staffAbout(ruleForHim, "rule.not_found"),
  "GET /admin/rules/servers": staff,
  "GET /admin/rules/check": staffAbout(
    ({ id }) => ({ query: { userId: id, target: "203.0.113.1" } }),
    "member.not_found",
  ),
  "GET /admin/servers/{id}/interfaces": staff,
  "POST /admin/servers/{serverId}/create-interface": admin,
  "PUT /admin/servers/{serverId}/interfaces/{interfaceId}": staff,
  "DELETE /admin/servers/{serverId}/interfaces/{interfaceId}": admin,
  "PUT /admin/wireguard/{serverId}/interfaces/{id}": admin,
  "POST /admin/servers/interfaces/assign": switchableAbout(assignment("interface", "body")),
  "DELETE /admin/servers/interfaces/assign/{userId}/{interfaceId}": switchableAbout(assignment("interface", "params")),
  "GET /admin/servers/interfaces/user/{userId}": staffAbout(him({}, "userId"), "member.not_found"),
  "GET /admin/servers/interfaces/{id}/users": staff,
  "GET /admin/rights": staff,
  "GET /events": member,
  "GET /inbox": member,
  "GET /inbox/unread": member,
  "GET /inbox/choices": member,
  "PUT /inbox/choices": member,
  "GET /admin/outbox": admin,
  "GET /admin/webhooks": admin,
  "POST /admin/webhooks": admin,
  "PUT /admin/webhooks/{id}": admin,
  "DELETE /admin/webhooks/{id}": admin,
  "POST /admin/webhooks/{id}/secret": admin,
  "POST /admin/webhooks/{id}/test": admin,
  "GET /admin/webhooks/{id}/deliveries": admin,
  "GET /admin/webhooks/{id}/deliveries/{deliveryId}": admin,
  "POST /admin/webhooks/{id}/deliveries/{deliveryId}/redeliver": admin,
  "GET /push": member,
  "POST /push": member,
  "PUT /push/current": member,
  "DELETE /push/{id}": ownersAlone(hisBrowser, "push.not_found"),
  "POST /inbox/read": member,
  "POST /telegram/notify/{userId}": adminAbout(him({ body: { message: "Загляните в чат" } }, "userId")),
  "GET /admin/statistics/now": staff,
  "GET /admin/statistics/traffic": staff,
  "GET /admin/statistics/breakdown": staff,
  "GET /support/messages": ownersAlone(
    inHisTicket((ticketId) => ({ query: { ticketId } })),
    "support.ticket_not_found",
  ),
  "POST /support/messages": ownersAlone(
    inHisTicket((ticketId) => ({ body: { content: "Ещё", ticketId } })),
    "support.ticket_not_found",
  ),
  "GET /support/unread": member,
  "POST /support/read": member,
  "GET /support/attachments/{id}": ownersAndStaffs(hisPicture, "support.attachment_not_found"),
  "GET /support/tickets": member,
  "POST /support/tickets": member,
  "GET /support/stream": member,
  "GET /admin/support/conversations": staff,
  "GET /admin/support/conversations/{userId}/messages": staffAbout(him({}, "userId"), "member.not_found"),
  "POST /admin/support/conversations/{userId}/messages": staffAbout(
    him({ body: { content: "Здравствуйте" } }, "userId"),
    "member.not_found",
  ),
  "POST /admin/support/conversations/{userId}/read": staffAbout(
    him({ body: { upTo: 1 } }, "userId"),
    "member.not_found",
  ),
  "PUT /admin/support/conversations/{userId}/waiting": staffAbout(
    him({ body: { waiting: false, upTo: 1 } }, "userId"),
    "member.not_found",
  ),
  "GET /admin/support/answer-templates": staff,
  "POST /admin/support/tickets/{id}/lost-device": switchableAbout(hisLostDevice),
  "POST /admin/support/answer-templates": admin,
  "PUT /admin/support/answer-templates/{id}": admin,
  "DELETE /admin/support/answer-templates/{id}": admin,
  "PUT /admin/support/conversations/{userId}/assignee": staffAbout(async (owner) => {
    await club.as(owner).call("POST /support/messages", { body: { content: "Здравствуйте" } });
    return { params: { userId: owner.id }, body: { assignedTo: null } };
  }, "member.not_found"),
  "GET /admin/support/colleagues": staff,
  "GET /admin/support/waiting": staff,
  "GET /admin/support/stream": staff,
  "GET /admin/support/tickets": staff,
  "PUT /admin/support/tickets/{id}": staffAbout(hisTicket({ body: { status: "closed" } }), "support.ticket_not_found"),
  "GET /users/me/export": member,
  "GET /admin/search": staff,
  "GET /admin/guide": admin,
  "POST /admin/guide/dismiss": admin,
  "GET /admin/alarms": staff,
  "GET /security/gate": anyone,
  "GET /security/ways": member,
  "GET /security/geo": anyone,
  "GET /security/vpn": anyone,
  "GET /admin/security": admin,
  "PUT /admin/security": admin,
  "GET /admin/audit": staff,
  "GET /admin/audit/staff": staff,
  "GET /admin/settings": admin,
  "PUT /admin/settings": admin,
  "GET /admin/system": admin,
  "POST /admin/system/wipe-simulation": admin,
  "GET /health": anyone,
  "GET /maintenance": anyone,
  "PUT /admin/maintenance": admin,
  "POST /admin/backup": admin,
  "GET /auth/telegram/status": member,
  "POST /auth/telegram/generate-code": ownersAlone(({ id }) => ({ body: { userId: id } }), "auth.not_yourself"),
  "GET /auth/telegram/unlink-code/{id}": ownersAlone(him(), "auth.not_yourself"),
  "POST /auth/telegram/unlink": member,
  "GET /admin/telegram": staff,
  "PUT /admin/telegram": admin,
};

const calls = Object.values(contract).flatMap((feature) =>
  Object.values<EndpointSpec>(feature).map((spec): [string, EndpointSpec] => [`${spec.method} ${spec.path}`, spec]),
);
const rowOf = (key: string): Row => {
  const row = (rows as Record<string, Row | undefined>)[key];
  if (row === undefined) throw new Error(`no row says who may call ${key}`);
  return row;
};

const CALLERS = ["guest", "member", "moderator", "moderator unproven", "admin", "admin unproven"] as const;
let people: Record<Exclude<(typeof CALLERS)[number], "guest">, Person>;
beforeAll(async () => {
  club = await startClub({ environment: { TELEGRAM_BOT_TOKEN: "" } });
  people = {
    member: await club.member(),
    moderator: await club.moderator(),
    "moderator unproven": await club.moderator({ elevated: false }),
    admin: await club.admin(),
    "admin unproven": await club.admin({ elevated: false }),
  };
  // Without a price nobody can say that he has paid.
  await club.as(people.admin).call("PUT /admin/payments/settings", { body: { price: "300", details: "Карта" } });
});
afterAll(() => club.stop());

/** The refusal's code, or "answered". Whatever else is wrong with what was sent counts as answered: who asks was let in. */
async function verdict(who: Person | null, spec: EndpointSpec, sent: Sent): Promise<string> {
  const path = spec.path.replace(/\{(\w+)\}/g, (_, name: string) => sent.params?.[name] ?? "none");
  const response = await fetch(`${club.origin}/api${path}?${new URLSearchParams(sent.query)}`, {
    method: spec.method,
    headers: {
      ...(who && { authorization: `Bearer ${who.token}` }),
      ...(sent.body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(sent.body === undefined ? {} : { body: JSON.stringify(sent.body) }),
  });
  if (![401, 403, 404].includes(response.status)) {
    await response.body?.cancel();
    return "answered";
  }
  return ((await response.json()) as { error: { code: string } }).error.code;
}

test.each(calls)("%s has a row, and the contract says the access that stands there", (key, { access }) => {
  expect(access).toBe(rowOf(key).access);
});

describe("who is let in at all", () => {
  const refusedTo: Record<Access, Partial<Record<(typeof CALLERS)[number], RefusalCode>>> = {
    public: {},
    member: { guest: "auth.required" },
    staff: {
      guest: "auth.required",
      member: "auth.forbidden",
      "moderator unproven": "auth.two_factor_required",
      "admin unproven": "auth.two_factor_required",
    },
    admin: {
      guest: "auth.required",
      member: "auth.forbidden",
      moderator: "auth.forbidden",
      "moderator unproven": "auth.forbidden",
      "admin unproven": "auth.two_factor_required",
    },
  };
  test.each(calls)("%s", async (key, spec) => {
    const { access, about } = rowOf(key);
    // Whom it lets in is asked for what changes nothing; the rest is the other laws' and each feature's.
    for (const caller of CALLERS) {
      const who = caller === "guest" ? null : people[caller];
      const refused = refusedTo[access][caller];
      if (refused === undefined && (spec.method !== "GET" || isStream(spec.answer) || about !== undefined)) continue;
      const got = await verdict(who, spec, spec.method === "GET" ? {} : { body: {} });
      if (refused !== undefined) expect([caller, got]).toEqual([caller, refused]);
      else expect([caller, got]).not.toEqual([caller, expect.stringMatching(/^auth\./)]);
    }
  });
});

describe("about whose", () => {
  const withObject = calls.filter(([key]) => rowOf(key).about !== undefined);
  test.each(withObject)("%s", async (key, spec) => {
    const about = rowOf(key).about;
    if (about === undefined) return;
    const ask = async (who: Person, owner: Person) => verdict(who, spec, await about.made(owner));
    const newOwner = (isVip = false) => club.member({ row: { is_vip: isVip ? 1 : 0 } });
    if (about.own !== null) {
      const owner = await newOwner();
      expect(["own", await ask(owner, owner)]).toEqual(["own", about.own]);
    }
    const { others } = about;
    expect(["member", await ask(people.member, await newOwner())]).toEqual(["member", others.member]);
    expect(["moderator", await ask(people.moderator, await newOwner())]).toEqual(["moderator", others.moderator]);
    const vip = await ask(people.moderator, await newOwner(true));
    expect(["moderator about VIP", vip]).toEqual(["moderator about VIP", others.moderatorAboutVip]);
    expect(["admin", await ask(people.admin, await newOwner())]).toEqual(["admin", others.admin]);
    const unproven = await ask(people["admin unproven"], await newOwner());
    expect(["admin unproven", unproven]).toEqual(["admin unproven", others.unproven]);
  });
});
