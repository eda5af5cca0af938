import { mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { type BackupPlace, isBackupName } from "../platform/archive/place.ts";
import { draftOf, writeWhole } from "../platform/archive/whole-file.ts";

export interface FolderConfig {
  kind: "folder";
  folder: string;
}

/** A folder of this machine, made where it is missing; other machines' disks may be mounted there. */
export function folderPlace({ folder }: FolderConfig): BackupPlace {
  return {
    kind: "folder",
    address: folder,
    async put(name, content) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      return writeWhole(content, join(folder, name));
    },
    async read(name) {
      const file = await open(join(folder, name), "r");
      return file.createReadStream();
    },
    async list() {
      const names = (await readdir(folder)).filter(isBackupName).sort();
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
