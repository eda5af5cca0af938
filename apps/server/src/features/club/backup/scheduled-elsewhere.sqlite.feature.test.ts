import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generateIdentity, identityToRecipient } from "age-encryption";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { aFolder, anS3Storage, anSftpServer } from "../../../../testing/a-place.ts";
import { type Club, startClub } from "../../../../testing/start-club.ts";
import { type Config, readConfig } from "../../../config.ts";
import { tryRestore } from "../../../restore.ts";

const PASSPHRASE = "four words that nobody guesses";
const HOUR_MS = 3_600_000;
const QUARTER_MS = HOUR_MS / 4;

const BACKUP_RECIPIENT = await identityToRecipient(await generateIdentity());

/** Uses a public key unless the test says otherwise: restoring each time takes long. */
async function aClub(environment: Record<string, string>, isRestored = false): Promise<Club> {
  const phrase = join(aFolder(), "phrase");
  writeFileSync(phrase, `${PASSPHRASE}\n`);
  const lock: Record<string, string> = isRestored ? { BACKUP_PASSPHRASE_FILE: phrase } : { BACKUP_RECIPIENT };
  const club = await startClub({ environment: { BACKUP_EVERY: "6", BACKUP_KEEP: "2", ...lock, ...environment } });
  onTestFinished(() => club.stop());
  return club;
}
const makeDue = (club: Club) => club.app.parts.backups.makeDue();
const problem = async (club: Club) => (await club.app.parts.backups.state())?.problem;

/** The double, and the names it holds: complete uploads and partial ones. */
const elsewhere = {
  async sftp() {
    const { double, root, environment } = await anSftpServer();
    const named = () => readdirSync(root).sort();
    return {
      environment,
      address: `club@127.0.0.1:${double.port}:/krug`,
      secret: "sftp password",
      there: () => named().filter((name) => !name.endsWith(".part")),
      begun: () => named().filter((name) => name.endsWith(".part")).length,
      contentOf: (name: string) => readFileSync(join(root, name)),
      foreign: (name: string) => writeFileSync(join(root, name), "mine"),
      lies: (on: boolean) => Object.assign(double.trouble, { lies: on }),
      keeps: (isKept: (path: string) => boolean) => Object.assign(double.trouble, { refusesToDelete: isKept }),
      cutsUpload: (on: boolean) =>
        Object.assign(double.trouble, {
          cutAfterWritten: on ? double.written() + 1 : undefined,
          refusesToDelete: () => on,
        }),
    };
  },
  async s3() {
    const { double, environment } = await anS3Storage({ pageSize: 2 });
    const PREFIX = "club/krug/";
    return {
      environment,
      address: `${new URL(double.origin).host}/the-bucket/club/krug`,
      secret: "s3 secret",
      there: () => [...double.objects.keys()].map((key) => key.slice(PREFIX.length)).sort(),
      begun: () => double.uploads.size,
      contentOf: (name: string) => double.objects.get(PREFIX + name) ?? Buffer.alloc(0),
      foreign: (name: string) => void double.objects.set(PREFIX + name, Buffer.from("mine")),
      lies: (on: boolean) => Object.assign(double.trouble, { lies: on }),
      keeps: (isKept: (path: string) => boolean) => Object.assign(double.trouble, { refusesToDelete: isKept }),
      // Also what would abort it.
      cutsUpload: (on: boolean) => Object.assign(double.trouble, { breaksAfterBegin: on }),
    };
  },
};

describe.each(["sftp", "s3"] as const)("scheduled backups in a remote place: %s", (kind) => {
  test("each is made when due and restored as a check, and the oldest go; other files stay; admins see the place", async () => {
    const place = await elsewhere[kind]();
    const club = await aClub({ ...place.environment, BACKUP_KEEP: "1" }, true);
    await makeDue(club);
    await makeDue(club);
    expect(place.there()).toEqual(["krug-2026-11-21T09-00-00Z.age"]);
    place.foreign("notes.txt");
    club.clock.advance(6 * HOUR_MS);
    await makeDue(club);
    const [first = "", ...rest] = place.there();
    expect([first, ...rest]).toEqual(["krug-2026-11-21T15-00-00Z.age", "notes.txt"]);
    const copy = join(aFolder(), "copy.age");
    writeFileSync(copy, place.contentOf(first));
    expect((await tryRestore(copy, { passphrase: PASSPHRASE }, aFolder())).madeAt).toBe("2026-11-21T15:00:00.000Z");
    const { body } = await club.as(await club.admin()).call("GET /admin/system");
    expect(body.backups).toMatchObject({
      place: { kind, address: place.address },
      lastGoodPlace: { kind, address: place.address },
      lastGoodAt: club.clock.now().toISOString(),
      problem: null,
      isLate: false,
    });
    expect(JSON.stringify(body)).not.toContain(place.secret);
  });

  test.each([
    ["a passphrase", true],
    ["a public key", false],
  ])("a backup that comes back changed does not count, with %s", async (_, isRestored) => {
    const place = await elsewhere[kind]();
    const club = await aClub(place.environment, isRestored);
    await makeDue(club);
    const [good] = place.there();
    place.lies(true);
    club.clock.advance(6 * HOUR_MS);
    await makeDue(club);
    expect(await problem(club)).toMatch(
      isRestored ? /is damaged or incomplete/ : /does not read back as it was written/,
    );
    expect(place.there()).toEqual([good]);
    place.lies(false);
    await makeDue(club);
    expect(place.there()).toEqual([good]);
    club.clock.advance(QUARTER_MS);
    await makeDue(club);
    expect([await problem(club), place.there().length]).toEqual([null, 2]);
  });

  test("a broken upload's leftovers are removed before the next one, also after a restart", async () => {
    const place = await elsewhere[kind]();
    const club = await aClub(place.environment);
    await makeDue(club);
    place.cutsUpload(true);
    club.clock.advance(6 * HOUR_MS);
    await makeDue(club);
    expect(await problem(club)).toContain(place.address);
    expect(place.begun()).toBe(1);
    place.cutsUpload(false);
    await club.restart();
    club.clock.advance(QUARTER_MS);
    await makeDue(club);
    expect([await problem(club), place.begun(), place.there().length]).toEqual([null, 0, 2]);
  });

  test("backups not known to be good never push out good ones, even if nothing can be removed for a time", async () => {
    const place = await elsewhere[kind]();
    const club = await aClub(place.environment);
    await makeDue(club);
    club.clock.advance(6 * HOUR_MS);
    await makeDue(club);
    const good = place.there();
    place.keeps(() => true);
    place.lies(true);
    for (let time = 0; time < 3; time++) {
      club.clock.advance(6 * HOUR_MS);
      await makeDue(club);
    }
    expect(place.there()).toHaveLength(5);
    place.lies(false);
    club.clock.advance(QUARTER_MS);
    await makeDue(club);
    // The new one counts, and the old one that stayed is reported.
    expect(await problem(club)).toMatch(/^The backup is good, but older ones were not removed; /);
    expect((await club.app.parts.backups.state())?.lastGoodAt).toBe(club.clock.now().toISOString());
    expect(place.there().slice(0, 2)).toEqual(good);
    // The good old ones could be removed now, the unproven ones could not.
    place.keeps((path) => !good.some((name) => path.endsWith(name)));
    club.clock.advance(6 * HOUR_MS);
    await makeDue(club);
    expect(place.there().filter((name) => good.includes(name))).toEqual([]);
    expect(place.there()).toEqual(
      expect.arrayContaining(["krug-2026-11-22T09-15-00Z.age", "krug-2026-11-22T15-15-00Z.age"]),
    );
    expect(await problem(club)).toBeNull();
    place.keeps(() => false);
    club.clock.advance(6 * HOUR_MS);
    await makeDue(club);
    expect([await problem(club), place.there()]).toEqual([
      null,
      ["krug-2026-11-22T15-15-00Z.age", "krug-2026-11-22T21-15-00Z.age"],
    ]);
  });
});

test("a new place gets a backup at once, and again every quarter of an hour until it has one", async () => {
  const folder = join(aFolder(), "backups");
  const club = await aClub({ BACKUP_DIR: folder });
  await makeDue(club);
  const { double, root, environment } = await anSftpServer();
  const wrongKey = `SHA256:${"A".repeat(43)}`;
  const moveTo = async (change: Record<string, string>) => {
    const { backupPlan } = readConfig({ BACKUP_EVERY: "6", BACKUP_RECIPIENT, ...environment, ...change });
    (club.config as { backupPlan: Config["backupPlan"] }).backupPlan = backupPlan;
    await club.restart();
    club.clock.advance(QUARTER_MS);
    await makeDue(club);
  };
  await moveTo({ BACKUP_SFTP_HOST_KEY: wrongKey });
  expect(await club.app.parts.backups.state()).toMatchObject({
    place: { kind: "sftp" },
    lastGoodPlace: { kind: "folder", address: folder },
    problem: expect.stringContaining(`shows another key: ${double.fingerprint} instead of ${wrongKey}`),
  });
  expect(double.tries).toEqual([]);
  await moveTo({});
  expect(readdirSync(root)).toEqual(["krug-2026-11-21T09-30-00Z.age"]);
  expect(await club.app.parts.backups.state()).toMatchObject({ lastGoodPlace: { kind: "sftp" }, problem: null });
  club.clock.advance(HOUR_MS);
  await makeDue(club);
  expect(readdirSync(root)).toHaveLength(1);
});

test("no other panel starts a backup while a slow one is uploading, and lateness is still reported", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const { double, environment } = await anS3Storage();
  const club = await aClub(environment);
  double.trouble.silent = "POST begin";
  const making = makeDue(club);
  await vi.waitFor(() => expect(double.requests).toEqual(["POST begin"]), 60_000);
  for (let minutes = 0; minutes < 40; minutes += 10) {
    club.clock.advance(10 * 60_000);
    await vi.advanceTimersByTimeAsync(60_000);
    const isNoted = async () =>
      expect((await club.app.parts.backups.state())?.lastTriedAt).toBe(club.clock.now().toISOString());
    await vi.waitFor(isNoted, 60_000);
  }
  await makeDue(club);
  expect(double.requests).toEqual(["POST begin"]);
  club.clock.advance(12 * HOUR_MS);
  await club.app.parts.backups.tellIfLate();
  expect((await club.app.parts.backups.state())?.isLate).toBe(true);
  await double.close();
  await making;
});
