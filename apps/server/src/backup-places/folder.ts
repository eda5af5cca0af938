import { realpathSync, statSync } from "node:fs";
import { open, readdir, rm, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { type BackupPlace, isBackupName } from "../platform/archive/place.ts";
import { draftOf, writeWhole } from "../platform/archive/whole-file.ts";
import { failure } from "../platform/failure.ts";
import { fileTrouble, makeFolder, nearest } from "../platform/file-trouble.ts";

export interface FolderConfig {
  kind: "folder";
  folder: string;
  dataDir: string;
}

/** Whether the backups, once their folder is there, are lost together with what they are of: inside DATA_DIR and on its disk. */
export function isInDataDir({ folder, dataDir }: FolderConfig): boolean {
  const placeOf = (path: string) => {
    const there = nearest(path);
    return { path: join(realpathSync(there), relative(there, path)), disk: statSync(there).dev };
  };
  const [backups, data] = [placeOf(folder), placeOf(dataDir)];
  return backups.disk === data.disk && !/^\.\.(?:\/|$)/.test(relative(data.path, backups.path));
}

/** The folder is created with the first backup. */
const namesIn = (folder: string) =>
  readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });

/** Why a folder accepts no file, for the operator. */
function whyNot(folder: string, error: unknown): Error {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ENOSPC" || code === "EDQUOT") return failure("place.full", { folder, code }, { cause: error });
  // Names the folder, whichever file or parent folder was the cause.
  return fileTrouble({ code, syscall: "open" }, folder) ?? (error as Error);
}

/** A folder of this machine, created if missing; other machines' disks may be mounted there. */
export function folderPlace(config: FolderConfig): BackupPlace {
  const { folder } = config;
  return {
    kind: "folder",
    address: folder,
    async put(name, content) {
      try {
        makeFolder(folder);
      } catch (error) {
        content.destroy();
        throw whyNot(folder, error);
      }
      return writeWhole(content, join(folder, name)).catch((error: unknown) => Promise.reject(whyNot(folder, error)));
    },
    async tryOut() {
      const draft = draftOf(join(folder, "krug-tried"));
      try {
        if (isInDataDir(config)) throw failure("place.in_data_dir", { folder });
        makeFolder(folder);
        await (await open(draft, "w", 0o600)).close();
        await rm(draft);
      } catch (error) {
        throw whyNot(folder, error);
      }
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
