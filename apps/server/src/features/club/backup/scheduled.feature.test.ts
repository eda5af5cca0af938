import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lineOrNull } from "@krug/contract/reasons";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { type Club, startClub } from "../../../../testing/start-club.ts";
import { folderPlace } from "../../../backup-places/folder.ts";
import { check } from "../../../check/check.ts";
import { readConfig } from "../../../config.ts";
import { tryRestore } from "../../../restore.ts";

const PASSPHRASE = "four words that nobody guesses";
const HOUR_MS = 3_600_000;

async function aClubWithBackups(more: Record<string, string> = {}) {
  const folder = mkdtempSync(join(process.env.TEST_SCRATCH ?? tmpdir(), "krug-scheduled-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const phrase = join(folder, "phrase");
  writeFileSync(phrase, `${PASSPHRASE}\n`);
  const where = join(folder, "backups");
  const environment = {
    BACKUP_DIR: where,
    BACKUP_PASSPHRASE_FILE: phrase,
    BACKUP_EVERY: "6",
    BACKUP_KEEP: "2",
    ...more,
  };
  const club = await startClub({ environment });
  onTestFinished(() => club.stop());
  return { club, where, phrase };
}
/** A key is quicker than a passphrase, and skips the trial restore. */
const BY_KEY = {
  BACKUP_PASSPHRASE_FILE: "",
  BACKUP_RECIPIENT: "age1d8wn6rr49ugc6r2yag7lzzjwexesjffd3jsfc6euhwafuyha8epqf982vg",
};
async function look(club: Club): Promise<void> {
  await club.app.parts.backups.makeDue();
  await club.app.parts.backups.tellIfLate();
}

test("each is made when due and read back, and the oldest go; other files in the folder stay", async () => {
  const { club, where } = await aClubWithBackups();
  const admin = await club.admin();
  const state = async () => (await club.as(admin).call("GET /admin/system")).body.backups;
  expect(await state()).toMatchObject({ everyHours: 6, lastGoodAt: null, isLate: false });
  await look(club);
  await look(club);
  expect(readdirSync(where)).toEqual(["krug-2026-11-21T09-00-00Z.age"]);
  const [first = ""] = readdirSync(where);
  expect(statSync(join(where, first)).mode & 0o777).toBe(0o600);
  expect((await tryRestore(join(where, first), { passphrase: PASSPHRASE }, club.config.dataDir)).madeAt).toBe(
    club.clock.now().toISOString(),
  );
  expect(await state()).toMatchObject({ lastGoodAt: club.clock.now().toISOString(), problem: null, isLate: false });
  writeFileSync(join(where, "notes.txt"), "mine");
  for (let time = 0; time < 3; time++) {
    club.clock.advance(6 * HOUR_MS);
    await look(club);
  }
  expect(readdirSync(where).sort()).toEqual([
    "krug-2026-11-21T21-00-00Z.age",
    "krug-2026-11-22T03-00-00Z.age",
    "notes.txt",
  ]);
});

test("a backup that cannot be restored does not count: it is removed, the reason is shown, and another is tried", async () => {
  const { club, where } = await aClubWithBackups();
  await look(club);
  club.clock.advance(6 * HOUR_MS);
  // The key file no longer opens what the database holds: the archive is intact but worthless.
  const keyFile = club.config.masterKeyFile;
  const key = readFileSync(keyFile);
  writeFileSync(keyFile, `${Buffer.alloc(32, 7).toString("base64")}\n`);
  await look(club);
  expect(readdirSync(where)).toHaveLength(1);
  expect((await club.app.parts.backups.state())?.problem).toMatch(/does not open this database/);
  writeFileSync(keyFile, key);
  await look(club);
  expect(readdirSync(where)).toHaveLength(1);
  club.clock.advance(HOUR_MS / 4);
  await look(club);
  expect(readdirSync(where)).toHaveLength(2);
});

test("a place that lost or damaged the last good backup gets another within the hour, and until then it is reported missing", async () => {
  const { club, where } = await aClubWithBackups(BY_KEY);
  await look(club);
  const { backups } = club.app.parts;
  expect(await backups.gone()).toBeNull();
  truncateSync(join(where, readdirSync(where)[0] ?? ""), 100);
  expect(lineOrNull((await backups.gone())?.problem ?? null)).toMatch(
    /^krug-2026-11-21T09-00-00Z\.age, the last good one, is damaged: in .* it has 100 bytes, and \d{4,} were written\.$/,
  );
  rmSync(where, { recursive: true });
  expect(lineOrNull((await backups.gone())?.problem ?? null)).toMatch(
    /^krug-2026-11-21T09-00-00Z\.age, the last good one, is no longer in /,
  );
  const parts = { config: club.config, clock: club.clock, localHost: club.host, remotes: club.remotes, version: "1" };
  const off = async () => (await check(parts)).filter(({ code }) => /^backups/.test(code));
  expect(await off()).toMatchObject([{ code: "backups.gone", level: "wrong", detail: expect.stringContaining(where) }]);
  club.clock.advance(HOUR_MS);
  await look(club);
  expect(readdirSync(where)).toEqual(["krug-2026-11-21T10-00-00Z.age"]);
  expect(await off()).toMatchObject([{ code: "backups", level: "well" }]);
  // Another panel's folder is on another machine.
  await sql`update scheduled_backups set made_by = 'another'`.execute(club.db);
  rmSync(where, { recursive: true });
  expect(await backups.gone()).toBeNull();
});

test("a folder that never held a backup and accepts none stops the start; one that did is reported, and the panel runs", async () => {
  const { club, where } = await aClubWithBackups(BY_KEY);
  await look(club);
  // Nobody can make folders there, not even root.
  const nowhere = "/sys/krug-backups";
  await expect(aClubWithBackups({ ...BY_KEY, BACKUP_DIR: nowhere })).rejects.toThrow(
    /^BACKUP_DIR \/sys\/krug-backups is (closed to the panel's user|read-only for the panel)/,
  );
  rmSync(where, { recursive: true });
  writeFileSync(where, "not a folder any more");
  const { backups } = club.app.parts;
  await expect(backups.refuseWrongPlace()).resolves.toBeUndefined();
  await sql`update scheduled_backups set good_at = null`.execute(club.db);
  await expect(backups.refuseWrongPlace()).rejects.toThrow(/a file is there/);
});

test("a folder in DATA_DIR stops the start, however it is named; a club that has backups there runs, and the check says so", async () => {
  const { club, where } = await aClubWithBackups(BY_KEY);
  const { dataDir } = club.config;
  const link = join(where, "..", "link");
  symlinkSync(dataDir, link);
  for (const inside of [join(dataDir, "backups"), join(dataDir, "not", "yet"), dataDir, join(link, "backups")]) {
    const config = {
      ...club.config,
      backupPlan: { everyMs: HOUR_MS, keep: 2, place: { kind: "folder" as const, folder: inside, dataDir } },
    };
    await expect(folderPlace(config.backupPlan.place).tryOut?.(), inside).rejects.toThrow(/is in DATA_DIR/);
    const found = await check({ config, clock: club.clock, localHost: club.host, remotes: club.remotes, version: "1" });
    expect(found.filter(({ code }) => code === "backups.in_data_dir")).toMatchObject([{ level: "wrong" }]);
  }
  await expect(
    folderPlace({ kind: "folder", folder: `${dataDir}-backups`, dataDir }).tryOut?.(),
  ).resolves.toBeUndefined();
  rmSync(`${dataDir}-backups`, { recursive: true });
});

test("staff are notified once when the last good backup is older than twice the interval, and again after a good one", async () => {
  const { club, phrase } = await aClubWithBackups();
  const moderator = await club.moderator();
  const notices = async () =>
    (
      await sql<{
        n: number;
      }>`select count(*) as n from notices where kind = 'backup_late' and member_id = ${moderator.id}`.execute(club.db)
    ).rows[0]?.n;
  await look(club);
  writeFileSync(phrase, "");
  rmSync(phrase);
  club.clock.advance(12 * HOUR_MS - 1);
  await look(club);
  expect(Number(await notices())).toBe(0);
  club.clock.advance(1);
  await look(club);
  await look(club);
  expect(Number(await notices())).toBe(1);
  writeFileSync(phrase, PASSPHRASE);
  club.clock.advance(HOUR_MS);
  await look(club);
  rmSync(phrase);
  club.clock.advance(12 * HOUR_MS);
  await look(club);
  expect(Number(await notices())).toBe(2);
});

test("the environment names a folder and exactly one way to encrypt", () => {
  const wrong = (environment: Record<string, string>) => expect(() => readConfig(environment));
  wrong({ BACKUP_DIR: "/nowhere/backups" }).toThrow("BACKUP_DIR, BACKUP_SFTP or BACKUP_S3 needs either");
  wrong({ BACKUP_RECIPIENT: `age1${"q".repeat(10)}`, BACKUP_DIR: "/nowhere/backups" }).toThrow("must be an age key");
  wrong({ BACKUP_PASSPHRASE_FILE: "/nowhere", BACKUP_DIR: "/nowhere/backups" }).toThrow("must be a readable file");
  expect(readConfig({}).backupPlan).toBeNull();
});
