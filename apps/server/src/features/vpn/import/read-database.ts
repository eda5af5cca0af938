import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ServerFile, ServerFileError } from "@krug/wireguard/server-file";
import { LimitExceeded, type Limits, programAt, runConfined } from "../../../platform/confined.ts";
import { Refusal } from "../../../platform/refusal.ts";
import type { WgDashboard } from "./wg-dashboard.ts";

/** How the page sends a binary file. */
export const DATABASE_PREFIX = "data:application/vnd.sqlite3;base64,";

const MAGIC = "SQLite format 3\0";
/** Where the header says whether changes are in a second file (SQLite's file format, section 1.3.3). */
const JOURNAL_BYTES = [18, 19];
const ROLLBACK = 1;

const FOLDER = "krug-moving-in-";
/** A file has a name for a moment only; another panel of the machine may be reading one. */
const LEFT_BEHIND_AFTER_MS = 60_000;

/**
 * Removes what a panel killed at that moment left behind: it has private keys. Hourly too: a service manager starts the next
 * panel before the file is old enough.
 */
export async function removeLeftDatabases(): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []);
  for (const path of names.filter((name) => name.startsWith(FOLDER)).map((name) => join(tmpdir(), name))) {
    const made = await stat(path).catch(() => null);
    // Another user's file stays: it cannot be removed.
    if (made !== null && Date.now() - made.mtimeMs > LEFT_BEHIND_AFTER_MS)
      await rm(path, { recursive: true, force: true }).catch(() => {});
  }
}

const LIMITS: Limits = { ms: 30_000, memoryBytes: 384 * 2 ** 20 };

type Foreign = ServerFile | WgDashboard;
export type Reader = (path: string) => Promise<Foreign>;

/** In a separate process: whatever the file makes SQLite do ends with it, and the panel keeps working. */
export const readConfined =
  (limits = LIMITS): Reader =>
  async (path) => {
    const said = (await runConfined(programAt("features/vpn/import/database-reader"), path, limits)) as
      | { file: Foreign }
      | Pick<ServerFileError, "reason" | "at">;
    if ("file" in said) return said.file;
    throw new ServerFileError(said.reason, said.at);
  };

/**
 * Reads wg-easy's or WGDashboard's database, and leaves nothing of it on disk.
 * @throws ServerFileError, Refusal if it takes more time or memory than it may
 */
export async function readDatabase(base64: string, reader: Reader = readConfined()): Promise<Foreign> {
  const bytes = Buffer.from(base64, "base64");
  if (bytes.length < 100 || bytes.toString("latin1", 0, MAGIC.length) !== MAGIC)
    throw new ServerFileError("unreadable");
  // A reader may not create the files next to it that the other journal mode needs.
  for (const at of JOURNAL_BYTES) bytes[at] = ROLLBACK;
  const folder = await mkdtemp(join(tmpdir(), FOLDER));
  try {
    const path = join(folder, "wg-easy.db");
    await writeFile(path, bytes, { mode: 0o600 });
    return await reader(path);
  } catch (error) {
    if (error instanceof LimitExceeded) return refuseTooHeavy(error.limit);
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const MOST_S = LIMITS.ms / 1000;
const MOST_MIB = LIMITS.memoryBytes / 2 ** 20;
const TOO_MUCH = {
  ms: { ru: `${MOST_S} с`, en: `${MOST_S} s` },
  memoryBytes: { ru: `${MOST_MIB} МБ памяти`, en: `${MOST_MIB} MB of memory` },
} as const;

function refuseTooHeavy(limit: keyof Limits): never {
  const { ru, en } = TOO_MUCH[limit];
  throw new Refusal("import.too_heavy", { field: "file", limit: en }, { ru: { limit: ru }, en: { limit: en } });
}
