import { HOUR_MS, MINUTE_MS, SECOND_MS } from "@krug/domain/moment";
import { Secret } from "otpauth";
import { expect, onTestFinished, test } from "vitest";
import {
  codeOf,
  disable,
  enable,
  enabled,
  inAnotherBrowser,
  status,
  verify,
  wrongCode,
} from "../../../../testing/second-factor.ts";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";

async function aClub(): Promise<Club> {
  const club = await startClub({ localServer: "off" });
  onTestFinished(() => club.stop());
  return club;
}

const isElevated = async (club: Club, who: Person) => (await club.as(who).call("GET /users")).status === 200;

test("the server makes the secret, and shows it only until it is enabled", async () => {
  const club = await aClub();
  const vera = await club.moderator({ elevated: false });
  const first = (await status(club, vera)).body;
  expect(first).toMatchObject({ enabled: false, elevated: false, recoveryCodesLeft: 0 });
  expect(first.secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(first.uri).toContain(first.secret);
  expect((await status(club, vera, vera.username)).body, "the same one each time").toEqual(first);
  await enabled(club, vera);
  expect((await status(club, vera)).body).toEqual({
    enabled: true,
    secret: null,
    uri: null,
    elevated: true,
    retryAfter: 0,
    recoveryCodesLeft: 10,
    byPasskey: false,
  });
});

test("two tabs that open the set-up at once show one secret", async () => {
  const club = await aClub();
  const vera = await club.moderator({ elevated: false });
  const answers = await Promise.all([1, 2, 3, 4].map(() => status(club, vera)));
  expect(new Set(answers.map(({ body }) => body.secret)).size).toBe(1);
});

test("neither the secret nor a recovery code is in plain text in the database", async () => {
  const club = await aClub();
  const { secret, recoveryCodes } = await enabled(club, await club.moderator());
  const rows = await Promise.all(
    ["two_factor", "recovery_codes", "audit"].map((name) =>
      club.db
        .selectFrom(name as never)
        .selectAll()
        .execute(),
    ),
  );
  const stored = JSON.stringify(rows);
  expect(stored).toContain("two_factor.enabled");
  for (const hidden of [secret, ...recoveryCodes, ...recoveryCodes.map((code) => code.replace("-", ""))])
    expect(stored).not.toContain(hidden);
});

test("enabling takes the offered secret and a matching code, elevates, and works once", async () => {
  const club = await aClub();
  const vera = await club.moderator({ elevated: false });
  const secret = (await status(club, vera)).body.secret ?? "";
  const own = new Secret({ size: 20 }).base32;
  expect((await enable(club, vera, own, codeOf(club, own))).code).toBe("two_factor.wrong_secret");
  expect((await enable(club, vera, secret, wrongCode(club, secret))).code).toBe("two_factor.wrong_code");
  expect(await isElevated(club, vera)).toBe(false);
  const answer = await enable(club, vera, secret, codeOf(club, secret));
  expect(answer.body.success).toBe(true);
  expect(answer.body.recoveryCodes).toHaveLength(10);
  expect(await isElevated(club, vera)).toBe(true);
  club.clock.advance(30 * SECOND_MS);
  expect((await enable(club, vera, secret, codeOf(club, secret))).code).toBe("two_factor.already_enabled");
});

test("staff see members' data only after a correct code", async () => {
  const club = await aClub();
  const vera = await club.moderator();
  const { secret } = await enabled(club, vera);
  const home = await inAnotherBrowser(club, vera);
  expect(await club.as(home).call("GET /users")).toMatchObject({ status: 403, code: "auth.two_factor_required" });
  expect((await verify(club, home, wrongCode(club, secret))).body).toEqual({
    valid: false,
    retryAfter: 0,
    token: null,
  });
  expect(await isElevated(club, home)).toBe(false);
  expect((await verify(club, home, codeOf(club, secret))).body).toMatchObject({ valid: true, retryAfter: 0 });
  expect(await isElevated(club, home)).toBe(true);
  club.clock.advance(30 * MINUTE_MS);
  expect(await isElevated(club, home)).toBe(false);
});

test("a code counts half a minute before and after, and no further", async () => {
  const club = await aClub();
  const vera = await club.moderator();
  const { secret } = await enabled(club, vera);
  const at = async (seconds: number) => {
    club.clock.advance(5 * MINUTE_MS);
    return (await verify(club, vera, codeOf(club, secret, seconds * SECOND_MS))).body.valid;
  };
  expect([await at(-60), await at(-30), await at(30), await at(60)]).toEqual([false, true, true, false]);
});

test("a code counts once, except that an elevated session may repeat it at entry", async () => {
  const club = await aClub();
  const vera = await club.moderator();
  const { secret } = await enabled(club, vera);
  const [home, office] = [await inAnotherBrowser(club, vera), await inAnotherBrowser(club, vera)];
  const [previous, code] = [codeOf(club, secret, -30 * SECOND_MS), codeOf(club, secret)];
  expect((await verify(club, home, code)).body.valid).toBe(true);
  expect((await verify(club, home, code)).body.valid, "again in the elevated session").toBe(true);
  expect((await verify(club, home, previous)).body.valid, "an earlier one").toBe(false);
  expect((await verify(club, office, code)).body.valid, "in another session").toBe(false);
  expect(await isElevated(club, office)).toBe(false);
  expect((await disable(club, home, vera.id, code)).code, "in another call").toBe("two_factor.wrong_code");
});

test("repeating the last code does not prolong the 12 hours of an elevation", async () => {
  const club = await aClub();
  const vera = await club.moderator();
  const { secret } = await enabled(club, vera);
  const elevatedAt = async () =>
    (
      await club.db
        .selectFrom("sessions" as never)
        .select("elevated_at" as never)
        .where("member_id" as never, "=", vera.id as never)
        .execute()
    )[0];
  await verify(club, vera, codeOf(club, secret));
  const before = await elevatedAt();
  club.clock.advance(10 * SECOND_MS);
  expect((await verify(club, vera, codeOf(club, secret))).body.valid).toBe(true);
  expect(await elevatedAt()).toEqual(before);
});

test("a code sent from two sessions at once counts in one", async () => {
  const club = await aClub();
  const vera = await club.moderator();
  const { secret } = await enabled(club, vera);
  const homes = [await inAnotherBrowser(club, vera), await inAnotherBrowser(club, vera)];
  const answers = await Promise.all(homes.map((home) => verify(club, home, codeOf(club, secret))));
  expect(answers.map(({ body }) => body.valid).sort()).toEqual([false, true]);
});

test("three wrong codes lock for 10 s in every tab, and for longer on repetition", async () => {
  const club = await aClub();
  const vera = await club.moderator();
  const { secret } = await enabled(club, vera);
  const tabs = [vera, await inAnotherBrowser(club, vera), await inAnotherBrowser(club, vera)];
  const wrong = wrongCode(club, secret);
  const verdicts = [];
  for (const tab of tabs) verdicts.push((await verify(club, tab, wrong)).body);
  expect(verdicts.map(({ retryAfter }) => retryAfter)).toEqual([0, 0, 10]);
  expect((await status(club, vera)).body.retryAfter, "a tab that opens now knows it").toBe(10);
  for (const tab of tabs) {
    const locked = await verify(club, tab, codeOf(club, secret));
    expect(locked).toMatchObject({ status: 429, code: "two_factor.locked" });
    expect(locked.headers.get("retry-after")).toBe("10");
    expect(locked.message).toBe("Слишком много попыток. Попробуйте через 10 секунд");
  }
  expect((await disable(club, vera, vera.id, codeOf(club, secret))).code, "every call").toBe("two_factor.locked");
  club.clock.advance(10 * SECOND_MS);
  for (let i = 0; i < 3; i++) expect((await verify(club, vera, wrongCode(club, secret))).body.valid).toBe(false);
  expect((await verify(club, vera, "000000")).headers.get("retry-after")).toBe("20");
  club.clock.advance(20 * SECOND_MS);
  expect((await verify(club, vera, codeOf(club, secret))).body.valid, "a right one starts the count afresh").toBe(true);
  for (let i = 0; i < 3; i++) expect((await verify(club, vera, wrongCode(club, secret))).body.valid).toBe(false);
  expect((await verify(club, vera, "000000")).headers.get("retry-after")).toBe("10");
});

test("simultaneous wrong codes get three verdicts", async () => {
  const club = await aClub();
  const vera = await club.moderator();
  const { secret } = await enabled(club, vera);
  const wrong = wrongCode(club, secret);
  const answers = await Promise.all(Array.from({ length: 12 }, () => verify(club, vera, wrong)));
  expect(answers.map(({ status: code }) => code).sort()).toEqual([...Array(3).fill(200), ...Array(9).fill(429)]);
});

test("wrong codes at set-up lock too", async () => {
  const club = await aClub();
  const vera = await club.moderator({ elevated: false });
  const secret = (await status(club, vera)).body.secret ?? "";
  for (let i = 0; i < 3; i++)
    expect((await enable(club, vera, secret, wrongCode(club, secret))).code).toBe("two_factor.wrong_code");
  expect((await enable(club, vera, secret, codeOf(club, secret))).code).toBe("two_factor.locked");
});

test("a recovery code works once", async () => {
  const club = await aClub();
  const vera = await club.moderator();
  const { recoveryCodes } = await enabled(club, vera);
  const home = await inAnotherBrowser(club, vera);
  const code = recoveryCodes[3] ?? "";
  expect((await verify(club, home, code.toUpperCase())).body.valid).toBe(true);
  expect(await isElevated(club, home)).toBe(true);
  expect((await verify(club, home, code)).body.valid).toBe(false);
  expect((await status(club, home)).body.recoveryCodesLeft).toBe(9);
});

test("the audit records a used recovery code and codes that lock, without the codes", async () => {
  const club = await aClub();
  const [admin, vera] = [await club.admin(), await club.moderator()];
  const { secret, recoveryCodes } = await enabled(club, vera);
  await verify(club, vera, recoveryCodes[0] ?? "");
  for (let i = 0; i < 3; i++) await verify(club, vera, wrongCode(club, secret));
  await verify(club, vera, wrongCode(club, secret));
  const entries = (await club.as(admin).call("GET /admin/audit", { query: { action: "two_factor" } })).body;
  expect(entries.map(({ action, by, after }) => [action, by?.id, after])).toEqual(
    expect.arrayContaining([
      ["two_factor.enabled", vera.id, null],
      ["two_factor.recovery_used", vera.id, null],
      ["two_factor.locked", vera.id, { wrongCodes: 3 }],
    ]),
  );
  expect(entries).toHaveLength(3);
});

test("a recovery code works for its owner only", async () => {
  const club = await aClub();
  const [vera, gleb] = [await club.moderator(), await club.moderator()];
  const { recoveryCodes } = await enabled(club, vera);
  await enabled(club, gleb);
  expect((await verify(club, gleb, recoveryCodes[0] ?? "")).body.valid).toBe(false);
  expect((await status(club, vera)).body.recoveryCodesLeft).toBe(10);
});

test("turning it off takes the member's own code, ends the elevation, and the next secret is a new one", async () => {
  const club = await aClub();
  const admin = await club.admin();
  expect((await disable(club, admin, admin.id, "123456")).code).toBe("two_factor.not_enabled");
  const { secret } = await enabled(club, admin);
  expect(await disable(club, admin, admin.id)).toMatchObject({ status: 400, code: "request.invalid" });
  expect((await disable(club, admin, admin.id, wrongCode(club, secret))).code).toBe("two_factor.wrong_code");
  expect((await status(club, admin)).body.enabled).toBe(true);
  expect((await disable(club, admin, admin.id, codeOf(club, secret))).body).toEqual({ success: true });
  const after = (await status(club, admin)).body;
  expect(after).toMatchObject({ enabled: false, elevated: false, recoveryCodesLeft: 0 });
  expect(after.secret).not.toBe(secret);
  expect(await isElevated(club, admin)).toBe(false);
  expect((await verify(club, admin, codeOf(club, secret))).code).toBe("two_factor.not_enabled");
});

test("a member who lost the phone turns it off with a recovery code", async () => {
  const club = await aClub();
  const vera = await club.moderator();
  const { recoveryCodes } = await enabled(club, vera);
  expect((await disable(club, vera, vera.id, recoveryCodes[0])).body).toEqual({ success: true });
});

test("an elevated admin resets another member's without a code; it is in the audit, and the elevation ends", async () => {
  const club = await aClub();
  const [admin, vera] = [await club.admin(), await club.moderator()];
  await enabled(club, vera);
  const fresh = await club.admin({ elevated: false });
  expect((await disable(club, fresh, vera.id)).code).toBe("auth.two_factor_required");
  expect((await disable(club, admin, "nobody-here")).code).toBe("member.not_found");
  expect((await disable(club, admin, vera.username)).body).toEqual({ success: true });
  expect(await isElevated(club, vera)).toBe(false);
  expect((await status(club, vera)).body.enabled).toBe(false);
  const audit = await club.db
    .selectFrom("audit" as never)
    .select(["actor_id", "target"] as never[])
    .where("action" as never, "=", "two_factor.reset" as never)
    .execute();
  expect(audit).toEqual([{ actor_id: admin.id, target: vera.id }]);
  expect((await disable(club, admin, vera.id)).code).toBe("two_factor.not_enabled");
});

test("members act on their own 2FA only", async () => {
  const club = await aClub();
  const [boris, vera, admin] = [await club.member(), await club.moderator(), await club.admin()];
  const { secret } = await enabled(club, admin);
  const code = codeOf(club, secret);
  for (const who of [boris, vera]) {
    const calls = [
      await status(club, who, admin.id),
      await verify(club, who, code, admin.id),
      await disable(club, who, admin.id, code),
      await disable(club, who, "nobody-here"),
    ];
    for (const answer of calls) expect(answer).toMatchObject({ status: 403, code: "auth.not_yourself" });
  }
  expect((await status(club, admin, vera.id)).code, "an admin reads nobody's secret").toBe("auth.not_yourself");
  expect((await status(club, admin)).body.enabled).toBe(true);
});

test("a member's second factor gives no staff rights", async () => {
  const club = await aClub();
  const boris = await club.member();
  const { secret } = await enabled(club, boris);
  expect((await verify(club, boris, codeOf(club, secret))).body.valid).toBe(true);
  expect((await status(club, boris)).body.elevated).toBe(false);
  expect((await club.as(boris).call("GET /users")).code).toBe("auth.forbidden");
});

test("deleting a member deletes their secret", async () => {
  const club = await aClub();
  const [admin, vera] = [await club.admin(), await club.moderator()];
  await enabled(club, vera);
  await club.as(admin).call("DELETE /users/{id}", { params: { id: vera.id } });
  for (const table of ["two_factor", "recovery_codes", "sessions"]) {
    const rows = await club.db
      .selectFrom(table as never)
      .select("member_id" as never)
      .where("member_id" as never, "=", vera.id as never)
      .execute();
    expect(rows, table).toEqual([]);
  }
});

test("hostile codes and paths get a 4xx and change nothing", async () => {
  const club = await aClub();
  const vera = await club.moderator();
  const { secret } = await enabled(club, vera);
  const bodies = ["12345", "1".repeat(33), "\u0000".repeat(6), 123456, null, ["123456"], { $gt: "" }];
  for (const token of bodies) {
    const answer = await club.as(vera).send("POST", `/api/totp/${vera.id}/verify`, { token });
    expect(answer, JSON.stringify(token)).toMatchObject({ status: 400, code: "request.invalid" });
  }
  for (const token of ["'; drop", "12\n34\n", "１２３４５６", "٣٤٥٦٧٨"])
    expect((await verify(club, vera, token)).status, token).toBeLessThan(500);
  club.clock.advance(HOUR_MS);
  const big = await club.as(vera).send("POST", `/api/totp/${vera.id}/verify`, { token: "1".repeat(1_048_576) });
  expect(big.status).toBe(413);
  for (const id of ["%0a", "'", "..%2f..", "x".repeat(65), "%F0%9F%98%80"]) {
    const answer = await club.as(vera).send("POST", `/api/totp/${id}/verify`, { token: "123456" });
    expect([400, 403, 404], id).toContain(answer.status);
  }
  expect((await verify(club, vera, codeOf(club, secret))).body.valid).toBe(true);
});

test("new recovery codes take an app code, leave two-factor on, and void the former ones", async () => {
  const club = await aClub();
  const vera = await club.moderator();
  const { secret, recoveryCodes: former } = await enabled(club, vera);
  const renew = (token: string) =>
    club.as(vera).call("POST /totp/{id}/recovery-codes", { params: { id: vera.id }, body: { token } });
  club.clock.advance(30 * SECOND_MS);
  expect((await renew(wrongCode(club, secret))).code).toBe("two_factor.wrong_code");
  expect((await renew(former[0] ?? "")).code, "a recovery code makes no others").toBe("two_factor.wrong_code");
  const { body } = await renew(codeOf(club, secret));
  expect(new Set([...former, ...body.recoveryCodes]).size).toBe(20);
  expect((await status(club, vera)).body).toMatchObject({ enabled: true, recoveryCodesLeft: 10 });
  expect((await verify(club, vera, former[1] ?? "")).body.valid).toBe(false);
  expect((await verify(club, vera, body.recoveryCodes[0] ?? "")).body.valid).toBe(true);
});
