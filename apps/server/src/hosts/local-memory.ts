import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { openShared, type Sqlite } from "../platform/database/sqlite.ts";
import { type Generation, type Guard, isSuperseded, type Remembered, Superseded } from "./generation.ts";
import { MachineFailure } from "./machine.ts";

/** Shorter than a call's deadline. A change of another panel may take longer: the next round tries again. */
const TURN_WITHIN_MS = 25_000;
const TRY_AGAIN_MS = 20;

/** Where one has begun. */
function endTransaction(file: Sqlite): void {
  try {
    file.exec("rollback");
  } catch {
    // There was none.
  }
}

/** Closing alone would hold the lock until the file's statements are collected as garbage. */
function letGo(file: Sqlite): void {
  endTransaction(file);
  file.close();
}

const SCHEMA =
  "create table if not exists generations (club text primary key, number integer not null, token text not null, since integer not null)";

/**
 * What the panel's own machine remembers, in an SQLite file outside every DATA_DIR. SQLite's lock is the guard's: changes hold it
 * for reading, and a new generation is written once nobody holds it. The file is made with the first change. `ask` answers this
 * panel's generation; `cannot` hears why the machine remembers nothing, and then work is done unguarded.
 */
export function makeLocalMemory(path: string, ask: () => Promise<Generation>, cannot: (why: string) => void): Guard {
  let isTold = false;

  /** Null where the folder cannot be written, as under a unit from before this file. */
  const open = async (): Promise<Sqlite | null> => {
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      return await openShared(path);
    } catch (error) {
      const { message } = error as Error;
      if (/not a database|malformed/.test(message))
        throw new MachineFailure("refused", `${path} is damaged: delete it, if this is the club's current panel`);
      if (!isTold) cannot(`${path} cannot be opened: ${message}`);
      isTold = true;
      return null;
    }
  };

  /** Begins a transaction once no other panel stands in its way. */
  const begin = async (file: Sqlite, how: "deferred" | "exclusive"): Promise<void> => {
    for (const deadline = Date.now() + TURN_WITHIN_MS; ; await wait(TRY_AGAIN_MS)) {
      try {
        file.exec(`begin ${how}`);
        // It is this that takes a deferred one's lock.
        file.exec("select 1 from sqlite_master");
        return;
      } catch (error) {
        endTransaction(file);
        if (!/locked|busy/i.test((error as Error).message)) throw error;
        if (Date.now() > deadline)
          throw new MachineFailure(
            "refused",
            `another panel holds ${path}: it has been changing this machine for long`,
          );
      }
    }
  };

  /** @throws Superseded */
  const seenIn = (file: Sqlite, own: Generation): Remembered | null => {
    const hasTable = file.prepare("select 1 from sqlite_master where name = 'generations'").all().length > 0;
    if (!hasTable) return null;
    const found = file.prepare("select number, token, since from generations where club = ?").all(own.club);
    const seen = (found[0] as Remembered | undefined) ?? null;
    if (seen !== null && isSuperseded(own, seen)) throw new Superseded(seen);
    return seen;
  };

  /** Begins a transaction in which the machine obeys this panel. @throws Superseded */
  const hold = async (file: Sqlite, own: Generation): Promise<void> => {
    for (;;) {
      await begin(file, "deferred");
      if (seenIn(file, own)?.number === own.number) return;
      file.exec("rollback");
      await begin(file, "exclusive");
      seenIn(file, own);
      file.exec(SCHEMA);
      file
        .prepare("insert or replace into generations values (?, ?, ?, ?)")
        .run(own.club, own.number, own.token, own.since);
      file.exec("commit");
    }
  };

  return {
    async whileCurrent(work) {
      const own = await ask();
      const file = await open();
      if (file === null) return work();
      try {
        await hold(file, own);
        return await work();
      } finally {
        letGo(file);
      }
    },
    async refuseIfSuperseded() {
      if (statSync(path, { throwIfNoEntry: false }) === undefined) return;
      const own = await ask();
      const file = await open();
      if (file === null) return;
      try {
        await begin(file, "deferred");
        seenIn(file, own);
      } finally {
        letGo(file);
      }
    },
  };
}
