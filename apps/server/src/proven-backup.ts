import { readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { backup } from "./backup.ts";
import type { Config } from "./config.ts";
import type { Opener } from "./platform/archive/encryption.ts";
import { asLongAs, type BackupPlace, drained, type Measured, measuring } from "./platform/archive/place.ts";
import { failure } from "./platform/failure.ts";
import { tryRestore } from "./restore.ts";

/**
 * Makes a backup in `place` as the environment configures it, reads it back, and, if the panel can decrypt it, restores it into a
 * temporary database. @throws Error with a message: then the backup must not be relied on
 */
export async function makeProvenBackup(
  config: Config,
  place: BackupPlace,
  name: string,
  { now, version, workFactor }: { now: Date; version: string; workFactor?: number | undefined },
): Promise<Measured> {
  const { backupLock } = config;
  if (backupLock === null) throw failure("backup.no_lock");
  const lock =
    "recipient" in backupLock
      ? backupLock
      : { passphrase: readFileSync(backupLock.passphraseFile, "utf8").split(/\r?\n/)[0] ?? "", workFactor };
  const written = await place.put(name, await backup(config, { lock, now, version }));
  const where = `${place.address}/${name}`;
  const content = asLongAs(written.bytes, await place.read(name));
  const back = "recipient" in lock ? await drained(content) : await restored(content, where, lock, config.dataDir);
  if (back.sha256 !== written.sha256) throw failure("backup.reads_otherwise", { file: where });
  return written;
}

/** Hashed while it is restored: it may be large, and come from far away. */
async function restored(content: Readable, name: string, opener: Opener, folder: string): Promise<Measured> {
  const { pieces, measured } = measuring(content as AsyncIterable<Buffer>);
  const hashed = Readable.from(pieces, { objectMode: false });
  // Either may end before the other has started.
  content.on("error", () => {});
  hashed.once("close", () => content.destroy());
  await tryRestore({ name, open: async () => hashed }, opener, folder);
  return measured();
}
