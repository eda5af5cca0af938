import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { type ReasonCode, reason, reasonsTogether } from "@krug/domain/reasons";
import { Failure, reasonOf } from "../failure.ts";
import { decrypted, type Opener } from "./encryption.ts";
import { AnyHeader, EndLine, FORMAT, Header, isRow, signedText, TableLine, type Value } from "./format.ts";
import { isSignedBy } from "./signature.ts";

/** Why a file is not restored, for the operator; nothing has been changed. */
export class ArchiveError extends Failure {}
export const archiveError = (code: ReasonCode, details: Record<string, string>) =>
  new ArchiveError(reason(code, details));

export const damaged = (file: string) => archiveError("backup.damaged", { file });
export const foreign = (file: string) => archiveError("backup.foreign", { file });
export const newer = (file: string, version: string) => archiveError("backup.newer", { file, version });

/** Where a backup is read from: a file by its path, or something else with a name for messages. */
export type Source = string | { name: string; open(): Promise<Readable> };

export const nameOfSource = (source: Source) => (typeof source === "string" ? source : source.name);

/** One table of a backup, a few rows at a time. All its rows must be read before the next table. */
export interface ArchivedTable {
  table: string;
  columns: string[];
  rows: AsyncGenerator<Value[][]>;
}

export interface Archive {
  header: Header;
  /** Ends without an error only if the whole file was read and its hash is right. */
  tables: AsyncGenerator<ArchivedTable>;
  close(): void;
}

const ROWS_AT_ONCE = 200;
const BYTES_AT_ONCE = 4 * 2 ** 20;
/** Of a line. Several pictures of 5 MB would not be in one row. */
const MOST_LINE_BYTES = 64 * 2 ** 20;

/**
 * Opens a backup. @throws ArchiveError with a message: not a backup, from a newer panel, damaged, or not decryptable with this
 */
export async function readArchive(source: Source, opener: Opener): Promise<Archive> {
  const path = nameOfSource(source);
  const file: Readable = typeof source === "string" ? createReadStream(source) : await openElsewhere(source);
  let broken: Error | null = null;
  file.once("error", (error: Error) => {
    broken = error;
  });
  let content: Readable;
  try {
    content = await decrypted(file, opener);
  } catch (error) {
    file.destroy();
    throw whyNotOpened(path, opener, broken ?? (error as Error));
  }
  const unpacked = createGunzip();
  pipeline(content, unpacked, () => {});
  const close = () => {
    unpacked.destroy();
    content.destroy();
    file.destroy();
  };
  const lines = linesOf(unpacked)[Symbol.asyncIterator]();
  let began = false;
  const next = async (): Promise<string | null> => {
    try {
      const { value, done } = await lines.next();
      return done ? null : value;
    } catch (error) {
      if (broken !== null) throw unread(path, broken);
      // Whole and authentic as far as age can tell, but not ours.
      const isGzip = (error as NodeJS.ErrnoException).code !== "Z_DATA_ERROR" || began;
      throw isGzip ? damaged(path) : foreign(path);
    }
  };
  try {
    const first = await next();
    began = true;
    const header = headerOf(path, first);
    return { header, close, tables: tablesOf(path, next, first ?? "", header) };
  } catch (error) {
    close();
    throw error;
  }
}

const unread = (file: string, error: Error) =>
  new ArchiveError(reasonsTogether([reason("backup.not_read", { file }), reasonOf(error)]));

async function openElsewhere({ name, open }: Exclude<Source, string>): Promise<Readable> {
  try {
    return await open();
  } catch (error) {
    throw unread(name, error as Error);
  }
}

function whyNotOpened(path: string, opener: Opener, error: Error): Error {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") return archiveError("disk.no_file", { path });
  if (code !== undefined && /^E[A-Z]+$/.test(code)) return archiveError("disk.cannot_read", { path, code });
  if (/no identity matched/.test(error.message))
    return archiveError("passphrase" in opener ? "backup.passphrase" : "backup.identity", { file: path });
  return /version/i.test(error.message) ? foreign(path) : damaged(path);
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function headerOf(path: string, line: string | null): Header {
  const any = AnyHeader.safeParse(parsed(line ?? ""));
  if (!any.success) throw foreign(path);
  if (any.data.format > FORMAT) throw newer(path, any.data.version);
  const header = Header.safeParse(parsed(line ?? ""));
  if (!header.success) throw damaged(path);
  return header.data;
}

async function* tablesOf(
  path: string,
  next: () => Promise<string | null>,
  first: string,
  { signer }: Header,
): AsyncGenerator<ArchivedTable> {
  const hash = createHash("sha256").update(`${first}\n`);
  let count = 0;
  let line = await next();
  let isTaken = true;
  async function* rows(columns: number): AsyncGenerator<Value[][]> {
    let some: Value[][] = [];
    let bytes = 0;
    for (line = await next(); line?.startsWith("["); line = await next()) {
      hash.update(`${line}\n`);
      const row = parsed(line);
      if (!isRow(row) || row.length !== columns) throw damaged(path);
      count++;
      bytes += line.length;
      some.push(row);
      if (some.length < ROWS_AT_ONCE && bytes < BYTES_AT_ONCE) continue;
      yield some;
      some = [];
      bytes = 0;
    }
    isTaken = true;
    if (some.length > 0) yield some;
  }
  while (line !== null) {
    const table = TableLine.safeParse(parsed(line));
    if (!table.success) break;
    hash.update(`${line}\n`);
    isTaken = false;
    yield { ...table.data, rows: rows(table.data.columns.length) };
    if (!isTaken) throw new Error(`the rows of ${table.data.table} were not taken`);
  }
  const end = EndLine.safeParse(parsed(line ?? ""));
  const sha256 = hash.digest("hex");
  const isWhole = end.success && end.data.end.rows === count && end.data.end.sha256 === sha256;
  if (isWhole && signer !== null && !isSignedBy(signer, signedText(sha256), end.data.end.signature ?? ""))
    throw archiveError("backup.signature", { file: path });
  if (!isWhole || (await next()) !== null) throw damaged(path);
}

/** Without the newline that ends each. Text after the last newline is left over from a truncation. */
async function* linesOf(stream: Readable): AsyncGenerator<string> {
  let pieces: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    let from = 0;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
      pieces.push(chunk.subarray(from, at));
      yield Buffer.concat(pieces).toString("utf8");
      pieces = [];
      bytes = 0;
      from = at + 1;
    }
    if (from < chunk.length) pieces.push(chunk.subarray(from));
    bytes += chunk.length - from;
    if (bytes > MOST_LINE_BYTES) throw new Error("a line is too long");
  }
  if (bytes > 0) yield Buffer.concat(pieces).toString("utf8");
}
