import { existsSync, statSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import type { Config } from "../config.ts";
import { type Finding, finding } from "./finding.ts";

/** Less leaves no room for a day of a busy club's log and statistics. */
const LEAST_FREE_BYTES = 256 * 2 ** 20;
const MIB = 2 ** 20;

/** DATA_DIR as the panel wants it: there, closed to others, with the panel's identity and room. */
export async function lookAtFiles(config: Config, panelId: string | null): Promise<Finding[]> {
  const { dataDir, databaseUrl, masterKeyFile, backupPlan } = config;
  if (!existsSync(dataDir))
    return [
      finding("unknown", "data_dir.absent", "DATA_DIR is not there, so this is no panel's environment.", {
        detail: dataDir,
        todo: "Give the DATA_DIR and DATABASE_URL of the panel, as its service has them.",
      }),
    ];
  const found: Finding[] = [];
  if ((statSync(dataDir).mode & 0o022) !== 0)
    found.push(
      finding("wrong", "data_dir.writable", "Others than the panel's user may write in DATA_DIR.", {
        detail: dataDir,
        todo: "Run: chmod 700 on that folder.",
      }),
    );
  const secret = ["krug.db", "krug.db-wal", "krug.db-shm", "panel-id"].map((name) => join(dataDir, name));
  const open = [...secret, masterKeyFile].filter(
    (path) => ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0,
  );
  if (open.length > 0)
    found.push(
      finding("wrong", "data_dir.open", `Files of the panel that are open to others: ${open.length}.`, {
        detail: open.join(", "),
        todo: "Run: chmod 600 on each.",
      }),
    );
  if (panelId === null)
    found.push(
      finding("wrong", "panel_id.absent", "DATA_DIR holds no panel-id, by which the panel knows its own machine.", {
        todo: "Put the file back from a copy of DATA_DIR. Otherwise the next start makes a new one and looks for its server again.",
      }),
    );
  else if (!z.uuid().safeParse(panelId).success)
    found.push(
      finding("wrong", "panel_id.damaged", "The panel-id in DATA_DIR is damaged.", {
        todo: "Put the file back from a copy of DATA_DIR.",
      }),
    );
  if (found.length === 0)
    found.push(finding("well", "data_dir", "DATA_DIR is closed to others, and the panel-id is there."));

  const places: [string, string][] = [[databaseUrl === null ? "the database" : "DATA_DIR", dataDir]];
  if (backupPlan?.place.kind === "folder") places.push(["backups", nearest(backupPlan.place.folder)]);
  for (const [what, folder] of places) {
    const { bavail, bsize } = await statfs(folder);
    const free = bavail * bsize;
    const text = `The disk of ${what} has ${Math.floor(free / MIB)} MiB free.`;
    found.push(
      free < LEAST_FREE_BYTES
        ? finding("wrong", "disk.full", text, {
            detail: folder,
            todo: "Make room before it is full: then nobody can sign in.",
          })
        : finding("well", "disk", text),
    );
  }
  return found;
}

/** The folder itself is made with the first backup. */
function nearest(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearest(dirname(folder));
}
