import { execFileSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { appendFile, mkdtemp, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isAlive } from "../scripts/command.mjs";

/** A disk small enough to be filled, in memory. */
export interface LittleDisk {
  readonly folder: string;
  /** Leaves no byte free. */
  fill(): Promise<void>;
  free(): Promise<void>;
  remove(): void;
}

const PREFIX = "krug-little-disk-";
const FOLDER = new RegExp(`^${PREFIX}(\\d+)-`);

/** @throws Error without root */
export async function makeLittleDisk(megabytes: number): Promise<LittleDisk> {
  removeOrphans();
  const folder = await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`));
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=0755`, "tmpfs", folder]);
  const filler = join(folder, "filler");
  return {
    folder,
    async fill() {
      const piece = Buffer.alloc(2 ** 20);
      // Smaller and smaller pieces, down to the last byte.
      for (let size = piece.length; size >= 1; ) {
        try {
          await appendFile(filler, piece.subarray(0, size));
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
          size = Math.floor(size / 2);
        }
      }
    },
    free: () => unlink(filler),
    remove: () => removeDisk(folder),
  };
}

function removeDisk(folder: string): void {
  execFileSync("umount", ["--lazy", folder]);
  rmSync(folder, { recursive: true });
}

/** Removes disks of runs that were killed. */
function removeOrphans(): void {
  for (const name of readdirSync(tmpdir())) {
    const owner = Number(FOLDER.exec(name)?.[1]);
    if (owner && !isAlive(owner)) removeDisk(join(tmpdir(), name));
  }
}
