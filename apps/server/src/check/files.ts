import { accessSync, constants, existsSync, statSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { isInDataDir } from "../backup-places/folder.ts";
import type { Config } from "../config.ts";
import { nearest } from "../platform/file-trouble.ts";
import { type Finding, finding } from "./finding.ts";
import type { CheckWords } from "./words.ts";

/** Less leaves no room for a day of a busy club's log and statistics. */
const LEAST_FREE_BYTES = 256 * 2 ** 20;
const MIB = 2 ** 20;

/** DATA_DIR as the panel wants it: there, closed to others, with the panel's identity and room. */
export async function lookAtFiles(
  { files: say, environment }: CheckWords,
  config: Config,
  panelId: string | null,
): Promise<Finding[]> {
  const { dataDir, databaseUrl, masterKeyFile, backupPlan } = config;
  if (!existsSync(dataDir))
    return [
      finding("unknown", "data_dir.absent", say.absent, {
        detail: dataDir,
        todo: environment,
      }),
    ];
  const found: Finding[] = [];
  if ((statSync(dataDir).mode & 0o022) !== 0)
    found.push(
      finding("wrong", "data_dir.writable", say.writable, {
        detail: dataDir,
        todo: say.writableTodo,
      }),
    );
  const fixed = whyNotWritable([dataDir, join(dataDir, "krug.db")].filter((path) => existsSync(path)));
  if (fixed !== null) found.push(finding("wrong", "data_dir.fixed", say.fixed, { detail: fixed, todo: say.fixedTodo }));
  const secret = ["krug.db", "krug.db-wal", "krug.db-shm", "panel-id"].map((name) => join(dataDir, name));
  const open = [...secret, masterKeyFile].filter(
    (path) => ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0,
  );
  if (open.length > 0)
    found.push(
      finding("wrong", "data_dir.open", say.open(open.length), {
        detail: open.join(", "),
        todo: say.openTodo,
      }),
    );
  if (panelId === null)
    found.push(
      finding("wrong", "panel_id.absent", say.noPanelId, {
        todo: say.noPanelIdTodo,
      }),
    );
  else if (!z.uuid().safeParse(panelId).success)
    found.push(
      finding("wrong", "panel_id.damaged", say.damagedPanelId, {
        todo: say.fromCopy,
      }),
    );
  if (found.length === 0) found.push(finding("well", "data_dir", say.closed));

  const places: [of: "database" | "dataDir" | "backups", folder: string][] = [
    [databaseUrl === null ? "database" : "dataDir", dataDir],
  ];
  if (backupPlan?.place.kind === "folder") {
    // The folder itself is created with the first backup.
    places.push(["backups", nearest(backupPlan.place.folder)]);
    if (isInDataDir(backupPlan.place))
      found.push(finding("wrong", "backups.in_data_dir", say.backupsInside, { todo: say.backupsInsideTodo }));
  }
  for (const [what, folder] of places) {
    const { bavail, bsize } = await statfs(folder);
    const free = bavail * bsize;
    const text = say.disk(what, Math.floor(free / MIB));
    found.push(
      free < LEAST_FREE_BYTES
        ? finding("wrong", "disk.full", text, {
            detail: folder,
            todo: say.diskTodo,
          })
        : finding("well", "disk", text),
    );
  }
  return found;
}

/** Why the first of them cannot be written, with its path; null if all can. */
function whyNotWritable(paths: readonly string[]): string | null {
  for (const path of paths)
    try {
      accessSync(path, constants.W_OK);
    } catch (error) {
      return `${path}: ${(error as NodeJS.ErrnoException).code}`;
    }
  return null;
}
