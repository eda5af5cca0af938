import { spawn } from "node:child_process";
import { once } from "node:events";
import { json } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { countCpu } from "./cpu.ts";
import { type Asked, load } from "./load.ts";

/*
 * Runs on the panel's own machine, so nothing sits between the clock and the panel. Reads `Task` as JSON from stdin, writes
 * a list of `Read` as JSON to stdout.
 */
export interface Task {
  port: number;
  /** The panel's process, as its own machine numbers it. */
  pid: number;
  barePort: number;
  reads: { what: string; path: string; token: string }[];
}

/** Requests per second and processor time per request, µs, each at its best of all rounds. */
interface Cost {
  perSecond: number;
  cpu: number;
}

export interface Read {
  what: string;
  /** Of the body; 0: the caller has it already. */
  bytes: number;
  panel: Cost;
  bare: Cost;
  /** ms, over all rounds, ten connections at once. */
  took: number[];
}

/** Short ones, so that some of them meet a quiet machine. */
const ROUNDS = 12;
const ROUND_MS = { panel: 800, bare: 400 };
const CONNECTIONS = 10;

const task = (await json(process.stdin)) as Task;

/** Each read twice: in full, and by a caller who has the answer already. */
async function measure({ what, path, token }: Task["reads"][number]): Promise<Read[]> {
  const answer = await fetch(`http://127.0.0.1:${task.port}${path}`, { headers: { authorization: `Bearer ${token}` } });
  const tag = answer.headers.get("etag");
  const body = await answer.text();
  const bareServer = fileURLToPath(new URL("./bare-http.ts", import.meta.url));
  const bare = spawn(process.execPath, [...process.execArgv, bareServer, String(task.barePort)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  bare.stdin.end(body);
  await once(bare.stdout, "data");
  const found: Read[] = [];
  for (const [beginning, has] of [
    ["", null],
    ["… unchanged", tag],
  ] as const) {
    const read = {
      what: beginning || what,
      bytes: has === null ? Buffer.byteLength(body) : 0,
      panel: { perSecond: 0, cpu: Number.POSITIVE_INFINITY },
      bare: { perSecond: 0, cpu: Number.POSITIVE_INFINITY },
      took: [] as number[],
    };
    // The two alternate, so other load on the machine affects both.
    for (let round = 0; round < ROUNDS; round += 1) {
      read.took.push(
        ...(await oneRound(read.panel, { port: task.port, path, token, tag: has }, task.pid, ROUND_MS.panel)),
      );
      await oneRound(read.bare, { port: task.barePort, path, token, tag: has }, bare.pid ?? 0, ROUND_MS.bare);
    }
    found.push(read);
  }
  bare.kill();
  await once(bare, "exit");
  return found;
}

/** One round; improves `best` and returns how long each answer took. */
async function oneRound(best: Cost, asked: Asked, pid: number, forMs: number): Promise<number[]> {
  const cpu = countCpu(pid);
  const { perSecond, took } = await load(asked, { connections: CONNECTIONS, forMs });
  best.perSecond = Math.max(best.perSecond, perSecond);
  best.cpu = Math.min(best.cpu, (cpu() * 1_000) / took.length);
  return took;
}

const found: Read[] = [];
for (const read of task.reads) found.push(...(await measure(read)));
console.log(JSON.stringify(found));
