import { contract } from "@krug/contract/api";
import { type EndpointSpec, isStream } from "@krug/contract/endpoint";
import { API_SCOPES, type ApiScope, scopesFor } from "@krug/domain/api-token-rules";
import { DAY_MS, MINUTE_MS } from "@krug/domain/moment";
import type { Role } from "@krug/domain/roles";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { auditOf } from "../../../../testing/audit-of.ts";
import { configInput } from "../../../../testing/config-input.ts";
import { codeOf, disable, enabled, verify } from "../../../../testing/second-factor.ts";
import { type Club, PASSWORD, type Person, startClub } from "../../../../testing/start-club.ts";

let club: Club;
beforeAll(async () => {
  club = await startClub();
});
afterAll(() => club.stop());

const make = async (who: Person, scopes: ApiScope[], days = 30) => {
  const made = await club.as(who).call("POST /api-tokens", { body: { name: "Отчёт", scopes, days } });
  expect(made.status).toBe(201);
  return { ...made.body, program: club.withToken(made.body.token) };
};
const tokensOf = async (who: Person) => (await club.as(who).call("GET /api-tokens")).body;
const HOUR_MS = 60 * MINUTE_MS;
const every: [string, EndpointSpec][] = Object.values(contract).flatMap((feature) =>
  Object.values<EndpointSpec>(feature).map((spec): [string, EndpointSpec] => [`${spec.method} ${spec.path}`, spec]),
);

describe("scopes of calls", () => {
  test("a read scope changes nothing, and public calls and streams need no scope", () => {
    // A preview of a change is a POST, because its input is a body.
    const asks = ["POST /services/{id}/effect", "POST /dns/{id}/effect"];
    for (const [key, spec] of every) {
      const { scope } = spec;
      if (scope?.endsWith(":read") && !asks.includes(key)) expect([key, spec.method]).toEqual([key, "GET"]);
      if (spec.access === "public" || isStream(spec.answer)) expect([key, scope]).toEqual([key, undefined]);
    }
  });

  test("a role is offered a scope if any of its calls is open to that role", () => {
    for (const scope of Object.keys(API_SCOPES) as ApiScope[]) {
      // A member sees in it only what the profile shows anyway.
      const calls = every.filter(([key, spec]) => spec.scope === scope && key !== "GET /users/{id}");
      expect([scope, calls.length > 0]).toEqual([scope, true]);
      const needs = calls.map(([, spec]) => spec.needs);
      const own = needs.includes(undefined) ? [] : [...new Set(needs)];
      expect([scope, [...API_SCOPES[scope]].sort()]).toEqual([scope, own.sort()]);
    }
  });

  test("signing in, role switches, maintenance and backups have no scope", () => {
    const never = every.filter(
      ([key]) =>
        /^\w+ \/(totp|api-tokens|push|auth)\b/.test(key) ||
        /session|password|backup|wipe|ssh-key|host-key|install-|configure-|moving-in|export/.test(key) ||
        ["PUT /admin/maintenance", "PUT /admin/settings", "PUT /admin/security", "DELETE /users/{id}"].includes(key),
    );
    const open = never.filter(([, { scope }]) => scope !== undefined).map(([key]) => key);
    expect(open).toEqual(["GET /auth/me", "GET /auth/telegram/status"]);
  });
});

test("a program acts as its owner within its scopes, without a cookie or an origin", async () => {
  const vera = await club.member();
  const { program, token, ...entry } = await make(vera, ["configs:write", "configs:read"]);
  expect(token).toMatch(/^krug_[\w-]{43}$/);
  expect(entry).toMatchObject({ name: "Отчёт", scopes: ["configs:read", "configs:write"], lastUsedAt: null });

  const made = await program.call("POST /vpn/configs", { body: await configInput(club, vera) });
  expect(made.status).toBe(201);
  expect(made.headers.get("set-cookie")).toBeNull();
  expect((await program.call("GET /vpn/configs")).body.map(({ id }) => id)).toEqual([made.body.id]);
  expect((await club.as(vera).call("GET /vpn/configs")).body).toHaveLength(1);

  const key = await program.call("GET /vpn/configs/{id}/download", { params: { id: made.body.id } });
  expect([key.status, key.code]).toEqual([403, "api_token.scope_missing"]);
  expect(key.message).toContain("configs:files");
  expect((await program.call("GET /auth/me")).code).toBe("api_token.scope_missing");
});

test("a link that reveals a member's private key takes configs:files, although creating the config takes configs:write", async () => {
  const [vera, admin] = [await club.member(), await club.admin()];
  const input = { params: { id: vera.id }, body: await configInput(club, vera) };
  const writer = await make(admin, ["configs:write"]);
  const refused = await writer.program.call("POST /users/{id}/configs", input);
  expect([refused.status, refused.code]).toEqual([403, "api_token.scope_missing"]);
  expect(refused.message).toContain("configs:files");
  expect((await club.as(vera).call("GET /vpn/configs")).body).toEqual([]);

  const giver = await make(admin, ["configs:write", "configs:files"]);
  expect((await giver.program.call("POST /users/{id}/configs", input)).status).toBe(201);
});

test("no token reaches a call without a scope, whatever its scopes and role", async () => {
  const admin = await club.admin();
  const { token } = await make(admin, scopesFor("admin"));
  for (const [key, spec] of every) {
    if (spec.access === "public" || spec.scope !== undefined) continue;
    const path = spec.path.replace(/\{\w+\}/g, admin.id);
    const { status, code } = await club.withToken(token).send(spec.method, `/api${path}`);
    expect([key, status, code]).toEqual([key, 403, "api_token.not_for_tokens"]);
  }
});

test("a public call ignores the token", async () => {
  const vera = await club.member();
  const { program } = await make(vera, ["profile:read"]);
  expect((await program.call("GET /health")).status).toBe(200);
  expect((await program.call("POST /auth/logout")).status).toBe(204);
  expect((await program.call("GET /auth/me")).body.username).toBe(vera.username);
});

test("a token does not work as a cookie, nor a session as a token", async () => {
  const vera = await club.member();
  const { token } = await make(vera, ["profile:read"]);
  const asCookie = { cookie: `krug_session=${token}` };
  expect((await club.guest.send("GET", "/api/auth/me", undefined, asCookie)).code).toBe("auth.required");
  expect((await club.withToken(`krug_${"A".repeat(43)}`).call("GET /auth/me")).code).toBe("api_token.invalid");
  expect((await club.withToken(`krug_${vera.token}`).call("GET /auth/me")).code).toBe("api_token.invalid");
  expect((await club.withToken(token.slice(0, -1)).call("GET /auth/me")).code).toBe("auth.required");
});

test("a staff token counts as elevated, but gets no more than the role", async () => {
  const moderator = await club.moderator();
  const { program } = await make(moderator, scopesFor("moderator"));
  expect((await program.call("GET /users")).status).toBe(200);
  expect((await program.call("GET /admin/system")).code).toBe("auth.forbidden");
  expect((await program.call("POST /users", { body: { username: "robot" } })).code).toBe("auth.forbidden");
});

test("the owner's row decides at each request, whatever the token was made for", async () => {
  const admin = await club.admin();
  const { program } = await make(admin, ["members:read"]);
  const become = (row: { role?: Role; is_active?: number }) =>
    club.transact((tx) =>
      tx
        .withTables<{ members: { id: string; role: Role; is_active: number } }>()
        .updateTable("members")
        .set(row)
        .where("id", "=", admin.id)
        .execute(),
    );
  expect((await program.call("GET /users")).status).toBe(200);
  await become({ role: "user" });
  expect((await program.call("GET /users")).code).toBe("auth.forbidden");
  await become({ is_active: 0 });
  expect((await program.call("GET /users")).code).toBe("api_token.invalid");
});

describe("making a token", () => {
  const input = { name: "Отчёт", scopes: ["profile:read" as const], days: 30 };

  test("staff must have passed the second factor", async () => {
    const admin = await club.admin({ elevated: false });
    expect((await club.as(admin).call("POST /api-tokens", { body: input })).code).toBe("auth.two_factor_required");
  });

  test("the password must have been entered recently", async () => {
    const vera = await club.member();
    club.clock.advance(HOUR_MS);
    expect((await club.as(vera).call("POST /api-tokens", { body: input })).code).toBe("auth.password_required");
    await club.as(vera).call("POST /auth/confirm-password", { body: { password: PASSWORD } });
    expect((await club.as(vera).call("POST /api-tokens", { body: input })).status).toBe(201);
  });

  test("the role must be able to have the scopes", async () => {
    const vera = await club.member();
    const refused = await club
      .as(vera)
      .call("POST /api-tokens", { body: { ...input, scopes: ["profile:read", "members:read"] } });
    expect([refused.status, refused.code]).toEqual([403, "api_token.scope_not_yours"]);
    expect(refused.body).toMatchObject({ error: { details: { field: "scopes" } } });
    expect(refused.message).toContain("members:read");
  });

  test.each([
    { days: 0 },
    { days: 366 },
    { days: 1.5 },
    { scopes: [] },
    { scopes: ["everything"] },
    { name: "" },
    { name: "x".repeat(61) },
    { name: "две\nстроки" },
  ])("%j is refused", async (wrong) => {
    const vera = await club.member();
    const answer = await club.as(vera).send("POST", "/api/api-tokens", { ...input, ...wrong });
    expect([answer.status, answer.code]).toEqual([400, "request.invalid"]);
  });

  test("a session that ended during the call makes no token", async () => {
    const vera = await club.member();
    const { auth, apiTokens } = club.app.parts;
    const actor = (await auth.authenticate(vera.token, true)) ?? expect.unreachable();
    await club.transact((tx) => auth.endSessions(tx, vera.id));
    await expect(apiTokens.make(actor, input)).rejects.toMatchObject({ code: "auth.required" });
    expect((await club.allRows()).get("api_tokens")?.filter((row) => row.member_id === vera.id)).toEqual([]);
  });

  test("a member has at most twenty tokens, also if made all at once", async () => {
    const vera = await club.member();
    const answers = await Promise.all(
      Array.from({ length: 22 }, () => club.as(vera).call("POST /api-tokens", { body: input })),
    );
    expect(answers.map(({ code }) => code).filter((code) => code === "api_token.too_many")).toHaveLength(2);
    expect(await tokensOf(vera)).toHaveLength(20);
  });
});

test("neither the database nor the list holds a token", async () => {
  const vera = await club.member();
  const { token } = await make(vera, ["profile:read"]);
  expect(JSON.stringify([...(await club.allRows())])).not.toContain(token.slice("krug_".length));
  expect(JSON.stringify(await tokensOf(vera))).not.toContain(token.slice("krug_".length));
});

test("last use is recorded to the minute", async () => {
  const vera = await club.member();
  const { program } = await make(vera, ["profile:read"]);
  const lastUse = async () => (await tokensOf(vera))[0]?.lastUsedAt;
  const first = club.clock.now().toISOString();
  await program.call("GET /auth/me");
  expect(await lastUse()).toBe(first);
  club.clock.advance(MINUTE_MS - 1);
  await program.call("GET /auth/me");
  expect(await lastUse()).toBe(first);
  club.clock.advance(1);
  await program.call("GET /auth/me");
  expect(await lastUse()).toBe(club.clock.now().toISOString());
});

describe("a token ends", () => {
  const isOver = async (program: Awaited<ReturnType<typeof make>>["program"]) => {
    const { status, code } = await program.call("GET /auth/me");
    expect([status, code]).toEqual([401, "api_token.invalid"]);
  };

  test("when it expires, and is then deleted", async () => {
    const vera = await club.member();
    const { program } = await make(vera, ["profile:read"], 1);
    club.clock.advance(DAY_MS - 1);
    expect((await program.call("GET /auth/me")).status).toBe(200);
    club.clock.advance(1);
    await isOver(program);
    expect(await tokensOf(vera)).toEqual([]);
    await club.app.forgetOld();
    expect((await club.allRows()).get("api_tokens")?.filter((row) => row.member_id === vera.id)).toEqual([]);
  });

  test("when its owner revokes it, and nobody else can revoke it", async () => {
    const [vera, boris] = [await club.member(), await club.member()];
    const { id, program } = await make(vera, ["profile:read"]);
    expect((await club.as(boris).call("DELETE /api-tokens/{id}", { params: { id } })).code).toBe("api_token.not_found");
    expect((await club.as(vera).call("DELETE /api-tokens/{id}", { params: { id } })).status).toBe(204);
    await isOver(program);
  });

  test.each<[string, (vera: Person, admin: Person) => Promise<unknown>]>([
    ["with a new role", (vera, admin) => change(vera, admin, { role: "moderator" })],
    [
      "with a block, also once that is lifted",
      async (vera, admin) => {
        await change(vera, admin, { isActive: false });
        return change(vera, admin, { isActive: true });
      },
    ],
    [
      "with a new password",
      (vera) =>
        club.as(vera).call("POST /users/change-password", {
          body: { currentPassword: PASSWORD, newPassword: "another horse battery" },
        }),
    ],
    [
      "when an admin ends all of the member's sessions",
      (vera, admin) => club.as(admin).call("DELETE /admin/users/{id}/sessions", { params: { id: vera.id } }),
    ],
    ["with the account", (vera, admin) => club.as(admin).call("DELETE /users/{id}", { params: { id: vera.id } })],
  ])("%s", async (_, end) => {
    const [vera, admin] = [await club.member(), await club.admin()];
    const { program } = await make(vera, ["profile:read"]);
    expect((await program.call("GET /auth/me")).status).toBe(200);
    expect((await (end(vera, admin) as Promise<{ code?: string }>)).code).toBeUndefined();
    await isOver(program);
  });

  test("when its owner's second factor is turned off", async () => {
    const admin = await club.admin();
    const { secret } = await enabled(club, admin);
    await verify(club, admin, codeOf(club, secret));
    const { program } = await make(admin, ["profile:read"]);
    club.clock.advance(MINUTE_MS);
    expect((await disable(club, admin, admin.id, codeOf(club, secret))).status).toBe(200);
    await isOver(program);
  });

  test("but not when its owner ends sessions by hand", async () => {
    const vera = await club.member();
    const { program } = await make(vera, ["profile:read"]);
    await club.as(vera).call("DELETE /auth/sessions");
    expect((await program.call("GET /auth/me")).status).toBe(200);
  });
});

const change = (vera: Person, admin: Person, body: Record<string, unknown>) =>
  club.as(admin).call("PUT /users/{id}", { params: { id: vera.id }, body });

test("a token gives nobody a role", async () => {
  const [vera, admin] = [await club.member(), await club.admin()];
  const { program } = await make(admin, ["members:write", "members:read"]);
  const promoted = await program.call("PUT /users/{id}", { params: { id: vera.id }, body: { role: "admin" } });
  expect([promoted.status, promoted.code]).toEqual([403, "api_token.not_for_tokens"]);
  const added = await program.call("POST /users", { body: { username: "new-admin", role: "admin" } });
  expect(added.code).toBe("api_token.not_for_tokens");
  const renamed = await program.call("PUT /users/{id}", { params: { id: vera.id }, body: { displayName: "Вера" } });
  expect(renamed.body.displayName).toBe("Вера");
  expect((await program.call("POST /users", { body: { username: "newcomer", role: "user" } })).status).toBe(201);
});

test("the audit log names the token that acted, and records when tokens are made and end", async () => {
  const [vera, admin] = [await club.member(), await club.admin()];
  const { id, program } = await make(admin, ["members:write"]);
  await program.call("PUT /users/{id}", { params: { id: vera.id }, body: { displayName: "Вера" } });
  await club.as(admin).call("DELETE /api-tokens/{id}", { params: { id } });
  const log = (await club.as(admin).call("GET /admin/audit", { query: { by: admin.id } })).body;
  expect(log.find(({ action }) => action === "member.changed")?.session).toEqual({
    id,
    device: null,
    apiToken: "Отчёт",
  });
  expect(log.find(({ action }) => action === "api_token.made")).toMatchObject({
    session: { device: "Test", apiToken: null },
    after: { name: "Отчёт", scopes: ["members:write"] },
  });
  expect(log.find(({ action }) => action === "api_token.revoked")?.before).toEqual({ name: "Отчёт" });
  expect((await auditOf(club, admin.id)).map(({ action }) => action).sort()).toEqual([
    "api_token.made",
    "api_token.revoked",
  ]);
});

test("creations by token count towards the same 60 a minute", async () => {
  const vera = await club.member();
  const { program } = await make(vera, ["support:write"]);
  const ticket = { subject: "Счёт", description: "Не приходит" };
  const codes: (string | undefined)[] = [];
  for (let sent = 0; sent < 60; sent++)
    codes.push((await program.call("POST /support/tickets", { body: ticket })).code);
  expect(codes.at(-1)).toBe("request.too_many");
});

test("during maintenance a member's token is refused, a staff token works", async () => {
  const [vera, admin] = [await club.member(), await club.admin()];
  const [his, staffs] = [await make(vera, ["profile:read"]), await make(admin, ["profile:read"])];
  const switchTo = (on: boolean) => club.transact((tx) => club.app.parts.maintenance.set(tx, on, null));
  await switchTo(true);
  try {
    expect((await his.program.call("GET /auth/me")).code).toBe("maintenance.on");
    expect((await staffs.program.call("GET /auth/me")).status).toBe(200);
  } finally {
    await switchTo(false);
  }
});

test("if the security gate lets nobody sign in, no token works either", async () => {
  const gated = await startClub({
    localServer: "off",
    environment: { SECURITY_GATE: "on", GEO_SERVICES: "", TRUSTED_PROXIES: "127.0.0.1" },
  });
  onTestFinished(() => gated.stop());
  const vera = await gated.member();
  const input = { name: "Отчёт", scopes: ["profile:read" as const], days: 1 };
  const { token } = (await gated.as(vera).call("POST /api-tokens", { body: input })).body;
  const from = (address: string) =>
    gated.withToken(token).call("GET /auth/me", { headers: { "x-forwarded-for": address } });
  expect((await from("77.88.8.8")).status).toBe(200);
  expect((await from("46.101.1.1")).code).toBe("security.vpn");
});

test("the data export names the tokens", async () => {
  const vera = await club.member();
  await make(vera, ["profile:read"]);
  const { body } = await club.as(vera).send("GET", "/api/users/me/export");
  expect((body as { apiTokens: object[] }).apiTokens).toMatchObject([{ name: "Отчёт", scopes: ["profile:read"] }]);
});
