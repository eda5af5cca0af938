import { SECOND_MS } from "@krug/domain/moment";
import { expect, onTestFinished, test } from "vitest";
import { codeOf, enabled } from "../../../../testing/second-factor.ts";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";

async function aClub(): Promise<Club> {
  const club = await startClub({ localServer: "off" });
  onTestFinished(() => club.stop());
  return club;
}

/** An admin with 2FA on, and a source of fresh codes. */
async function anAdmin(club: Club) {
  const admin = await club.admin();
  const { secret } = await enabled(club, admin);
  const freshCode = () => {
    club.clock.advance(30 * SECOND_MS);
    return codeOf(club, secret);
  };
  return { admin, freshCode };
}

const turn = (club: Club, who: Person, on: boolean, token: string) =>
  club.as(who).call("PUT /admin/maintenance", { body: { enabled: on, token } });
const state = async (club: Club) => (await club.guest.call("GET /maintenance")).body;

test("under maintenance members get 503 with its text and staff work; afterwards all is as before", async () => {
  const club = await aClub();
  const { admin, freshCode } = await anAdmin(club);
  const [boris, vera] = [await club.member(), await club.moderator()];
  expect(await state(club)).toEqual({ enabled: false, since: null });
  expect((await club.as(boris).call("GET /auth/me")).status).toBe(200);

  const on = await turn(club, admin, true, freshCode());
  expect(on.body).toEqual({ enabled: true, since: club.clock.now().toISOString() });
  expect(await state(club)).toEqual(on.body);
  const me = await club.as(boris).call("GET /auth/me");
  expect(me).toMatchObject({
    status: 503,
    code: "maintenance.on",
    message: "Система находится на техническом обслуживании. Попробуйте позже.",
  });
  for (const path of ["GET /users", "GET /auth/sessions"] as const)
    expect((await club.as(boris).call(path)).code, path).toBe("maintenance.on");
  expect((await club.guest.call("GET /auth/me")).code, "guests too").toBe("maintenance.on");
  for (const staff of [vera, admin]) expect((await club.as(staff).call("GET /auth/me")).status).toBe(200);
  expect((await club.as(vera).call("GET /users")).status).toBe(200);

  expect((await turn(club, admin, false, freshCode())).body).toEqual({ enabled: false, since: null });
  expect((await club.as(boris).call("GET /auth/me")).status, "the session was kept").toBe(200);
});

test("under maintenance health, check-role and logout answer; a member's sign-in is refused with the reason, staff can sign in", async () => {
  const club = await aClub();
  const { admin, freshCode } = await anAdmin(club);
  const [boris, vera] = [await club.member(), await club.moderator()];
  await turn(club, admin, true, freshCode());
  const login = ({ username }: Person, password: string) =>
    club.guest.call("POST /auth/login", { body: { username, password } });
  expect(await login(boris, boris.password)).toMatchObject({ status: 503, code: "maintenance.on" });
  expect((await login(boris, "not this one")).code).toBe("auth.wrong_credentials");
  expect((await login(vera, vera.password)).status).toBe(200);
  const { username, password } = vera;
  const role = await club.guest.call("POST /auth/check-role", { body: { username, password } });
  expect(role.body).toEqual({ isAdminOrModerator: true });
  expect((await club.guest.call("GET /health")).status).toBe(200);
  expect((await club.as(boris).call("POST /auth/logout")).status).toBe(204);
});

test("only an elevated admin with a fresh code switches it", async () => {
  const club = await aClub();
  const { admin, freshCode } = await anAdmin(club);
  const code = freshCode();
  expect((await turn(club, await club.member(), true, code)).code).toBe("auth.forbidden");
  expect((await turn(club, await club.moderator(), true, code)).code).toBe("auth.forbidden");
  expect((await turn(club, await club.admin({ elevated: false }), true, code)).code).toBe("auth.two_factor_required");
  expect((await turn(club, await club.admin(), true, code)).code, "no 2FA of his own").toBe("two_factor.not_enabled");
  expect((await turn(club, admin, true, "000000")).code).toBe("two_factor.wrong_code");
  expect((await state(club)).enabled).toBe(false);
  expect((await turn(club, admin, true, code)).body.enabled).toBe(true);
  expect((await turn(club, admin, false, code)).code, "a code counts once").toBe("two_factor.wrong_code");
  expect((await state(club)).enabled).toBe(true);
});

test("wrong codes here count towards the lock", async () => {
  const club = await aClub();
  const { admin, freshCode } = await anAdmin(club);
  for (let i = 0; i < 3; i++) expect((await turn(club, admin, true, "wrong!")).code).toBe("two_factor.wrong_code");
  const verify = await club
    .as(admin)
    .call("POST /totp/{id}/verify", { params: { id: admin.id }, body: { token: "000000" } });
  expect(verify.code).toBe("two_factor.locked");
  expect((await turn(club, admin, true, freshCode())).body.enabled, "30 s later").toBe(true);
});

test("switching on again keeps the start; each switch is in the audit; a restart keeps it", async () => {
  const club = await aClub();
  const { admin, freshCode } = await anAdmin(club);
  const first = await turn(club, admin, true, freshCode());
  expect((await turn(club, admin, true, freshCode())).body.since).toBe(first.body.since);
  await club.restart();
  expect(await state(club)).toEqual(first.body);
  const entries = await club.db
    .selectFrom("audit" as never)
    .select(["actor_id", "after"] as never[])
    .where("action" as never, "=", "maintenance.switched" as never)
    .execute();
  expect(entries).toEqual(Array(2).fill({ actor_id: admin.id, after: '{"enabled":true}' }));
});

test.each([
  [{ enabled: "yes", token: "123456" }, 400],
  [{ enabled: true }, 400],
  [{ enabled: true, token: 123456 }, 400],
  [{ enabled: true, token: "123456", force: true }, 400],
  [{ enabled: true, token: "1".repeat(1_048_576) }, 413],
])("the switch refuses bad input", async (body, status) => {
  const club = await aClub();
  const { admin } = await anAdmin(club);
  expect((await club.as(admin).send("PUT", "/api/admin/maintenance", body)).status).toBe(status);
  expect((await state(club)).enabled).toBe(false);
});
