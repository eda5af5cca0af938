import type { BackupPlace } from "../platform/archive/place.ts";
import { type FolderConfig, folderPlace } from "./folder.ts";
import { type Haste, type S3Config, s3Place } from "./s3.ts";
import { type SftpConfig, sftpPlace } from "./sftp.ts";

export type PlaceConfig = FolderConfig | SftpConfig | S3Config;

/** The place that the environment names. Connects to nothing yet, and rereads files with secrets on each connection. */
export function openPlace(config: PlaceConfig, haste?: Haste): BackupPlace {
  switch (config.kind) {
    case "folder":
      return folderPlace(config);
    case "sftp":
      return sftpPlace(config);
    case "s3":
      return s3Place(config, haste);
  }
}
