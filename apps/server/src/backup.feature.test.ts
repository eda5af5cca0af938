import { execFileSync, spawnSync } from "node:child_process";
import { createHash, generateKeyPairSync, sign } from "node:crypto";
import {
  copyFileSync,
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { createGzip, gunzipSync, gzipSync } from "node:zlib";
import { generateIdentity, identityToRecipient } from "age-encryption";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { configInput } from "../testing/config-input.ts";
import { seedSampleClub } from "../testing/sample-club.ts";
import { CHEAP_WORK_FACTOR, type Club, PASSWORD, startClub } from "../testing/start-club.ts";
import { emptyDatabase } from "../testing/test-database.ts";
import { backup, ownMark } from "./backup.ts";
import { openInstallation } from "./installation.ts";
import { decrypted, encrypted, type Lock, type Opener } from "./platform/archive/encryption.ts";
import type { Identity } from "./platform/archive/format.ts";
import { backupName } from "./platform/archive/place.ts";
import { hashOf, writeWhole } from "./platform/archive/whole-file.ts";
import { writeArchive } from "./platform/archive/write.ts";
import { rotateKey } from "./platform/rotate-key.ts";
import { openSealing } from "./platform/sealing.ts";
import { doubtsOf, type Made, restore, tryRestore } from "./restore.ts";
import { sealedColumns } from "./sealed.ts";

const PASSPHRASE = "four words that nobody guesses";
const MARK = "3F2A-99C1-07BD-E411";
const NOW = new Date("2026-11-22T08:00:00Z");
const LOCK: Lock = { passphrase: PASSPHRASE, workFactor: CHEAP_WORK_FACTOR };
const hasAge = spawnSync("age", ["--version"]).status === 0;

async function aClub(): Promise<Club> {
  const club = await startClub();
  onTestFinished(() => club.stop());
  return club;
}

function aFolder(): string {
  const folder = mkdtempSync(join(process.env.TEST_SCRATCH ?? tmpdir(), "krug-backup-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const backupOf = (club: Club, lock: Lock = LOCK) =>
  backup(club.config, { lock, now: club.clock.now(), version: "1.2.3" });

async function backupFile(club: Club, lock: Lock = LOCK): Promise<string> {
  const path = join(aFolder(), "club.age");
  const written = await writeWhole(await backupOf(club, lock), path);
  expect(await hashOf(path)).toBe(written.sha256);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  return path;
}

/** An empty place for a club on either engine. */
async function anEmptyPlace(engine: "sqlite" | "postgres") {
  const { databaseUrl, drop } = await emptyDatabase(engine);
  const dataDir = join(aFolder(), "data");
  onTestFinished(drop);
  return { dataDir, databaseUrl, masterKeyFile: join(dataDir, "master.key") };
}

const isOnPostgres = process.env.TEST_ENGINE === "postgres";

type Rows = Map<string, Record<string, unknown>[]>;

/** Without their slots, which depend on the connection that counted. */
function sums(counts: Record<string, unknown>[]): Record<string, unknown>[] {
  const of = new Map<string, Record<string, unknown>>();
  for (const { kind, id, slot: _, ...numbers } of counts) {
    const sum = of.get(`${kind} ${id}`) ?? { kind, id };
    for (const [name, value] of Object.entries(numbers)) sum[name] = Number(sum[name] ?? 0) + Number(value);
    of.set(`${kind} ${id}`, sum);
  }
  return [...of.values()].filter(({ kind: _, id: __, ...numbers }) => Object.values(numbers).some(Boolean));
}

/** Every row as text, whatever the engine: bytes alike, names of migrations without the engine's. */
const plain = (all: Rows) =>
  Object.fromEntries(
    [...all]
      // The running panel renews its leases meanwhile, and a restore starts a generation.
      .filter(([table]) => !["sessions", "api_tokens", "one_time_links", "leases", "generation"].includes(table))
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([table, rows]) => [
        table,
        (table === "config_counts" ? sums(rows) : rows)
          .map((row) =>
            JSON.stringify(
              Object.keys(row)
                .filter((name) => !["migrations hash", "interfaces first_look_due"].includes(`${table} ${name}`))
                .sort()
                .map((name) => {
                  const value = row[name];
                  if (value instanceof Uint8Array) return [name, Buffer.from(value).toString("hex")];
                  return [
                    name,
                    table === "migrations" ? String(value).replace(/\.(sqlite|postgres)\.sql$/, ".sql") : value,
                  ];
                }),
            ),
          )
          .sort(),
      ]),
  );

async function rowsAt(place: Awaited<ReturnType<typeof anEmptyPlace>>, club: Club): Promise<Rows> {
  const installation = await openInstallation({ ...club.config, ...place }, club.clock.now(), { mustExist: true });
  const { db } = installation.database;
  try {
    const all: Rows = new Map();
    for (const { name } of await db.introspection.getTables())
      all.set(name, (await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(db)).rows);
    return all;
  } finally {
    await installation.database.close();
  }
}

/** From each to the other one and back: both are written from and restored to. */
const other = process.env.TEST_POSTGRES_URL === undefined || isOnPostgres ? "sqlite" : "postgres";

/** What does not depend on the database that is backed up. */
const testOnce = isOnPostgres ? () => {} : test;

test("a restored club notifies nobody: its webhooks are off, and their waiting deliveries are given up", async () => {
  const club = await aClub();
  const admin = await club.admin();
  await club.as(admin).call("POST /auth/confirm-password", { body: { password: PASSWORD } });
  const body = { url: "https://1.2.3.4/hook", description: "", events: ["member.blocked" as const] };
  expect((await club.as(admin).call("POST /admin/webhooks", { body })).status).toBe(201);
  // Nothing is sent meanwhile.
  await sql`update webhooks set paused_until = 9000000000000`.execute(club.db);
  const { id } = await club.member();
  await club.as(admin).call("PUT /users/{id}", { params: { id }, body: { isActive: false } });
  expect((await club.allRows()).get("webhook_deliveries")).toMatchObject([{ state: "waiting" }]);
  const place = await anEmptyPlace("sqlite");
  await restore(place, await backupFile(club), { passphrase: PASSPHRASE }, NOW);
  const after = await rowsAt(place, club);
  expect(after.get("webhooks")).toMatchObject([{ is_enabled: 0, off_because: "restored" }]);
  expect(after.get("webhook_deliveries")).toMatchObject([{ state: "failed", next_at: null, last_problem: "restored" }]);
});

test("a backup restored to another engine, and back, holds every row, the key and the panel's identity; nobody stays signed in", async () => {
  const club = await aClub();
  await seedSampleClub(club.app);
  const token = { name: "Отчёт", scopes: ["profile:read" as const], days: 1 };
  await club.as(await club.member()).call("POST /api-tokens", { body: token });
  const before = await club.allRows();
  // Otherwise the comparison would prove nothing.
  for (const table of [
    "members",
    "configs",
    "interfaces",
    "servers",
    "audit",
    "payment_receipts",
    "sessions",
    "api_tokens",
  ])
    expect(before.get(table)?.length, table).toBeGreaterThan(0);
  const path = await backupFile(club);
  const place = await anEmptyPlace(other);
  const header = await restore(place, path, { passphrase: PASSPHRASE }, NOW);
  expect(header.version).toBe("1.2.3");
  const after = await rowsAt(place, club);
  expect(plain(after)).toEqual(plain(before));
  expect(after.get("sessions")).toEqual([]);
  expect(after.get("api_tokens")).toEqual([]);
  const [was] = before.get("generation") ?? [];
  const [is] = after.get("generation") ?? [];
  expect(is).toMatchObject({ club: was?.club, number: Number(was?.number) + 1, since: NOW.getTime() });
  expect(is?.token).not.toBe(was?.token);
  expect(new Set(after.get("interfaces")?.map((row) => row.first_look_due))).toEqual(new Set([1]));
  const own = (name: string) => readFileSync(join(club.config.dataDir, name), "utf8");
  expect(readFileSync(place.masterKeyFile, "utf8")).toBe(own("master.key"));
  expect(readFileSync(join(place.dataDir, "panel-id"), "utf8")).toBe(own("panel-id"));
  expect(statSync(place.masterKeyFile).mode & 0o777).toBe(0o600);
  expect(readdirSync(place.dataDir)).not.toContain("restoring");
  // And back to the engine it came from.
  const second = join(aFolder(), "again.age");
  await writeWhole(await backup(place, { lock: LOCK, now: club.clock.now(), version: "1.2.3" }), second);
  const home = await anEmptyPlace(club.config.databaseUrl === null ? "sqlite" : "postgres");
  await restore(home, second, { passphrase: PASSPHRASE }, NOW);
  expect(plain(await rowsAt(home, club))).toEqual(plain(before));
});

/** Rows of incompressible text: enough that a backup of them waits for its reader. */
async function fill(club: Club): Promise<number> {
  const rows = 10_000;
  const filling =
    club.config.databaseUrl === null
      ? sql`insert into settings (name, value, changed_at) with recursive n(i) as (select 1 union all select i + 1 from n
          where i < ${sql.lit(rows)}) select 'filler ' || i, hex(randomblob(250)), 0 from n`
      : sql`insert into settings (name, value, changed_at) select 'filler ' || i, (select string_agg(md5(random()::text || i || part), '')
          from generate_series(1, 16) part), 0 from generate_series(1, ${sql.lit(rows)}) i`;
  await club.transact((tx) => filling.execute(tx));
  return rows;
}

test("rows written while a backup is read are not in it, and no member has to wait for it", async () => {
  const club = await aClub();
  await seedSampleClub(club.app);
  await fill(club);
  const before = plain(await club.allRows());
  const content = await backupOf(club);
  const reading = content[Symbol.asyncIterator]();
  const pieces = [(await reading.next()).value as Buffer];
  await club.member({ username: "vera-meanwhile" });
  await sql`update members set username = 'renamed' where username = 'marina'`.execute(club.db);
  // Read last, long after these changes.
  await sql`update support_messages set content = 'changed meanwhile'`.execute(club.db);
  await sql`delete from settings where name = 'filler 10000'`.execute(club.db);
  for (let piece = await reading.next(); !piece.done; piece = await reading.next()) pieces.push(piece.value as Buffer);
  const path = join(aFolder(), "club.age");
  writeFileSync(path, Buffer.concat(pieces));
  const place = await anEmptyPlace("sqlite");
  await restore(place, path, { passphrase: PASSPHRASE }, NOW);
  expect(plain(await rowsAt(place, club))).toEqual(before);
});

const linesIn = async (path: string, opener: Opener): Promise<string> => {
  return gunzipSync(await buffer(await decrypted(createReadStream(path), opener))).toString("utf8");
};
async function repacked(lines: string, lock: Lock): Promise<string> {
  const path = join(aFolder(), "made.age");
  const gzip = createGzip();
  gzip.end(lines);
  await writeWhole(await encrypted(gzip, lock), path);
  return path;
}

test("a damaged, truncated, foreign or newer file, or the wrong key, changes nothing and says why", async () => {
  const club = await aClub();
  await seedSampleClub(club.app);
  // A key is tried much faster than a passphrase.
  const identity = await generateIdentity();
  const lock: Lock = { recipient: await identityToRecipient(identity) };
  const opener: Opener = { identities: [identity] };
  const path = await backupFile(club, lock);
  const whole = readFileSync(path);
  const lines = await linesIn(path, opener);
  const folder = aFolder();
  const withBytes = (content: Uint8Array) => {
    const file = join(folder, "other.age");
    writeFileSync(file, content);
    return file;
  };
  const flipped = (at: number) => {
    const bytes = Buffer.from(whole);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    return withBytes(bytes);
  };
  const place = await anEmptyPlace(club.config.databaseUrl === null ? "sqlite" : "postgres");
  const refused = async (file: string, sentence: RegExp, by: Opener = opener) => {
    await expect(restore(place, file, by, NOW)).rejects.toThrow(sentence);
    expect(existsSync(place.dataDir)).toBe(false);
  };
  /** What is noticed before any database is opened, or is undone like the others. */
  const refusedEarly = isOnPostgres ? async () => {} : refused;
  const wrong = /does not open/;
  const broken = /is damaged or incomplete/;
  const strange = /is not a backup of this product/;
  await refusedEarly(path, wrong, { passphrase: PASSPHRASE });
  await refusedEarly(await backupFile(club), wrong, { passphrase: "something else" });
  await refusedEarly(path, wrong, { identities: [await generateIdentity()] });
  await refusedEarly(join(folder, "none"), /The file .+ does not exist/);
  // The header's stanza, its MAC, the first chunk and the last byte.
  for (const at of [60, whole.indexOf("\n--- ") + 10, whole.indexOf("\n--- ") + 400, whole.length - 1])
    await refusedEarly(flipped(at), /is damaged or incomplete|does not open/);
  for (const cut of [0, 10, 100, 300, whole.length - 1])
    await refusedEarly(withBytes(whole.subarray(0, cut)), /is damaged or incomplete|is not a backup/);
  await refused(withBytes(whole.subarray(0, Math.floor(whole.length / 2))), broken);
  await refused(withBytes(Buffer.concat([whole, Buffer.from("x")])), broken);
  await refusedEarly(withBytes(Buffer.from("SQLite format 3\0 and so on, for quite a while")), strange);
  await refusedEarly(withBytes(await buffer(await encrypted(Readable.from([Buffer.from("a letter")]), lock))), strange);
  await refusedEarly(withBytes(await buffer(await encrypted(Readable.from([gzipSync("a letter")]), lock))), strange);
  // Authentic, but made by hand or by another version.
  const [header = "", ...others] = lines.split("\n");
  const again = (change: (header: Record<string, unknown>) => object) =>
    repacked([JSON.stringify({ ...JSON.parse(header), ...change(JSON.parse(header)) }), ...others].join("\n"), lock);
  await refusedEarly(await again(() => ({ format: 3, version: "9.0.0" })), /made by a newer panel \(9\.0\.0\)/);
  const tomorrow = { name: "9999_tomorrow", appliedAt: 1 };
  await refusedEarly(
    await again(({ migrations }) => ({ migrations: [...(migrations as object[]), tomorrow] })),
    /made by a newer panel/,
  );
  await refusedEarly(await again(() => ({ madeAt: "2026-01-01T00:00:00.000Z" })), broken); // the hash is of other lines
  await refused(await repacked(lines.replace('"marina"', '"karina"'), lock), broken);
  await refusedEarly(await repacked([header, ...others.slice(0, -2)].join("\n"), lock), broken);
  await refusedEarly(await repacked([header, ...others.slice(1)].join("\n"), lock), broken);
  // The file and the place themselves are fine.
  await restore(place, path, opener, NOW);
  await expect(restore(place, path, opener, NOW)).rejects.toThrow(/is not empty/);
});

testOnce("of two restores into one folder at once one is refused, and the other's club opens", async () => {
  const place = await anEmptyPlace("sqlite");
  const files = [await backupFile(await aClub()), await backupFile(await aClub())];
  const ended = await Promise.allSettled(files.map((path) => restore(place, path, { passphrase: PASSPHRASE }, NOW)));
  expect(ended.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  const { reason } = ended.find((end) => end.status === "rejected") ?? {};
  expect(String(reason)).toMatch(/another restore/i);
  const opened = await openInstallation({ ...(await aClub()).config, ...place }, NOW);
  await opened.database.close();
  expect(readdirSync(place.dataDir).sort()).toEqual(expect.not.arrayContaining(["restoring", "restoring.lock"]));
});

testOnce("a panel that was started during a restore is not overwritten", async () => {
  const place = await anEmptyPlace("sqlite");
  const club = await aClub();
  const path = await backupFile(club);
  mkdirSync(place.dataDir, { mode: 0o700 });
  copyFileSync(club.config.masterKeyFile, place.masterKeyFile);
  const start = async () => {
    await (await openInstallation({ ...club.config, ...place }, NOW)).database.close();
  };
  const before = () => readFileSync(join(place.dataDir, "krug.db"));
  let started = Buffer.alloc(0);
  const look = async () => {
    await start();
    started = before();
  };
  await expect(restore(place, path, { passphrase: PASSPHRASE }, NOW, look)).rejects.toThrow(/is not empty/);
  expect(before().equals(started)).toBe(true);
});

testOnce("another key in the folder is not overwritten, the right one is kept", async () => {
  const club = await aClub();
  const path = await backupFile(club);
  const place = await anEmptyPlace("sqlite");
  mkdirSync(place.dataDir);
  const other = `${Buffer.alloc(32, 7).toString("base64")}\n`;
  writeFileSync(place.masterKeyFile, other, { mode: 0o600 });
  await expect(restore(place, path, { passphrase: PASSPHRASE }, NOW)).rejects.toThrow(/another master key/);
  expect(readFileSync(place.masterKeyFile, "utf8")).toBe(other);
  expect(readdirSync(place.dataDir)).toEqual(["master.key"]);
  writeFileSync(place.masterKeyFile, readFileSync(join(club.config.dataDir, "master.key")));
  await restore(place, path, { passphrase: PASSPHRASE }, NOW);
});

testOnce("for a public key: only its identity opens it, and a trial leaves nothing behind", async () => {
  const club = await aClub();
  await seedSampleClub(club.app);
  const identity = await generateIdentity();
  const path = await backupFile(club, { recipient: await identityToRecipient(identity) });
  await expect(tryRestore(path, { passphrase: PASSPHRASE }, aFolder())).rejects.toThrow(/does not open/);
  const folder = aFolder();
  expect((await tryRestore(path, { identities: [identity] }, folder)).version).toBe("1.2.3");
  expect(readdirSync(folder)).toEqual([]);
});

test.skipIf(!hasAge)("the age program opens a backup for a public key, and zcat shows its lines", async () => {
  const club = await aClub();
  const folder = aFolder();
  execFileSync("age-keygen", ["-o", join(folder, "key.txt")], { stdio: "ignore" });
  const recipient = execFileSync("age-keygen", ["-y", join(folder, "key.txt")], { encoding: "utf8" }).trim();
  const path = await backupFile(club, { recipient });
  const packed = execFileSync("age", ["-d", "-i", join(folder, "key.txt"), path], { maxBuffer: 2 ** 28 });
  expect(gunzipSync(packed).toString("utf8")).toMatch(/^\{"krug":"backup","format":2,"version":"1\.2\.3"/);
});

test("a backup proceeds only as fast as it is read: few rows are in memory", async () => {
  const club = await aClub();
  const rows = await fill(club);
  const told = { rows: 0 };
  const place = { databaseUrl: club.config.databaseUrl, file: join(club.config.dataDir, "krug.db") };
  const identity = (): Identity => ({
    version: "1.2.3",
    madeAt: club.clock.now().toISOString(),
    engine: "sqlite",
    panelId: "x",
    masterKeys: ["AAAA"],
  });
  const content = await writeArchive(place, identity, { lock: LOCK, told });
  const reading = content[Symbol.asyncIterator]();
  await reading.next();
  let seen = -1;
  while (seen !== told.rows) {
    seen = told.rows;
    await wait(100);
  }
  expect(told.rows).toBeLessThan(rows / 4);
  for (let piece = await reading.next(); !piece.done; piece = await reading.next());
  expect(told.rows).toBeGreaterThan(rows);
});

test("a backup of an older version is restored with its schema, which the start upgrades", async () => {
  const club = await aClub();
  await club.member({ username: "marina" });
  const identity = await generateIdentity();
  const lock: Lock = { recipient: await identityToRecipient(identity) };
  const opener: Opener = { identities: [identity] };
  const lines = (await linesIn(await backupFile(club, lock), opener)).split("\n").slice(0, -2);
  // As it was before answers had templates.
  const older = lines
    .filter((line) => !/^\{"table":"answer_templates"/.test(line))
    .map((line) => line.replace(/,\{"name":"0410_answer_templates","appliedAt":\d+\}/, ""))
    // Backups were not signed either.
    .map((line) => line.replace('"format":2', '"format":1').replace(/"signer":"[^"]*",/, ""));
  const rows = older.filter((line) => line.startsWith("[")).length;
  const body = older.map((line) => `${line}\n`).join("");
  const end = { end: { rows, sha256: createHash("sha256").update(body).digest("hex") } };
  const place = await anEmptyPlace("sqlite");
  const told: Made[] = [];
  await restore(
    place,
    await repacked(`${body}${JSON.stringify(end)}\n`, lock),
    opener,
    NOW,
    async (made) => void told.push(made),
  );
  expect(told).toMatchObject([{ mark: null, isMisnamed: false }]);
  expect(doubtsOf(told[0]!, null)).toEqual([]);
  expect(doubtsOf(told[0]!, MARK)).toEqual([expect.stringMatching(/^It is not signed/)]);
  const after = await rowsAt(place, club);
  expect(after.get("answer_templates")).toEqual([]);
  expect(after.get("members")).toHaveLength(1);
});

// A restore into PostgreSQL needs another, empty database, and a started club cannot switch to it.
testOnce("a panel started on a restored backup continues with the same devices, keys and addresses", async () => {
  const club = await aClub();
  const [admin, boris] = [await club.admin(), await club.member({ username: "boris" })];
  const made = await club.as(boris).call("POST /vpn/configs", { body: await configInput(club, boris) });
  await club.settle();
  const file = async () => {
    const signedIn = await club.guest.call("POST /auth/login", {
      body: { username: "boris", password: boris.password },
    });
    const { token } = signedIn.body as { token: string };
    return (await club.withToken(token).call("GET /vpn/configs/{id}/download", { params: { id: made.body.id } })).body;
  };
  const [given, peers] = [await file(), structuredClone(club.host.peers())];
  expect(peers.length).toBeGreaterThan(0);
  const path = await backupFile(club);
  await club.app.stop();
  const { dataDir } = club.config;
  for (const name of readdirSync(dataDir)) rmSync(join(dataDir, name), { recursive: true });
  await restore(club.config, path, { passphrase: PASSPHRASE }, NOW);
  await club.restart();
  expect((await club.as(admin).call("GET /admin/system")).code).toBe("auth.required");
  expect(await file()).toBe(given);
  expect(club.host.peers()).toEqual(peers);
});

test("a backup that is given up releases the database", async () => {
  const club = await aClub();
  const content = await backupOf(club);
  await content[Symbol.asyncIterator]().next();
  content.destroy();
  await wait(200);
  if (club.config.databaseUrl === null) return;
  const open = sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
    where application_name = 'krug backup' and datname = current_database()`;
  expect((await open.execute(club.db)).rows[0]?.n).toBe(0);
});

test("a backup that nobody could restore is not written: with a wrong or lost key, or a damaged panel-id, it is refused", async () => {
  const club = await aClub();
  const { masterKeyFile, dataDir } = club.config;
  const right = readFileSync(masterKeyFile);
  const folder = aFolder();
  const refused = async (sentence: RegExp) => {
    await expect(backupOf(club).then((content) => writeWhole(content, join(folder, "club.age")))).rejects.toThrow(
      sentence,
    );
    expect(readdirSync(folder)).toEqual([]);
  };
  writeFileSync(masterKeyFile, `${Buffer.alloc(32, 7).toString("base64")}\n`);
  await refused(/master\.key does not open this database: it is key [0-9a-f]{12}, and the database is sealed with key/);
  rmSync(masterKeyFile);
  await refused(/master\.key is missing/);
  writeFileSync(masterKeyFile, right, { mode: 0o600 });
  writeFileSync(join(dataDir, "panel-id"), "\n");
  await refused(/panel-id is damaged/);
});

testOnce(
  "each guess at a passphrase costs 128 MiB and a good part of a second, and the right one opens the backup",
  async () => {
    const club = await aClub();
    const path = await backupFile(club, { passphrase: PASSPHRASE });
    // scrypt's logarithm of N, with r = 8: 2^17 · 8 · 128 bytes.
    expect(readFileSync(path, "latin1").split("\n")[1]).toMatch(/^-> scrypt \S+ 17$/);
    expect((await tryRestore(path, { passphrase: PASSPHRASE }, aFolder())).madeAt).toBe(club.clock.now().toISOString());
  },
);

testOnce("an unknown kind of encryption is refused before anything is written", async () => {
  const club = await aClub();
  await expect(backupOf(club, { recipient: "age1nonsense" })).rejects.toThrow();
});

const lookedAt = async (path: string, opener: Opener): Promise<Made> => {
  const told: Made[] = [];
  await restore(await anEmptyPlace("sqlite"), path, opener, NOW, async (made) => void told.push(made));
  return told[0]!;
};

test("a backup says which club made it, even after its master key changed; another club's is recognised", async () => {
  const club = await aClub();
  const opener = { passphrase: PASSPHRASE };
  const first = await lookedAt(await backupFile(club), opener);
  expect(first).toMatchObject({ mark: expect.stringMatching(/^(?:[0-9A-F]{4}-){3}[0-9A-F]{4}$/), isMisnamed: false });
  expect(await ownMark(club.config)).toBe(first.mark);
  const keyFile = club.config.masterKeyFile;
  const sealing = await openSealing(club, keyFile, sealedColumns);
  await rotateKey({ transact: club.transact, sealing, keyFile, columns: sealedColumns });
  expect((await lookedAt(await backupFile(club), opener)).mark).toBe(first.mark);
  const place = await anEmptyPlace("sqlite");
  const installation = await openInstallation({ ...club.config, ...place }, club.clock.now());
  await installation.database.close();
  const path = join(aFolder(), "club.age");
  await writeWhole(await backup(place, { lock: LOCK, now: NOW, version: "1.2.3" }), path);
  const other = await lookedAt(path, opener);
  expect(other.mark).not.toBe(first.mark);
  expect(doubtsOf(other, first.mark)).toEqual([
    `Another club made it: its mark is ${other.mark}, and ${first.mark} is expected.`,
  ]);
  expect(doubtsOf(first, first.mark)).toEqual([]);
});

testOnce("a backup under the name of another moment is reported", async () => {
  const club = await aClub();
  const opener = { passphrase: PASSPHRASE };
  const path = await backupFile(club);
  const at = club.clock.now().getTime();
  const named = async (name: string) => {
    const to = join(aFolder(), name);
    copyFileSync(path, to);
    return doubtsOf(await lookedAt(to, opener), null);
  };
  const day = (moment: number) => new Date(moment).toISOString().slice(0, 10);
  for (const right of [backupName(new Date(at)), `krug-${day(at)}.age`, "before-the-move.age"])
    expect(await named(right)).toEqual([]);
  const later = day(at + 2 * 86_400_000);
  const copies = [`krug-${later}.age`, `krug-${later} (1).age`, `copy of krug-${later}.age`];
  for (const wrong of [backupName(new Date(at + 3_600_000)), ...copies])
    expect(await named(wrong)).toEqual([expect.stringMatching(/^Its name gives another time/)]);
});

testOnce(
  "being able to encrypt for the club is not enough to change what it has signed, or to sign for it",
  async () => {
    const club = await aClub();
    const identity = await generateIdentity();
    const lock: Lock = { recipient: await identityToRecipient(identity) };
    const opener: Opener = { identities: [identity] };
    const lines = (await linesIn(await backupFile(club, lock), opener)).split("\n").slice(0, -1);
    const end = JSON.parse(lines.pop() ?? "") as { end: { rows: number; signature: string } };
    const ended = (changed: readonly string[], signature: string | undefined) => {
      const body = changed.map((line) => `${line}\n`).join("");
      const sha256 = createHash("sha256").update(body).digest("hex");
      return repacked(`${body}${JSON.stringify({ end: { ...end.end, sha256, signature } })}\n`, lock);
    };
    await restore(await anEmptyPlace("sqlite"), await ended(lines, end.end.signature), opener, NOW);
    const later = lines.map((line) => line.replace(/"madeAt":"\d{4}/, '"madeAt":"2031'));
    const own = generateKeyPairSync("ed25519");
    const raw = own.publicKey.export({ format: "der", type: "spki" }).subarray(-32).toString("base64");
    const resigned = lines.map((line) => line.replace(/"signer":"[^"]*"/, `"signer":"${raw}"`));
    const sha256 = createHash("sha256")
      .update(resigned.map((line) => `${line}\n`).join(""))
      .digest("hex");
    const bySomebody = sign(null, Buffer.from(`krug backup ${sha256}`), own.privateKey).toString("base64");
    for (const [file, sentence] of [
      [await ended(later, end.end.signature), /does not match its signature/],
      [await ended(lines, undefined), /does not match its signature/],
      [await ended(resigned, bySomebody), /is signed by another club than the one it contains/],
    ] as const)
      await expect(restore(await anEmptyPlace("sqlite"), file, opener, NOW)).rejects.toThrow(sentence);
  },
);
