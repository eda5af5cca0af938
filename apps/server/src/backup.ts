import { createReadStream, existsSync, readFileSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import type { Config } from "./config.ts";
import type { Lock } from "./platform/archive/encryption.ts";
import type { Identity } from "./platform/archive/format.ts";
import { drained, type Measured, measuring } from "./platform/archive/place.ts";
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

/** What a file is called until it is whole. */
export const draftOf = (path: string) => `${path}.part`;

/** Writes a file that is whole or not there, readable by its owner alone. */
export async function writeWhole(content: Readable, path: string): Promise<Measured> {
  const draft = draftOf(path);
  const { pieces, measured } = measuring(content as AsyncIterable<Buffer>);
  try {
    await rm(draft, { force: true });
    const file = await open(draft, "wx", 0o600);
    try {
      for await (const piece of pieces) await file.writeFile(piece);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
    const folder = await open(dirname(path), "r");
    await folder.sync().finally(() => folder.close());
  } catch (error) {
    content.destroy();
    await rm(draft, { force: true });
    throw error;
  }
  return measured();
}

/** Of a file as it is read back. */
export const hashOf = async (path: string): Promise<string> => (await drained(createReadStream(path))).sha256;
