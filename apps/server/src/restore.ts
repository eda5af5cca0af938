import { chownSync, existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CliWords, cliWordsEn } from "./cli-words-en.ts";
import type { Config } from "./config.ts";
import { endEveryToken } from "./features/access/api-tokens/index.ts";
import { endEveryEntry } from "./features/access/auth/index.ts";
import { endEveryChallenge } from "./features/access/passkeys/index.ts";
import { raiseForRestore } from "./features/club/fencing/index.ts";
import { switchOffRestored } from "./features/messages/webhooks/index.ts";
import { awaitFirstLooks } from "./features/vpn/interfaces/index.ts";
import { productFolder } from "./installation.ts";
import type { Opener } from "./platform/archive/encryption.ts";
import type { Header } from "./platform/archive/format.ts";
import { isEmptyDatabase, loadArchive } from "./platform/archive/load.ts";
import { momentInName } from "./platform/archive/place.ts";
import { type Archive, archiveError, nameOfSource, readArchive, type Source } from "./platform/archive/read.ts";
import { markOf, signerBy } from "./platform/archive/signature.ts";
import { checkOpened, explainOpening, placeOf } from "./platform/database/cannot-open.ts";
import type { Database, Tx } from "./platform/database/database.ts";
import { migrateInside } from "./platform/database/migrate.ts";
import { openPostgres } from "./platform/database/postgres.ts";
import { isLocked, openShared, openSqlite } from "./platform/database/sqlite.ts";
import { makeFolder } from "./platform/file-trouble.ts";
import { forgetLeases } from "./platform/held-leases.ts";
import { readKeyFile } from "./platform/master-key.ts";
import { openSealing } from "./platform/sealing.ts";
import { sealedColumns } from "./sealed.ts";

type Where = Pick<Config, "dataDir" | "databaseUrl" | "masterKeyFile">;

const STAGING = "restoring";
const LOCK = "restoring.lock";
/** The files in an installation's folder. */
const FILES = ["krug.db", "krug.db-wal", "krug.db-shm", "master.key", "panel-id", "had-members"];
const migrationsFolder = () => join(productFolder(), "apps", "server", "migrations");

/**
 * Restores a backup into an empty folder (and an empty PostgreSQL database): the same members, keys, addresses and panel, with
 * nobody signed in and every webhook off. All or nothing: the files are moved into the folder at the very end.
 * @throws Error with a message for the operator; then nothing has changed
 */
export async function restore(
  where: Where,
  source: Source,
  opener: Opener,
  now: Date,
  look: LookFirst = async () => {},
): Promise<Header> {
  const { dataDir } = where;
  refuseTaken(dataDir);
  const isNewFolder = !existsSync(dataDir);
  makeFolder(dataDir);
  return alone(dataDir, () => restoreInto(where, isNewFolder, { source, opener, now, look }));
}

interface Wish {
  source: Source;
  opener: Opener;
  now: Date;
  look: LookFirst;
}

async function restoreInto(where: Where, isNewFolder: boolean, { source, opener, now, look }: Wish): Promise<Header> {
  const { dataDir, databaseUrl } = where;
  // Another restore may have ended meanwhile.
  refuseTaken(dataDir);
  const staging = join(dataDir, STAGING);
  rmSync(staging, { recursive: true, force: true });
  mkdirSync(staging, { mode: 0o700 });
  let isDone = false;
  try {
    const header = await reading(source, opener, async (archive) => {
      // Before the transaction, which would otherwise wait for the person asked.
      await look(madeOf(source, archive.header));
      return (databaseUrl === null ? intoFile : intoPostgres)({ where, staging, source, archive, now });
    });
    isDone = true;
    return header;
  } finally {
    rmSync(isNewFolder && !isDone ? dataDir : staging, { recursive: true, force: true });
  }
}

/** The key may have been restored already, and then it must be the right one. */
function refuseTaken(dataDir: string): void {
  const there = FILES.filter((name) => name !== "master.key" && existsSync(join(dataDir, name)));
  if (there.length > 0) throw archiveError("backup.folder_not_empty", { folder: dataDir, there: there.join(", ") });
}

/** Refuses a second restore into the folder. The system releases the lock if the process is killed. */
async function alone<Result>(dataDir: string, work: () => Promise<Result>): Promise<Result> {
  const path = join(dataDir, LOCK);
  const lock = await openShared(path);
  try {
    lock.exec("begin exclusive");
  } catch (error) {
    lock.close();
    throw isLocked(error) ? archiveError("backup.being_restored", { folder: dataDir }) : error;
  }
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
    lock.close();
  }
}

async function reading<Result>(
  source: Source,
  opener: Opener,
  work: (archive: Archive) => Promise<Result>,
): Promise<Result> {
  const archive = await readArchive(source, opener);
  try {
    return await work(archive);
  } finally {
    archive.close();
  }
}

async function intoFile(bringing: Bringing): Promise<Header> {
  const { where, staging } = bringing;
  const file = join(staging, "krug.db");
  try {
    const database = await openSqlite(file);
    const header = await database.transact((tx) => bring(tx, database, bringing)).finally(() => database.close());
    // A panel may have been started here meanwhile.
    refuseTaken(where.dataDir);
    settle(where, staging, ["master.key", "panel-id", "krug.db"]);
    return header;
  } catch (error) {
    throw explainOpening(error, null, file);
  }
}

async function intoPostgres(bringing: Bringing): Promise<Header> {
  const { where, staging } = bringing;
  const url = where.databaseUrl ?? "";
  const database = openPostgres(url, { patient: true });
  const placed: string[] = [];
  try {
    await checkOpened(database, false);
    return await database.transact(async (tx) => {
      if (!(await isEmptyDatabase(tx, "postgres")))
        throw archiveError("backup.database_not_empty", { place: placeOf(url, "") });
      const header = await bring(tx, database, bringing);
      // Before the commit: without them the rows could not be opened.
      placed.push(...settle(where, staging, ["master.key", "panel-id"]));
      return header;
    });
  } catch (error) {
    for (const file of placed) rmSync(file, { force: true });
    throw explainOpening(error, url, "");
  } finally {
    await database.close();
  }
}

interface Bringing {
  where: Where;
  staging: string;
  source: Source;
  archive: Archive;
  now: Date;
}

/** A backup's facts, before anything of it is restored. */
export interface Made {
  name: string;
  madeAt: string;
  version: string;
  /** The club that signed it; null if unsigned. */
  mark: string | null;
  /** Its name gives a different time. */
  isMisnamed: boolean;
}
/** Throws to cancel. */
export type LookFirst = (made: Made) => Promise<void>;

/** Unexpected facts about a backup, for the operator. `mark`: the club that must have made it, if known. */
export const doubtsOf = (
  { madeAt, mark, isMisnamed }: Made,
  expected: string | null,
  say: Pick<CliWords, "unsigned" | "otherClub" | "misnamed"> = cliWordsEn,
): string[] => [
  ...(expected !== null && mark === null ? [say.unsigned(expected)] : []),
  ...(expected !== null && mark !== null && mark !== expected ? [say.otherClub(mark, expected)] : []),
  ...(isMisnamed ? [say.misnamed(madeAt)] : []),
];

function madeOf(source: Source, { madeAt, version, signer }: Header): Made {
  const name = nameOfSource(source);
  const said = momentInName(name);
  const at = Date.parse(madeAt);
  const isMisnamed = said !== null && (at < said.from - NAMED_WITHIN_MS || at > said.until + NAMED_WITHIN_MS);
  return { name, madeAt, version, mark: signer === null ? null : markOf(signer), isMisnamed };
}
/** A backup is named a moment before or after the database is read. */
const NAMED_WITHIN_MS = 60_000;

/**
 * Loads the rows in the transaction, and the panel's key and identity into the staging folder; then checks that they belong
 * together.
 */
async function bring(
  tx: Tx,
  { engine }: Database,
  { where, staging, source, archive, now }: Bringing,
): Promise<Header> {
  await loadArchive(tx, archive, { engine, folder: migrationsFolder(), path: nameOfSource(source) });
  const { masterKeys, panelId, signer } = archive.header;
  const keyFile = join(staging, "master.key");
  writeFileSync(keyFile, masterKeys.map((key) => `${key}\n`).join(""), { mode: 0o600 });
  writeFileSync(join(staging, "panel-id"), `${panelId}\n`, { mode: 0o600 });
  const sealing = await openSealing({ transact: (work) => work(tx) }, keyFile, sealedColumns);
  if (signer !== null && signer !== signerBy(sealing).publicKey)
    throw archiveError("backup.other_club", { file: nameOfSource(source) });
  refuseOtherKey(where.masterKeyFile, keyFile);
  await endEveryEntry(tx);
  await endEveryToken(tx);
  await endEveryChallenge(tx);
  await switchOffRestored(tx);
  await forgetLeases(tx);
  // A backup from before generations has no place for one.
  const wants = (file: string) => /^0530_/.test(file);
  await migrateInside(tx, engine, migrationsFolder(), { now, wants });
  await raiseForRestore(tx, sealing, now);
  await awaitFirstLooks(tx);
  return archive.header;
}

/** An existing key, in the folder or at MASTER_KEY_FILE, must open the database. */
function refuseOtherKey(present: string, restored: string): void {
  const there = readKeyFile(present);
  const wanted = readKeyFile(restored)?.[0];
  if (there === null || there.some(({ id }) => id === wanted?.id)) return;
  throw archiveError("backup.other_key", { path: present });
}

/**
 * Moves files into the folder, with its owner: a restore as root serves a panel that runs as another user. Returns the files that
 * were not there before.
 */
function settle({ dataDir, masterKeyFile }: Where, staging: string, names: readonly string[]): string[] {
  const { uid, gid } = statSync(dataDir);
  const wanted = existsSync(masterKeyFile) ? names.filter((name) => name !== "master.key") : names;
  return wanted.map((name) => {
    const [from, to] = [join(staging, name), name === "master.key" ? masterKeyFile : join(dataDir, name)];
    if (process.getuid?.() === 0) chownSync(from, uid, gid);
    renameSync(from, to);
    return to;
  });
}

/**
 * Restores a backup into a temporary database, in `folder`, to prove that it can be restored. Returns when it was made. @throws
 * ArchiveError with the problem
 */
export async function tryRestore(source: Source, opener: Opener, folder: string): Promise<Header> {
  const scratch = join(folder, "trying-backup");
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(scratch, { recursive: true, mode: 0o700 });
  try {
    const where = { dataDir: scratch, databaseUrl: null, masterKeyFile: join(scratch, "no-key") };
    return await reading(source, opener, async (archive) => {
      const database = await openSqlite(join(scratch, "krug.db"));
      return database
        .transact((tx) => bring(tx, database, { where, staging: scratch, source, archive, now: new Date(0) }))
        .finally(() => database.close());
    });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
