import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { reason } from "@krug/domain/reasons";
import { isLocked, openShared, type Sqlite } from "../platform/database/sqlite.ts";
import { type Generation, type Guard, isSuperseded, type Remembered, Superseded } from "./generation.ts";
import { MachineFailure } from "./machine.ts";

/** Shorter than a call's deadline. Another panel's change may take longer: the next round tries again. */
const TURN_WITHIN_MS = 25_000;
const TRY_AGAIN_MS = 20;

/** False if there was none. */
function endTransaction(file: Sqlite): boolean {
  try {
    file.exec("rollback");
    return true;
  } catch {
    return false;
  }
}

/** Closing alone would keep the lock until the file's statements are garbage-collected. */
function letGo(file: Sqlite): void {
  endTransaction(file);
  file.close();
}

/** `identity`: of the file at the path before it was opened; null if opening created it. */
interface Opened {
  file: Sqlite;
  identity: string | null;
}

/** Null if there is no such file, or it is inaccessible. */
function identityOf(path: string): string | null {
  try {
    const { dev, ino } = statSync(path);
    return `${dev} ${ino}`;
  } catch {
    return null;
  }
}

const SCHEMA =
  "create table if not exists generations (club text primary key, number integer not null, token text not null, since integer not null)";

/**
 * What the panel's own machine stores, in an SQLite file outside every DATA_DIR. SQLite's lock is the guard: changes hold a read
 * lock, and a new generation is written once nobody holds one. The file is created by the first change, and stays open between
 * changes. `ask` returns this panel's generation; `cannot` is called with the reason if the machine can store nothing, and then
 * work runs unguarded.
 */
export function makeLocalMemory(path: string, ask: () => Promise<Generation>, cannot: (why: string) => void): Guard {
  let isTold = false;
  // Kept between changes. The driver makes one at a time, so one is enough.
  let spare: Opened | null = null;

  /** @throws MachineFailure if the error means damage */
  const refuseDamaged = ({ message }: Error): void => {
    if (/not a database|malformed/.test(message)) throw new MachineFailure("refused", reason("file.damaged", { path }));
  };

  /** Null if the folder is not writable, as under a unit older than this file. */
  const open = async (): Promise<Opened | null> => {
    const identity = identityOf(path);
    const kept = spare;
    spare = null;
    if (kept !== null && identity !== null && kept.identity === identity) return kept;
    // It was deleted or replaced, or that is unknown: the file at the path counts.
    kept?.file.close();
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      return { file: await openShared(path), identity };
    } catch (error) {
      refuseDamaged(error as Error);
      if (!isTold) cannot(`${path} cannot be opened: ${(error as Error).message}`);
      isTold = true;
      return null;
    }
  };

  /** Does `work` in a transaction started by `begin`. */
  const inTransaction = async <T>(
    opened: Opened,
    begin: (file: Sqlite) => Promise<void>,
    work: () => Promise<T>,
  ): Promise<T> => {
    let isSound = false;
    try {
      await begin(opened.file).catch((error: Error) => {
        refuseDamaged(error);
        throw error;
      });
      isSound = true;
      return await work();
    } finally {
      if (isSound && spare === null && endTransaction(opened.file)) spare = opened;
      else letGo(opened.file);
    }
  };

  /** Starts a transaction once no other panel blocks it. */
  const begin = async (file: Sqlite, how: "deferred" | "exclusive"): Promise<void> => {
    for (const deadline = Date.now() + TURN_WITHIN_MS; ; await wait(TRY_AGAIN_MS)) {
      try {
        file.exec(`begin ${how}`);
        // This takes a deferred transaction's lock.
        file.exec("select 1 from sqlite_master");
        return;
      } catch (error) {
        endTransaction(file);
        if (!isLocked(error)) throw error;
        if (Date.now() > deadline) throw new MachineFailure("refused", reason("file.held", { path }));
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

  /** Starts a transaction in which the machine obeys this panel. @throws Superseded */
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
      const opened = await open();
      return opened === null ? work() : inTransaction(opened, (file) => hold(file, own), work);
    },
    async refuseIfSuperseded() {
      if (identityOf(path) === null) return;
      const own = await ask();
      const opened = await open();
      if (opened === null) return;
      const look = async (file: Sqlite) => {
        await begin(file, "deferred");
        seenIn(file, own);
      };
      await inTransaction(opened, look, async () => {});
    },
  };
}
