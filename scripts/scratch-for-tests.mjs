import { mkdtempSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isAlive } from "./command.mjs";

const MEMORY = "/dev/shm";
/** The maximum size of a run's databases, with room to spare. */
const NEEDED_BYTES = 2 ** 30;
const FOLDER = /^krug-scratch-(\d+)-/;

/** Where tests keep databases, because each commit waits for the disk: in memory, if the machine has enough. */
export function scratchRoot() {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= NEEDED_BYTES ? MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}

/**
 * Provides a folder for a run's databases in TEST_SCRATCH, shared by all kinds of tests.
 * @returns {(() => void) | undefined} removes it
 */
export default function makeScratch() {
  if (process.env.TEST_SCRATCH) return undefined;
  const root = scratchRoot();
  // Leftovers of killed runs, which would occupy memory.
  for (const name of readdirSync(root)) {
    const owner = Number(FOLDER.exec(name)?.[1]);
    if (owner && !isAlive(owner)) rmSync(join(root, name), { recursive: true, force: true });
  }
  const folder = mkdtempSync(join(root, `krug-scratch-${process.pid}-`));
  process.env.TEST_SCRATCH = folder;
  const clear = () => rmSync(folder, { recursive: true, force: true });
  process.once("exit", clear);
  return clear;
}
