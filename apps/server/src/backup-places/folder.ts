import { mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { userInfo } from "node:os";
import { join } from "node:path";
import { type BackupPlace, isBackupName } from "../platform/archive/place.ts";
import { draftOf, writeWhole } from "../platform/archive/whole-file.ts";

export interface FolderConfig {
  kind: "folder";
  folder: string;
}

/** It is made with the first backup. */
const namesIn = (folder: string) =>
  readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });

/** Why a folder takes no file, for the operator. */
function whyNot(folder: string, error: unknown): Error {
  const { code, message } = error as NodeJS.ErrnoException;
  const because = (why: string) => new Error(`${folder} ${why} (${code}).`, { cause: error });
  if (code === "ENOSPC" || code === "EDQUOT")
    return because("is full: make room there, or keep fewer with BACKUP_KEEP");
  if (code === "EROFS")
    return because(
      "is read-only for the panel. With the unit, name the folder in ReadWritePaths= (docs/operating.md, 'Backup and restore')",
    );
  if (code === "EACCES" || code === "EPERM")
    return because(`cannot be written by the panel's user: ${whoThisIs()} has to own it`);
  if (code === "ENOTDIR" || code === "EEXIST") return because("is no folder: a file stands in the way");
  return code === undefined ? (error as Error) : because(`takes no file: ${message}`);
}
const whoThisIs = () => {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.()}`;
  }
};

/** A folder of this machine, made where it is missing; other machines' disks may be mounted there. */
export function folderPlace({ folder }: FolderConfig): BackupPlace {
  return {
    kind: "folder",
    address: folder,
    async put(name, content) {
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
      } catch (error) {
        content.destroy();
        throw whyNot(folder, error);
      }
      return writeWhole(content, join(folder, name)).catch((error: unknown) => Promise.reject(whyNot(folder, error)));
    },
    async read(name) {
      const file = await open(join(folder, name), "r");
      return file.createReadStream();
    },
    async list() {
      const names = (await namesIn(folder)).filter(isBackupName).sort();
      return Promise.all(names.map(async (name) => ({ name, bytes: (await stat(join(folder, name))).size })));
    },
    async remove(names) {
      for (const name of names) await rm(join(folder, name), { force: true });
    },
    async discard(name) {
      for (const path of [draftOf(join(folder, name)), join(folder, name)]) await rm(path, { force: true });
    },
  };
}
