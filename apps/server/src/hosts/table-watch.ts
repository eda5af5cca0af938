import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";
import { createInterface } from "node:readline";
import { CLEAN_ENVIRONMENT, findProgram } from "./run.ts";

/** Several deletions come as one: a flush tells every rule and chain. */
const GATHER_MS = 20;
const RESTART_MS = { first: 1_000, most: 60_000 };

export interface TableWatch {
  start(): void;
  stop(): void;
}

/**
 * Tells when something of our table was deleted, by whomever, us included. One program for as long as there is a table; it
 * ends with us, however suddenly, and where it ends by itself it is started again after a growing wait.
 */
export function watchTable(onDeleted: () => Promise<void>): TableWatch {
  let isWanted = false;
  let child: ChildProcess | null = null;
  let isTelling = false;
  let isOwed = false;
  let restartMs = RESTART_MS.first;

  // What comes while one deletion is answered is answered after it, so whoever deletes without end is answered one by one.
  const tell = () => {
    isOwed = true;
    if (isTelling) return;
    isTelling = true;
    setTimeout(async () => {
      isOwed = false;
      await onDeleted();
      isTelling = false;
      if (isOwed) tell();
    }, GATHER_MS).unref();
  };

  const watch = async () => {
    const setpriv = await findProgram("setpriv");
    if (!isWanted || child !== null) return;
    const monitor = ["nft", "monitor", "destroy"];
    const [program = "", ...args] = setpriv === null ? monitor : [setpriv, "--pdeathsig", "KILL", ...monitor];
    const mine = spawn(program, args, { stdio: ["ignore", "pipe", "ignore"], env: CLEAN_ENVIRONMENT, cwd: "/" });
    child = mine;
    const startedAt = Date.now();
    // It must not keep us from ending.
    mine.unref();
    (mine.stdout as Socket).unref();
    createInterface({ input: mine.stdout as Socket }).on("line", (line) => {
      if (line.includes("inet krug") || line.includes("lost")) tell();
    });
    const ended = () => {
      if (child !== mine) return;
      child = null;
      if (!isWanted) return;
      restartMs =
        Date.now() - startedAt > RESTART_MS.most ? RESTART_MS.first : Math.min(restartMs * 2, RESTART_MS.most);
      setTimeout(() => {
        void watch();
        // What was deleted meanwhile nobody has told.
        tell();
      }, restartMs).unref();
    };
    mine.once("error", ended).once("exit", ended);
  };

  return {
    start() {
      if (isWanted) return;
      isWanted = true;
      void watch();
    },
    stop() {
      isWanted = false;
      child?.kill("SIGKILL");
      child = null;
    },
  };
}
