import { type Api, contract } from "@krug/contract/api";
import { accessOf, type EndpointSpec, isStream } from "@krug/contract/endpoint";
import type { RefusalCode } from "@krug/contract/refusals";
import { may, mayEver, STAFF_ACTIONS, type StaffAction } from "@krug/domain/staff-actions";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { configInput } from "../testing/config-input.ts";
import { storedPasskey } from "../testing/passkey-double.ts";
import { newBrowser, subscriptionOf } from "../testing/push-double.ts";
import { type Club, type Person, startClub } from "../testing/start-club.ts";

/*
 * Who gets what from every call: the roles, with and without the second factor, for their own objects, another member's and a VIP
 * member's (decisions, sections 2 and 3). Access follows from the right that a call needs. Written by hand here: whose object a
 * call is about, and who is refused by the calls that matter most.
 */

type Verdict = "answered" | RefusalCode;

/** A request about something that belongs to `owner`. */
interface Sent {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
}
type Made = (owner: Person) => Sent | Promise<Sent>;

/** The result for callers who ask about somebody else's. */
interface Others {
  member: Verdict;
  moderator: Verdict;
  moderatorAboutVip: Verdict;
  admin: Verdict;
  /** An admin who has not passed the second factor: until then staff count as members. */
  unproven: Verdict;
}

/** Expectations for a call about something that belongs to somebody. */
interface About {
  made: Made;
  own: Verdict | null;
  others: Others;
}

/** Not about anything of another member's. */
const nobodys = null;

/** Only for its owner; for all others it does not exist, or is not theirs. */
const ownersAlone = (made: Made, refused: RefusalCode): About => ({
  made,
  own: "answered",
  others: { member: refused, moderator: refused, moderatorAboutVip: refused, admin: refused, unproven: refused },
});
/** For its owner and admins. */
const ownersAndAdmins = (made: Made, refused: RefusalCode): About => ({
  made,
  own: "answered",
  others: {
    member: refused,
    moderator: refused,
    moderatorAboutVip: refused,
    admin: "answered",
    unproven: "auth.two_factor_required",
  },
});
/** For its owner, and staff who may see them; `hidden`: the refusal for a moderator if the member is invisible to moderators. */
const ownersAndStaffs = (made: Made, refused: RefusalCode, hidden: RefusalCode = refused): About => ({
  made,
  own: "answered",
  others: {
    member: refused,
    moderator: "answered",
    moderatorAboutVip: hidden,
    admin: "answered",
    unproven: "auth.two_factor_required",
  },
});
/** For staff, about members they may see. */
const staffAbout = (made: Made, hidden: RefusalCode): About => ({
  made,
  own: null,
  others: {
    member: "auth.forbidden",
    moderator: "answered",
    moderatorAboutVip: hidden,
    admin: "answered",
    unproven: "auth.two_factor_required",
  },
});
/** Rights that only admins have here: moderators get these only once an admin switches them on. */
const adminAbout = (made: Made): About => ({
  made,
  own: null,
  others: {
    member: "auth.forbidden",
    moderator: "auth.forbidden",
    moderatorAboutVip: "auth.forbidden",
    admin: "answered",
    unproven: "auth.two_factor_required",
  },
});

let club: Club;

/** What a maker needs must exist: a path without it would be refused for another reason. */
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
    const made = await club.as(owner).call("POST /vpn/configs", { body: await configInput(club, owner) });
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
const hisPasskey: Made = async (owner) => {
  return { params: { id: await storedPasskey(club, owner) }, body: { name: "Телефон" } };
};
const hisPasskeys: Made = async (owner) => {
  await hisPasskey(owner);
  return { params: { id: owner.id } };
};
const hisBrowser: Made = async (owner) => {
  // The test club has no public address, so the call that adds a browser is closed.
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

/** Every call for members, and every call about one object that moderators may make. */
const rows: Partial<Record<keyof Api & string, About | null>> = {
  "POST /auth/confirm-password": nobodys,
  "GET /auth/me": nobodys,
  "GET /auth/sessions": nobodys,
  "DELETE /auth/sessions": nobodys,
  "DELETE /auth/sessions/{id}": ownersAlone(hisSession, "session.not_found"),
  "GET /totp/{id}/status": ownersAlone(him(), "auth.not_yourself"),
  "POST /totp/{id}/enable": ownersAlone(
    him({ body: { secret: "A".repeat(32), token: "000000" } }),
    "auth.not_yourself",
  ),
  "POST /totp/{id}/disable": ownersAndAdmins(him({ body: { token: "000000" } }), "auth.not_yourself"),
  "POST /totp/{id}/recovery-codes": ownersAlone(him({ body: { token: "000000" } }), "auth.not_yourself"),
  "POST /totp/{id}/verify": ownersAlone(him({ body: { token: "000000" } }), "auth.not_yourself"),
  "GET /passkeys": nobodys,
  "POST /passkeys/options": nobodys,
  "POST /passkeys": nobodys,
  "PUT /passkeys/{id}": ownersAlone(hisPasskey, "passkey.not_found"),
  "DELETE /passkeys/{id}": ownersAlone(hisPasskey, "passkey.not_found"),
  "POST /passkeys/entry/options": nobodys,
  "POST /passkeys/entry": nobodys,
  "DELETE /admin/users/{id}/passkeys": adminAbout(hisPasskeys),
  "GET /api-tokens": nobodys,
  "POST /api-tokens": nobodys,
  "DELETE /api-tokens/{id}": ownersAlone(hisApiToken, "api_token.not_found"),
  "GET /admin/users/{id}": staffAbout(him(), "member.not_found"),
  "DELETE /admin/users/{id}/sessions": adminAbout(him()),
  "POST /admin/users/{id}/leave-staff": adminAbout(him({ body: {} })),
  "PUT /admin/users/{id}/groups": adminAbout(him({ body: { groups: [] } })),
  "GET /admin/users/{id}/notes": staffAbout(him(), "member.not_found"),
  "POST /admin/users/{id}/notes": staffAbout(him({ body: { content: "Платит с чужой карты" } }), "member.not_found"),
  "DELETE /admin/users/{id}/notes/{noteId}": nobodys,
  "GET /users/{id}": ownersAndStaffs(him(), "auth.forbidden", "member.not_found"),
  "PUT /users/{id}": adminAbout(him({ body: { displayName: "Другое имя" } })),
  "DELETE /users/{id}": adminAbout(him()),
  "POST /users/{id}/password-link": adminAbout(him()),
  "POST /users/change-password": nobodys,
  "POST /users/accept-rules": nobodys,
  "GET /users/{id}/active-invite": ownersAlone(him(), "auth.not_yourself"),
  "POST /users/generate-invite": nobodys,
  "GET /users/{id}/invited": ownersAndStaffs(him(), "auth.not_yourself", "member.not_found"),
  "GET /admin/invite-codes/{id}": nobodys,
  "GET /admin/invite-codes/{id}/members": nobodys,
  "GET /services": nobodys,
  "GET /dns": nobodys,
  "GET /vpn/configs": nobodys,
  "POST /vpn/configs": nobodys,
  "GET /vpn/configs/{id}": ownersAndStaffs(him(), "auth.not_yourself", "member.not_found"),
  "DELETE /vpn/configs/{id}": ownersAndAdmins(hisConfig(), "config.not_found"),
  "POST /users/{id}/configs": adminAbout(async (owner) => ({
    params: { id: owner.id },
    body: await configInput(club, owner),
  })),
  "POST /vpn/configs/{id}/reactivate": ownersAlone(hisConfig(), "config.not_found"),
  "POST /vpn/configs/{id}/restore": ownersAlone(hisDeletedConfig, "config.not_found"),
  "PUT /vpn/configs/{id}": ownersAlone(hisConfig({ body: { name: "renamed" } }), "config.not_found"),
  "POST /vpn/configs/{id}/key": ownersAlone(hisConfig({ body: {} }), "config.not_found"),
  "GET /vpn/configs/{id}/download": ownersAlone(hisConfig(), "config.not_found"),
  "GET /vpn/configs/{id}/qrcode": ownersAlone(hisConfig(), "config.not_found"),
  "GET /vpn/configs/{id}/link": ownersAlone(hisConfig(), "config.not_found"),
  "POST /vpn/configs/{id}/file-link": ownersAlone(hisConfig({ body: { opensIn: "browser" } }), "config.not_found"),
  "PUT /vpn/configs/{id}/file-link": ownersAlone(hisConfig({ body: { token: "t".repeat(43) } }), "config.not_found"),
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
  "GET /vpn/stats": nobodys,
  "GET /vpn/traffic": nobodys,
  "GET /vpn/quota": nobodys,
  "GET /payments/own": nobodys,
  "GET /payments/ledger": nobodys,
  "POST /pictures": nobodys,
  "POST /payments/claim": nobodys,
  "DELETE /payments/claim": nobodys,
  "GET /payments/claim/receipt": nobodys,
  "GET /admin/payments/history/{period}": nobodys,
  "PUT /admin/payments/status": staffAbout(
    ({ id }) => ({ body: { userId: id, period: "2026-11", status: "paid" } }),
    "member.not_found",
  ),
  "POST /admin/payments/undo": nobodys,
  "PUT /admin/payments/received/{id}": staffAbout(
    ({ id }) => ({ params: { id: "pay-1" }, body: { user: id, amount: "300", currency: "RUB" } }),
    "member.not_found",
  ),
  "GET /admin/payments/summary/{period}": nobodys,
  "GET /admin/payments/members/{id}": staffAbout(him(), "member.not_found"),
  "GET /admin/payments/members/{id}/ledger": staffAbout(him(), "member.not_found"),
  "GET /admin/payments/claims/{id}/receipt": staffAbout(hisClaim(), "payment.receipt_not_found"),
  "PUT /admin/payments/claims/{id}/decline": staffAbout(
    hisClaim({ body: { reason: "Сумма не та" } }),
    "payment.claim_not_found",
  ),
  "GET /admin/servers/{id}/history": nobodys,
  "POST /admin/servers/assign": adminAbout(assignment("server", "body")),
  "DELETE /admin/servers/assign/{userId}/{serverId}": adminAbout(assignment("server", "params")),
  "GET /admin/servers/user-assignments/{id}": staffAbout(him(), "member.not_found"),
  "GET /admin/rules/{id}/members": staffAbout(ruleForHim, "rule.not_found"),
  "GET /admin/rules/check": staffAbout(
    ({ id }) => ({ query: { userId: id, target: "203.0.113.1" } }),
    "member.not_found",
  ),
  "GET /admin/servers/{id}/interfaces": nobodys,
  "PUT /admin/servers/{serverId}/interfaces/{interfaceId}": nobodys,
  "POST /admin/servers/interfaces/assign": adminAbout(assignment("interface", "body")),
  "DELETE /admin/servers/interfaces/assign/{userId}/{interfaceId}": adminAbout(assignment("interface", "params")),
  "GET /admin/servers/interfaces/user/{userId}": staffAbout(him({}, "userId"), "member.not_found"),
  "GET /admin/servers/interfaces/{id}/users": nobodys,
  "GET /events": nobodys,
  "GET /inbox": nobodys,
  "GET /inbox/unread": nobodys,
  "GET /inbox/choices": nobodys,
  "PUT /inbox/choices": nobodys,
  "GET /push": nobodys,
  "POST /push": nobodys,
  "PUT /push/current": nobodys,
  "DELETE /push/{id}": ownersAlone(hisBrowser, "push.not_found"),
  "POST /inbox/read": nobodys,
  "POST /telegram/notify/{userId}": adminAbout(him({ body: { message: "Загляните в чат" } }, "userId")),
  "GET /support/messages": ownersAlone(
    inHisTicket((ticketId) => ({ query: { ticketId } })),
    "support.ticket_not_found",
  ),
  "POST /support/messages": ownersAlone(
    inHisTicket((ticketId) => ({ body: { content: "Ещё", ticketId } })),
    "support.ticket_not_found",
  ),
  "GET /support/unread": nobodys,
  "POST /support/read": nobodys,
  "GET /support/attachments/{id}": ownersAndStaffs(hisPicture, "support.attachment_not_found"),
  "GET /support/tickets": nobodys,
  "POST /support/tickets": nobodys,
  "GET /support/stream": nobodys,
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
  "POST /admin/support/tickets/{id}/lost-device": adminAbout(hisLostDevice),
  "PUT /admin/support/conversations/{userId}/assignee": staffAbout(async (owner) => {
    await club.as(owner).call("POST /support/messages", { body: { content: "Здравствуйте" } });
    return { params: { userId: owner.id }, body: { assignedTo: null } };
  }, "member.not_found"),
  "PUT /admin/support/tickets/{id}": staffAbout(hisTicket({ body: { status: "closed" } }), "support.ticket_not_found"),
  "GET /users/me/export": nobodys,
  "GET /security/ways": nobodys,
  "GET /auth/telegram/status": nobodys,
  "POST /auth/telegram/generate-code": ownersAlone(({ id }) => ({ body: { userId: id } }), "auth.not_yourself"),
  "GET /auth/telegram/unlink-code/{id}": ownersAlone(him(), "auth.not_yourself"),
  "POST /auth/telegram/unlink": nobodys,
  "POST /auth/telegram/app/link": nobodys,
};

/** Calls open to anyone, by hand. */
const OPEN: readonly (keyof Api)[] = [
  "POST /auth/login",
  "POST /auth/passkey/options",
  "POST /auth/passkey",
  "POST /auth/telegram/app",
  "POST /auth/lost-device",
  "POST /auth/register",
  "POST /auth/check-invite",
  "GET /auth/invite-attempts",
  "POST /auth/invite-attempts",
  "POST /auth/check-role",
  "POST /auth/logout",
  "POST /auth/setup",
  "POST /auth/set-password",
  "GET /vpn/files/{token}",
  "POST /vpn/open-link",
  "GET /security/gate",
  "GET /security/geo",
  "GET /security/vpn",
  "GET /health",
  "GET /maintenance",
];
/** Also by hand: calls that neither members nor moderators may make while nothing is switched on. */
const ADMINS: readonly (keyof Api)[] = [
  "POST /users",
  "PUT /users/{id}",
  "DELETE /users/{id}",
  "POST /users/{id}/password-link",
  "POST /admin/users/bulk",
  "POST /admin/users/import",
  "POST /admin/users/undo",
  "POST /users/{id}/configs",
  "POST /admin/configs/delete",
  "POST /admin/invite-codes",
  "POST /admin/servers",
  "PUT /admin/servers/{serverId}/interfaces/{interfaceId}",
  "GET /admin/servers/ssh-key",
  "PUT /admin/payments/settings",
  "PUT /admin/settings",
  "PUT /admin/security",
  "POST /admin/webhooks",
  "POST /admin/backup",
  "PUT /admin/maintenance",
];

const calls = Object.values(contract).flatMap((feature) =>
  Object.values<EndpointSpec>(feature).map((spec): [string, EndpointSpec] => [`${spec.method} ${spec.path}`, spec]),
);
const aboutOf = (key: string): About | null | undefined => (rows as Record<string, About | null>)[key];

const CALLERS = ["guest", "member", "moderator", "moderator unproven", "admin", "admin unproven"] as const;
const CALLER = {
  member: { role: "user", elevated: false },
  moderator: { role: "moderator", elevated: true },
  "moderator unproven": { role: "moderator", elevated: false },
  admin: { role: "admin", elevated: true },
  "admin unproven": { role: "admin", elevated: false },
} as const;
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
  // Without a price nobody can claim to have paid.
  await club.as(people.admin).call("PUT /admin/payments/settings", { body: { price: "300", details: "Карта" } });
});
afterAll(() => club.stop());

/** The refusal's code, or "answered". Any other problem with the request counts as answered: the caller was let in. */
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

test("only these calls are open to anyone", () => {
  const open = calls.filter(([, spec]) => accessOf(spec) === "public").map(([key]) => key);
  expect(open.toSorted()).toEqual(OPEN.toSorted());
});

test.each(ADMINS)("%s is refused to a member and a moderator", async (key) => {
  const spec = calls.find(([name]) => name === key)?.[1] ?? expect.unreachable();
  for (const who of [people.member, people.moderator])
    expect(await verdict(who, spec, spec.method === "GET" ? {} : { body: {} })).toBe("auth.forbidden");
});

test.each(calls)("%s has a row, if it is for members, or for moderators about one object", (key, spec) => {
  const access = accessOf(spec);
  if (access === "member" || (access === "staff" && spec.path.includes("{"))) expect(aboutOf(key)).not.toBeUndefined();
});

describe("who is let in at all", () => {
  const refusalOf = (spec: EndpointSpec, caller: (typeof CALLERS)[number]): RefusalCode | undefined => {
    if (spec.access === "public") return undefined;
    if (caller === "guest") return "auth.required";
    if (spec.needs === undefined) return undefined;
    const { role, elevated } = CALLER[caller];
    if (!mayEver(role, spec.needs)) return "auth.forbidden";
    if (!elevated) return "auth.two_factor_required";
    return may(role, spec.needs) ? undefined : "auth.forbidden";
  };
  test.each(calls)("%s", async (key, spec) => {
    const isAbout = (aboutOf(key) ?? null) !== null;
    // Allowed callers are only tested with calls that change nothing; the rest is covered by the other laws and each feature's
    // tests.
    for (const caller of CALLERS) {
      const who = caller === "guest" ? null : people[caller];
      const refused = refusalOf(spec, caller);
      if (refused === undefined && (spec.method !== "GET" || isStream(spec.answer) || isAbout)) continue;
      const got = await verdict(who, spec, spec.method === "GET" ? {} : { body: {} });
      if (refused !== undefined) expect([caller, got]).toEqual([caller, refused]);
      else expect([caller, got]).not.toEqual([caller, expect.stringMatching(/^auth\./)]);
    }
  });
});

describe("about whose", () => {
  const withObject = calls.filter(([key]) => aboutOf(key));
  test.each(withObject)("%s", async (key, spec) => {
    const about = aboutOf(key) ?? expect.unreachable();
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

describe("each right decides: with it a moderator gets another answer than without", () => {
  const table: Record<StaffAction, string> = STAFF_ACTIONS;
  const asModerator = (key: keyof Api, sent: Sent) =>
    verdict(people.moderator, calls.find(([name]) => name === key)?.[1] ?? expect.unreachable(), sent);
  /** Rights that no call needs as a whole: they decide only for some objects. */
  const beside: Partial<Record<StaffAction, () => Promise<() => Promise<string>>>> = {
    "members.see_vip": async () => {
      const { id } = await club.member({ row: { is_vip: 1 } });
      return () => asModerator("GET /admin/users/{id}", { params: { id } });
    },
    "members.reset_two_factor": async () => {
      const { id } = await club.member();
      return () => asModerator("POST /totp/{id}/disable", { params: { id }, body: {} });
    },
    "notes.delete_any": async () => {
      const { id } = await club.member();
      const body = { content: "Просил звонить вечером" };
      const note = await club.as(people.admin).call("POST /admin/users/{id}/notes", { params: { id }, body });
      return () => asModerator("DELETE /admin/users/{id}/notes/{noteId}", { params: { id, noteId: note.body.id } });
    },
    "payments.set_not_required": async () => {
      const { id } = await club.member();
      const body = { userId: id, period: "2026-11", status: "not_required" };
      return () => asModerator("PUT /admin/payments/status", { body });
    },
  };
  test.each(Object.keys(STAFF_ACTIONS) as StaffAction[])("%s", async (action) => {
    const needing = calls.find(([, { needs }]) => needs === action)?.[1];
    const ask =
      (await beside[action]?.()) ??
      (() => verdict(people.moderator, needing ?? expect.unreachable(), needing?.method === "GET" ? {} : { body: {} }));
    const before = await ask();
    const right = table[action];
    table[action] = right === "yes" ? "no" : "yes";
    try {
      expect(await ask()).not.toBe(before);
    } finally {
      table[action] = right;
    }
  });
});
