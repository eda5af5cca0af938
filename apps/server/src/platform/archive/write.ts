import { createHash } from "node:crypto";
import { pipeline, Readable } from "node:stream";
import { createGzip } from "node:zlib";
import { failure } from "../failure.ts";
import { encrypted, type Lock } from "./encryption.ts";
import { FORMAT, type Header, type Identity, lineOf, signedText, type Value } from "./format.ts";
import { intentOf, type Shape } from "./shape.ts";
import type { Signer } from "./signature.ts";
import { openSnapshot, type Place, type Snapshot } from "./snapshot.ts";

export interface Told {
  rows: number;
}

/**
 * Streams the database of `place` as it is now, with its `identity` at the same moment, as an age file that is made while it is
 * read: a few rows are in memory, whatever its size. Destroying the stream ends it.
 * @throws if the database cannot be opened
 */
export async function writeArchive(
  place: Place,
  identity: (snapshot: Snapshot) => Identity & { signer?: Signer | null },
  { lock, told = { rows: 0 } }: { lock: Lock; told?: Told },
): Promise<Readable> {
  const snapshot = await openSnapshot(place);
  let known: Identity & { signer?: Signer | null };
  try {
    known = identity(snapshot);
  } catch (error) {
    await snapshot.close();
    throw error;
  }
  // Whatever ends the stream, and however early.
  const lines = Readable.from(linesOf(snapshot, known, told), { objectMode: false, highWaterMark: 64 * 1024 });
  lines.once("close", () => void snapshot.close().catch(() => {}));
  const packed = createGzip();
  // Failures reach the reader.
  pipeline(lines, packed, () => {});
  try {
    const file = await encrypted(packed, lock);
    file.once("close", () => lines.destroy());
    return file;
  } catch (error) {
    lines.destroy();
    throw error;
  }
}

async function* linesOf(
  snapshot: Snapshot,
  { signer = null, ...identity }: Identity & { signer?: Signer | null },
  told: Told,
): AsyncGenerator<string> {
  const hash = createHash("sha256");
  const said = (text: string) => {
    hash.update(text);
    return text;
  };
  const migrations = snapshot.migrations.map(({ name, applied_at }) => ({
    name: intentOf(name),
    appliedAt: Number(applied_at),
  }));
  const header: Header = { krug: "backup", format: FORMAT, ...identity, signer: signer?.publicKey ?? null, migrations };
  yield said(lineOf(header));
  for (const shape of snapshot.shapes) {
    yield said(lineOf({ table: shape.table, columns: shape.columns.map(({ name }) => name) }));
    for await (const rows of snapshot.rows(shape)) {
      told.rows += rows.length;
      yield said(rows.map((row) => lineOf(valuesOf(shape, row))).join(""));
    }
  }
  const sha256 = hash.digest("hex");
  const signature = signer && { signature: signer.sign(signedText(sha256)) };
  yield lineOf({ end: { rows: told.rows, sha256, ...signature } });
}

const valuesOf = ({ table, columns }: Shape, row: Record<string, unknown>): Value[] =>
  columns.map(({ name }) => {
    const value = row[name];
    if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString("base64") };
    if (value === null || typeof value === "string" || typeof value === "number") return value;
    throw failure("backup.value", { column: `${table}.${name}`, type: typeof value });
  });
