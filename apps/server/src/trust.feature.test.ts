import { randomUUID } from "node:crypto";
import { type Api, contract } from "@krug/contract/api";
import { type EndpointSpec, movedTrust } from "@krug/contract/endpoint";
import { scopesFor } from "@krug/domain/api-token-rules";
import { MINUTE_MS } from "@krug/domain/moment";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { z } from "zod";
import { type Club, PASSWORD, type Person, startClub } from "../testing/start-club.ts";

/*
 * What moves secrets, money or trust needs a person who gave the password within ten minutes, and no token (ADR 102). The list
 * has every field of every changing call: a new one fails here until somebody decides what it moves.
 */

type Call = keyof Api & string;

/** After the bar come fields that move secrets, money or trust; `!` at the start: the whole call does. */
const FIELDS: Partial<Record<Call, string>> = {
  "POST /auth/confirm-password": "password",
  "DELETE /auth/sessions": "",
  "DELETE /auth/sessions/{id}": "",
  "POST /totp/{id}/enable": "! secret token",
  "POST /totp/{id}/disable": "! token",
  "POST /totp/{id}/recovery-codes": "! token",
  "POST /totp/{id}/verify": "token",
  "POST /passkeys/options": "!",
  "POST /passkeys": "! id clientDataJSON attestationObject transports name",
  "PUT /passkeys/{id}": "name",
  "DELETE /passkeys/{id}": "!",
  // Passes the second factor, as a code does.
  "POST /passkeys/entry/options": "",
  "POST /passkeys/entry": "id clientDataJSON authenticatorData signature userHandle",
  "DELETE /admin/users/{id}/passkeys": "!",
  "POST /api-tokens": "! name scopes days",
  "DELETE /api-tokens/{id}": "",
  "DELETE /admin/users/{id}/sessions": "",
  "POST /admin/users/{id}/leave-staff": "! block",
  "POST /admin/users/bulk": "ids action groupId templateId vpnConfigLimit message blockConfigs days amount act",
  "POST /admin/users/bulk/matching":
    "matching after action groupId templateId vpnConfigLimit message blockConfigs days amount act",
  "POST /users": "username displayName subscriptionEnd vpnConfigLimit templateId | role",
  "PUT /users/{id}":
    "isVip isActive blockConfigs displayName vpnConfigLimit quotaBytes quotaAtEnd quotaSlowMbit speedMbit resetQuota isUnlimited subscriptionEnd expected | role",
  "DELETE /users/{id}": "",
  "POST /users/{id}/password-link": "!",
  "POST /users/change-password": "username currentPassword newPassword",
  "POST /users/accept-rules": "",
  "POST /admin/users/import/preview": "members",
  "POST /admin/users/import": "! members templateId",
  "POST /admin/groups": "name interfaces",
  "PUT /admin/groups/{id}": "name interfaces expected",
  "DELETE /admin/groups/{id}": "",
  "PUT /admin/users/{id}/groups": "groups expected",
  "POST /admin/users/{id}/notes": "content",
  "DELETE /admin/users/{id}/notes/{noteId}": "",
  "POST /admin/guide/dismiss": "",
  "POST /users/generate-invite": "userId username",
  "POST /admin/invite-codes": "maxUses interfaces expiresAt subscriptionDays subscriptionEndDate templateId",
  "PUT /admin/invite-codes/{id}":
    "maxUses interfaces expiresAt subscriptionDays subscriptionEndDate templateId expected",
  "PUT /admin/invite-codes/{id}/deactivate": "",
  "POST /admin/templates":
    "name services interfaceId configLimit quotaBytes quotaAtEnd quotaSlowMbit speedMbit isDefault",
  "PUT /admin/templates/{id}":
    "name services interfaceId configLimit quotaBytes quotaAtEnd quotaSlowMbit speedMbit isDefault expected",
  "DELETE /admin/templates/{id}": "",
  "POST /services": "name ips typed allBut deviceTypes picture description group exit ticketId | sources",
  "PUT /services/{id}": "name ips typed allBut deviceTypes picture description group exit expected | sources",
  "POST /services/{id}/sources": "",
  "PUT /services/{id}/sources/{source}": "! accept mark",
  "PUT /services/{id}/sources/{source}/versions": "! version",
  "DELETE /services/{id}": "",
  "POST /dns": "name ips",
  "PUT /dns/{id}": "name ips expected",
  "DELETE /dns/{id}": "",
  "POST /services/{id}/effect": "ips typed allBut",
  "POST /dns/{id}/effect": "ips",
  "POST /vpn/configs": "userId name deviceType services dns interfaceId publicKey",
  "POST /users/{id}/configs": "name deviceType services dns interfaceId",
  "PUT /admin/configs/{id}/interface": "interfaceId",
  "PUT /admin/configs/{id}/blocked": "isBlocked",
  "POST /admin/configs/{id}/reactivate": "",
  "PUT /admin/configs/{id}/end": "until",
  "PUT /admin/configs/{id}/services": "services",
  "POST /admin/configs/{id}/link": "",
  "DELETE /admin/configs/{id}/link": "",
  "DELETE /vpn/configs/{id}": "",
  "POST /admin/configs/delete": "ids",
  "POST /vpn/configs/{id}/reactivate": "",
  "POST /vpn/configs/{id}/restore": "",
  "POST /vpn/configs/{id}/key": "publicKey",
  "POST /vpn/configs/{id}/file-link": "opensIn",
  "PUT /vpn/configs/{id}/file-link": "token",
  "PUT /vpn/configs/{id}": "name services dns interfaceId until",
  "POST /payments/claim": "receipt months",
  "DELETE /payments/claim": "",
  "POST /admin/users/undo": "act after",
  "POST /admin/payments/undo": "act after",
  "PUT /admin/payments/received/{id}": "user months amount currency",
  "PUT /admin/payments/status": "userId status period months ahead act note paidDate shouldReduceSubscription expected",
  "PUT /admin/payments/claims/{id}/decline": "reason",
  "PUT /admin/payments/settings": "! price price3 price6 price12 currency details expected",
  "POST /pictures": "",
  "POST /admin/servers": "! name credentials isMain fingerprint tunnelsIn",
  "POST /admin/servers/{id}/accept-host-key": "! fingerprint",
  "POST /admin/servers/{id}/new-password": "! password current",
  // An interface proves itself to devices by its key, wherever its endpoint points.
  "PUT /admin/servers/{id}": "name endpoint takesNew opensForwarding expected | credentials",
  "PUT /admin/servers/{id}/setup": "tunnelsIn",
  "DELETE /admin/servers/{id}": "",
  "POST /admin/servers/{id}/leave": "",
  "PUT /admin/servers/{id}/set-main": "",
  "POST /admin/servers/assign": "userId serverId",
  "DELETE /admin/servers/assign/{userId}/{serverId}": "",
  "POST /admin/servers/{id}/install-docker": "",
  "POST /admin/servers/{id}/install-wireguard": "",
  "POST /admin/servers/{id}/configure-wireguard": "",
  "POST /admin/servers/{id}/setup/cancel": "",
  "POST /admin/servers/{id}/empty": "toServerId",
  "POST /admin/servers/{id}/empty/stop": "",
  "POST /admin/servers/interfaces/{id}/empty": "toInterfaceId",
  "POST /admin/servers/interfaces/{id}/rotate": "version preset days",
  "POST /admin/servers/interfaces/{id}/empty/stop": "",
  "POST /admin/servers/{id}/moving-in/preview": "file clientsTable owners amneziawg",
  "POST /admin/servers/{id}/moving-in": "! file clientsTable listenPort amneziawg name newMembersUntil devices",
  "POST /admin/servers/{id}/old-programs/find": "",
  "POST /admin/servers/{id}/old-programs/preview": "program owners amneziawg",
  "POST /admin/servers/{id}/old-programs/take": "! program publicKey listenPort amneziawg name newMembersUntil devices",
  "POST /admin/servers/{id}/old-programs/links": "!",
  "POST /admin/servers/{id}/old-programs/back": "!",
  "DELETE /admin/servers/{id}/old-programs": "",
  "POST /admin/unknown-peers/{id}/take-in": "userId name deviceType",
  "POST /admin/unknown-peers/disconnect": "ids",
  "POST /admin/rules": "type target appliesTo",
  "DELETE /admin/rules/{id}": "",
  "POST /admin/servers/{serverId}/create-interface":
    "name prefix ipv6 amneziawg mtu routing restExit exitDown exitLink",
  "PUT /admin/servers/{serverId}/interfaces/{interfaceId}": "name expected",
  "DELETE /admin/servers/{serverId}/interfaces/{interfaceId}": "",
  "PUT /admin/wireguard/{serverId}/interfaces/{id}":
    "name listenPort subnet ipv6 endpoint mtu isActive takesNew routing restExit exitDown exitLink amneziawg cutsOff expected",
  "POST /admin/servers/interfaces/assign": "userId interfaceId",
  "DELETE /admin/servers/interfaces/assign/{userId}/{interfaceId}": "",
  "POST /inbox/read": "ids",
  "POST /telegram/notify/{userId}": "message",
  "PUT /inbox/choices": "subscription devices connections support club servers tickets chats claims joining digest",
  "POST /push": "endpoint keys language",
  "PUT /push/current": "endpoint keys language",
  "DELETE /push/{id}": "",
  "POST /support/messages": "content attachments ticketId",
  "POST /support/read": "upTo ticketId",
  "POST /support/tickets": "subject description category priority status service",
  "POST /admin/support/conversations/{userId}/messages": "content attachments ticketId",
  "POST /admin/support/conversations/{userId}/read": "upTo ticketId",
  "PUT /admin/support/conversations/{userId}/waiting": "waiting upTo",
  "PUT /admin/support/conversations/{userId}/assignee": "assignedTo expected",
  "PUT /admin/support/tickets/{id}": "status assignedTo expected",
  "POST /admin/support/tickets/{id}/lost-device": "! configId",
  "POST /admin/support/answer-templates": "title content",
  "PUT /admin/support/answer-templates/{id}": "title content expected",
  "DELETE /admin/support/answer-templates/{id}": "",
  "PUT /admin/security": "blockedCountries exceptions supportContact expected | mirrorUrl",
  "PUT /admin/settings":
    "graceHours dormantAfterDays ownCodesPerMonth joinsPerAddressPerDay joinsPerCodePerDay newMemberConfigLimit newMemberQuotaBytes newMemberQuotaAtEnd newMemberQuotaSlowMbit quietFrom quietUntil clubTimeZone expected | moderatorMayInvites moderatorMayInterfaces moderatorMayPasswordLinks",
  "PUT /admin/maintenance": "enabled token",
  "POST /admin/backup": "! passphrase token",
  "POST /admin/system/wipe-simulation": "",
  "POST /auth/telegram/generate-code": "! userId",
  "POST /auth/telegram/unlink": "userId confirmationCode",
  "POST /auth/telegram/app/link": "! ticket",
  "PUT /admin/telegram": "required | staffActs",
  "POST /admin/webhooks": "! url description events",
  "PUT /admin/webhooks/{id}": "! url description events enabled expected",
  "DELETE /admin/webhooks/{id}": "",
  "POST /admin/webhooks/{id}/secret": "! keepFormer",
  "POST /admin/webhooks/{id}/test": "",
  "POST /admin/webhooks/{id}/deliveries/{deliveryId}/redeliver": "",
};

const changing: [Call, EndpointSpec][] = Object.values(contract)
  .flatMap((feature) => Object.values<EndpointSpec>(feature))
  .filter(({ method, access }) => method !== "GET" && access !== "public")
  .map((spec) => [`${spec.method} ${spec.path}` as Call, spec]);

/** The names that a body may have, whatever it is wrapped in. */
function fieldsOf(schema: z.ZodType | undefined): string[] {
  const { shape, type, innerType, options, in: before, out: after } = (schema?.def ?? {}) as Record<string, unknown>;
  if (shape) return Object.keys(shape);
  if (type === "pipe") return [...new Set([...fieldsOf(before as z.ZodType), ...fieldsOf(after as z.ZodType)])];
  if (type === "union") return [...new Set((options as z.ZodType[]).flatMap(fieldsOf))];
  return innerType ? fieldsOf(innerType as z.ZodType) : [];
}

describe("the list", () => {
  test.each(changing)("%s: every field is listed, and what moves secrets, money or trust is held", (call, spec) => {
    const [plain = "", moving = ""] = (FIELDS[call] ?? "is missing from the list").replace("! ", "").split("|");
    const words = (text: string) => text.split(" ").filter((word) => word !== "" && word !== "!");
    expect([...words(plain), ...words(moving)].sort()).toEqual(fieldsOf(spec.body).sort());
    const held = spec.trust === true ? "!" : Object.keys(spec.trust ?? {});
    expect(held).toEqual(FIELDS[call]?.startsWith("!") ? "!" : words(moving));
  });

  test("lists no removed call, and no token reaches a call that is held as a whole", () => {
    const calls = new Map(changing);
    for (const call of Object.keys(FIELDS) as Call[]) {
      expect([call, calls.has(call)]).toEqual([call, true]);
      if (calls.get(call)?.trust === true) expect([call, calls.get(call)?.scope]).toEqual([call, undefined]);
    }
  });
});

let club: Club;
let admin: Person;
let serverId = "";
beforeAll(async () => {
  club = await startClub();
  admin = await club.admin();
  club.remotes.rent("vpn.example");
  club.remotes.rent("thief.example", { password: "x" });
  const body = { name: "Берлин", credentials: { host: "vpn.example", password: "right" } };
  serverId = (await club.as(admin).call("POST /admin/servers", { body })).body.id;
});
afterAll(() => club.stop());

const wish = { url: "https://hooks.example/a", description: "", events: ["member.joined"] };
const device = { publicKey: `${"A".repeat(42)}A=`, name: "laptop", deviceType: "computer" };
/** Every protected call, with each protected field; its object need not exist. */
const sent: Partial<Record<Call, object[]>> = {
  "POST /totp/{id}/enable": [{ secret: "A".repeat(32), token: "000000" }],
  "POST /totp/{id}/disable": [{ token: "000000" }],
  "POST /totp/{id}/recovery-codes": [{ token: "000000" }],
  "POST /passkeys/options": [{}],
  "POST /auth/telegram/app/link": [{ ticket: "x" }],
  "POST /passkeys": [{ id: "AAAA", clientDataJSON: "AAAA", attestationObject: "AAAA", transports: [] }],
  "DELETE /passkeys/{id}": [{}],
  "DELETE /admin/users/{id}/passkeys": [{}],
  "POST /api-tokens": [{ name: "Отчёт", scopes: ["profile:read"], days: 1 }],
  "POST /users": [{ username: "new-admin", role: "admin" }],
  "PUT /users/{id}": [{ role: "admin" }, { role: "user", displayName: "Вера" }],
  "POST /users/{id}/password-link": [{}],
  "POST /admin/users/{id}/leave-staff": [{}],
  "POST /admin/users/import": [{ members: [{ line: 2, username: "from-a-file" }] }],
  "POST /admin/support/tickets/{id}/lost-device": [{ configId: randomUUID() }],
  "PUT /admin/security": [{ mirrorUrl: "https://thief.example" }],
  "PUT /admin/payments/settings": [{ details: "Карта вора" }, { price: "300" }, { price3: "800" }, { currency: "EUR" }],
  "POST /admin/servers": [{ name: "Рига", credentials: { host: "thief.example", password: "x" } }],
  "POST /admin/servers/{id}/accept-host-key": [{ fingerprint: `SHA256:${"A".repeat(43)}` }],
  "POST /admin/servers/{id}/new-password": [{ password: "another password" }],
  "POST /admin/servers/{id}/moving-in": [{ file: "x", devices: [{ ...device, userId: randomUUID() }] }],
  "POST /admin/servers/{id}/old-programs/take": [
    { program: "wg0", publicKey: "x", devices: [{ ...device, userId: randomUUID() }] },
  ],
  "POST /admin/servers/{id}/old-programs/links": [{}],
  "POST /admin/servers/{id}/old-programs/back": [{}],
  "PUT /admin/servers/{id}": [
    { credentials: { host: "thief.example", password: "x" } },
    { name: "Париж", credentials: { host: "thief.example" } },
  ],
  "PUT /admin/settings": [
    { moderatorMayInvites: true },
    { moderatorMayInterfaces: true },
    { graceHours: 5, moderatorMayPasswordLinks: true },
  ],
  "POST /admin/backup": [{ passphrase: "a passphrase of the club", token: "000000" }],
  "POST /services": [{ name: "Вора", sources: ["https://lists.example/thief"] }],
  "PUT /services/{id}": [{ sources: [] }, { name: "Вора", sources: ["https://lists.example/thief"] }],
  "PUT /services/{id}/sources/{source}": [{ accept: true, mark: "x" }],
  "PUT /services/{id}/sources/{source}/versions": [{ version: randomUUID() }],
  "POST /auth/telegram/generate-code": [{ userId: randomUUID() }],
  "PUT /admin/telegram": [{ staffActs: true }],
  "POST /admin/webhooks": [wish],
  "PUT /admin/webhooks/{id}": [{ enabled: true }],
  "POST /admin/webhooks/{id}/secret": [{ keepFormer: false }],
};
const held = changing.filter(([, { trust }]) => trust !== undefined);
const pathOf = (call: Call, about: string) => `/api${call.slice(call.indexOf(" ") + 1).replaceAll(/\{\w+\}/g, about)}`;

describe.each(held)("%s", (call, spec) => {
  const about = (me: Person, other: Person) =>
    call.includes("/totp/")
      ? me.id
      : call.includes("/users/")
        ? other.id
        : call.includes("servers")
          ? serverId
          : randomUUID();
  const bodies = () => sent[call] ?? expect.unreachable(`what is sent to ${call}?`);

  test("is refused to every token, whatever its scopes", async () => {
    const [owner, vera] = [await club.admin(), await club.member()];
    const asked = { name: "Отчёт", scopes: scopesFor("admin"), days: 1 };
    const { token } = (await club.as(owner).call("POST /api-tokens", { body: asked })).body;
    for (const body of bodies()) {
      const answer = await club.withToken(token).send(spec.method, pathOf(call, about(owner, vera)), body);
      expect([body, answer.status, answer.code]).toEqual([body, 403, "api_token.not_for_tokens"]);
    }
  });

  test("accepts a password given within ten minutes", async () => {
    const [me, vera] = [await club.admin(), await club.member()];
    club.clock.advance(10 * MINUTE_MS);
    const codes = async () => {
      const answers: (string | undefined)[] = [];
      for (const body of bodies())
        answers.push((await club.as(me).send(spec.method, pathOf(call, about(me, vera)), body)).code);
      return answers;
    };
    expect(await codes()).toEqual(bodies().map(() => "auth.password_required"));
    await club.as(me).call("POST /auth/confirm-password", { body: { password: PASSWORD } });
    expect(await codes()).not.toContain("auth.password_required");
  });
});

test("a token with servers:write can still do what moves no trust, and a refused request changes nothing", async () => {
  const asked = { name: "Отчёт", scopes: ["servers:write" as const, "members:write" as const], days: 1 };
  const me = await club.admin();
  const program = club.withToken((await club.as(me).call("POST /api-tokens", { body: asked })).body.token);
  const at = { params: { id: serverId } };
  const before = (await club.as(me).call("GET /admin/servers")).body.find(({ id }) => id === serverId);
  const thief = club.remotes.rent("stolen.example", { password: "x" });
  const refused = await program.call("PUT /admin/servers/{id}", {
    ...at,
    body: { name: "Вор", credentials: { host: "stolen.example", password: "x" } },
  });
  expect(refused.body).toMatchObject({ error: { details: { field: "credentials" } } });
  expect((await club.as(me).call("GET /admin/servers")).body.find(({ id }) => id === serverId)).toEqual(before);
  expect(thief.logins).toEqual([]);
  expect((await program.call("PUT /admin/servers/{id}", { ...at, body: { name: "Прага" } })).body.name).toBe("Прага");
  expect((await program.call("POST /users", { body: { username: "newcomer", role: "user" } })).status).toBe(201);
});

test("a field that is omitted, or has the harmless value, is not protected", () => {
  const call = { trust: { role: { unless: "user" }, credentials: true } } as const;
  expect(movedTrust(call, { name: "x", role: "user" })).toBeNull();
  expect(movedTrust(call, undefined)).toBeNull();
  expect(movedTrust(call, { role: "moderator" })).toBe("role");
  expect(movedTrust(call, { credentials: null })).toBe("credentials");
  expect(movedTrust({ trust: true }, undefined)).toBe(true);
});
