import { mkdirSync, statSync } from "node:fs";
import { userInfo } from "node:os";
import { dirname } from "node:path";

function whoThisIs(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.()}`;
  }
}

/** What the system says of a file, in words that follow its name. */
const WORDS: Readonly<Record<string, () => string>> = {
  ENOSPC: () => "cannot be written: the disk is full",
  EDQUOT: () => "cannot be written: the disk's quota is used up",
  EROFS: () => "is read-only for the panel; with the unit, name its folder in ReadWritePaths=",
  EACCES: () => `is closed to the panel's user: ${whoThisIs()} has to own it`,
  EPERM: () => `is closed to the panel's user: ${whoThisIs()} has to own it`,
  ENOENT: () => "is not there and cannot be made there",
  ENOTDIR: () => "cannot be there: a file stands on the way to it",
  EEXIST: () => "cannot be made: a file stands there",
  EISDIR: () => "is a folder, and has to be a file",
  ELOOP: () => "cannot be reached: its links lead in a circle",
  ENAMETOOLONG: () => "has a name that is too long",
  EIO: () => "cannot be read or written: the disk fails",
};

/** A sentence for the operator in place of the system's own; null where the error is no such one. `name`: in place of the path. */
export function fileTrouble(error: unknown, name?: string): Error | null {
  const { code = "", path, syscall } = error as NodeJS.ErrnoException;
  const words = WORDS[code];
  if (words === undefined || syscall === undefined) return null;
  return new Error(`${name ?? path ?? "A file"} ${words()} (${code}).`, { cause: error });
}

/** Makes a folder and those above it, for its owner alone. Node's own way never ends where a folder takes none, as /proc. */
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
