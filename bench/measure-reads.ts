import { spawn } from "node:child_process";
import { once } from "node:events";
import { json } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { load } from "./load.ts";

/*
 * Runs on the panel's own machine, so nothing sits between the clock and the panel. Reads `Task` as JSON from stdin, writes
 * a list of `Read` as JSON to stdout.
 */
export interface Task {
  port: number;
  barePort: number;
  reads: { what: string; path: string; token: string }[];
}

export interface Read {
  what: string;
  /** Of the body. */
  bytes: number;
  /** Requests per second, best of three rounds. */
  panel: number;
  bare: number;
  /** ms, over all rounds, ten connections at once. */
  took: number[];
}

const ROUNDS = 3;
const CONNECTIONS = 10;

const task = (await json(process.stdin)) as Task;

async function measure({ what, path, token }: Task["reads"][number]): Promise<Read> {
  const headers = { authorization: `Bearer ${token}` };
  const body = await (await fetch(`http://127.0.0.1:${task.port}${path}`, { headers })).text();
  const bareServer = fileURLToPath(new URL("./bare-http.ts", import.meta.url));
  const bare = spawn(process.execPath, [...process.execArgv, bareServer, String(task.barePort)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  bare.stdin.end(body);
  await once(bare.stdout, "data");
  const found: Read = { what, bytes: Buffer.byteLength(body), panel: 0, bare: 0, took: [] };
  // The two alternate, so other load on the machine affects both.
  for (let round = 0; round < ROUNDS; round += 1) {
    const ofPanel = await load({ port: task.port, path, token }, { connections: CONNECTIONS, forMs: 4_000 });
    const ofBare = await load({ port: task.barePort, path, token }, { connections: CONNECTIONS, forMs: 1_000 });
    found.panel = Math.max(found.panel, ofPanel.perSecond);
    found.bare = Math.max(found.bare, ofBare.perSecond);
    found.took.push(...ofPanel.took);
  }
  bare.kill();
  await once(bare, "exit");
  return found;
}

const found: Read[] = [];
for (const read of task.reads) found.push(await measure(read));
console.log(JSON.stringify(found));
