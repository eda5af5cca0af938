import { hkdfSync, randomBytes } from "node:crypto";
import {
  closeSync,
  fchownSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { failure } from "./failure.ts";
import { fileTrouble, makeFolder } from "./file-trouble.ts";

/** 32 bytes, and the name a sealed text uses to say which key it needs: 12 hex digits that reveal nothing about the key. */
export interface MasterKey {
  readonly id: string;
  readonly bytes: Buffer;
}

const KEY_BYTES = 32;

export const derivedFrom = (key: Buffer, use: string) =>
  Buffer.from(hkdfSync("sha256", key, Buffer.alloc(0), use, KEY_BYTES));

const keyOf = (bytes: Buffer): MasterKey => ({
  id: derivedFrom(bytes, "krug/key-id/v1").subarray(0, 6).toString("hex"),
  bytes,
});

export const newMasterKey = () => keyOf(randomBytes(KEY_BYTES));

/**
 * The keys of a file, one per line in base64: the current one, and during a rotation also the old one. Null if there is no
 * file.
 * @throws if the file is unreadable, malformed or accessible to others
 */
export function readKeyFile(path: string): [MasterKey, ...MasterKey[]] | null {
  let text: string;
  try {
    if ((statSync(path).mode & 0o077) !== 0) throw failure("key.open_to_others", { path });
    text = readFileSync(path, "utf8");
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT") return null;
    if (code === undefined) throw error;
    throw failure("key.cannot_read", { path, code }, { cause: error });
  }
  const [first, ...others] = text
    .trim()
    .split("\n")
    .map((line) => line.trim())
    .filter((line, at) => line !== "" || at === 0)
    .map((line) => {
      const bytes = Buffer.from(line, "base64");
      if (bytes.length !== KEY_BYTES || bytes.toString("base64") !== line) throw failure("key.damaged", { path });
      return keyOf(bytes);
    });
  return [first as MasterKey, ...others];
}

/** Replaces the file atomically, keeping its owner. Keys are on disk before anything is sealed with them. */
export function writeKeyFile(path: string, keys: readonly MasterKey[]): void {
  makeFolder(dirname(path));
  const present = statSync(path, { throwIfNoEntry: false });
  const target = present === undefined ? path : realpathSync(path);
  const draft = `${target}.new`;
  try {
    rmSync(draft, { force: true });
    const file = openSync(draft, "wx", 0o600);
    try {
      writeSync(file, keys.map((key) => `${key.bytes.toString("base64")}\n`).join(""));
      // Written by root for a panel that runs as another user.
      if (present !== undefined) fchownSync(file, present.uid, present.gid);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, target);
  } catch (error) {
    rmSync(draft, { force: true });
    throw fileTrouble(error, `The master key ${path}`) ?? error;
  }
  const folder = openSync(dirname(target), "r");
  fsyncSync(folder);
  closeSync(folder);
}
