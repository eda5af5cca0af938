import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import type { Config } from "./config.ts";
import type { Lock } from "./platform/archive/encryption.ts";
import type { Identity } from "./platform/archive/format.ts";
import { writeArchive } from "./platform/archive/write.ts";
import { readKeyFile } from "./platform/master-key.ts";

type Where = Pick<Config, "dataDir" | "databaseUrl" | "masterKeyFile">;

/** The whole club as one encrypted stream, while the panel runs. @throws Error with a sentence where there is no club */
export async function backup(
  { dataDir, databaseUrl, masterKeyFile }: Where,
  { lock, now, version }: { lock: Lock; now: Date; version: string },
): Promise<Readable> {
  const file = join(dataDir, "krug.db");
  const panelFile = join(dataDir, "panel-id");
  if (!existsSync(panelFile) || (databaseUrl === null && !existsSync(file)))
    throw new Error(
      `There is no club in ${dataDir}. Give the DATA_DIR and the DATABASE_URL of the panel, as its service has it.`,
    );
  const keys = () => (readKeyFile(masterKeyFile) ?? []).map(({ bytes }) => bytes.toString("base64"));
  // A rotation may change the file meanwhile: what it held before or after the moment of the backup opens everything.
  const before = keys();
  const identity = (): Identity => {
    const masterKeys = [...new Set([...keys(), ...before])];
    if (masterKeys.length === 0) throw new Error(`The master key ${masterKeyFile} is missing.`);
    const panelId = readFileSync(panelFile, "utf8").trim();
    const engine = databaseUrl === null ? "sqlite" : "postgres";
    return { version, madeAt: now.toISOString(), engine, panelId, masterKeys };
  };
  return writeArchive({ databaseUrl, file }, identity, { lock });
}
