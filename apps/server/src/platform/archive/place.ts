import { createHash } from "node:crypto";
import { basename } from "node:path";
import { Readable } from "node:stream";
import { DAY_MS } from "@krug/domain/moment";
import { failure } from "../failure.ts";

/** Size and hash of a stream. */
export interface Measured {
  bytes: number;
  /** Hex. */
  sha256: string;
}

/** A backup's name is its time in UTC, so names sort by age. */
export const backupName = (now: Date) => `krug-${now.toISOString().slice(0, 19).replaceAll(":", "-")}Z.age`;
const NAME = /^krug-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.age$/;
/** The moment or day in a backup's name, also of a copy ('krug-2026-11-28 (1).age'), ms, and how long it lasts; null if none. */
export function momentInName(name: string): { from: number; until: number } | null {
  const [, day, time] = /krug-(\d{4}-\d\d-\d\d)(?:T(\d\d-\d\d-\d\d)Z)?(?!\d)/.exec(basename(name)) ?? [];
  if (day === undefined) return null;
  const from = Date.parse(`${day}T${(time ?? "00-00-00").replaceAll("-", ":")}Z`);
  return Number.isNaN(from) ? null : { from, until: from + (time === undefined ? DAY_MS : 1_000) };
}

/** Whether a file with that name is one of ours; others are never touched. */
export const isBackupName = (name: string) => NAME.test(name);

/** How a place is shown to people; nothing secret. */
export interface PlaceName {
  kind: "folder" | "sftp" | "s3";
  /** '/srv/backups', 'club@backup.example:/krug', 's3.example.com/bucket/krug' */
  address: string;
}

/** Where backups are stored. All names come from `backupName`. Failures are messages for the operator, without secrets. */
export interface BackupPlace extends PlaceName {
  /**
   * Takes a stream as fast as the place accepts it, with a few MB in memory. The backup appears under its name only once it is
   * complete.
   * @throws Error; the partial backup is removed, unless the place was out of reach: then `discard` removes it later
   */
  put(name: string, content: Readable): Promise<Measured>;
  /** Whether it is writable at all, as far as can be known without asking another machine. @throws Error */
  tryOut?(): Promise<void>;
  /** The backup with that name. If reading breaks off, the stream fails. @throws Error */
  read(name: string): Promise<Readable>;
  /** Our backups, oldest first. @throws Error */
  list(): Promise<{ name: string; bytes: number }[]>;
  /** A missing one is not an error. @throws Error */
  remove(names: readonly string[]): Promise<void>;
  /** Also removes what an interrupted `put` left behind. @throws Error */
  discard(name: string): Promise<void>;
}

/** The same pieces; at the end, their total size and hash. */
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

/** A backup that is read more slowly than this is useless: there has to be one a day. */
const SLOWEST_BYTES_A_MS = 32;
const BEGINS_WITHIN_MS = 600_000;

/** The same stream, which fails once it exceeds its recorded length, or is too slow ever to end. */
export function asLongAs(bytes: number, content: Readable): Readable {
  async function* pieces() {
    let left = bytes;
    for await (const piece of content as AsyncIterable<Buffer>) {
      left -= piece.length;
      if (left < 0) throw failure("backup.longer");
      yield piece;
    }
  }
  // It may break before the first piece is read.
  content.on("error", () => {});
  const bounded = Readable.from(pieces(), { objectMode: false });
  const late = () => content.destroy(failure("backup.slow"));
  const timer = setTimeout(late, BEGINS_WITHIN_MS + bytes / SLOWEST_BYTES_A_MS).unref();
  return bounded.once("close", () => {
    clearTimeout(timer);
    content.destroy();
  });
}

/** Reads to the end and discards everything. */
export async function drained(content: Readable): Promise<Measured> {
  const { pieces, measured } = measuring(content as AsyncIterable<Buffer>);
  for await (const _ of pieces);
  return measured();
}
