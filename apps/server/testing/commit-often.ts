import { openSync, writeSync } from "node:fs";
import { openShared } from "../src/platform/database/sqlite.ts";

/*
 * A process that commits to a database some thousand times a second, and writes the number of each commit to another file as
 * soon as it has ended. Now and then it empties the log, as a command line does that closes. Arguments: the database, the file, the first
 * number and the last.
 */
const [database = "", file = "", first, last] = process.argv.slice(2);
const CHECKPOINT_EVERY = 97;
const LONGEST_PAUSE_MS = 0.5;
const MODES = ["truncate", "restart", "passive", "full"];

const written = openSync(file, "r+");
const pause = new Int32Array(new SharedArrayBuffer(4));
const done = Buffer.alloc(8);
const sqlite = await openShared(database);
sqlite.exec("pragma busy_timeout = 10000; pragma synchronous = off");
const commit = sqlite.prepare("update commits set number = ?");
for (let number = Number(first); number <= Number(last); number++) {
  commit.run(number);
  done.writeDoubleLE(number);
  writeSync(written, done, 0, done.length, 0);
  // Long enough for the reader to look in between.
  Atomics.wait(pause, 0, 0, Math.random() * LONGEST_PAUSE_MS);
  if (number % CHECKPOINT_EVERY === 0)
    sqlite.prepare(`pragma wal_checkpoint(${MODES[(number / CHECKPOINT_EVERY) % MODES.length]})`).all();
}
