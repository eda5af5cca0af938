import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { DAY_MS } from "@krug/domain/moment";
import { failure } from "../failure.ts";

/** Size and hash of what passed. */
export interface Measured {
  bytes: number;
  /** Hex. */
  sha256: string;
}

/** What a backup is named by its moment in UTC, so that names sort by age. */
export const backupName = (now: Date) => `krug-${now.toISOString().slice(0, 19).replaceAll(":", "-")}Z.age`;
const NAME = /^krug-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.age$/;
/** The moment or the day that a backup's name says, ms, and how long that is; null where it says none. */
export function momentInName(name: string): { from: number; until: number } | null {
  const [, day, time] = /(?:^|\/)krug-(\d{4}-\d\d-\d\d)(?:T(\d\d-\d\d-\d\d)Z)?\.age$/.exec(name) ?? [];
  if (day === undefined) return null;
  const from = Date.parse(`${day}T${(time ?? "00-00-00").replaceAll("-", ":")}Z`);
  return Number.isNaN(from) ? null : { from, until: from + (time === undefined ? DAY_MS : 1_000) };
}

/** Whether a file of that name is one of ours; others are never touched. */
export const isBackupName = (name: string) => NAME.test(name);

/** How a place is told to people; nothing secret. */
export interface PlaceName {
  kind: "folder" | "sftp" | "s3";
  /** '/srv/backups', 'club@backup.example:/krug', 's3.example.com/bucket/krug' */
  address: string;
}

/** Where backups are kept. All names are those of `backupName`. Failures are sentences for the operator, without secrets. */
export interface BackupPlace extends PlaceName {
  /**
   * Takes a stream as fast as the place does, a few MB in memory. It stands there under its name only once it is whole.
   * @throws Error; what was there of it is gone, unless the place was out of reach: then `discard` removes it later
   */
  put(name: string, content: Readable): Promise<Measured>;
  /** Whether it takes anything at all, where that is known without asking another machine. @throws Error */
  tryOut?(): Promise<void>;
  /** What is there under that name. A break further on fails the stream. @throws Error */
  read(name: string): Promise<Readable>;
  /** Our backups, oldest first. @throws Error */
  list(): Promise<{ name: string; bytes: number }[]>;
  /** One that is not there is no error. @throws Error */
  remove(names: readonly string[]): Promise<void>;
  /** Removes also what a `put` that broke off left behind. @throws Error */
  discard(name: string): Promise<void>;
}

/** The same pieces; asked at the end, what they were together. */
export function measuring(content: AsyncIterable<Buffer>): { pieces: AsyncGenerator<Buffer>; measured(): Measured } {
  const hash = createHash("sha256");
  let bytes = 0;
  async function* pieces() {
    for await (const piece of content) {
      hash.update(piece);
      bytes += piece.length;
      yield piece;
    }
  }
  return { pieces: pieces(), measured: () => ({ bytes, sha256: hash.digest("hex") }) };
}

/** A backup that comes back slower than this is not worth waiting for: it has to be one a day. */
const SLOWEST_BYTES_A_MS = 32;
const BEGINS_WITHIN_MS = 600_000;

/** The same stream, which fails once it is longer than it was, or comes too slowly ever to end. */
export function asLongAs(bytes: number, content: Readable): Readable {
  async function* pieces() {
    let left = bytes;
    for await (const piece of content as AsyncIterable<Buffer>) {
      left -= piece.length;
      if (left < 0) throw failure("backup.longer");
      yield piece;
    }
  }
  // It may break before the first piece is asked for.
  content.on("error", () => {});
  const bounded = Readable.from(pieces(), { objectMode: false });
  const late = () => content.destroy(failure("backup.slow"));
  const timer = setTimeout(late, BEGINS_WITHIN_MS + bytes / SLOWEST_BYTES_A_MS).unref();
  return bounded.once("close", () => {
    clearTimeout(timer);
    content.destroy();
  });
}

/** Reads to the end and keeps nothing. */
export async function drained(content: Readable): Promise<Measured> {
  const { pieces, measured } = measuring(content as AsyncIterable<Buffer>);
  for await (const _ of pieces);
  return measured();
}
