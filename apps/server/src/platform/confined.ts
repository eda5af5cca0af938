import { fork, type Serializable } from "node:child_process";
import { readFile } from "node:fs/promises";
import nodeModule from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { makeTurnsByKey } from "./limiter.ts";

export interface Limits {
  ms: number;
  memoryBytes: number;
}

/** The limit that a confined program exceeded. */
export class LimitExceeded extends Error {
  readonly limit: keyof Limits;
  constructor(limit: keyof Limits) {
    super(`a confined program needed more ${limit === "ms" ? "time" : "memory"} than it may have`);
    this.limit = limit;
  }
}

const LOOK_MS = 20;
/** For a program to load, on a busy machine. */
const START_MS = 60_000;
/** A program's first message: its time counts from here. */
const BEGUN = "begun";
/** How the engine ends itself when its heap is full: by abort(), or by a trap instruction while it starts. */
const HEAP_FULL = new Set<NodeJS.Signals>(["SIGABRT", "SIGTRAP", "SIGILL"]);
const IS_SOURCE = import.meta.url.endsWith(".ts");

/** A separate program of the panel's, by its path below src without its extension. */
export const programAt = (path: string) =>
  fileURLToPath(new URL(IS_SOURCE ? `../${path}.ts` : `./${path}.js`, import.meta.url));

const ofSource = () => ["--import", pathToFileURL(nodeModule.createRequire(import.meta.url).resolve("tsx")).href];

/** All of its memory, including the engine's heap; null if the system does not say. */
const memoryOf = async (pid: number): Promise<number | null> => {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  return kib === undefined ? null : Number(kib) * 1024;
};

/** Ends this process with the panel, which enforces its limits. In a thread, because this one may be busy for ever. */
function endWithPanel(): void {
  const look = `process.ppid === ${process.ppid} || process.kill(process.pid, "SIGKILL")`;
  new Worker(`setInterval(() => ${look}, 1_000)`, { eval: true, execArgv: [], env: {} }).unref();
}

/** What such a program does with its input. */
export function answerConfined<Given>(answer: (given: Given) => Promise<unknown>): void {
  endWithPanel();
  process.once("message", async (given) => {
    process.send?.(BEGUN);
    process.send?.(await answer(given as Given));
  });
}

/**
 * Runs a program on untrusted input in a separate process: it cannot block the panel, and its memory is freed with it. It gets
 * nothing of the panel's environment, and is killed when it exceeds its limits. It sends BEGUN, then its answer. Calls for one
 * program take turns: its memory is needed once.
 * @throws LimitExceeded, Error if it ends without an answer
 */
export const runConfined = (program: string, given: Serializable, limits: Limits): Promise<unknown> =>
  turns(program, () => run(program, given, limits));
const turns = makeTurnsByKey();

function run(program: string, given: Serializable, { ms, memoryBytes }: Limits): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const child = fork(program, [], {
      env: {},
      execArgv: [
        `--max-old-space-size=${Math.ceil(memoryBytes / 2 ** 20)}`,
        ...(program.endsWith(".ts") ? ofSource() : []),
      ],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    const kill = () => void child.kill("SIGKILL");
    const end = (settle: () => void) => {
      clearTimeout(deadline);
      clearInterval(looking);
      process.off("exit", kill);
      settle();
      kill();
    };
    const fail = (error: Error) => end(() => reject(error));
    const endIn = (left: number) => setTimeout(() => fail(new LimitExceeded("ms")), left);
    let deadline = endIn(START_MS + ms);
    const looking = setInterval(async () => {
      const used = child.pid === undefined ? null : await memoryOf(child.pid);
      if (used !== null && used > memoryBytes) fail(new LimitExceeded("memoryBytes"));
    }, LOOK_MS);
    process.once("exit", kill);
    child.on("message", (said) => {
      if (said !== BEGUN) return end(() => resolve(said));
      clearTimeout(deadline);
      deadline = endIn(ms);
    });
    child.once("error", fail);
    // If it ended before reading this, it is reported below.
    child.send(given, () => {});
    child.once("exit", (code, signal) => {
      if ((signal !== null && HEAP_FULL.has(signal)) || code === 134) fail(new LimitExceeded("memoryBytes"));
      else fail(new Error(`a confined program ended with ${signal ?? `code ${code}`}`));
    });
  });
}
