import { existsSync, mkdirSync, statSync } from "node:fs";
import { userInfo } from "node:os";
import { dirname } from "node:path";
import type { ReasonCode } from "@krug/domain/reasons";
import { type Failure, failure } from "./failure.ts";

function whoThisIs(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.()}`;
  }
}

const CODES: Readonly<Record<string, ReasonCode>> = {
  ENOSPC: "disk.full",
  EDQUOT: "disk.quota",
  EROFS: "disk.read_only",
  EACCES: "disk.closed",
  EPERM: "disk.closed",
  ENOENT: "disk.not_there",
  ENOTDIR: "disk.file_on_the_way",
  EEXIST: "disk.taken",
  EISDIR: "disk.is_folder",
  ELOOP: "disk.circle",
  ENAMETOOLONG: "disk.long_name",
  EIO: "disk.fails",
};

/** SQLite's result codes: FULL, and the I/O errors of a full disk (WRITE, SHMSIZE). */
export const SQLITE_FULL: ReadonlySet<number> = new Set([13, 778, 4874]);
/** SQLite's other codes that are about its file, without their details: READONLY, IOERR, CANTOPEN. */
const SQLITE_CODES: Readonly<Record<number, ReasonCode>> = { 8: "disk.closed", 10: "disk.fails", 14: "disk.closed" };

function knownAs({ code = "", syscall, errcode }: NodeJS.ErrnoException & { errcode?: number }) {
  if (errcode === undefined) return syscall === undefined ? undefined : CODES[code];
  return SQLITE_FULL.has(errcode) ? "disk.full" : SQLITE_CODES[errcode & 0xff];
}

/**
 * A message for the operator instead of the system's own; null if the error is not a file error. `name`: used instead of the
 * path.
 */
export function fileTrouble(error: unknown, name?: string): Failure | null {
  const { code = "", path, errcode } = error as NodeJS.ErrnoException & { errcode?: number };
  const known = knownAs(error as NodeJS.ErrnoException);
  if (known === undefined) return null;
  const shown = errcode === undefined ? code : `SQLite ${errcode}`;
  const details = {
    path: name ?? path ?? "A file",
    code: shown,
    ...(known === "disk.closed" ? { user: whoThisIs() } : {}),
  };
  return failure(known, details, { cause: error });
}

/**
 * Makes a folder and its parents, for its owner only. Node's recursive mkdir never returns where folders cannot be made, as in
 * /proc.
 */
export function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
  }
}

/** The path itself, or its nearest folder that is there. */
export function nearest(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearest(dirname(path));
}
