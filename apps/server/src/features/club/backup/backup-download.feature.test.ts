import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { Secret, TOTP } from "otpauth";
import { expect, onTestFinished, test } from "vitest";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";
import { tryRestore } from "../../../restore.ts";
import { unlessStalled } from "./unless-stalled.ts";

const PASSPHRASE = "four words that nobody guesses";

async function withTwoFactor(club: Club, admin: Person): Promise<() => string> {
  const params = { id: admin.id };
  const { secret } = (await club.as(admin).call("GET /totp/{id}/status", { params })).body;
  const codes = new TOTP({ secret: Secret.fromBase32(secret!) });
  const code = () => codes.generate({ timestamp: club.clock.now().getTime() });
  admin.token = (
    await club.as(admin).call("POST /totp/{id}/enable", { params, body: { secret: secret!, token: code() } })
  ).body.token;
  return code;
}

const take = (club: Club, admin: Person, body: object) =>
  fetch(`${club.origin}/api/admin/backup`, {
    method: "POST",
    headers: { authorization: `Bearer ${admin.token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });

test("an admin downloads a backup with a passphrase and a fresh code, which is recorded; without them the download is refused", async () => {
  const club = await startClub();
  onTestFinished(() => club.stop());
  const admin = await club.admin();
  const code = await withTwoFactor(club, admin);
  const entries = async () =>
    (await club.as(admin).call("GET /admin/audit")).body.filter(({ action }) => action === "system.backup_taken");
  const refused = async (body: object) =>
    ((await (await take(club, admin, body)).json()) as { error: { code: string } }).error.code;

  expect(await refused({ passphrase: PASSPHRASE, token: "000000" })).toBe("two_factor.wrong_code");
  club.clock.advance(60_000);
  expect(await refused({ passphrase: "too short", token: code() })).toBe("request.invalid");
  expect(await entries()).toEqual([]);

  const given = await take(club, admin, { passphrase: PASSPHRASE, token: code() });
  expect(given.status).toBe(200);
  expect(given.headers.get("content-disposition")).toBe('attachment; filename="krug-2026-11-21.age"');
  expect(given.headers.get("cache-control")).toBe("no-store");
  const path = join(club.config.dataDir, "downloaded.age");
  writeFileSync(path, Buffer.from(await given.arrayBuffer()));
  const { madeAt } = await tryRestore(path, { passphrase: PASSPHRASE }, club.config.dataDir);
  expect(madeAt).toBe(club.clock.now().toISOString());
  expect(await entries()).toEqual([expect.objectContaining({ by: expect.objectContaining({ id: admin.id }) })]);
  // A code works once.
  expect(await refused({ passphrase: PASSPHRASE, token: code() })).toMatch(/^two_factor\./);
});

test("a stalled download is ended", async () => {
  const content = Readable.from([Buffer.from("a"), Buffer.from("b"), Buffer.from("c")]);
  const pieces = unlessStalled(content, 20);
  await pieces.next();
  await wait(100);
  expect(content.destroyed).toBe(true);
  await expect(pieces.next()).rejects.toThrow("the download stalled");
});
