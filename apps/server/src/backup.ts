import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import type { Config } from "./config.ts";
import type { Lock } from "./platform/archive/encryption.ts";
import { Identity } from "./platform/archive/format.ts";
import { markOf, signerBy } from "./platform/archive/signature.ts";
import { openSnapshot, type Snapshot } from "./platform/archive/snapshot.ts";
import { writeArchive } from "./platform/archive/write.ts";
import { failure } from "./platform/failure.ts";
import { makeKeysOfCopy } from "./platform/sealing.ts";

type Where = Pick<Config, "dataDir" | "databaseUrl" | "masterKeyFile">;

/** The mark of this installation's club; null if it has not recorded its key yet. @throws Error with a message */
export async function ownMark({ dataDir, databaseUrl, masterKeyFile }: Where): Promise<string | null> {
  const snapshot = await openSnapshot({ databaseUrl, file: join(dataDir, "krug.db") });
  try {
    const { sealing } = snapshot;
    return sealing && markOf(signerBy({ hash: makeKeysOfCopy(masterKeyFile).hash(sealing) }).publicKey);
  } finally {
    await snapshot.close();
  }
}

/**
 * The whole club as one encrypted stream, while the panel runs. @throws Error with a message if there is no club, or its key is
 * another
 */
export async function backup(
  { dataDir, databaseUrl, masterKeyFile }: Where,
  { lock, now, version }: { lock: Lock; now: Date; version: string },
): Promise<Readable> {
  const file = join(dataDir, "krug.db");
  const panelFile = join(dataDir, "panel-id");
  if (!existsSync(panelFile) || (databaseUrl === null && !existsSync(file)))
    throw failure("backup.no_club", { folder: dataDir });
  const keys = makeKeysOfCopy(masterKeyFile);
  // Otherwise a key that opens nothing in it would only be discovered on the day it is needed.
  const identity = ({ sealing }: Snapshot) => {
    const masterKeys = keys.opening(sealing).map(({ bytes }) => bytes.toString("base64"));
    const panelId = Identity.shape.panelId.safeParse(readFileSync(panelFile, "utf8").trim());
    if (!panelId.success) throw failure("backup.panel_id_damaged", { path: panelFile });
    const engine = databaseUrl === null ? "sqlite" : "postgres";
    // Before its first start with a version that records its key a club has nothing to sign with.
    const signer = sealing && signerBy({ hash: keys.hash(sealing) });
    return { version, madeAt: now.toISOString(), engine, panelId: panelId.data, masterKeys, signer } as const;
  };
  return writeArchive({ databaseUrl, file }, identity, { lock });
}
