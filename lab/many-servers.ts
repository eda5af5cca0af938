import { type ChildProcess, fork } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { RoundCost, RoundQuestion } from "./rounds-panel.ts";
import type { DoublesAnswer, DoublesQuestion, WireChange } from "./server-doubles.ts";

/* A panel with very many servers, and doubles of them, each in its own process. */

/** A script of ours in its own process, asked one thing after another. */
export interface Helper<Question, Answer> {
  process: ChildProcess;
  heard(): Promise<Answer>;
  ask(question: Question): Promise<Answer>;
  end(): Promise<void>;
}

export function startHelper<Question extends object, Answer>(
  file: string,
  { env = {}, execArgv = [] }: { env?: Record<string, string>; execArgv?: string[] } = {},
): Helper<Question, Answer> {
  const script = fileURLToPath(new URL(file, import.meta.url));
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
  const child = fork(script, [], {
    execArgv: ["--import", tsx, ...execArgv],
    env: { PATH: process.env.PATH, ...env },
  });
  const heard = () =>
    new Promise<Answer>((resolve, reject) => {
      const ended = () => reject(new Error(`${file} ended`));
      child.once("exit", ended);
      child.once("message", (answer) => {
        child.off("exit", ended);
        resolve(answer as Answer);
      });
    });
  return {
    process: child,
    heard,
    ask(question) {
      const answer = heard();
      child.send(question);
      return answer;
    },
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const isOver = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGKILL");
      await isOver;
    },
  };
}

/** A server's place in the network. */
export interface ServerPlace {
  port: number;
  fingerprint: string;
}

export interface Doubles {
  places: ServerPlace[];
  /** From now on all are silent: the kernel accepts connections, and nothing answers. */
  freeze(): void;
  thaw(): void;
  /** Resets all to the state before anything was set, for connections made from now on. */
  empty(): Promise<void>;
  /** How many devices' peers each has. */
  peers(): Promise<number[]>;
  /** The public keys of the same peers. */
  keys(): Promise<string[][]>;
  /** Which peers got or lost their address since the last call, which begins to note them. */
  changes(): Promise<WireChange[]>;
  pid(): number;
  end(): Promise<void>;
}

/** This many servers, which accept this key. */
export async function startDoubles(count: number, authorizedKey: string): Promise<Doubles> {
  const helper = startHelper<DoublesQuestion, DoublesAnswer>("./server-doubles.ts");
  const { ports = [], fingerprint = "" } = await helper.ask({ serve: count, authorizedKey });
  return {
    places: ports.map((port) => ({ port, fingerprint })),
    freeze: () => void helper.process.kill("SIGSTOP"),
    thaw: () => void helper.process.kill("SIGCONT"),
    empty: async () => void (await helper.ask({ empty: true })),
    peers: async () => (await helper.ask({ countPeers: true })).peers ?? [],
    keys: async () => (await helper.ask({ listPeers: true })).keys ?? [],
    changes: async () => (await helper.ask({ takeChanges: true })).changes ?? [],
    pid: () => helper.process.pid ?? 0,
    end: helper.end,
  };
}

export interface RoundsPanel {
  /** In use before it knew any server. */
  heapBytes: number;
  /** `first`: how many of the oldest servers are started with a moment before the others. */
  round(first?: number): Promise<RoundCost>;
  end(): Promise<void>;
}

/** The panel on this data, which is created if missing. */
export async function startRounds(dataDir: string): Promise<RoundsPanel> {
  const helper = startHelper<RoundQuestion, RoundCost>("./rounds-panel.ts", {
    env: {
      DATA_DIR: dataDir,
      LOCAL_SERVER: "off",
      SECURITY_GATE: "off",
      LOG_LEVEL: process.env.TEST_LOG ?? "silent",
    },
    execArgv: ["--expose-gc"],
  });
  const { heapBytes } = await helper.heard();
  return { heapBytes, round: (first = 0) => helper.ask({ first }), end: helper.end };
}
