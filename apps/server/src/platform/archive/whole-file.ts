import { createReadStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import type { Readable } from "node:stream";
import { drained, type Measured, measuring } from "./place.ts";

/** A file's name until it is complete. */
export const draftOf = (path: string) => `${path}.part`;

/** Writes a file that is either complete or absent, readable by its owner only. */
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

/** Of a file, read back. */
export const hashOf = async (path: string): Promise<string> => (await drained(createReadStream(path))).sha256;
