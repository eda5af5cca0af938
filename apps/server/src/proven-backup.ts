import { readFileSync } from "node:fs";
import { backup, hashOf, writeWhole } from "./backup.ts";
import type { Config } from "./config.ts";
import { tryRestore } from "./restore.ts";

/**
 * Makes a backup as the environment wants it, reads it back and, where the panel can open it, restores it into a database that
 * is thrown away. @throws Error with a sentence: then the file is not to be believed
 */
export async function makeProvenBackup(
  config: Config,
  path: string,
  { now, version }: { now: Date; version: string },
): Promise<{ bytes: number }> {
  const { backupLock } = config;
  if (backupLock === null) throw new Error("BACKUP_PASSPHRASE_FILE or BACKUP_RECIPIENT is not set.");
  const lock =
    "recipient" in backupLock
      ? backupLock
      : { passphrase: readFileSync(backupLock.passphraseFile, "utf8").split(/\r?\n/)[0] ?? "" };
  const written = await writeWhole(await backup(config, { lock, now, version }), path);
  if ((await hashOf(path)) !== written.sha256) throw new Error(`${path} reads back otherwise than it was written.`);
  if ("passphrase" in lock) await tryRestore(path, lock, config.dataDir);
  return written;
}
