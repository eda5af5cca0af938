import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { json } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { generateKeyPair, generatePresharedKey } from "@krug/wireguard/keys";
import { WIREGUARD } from "@krug/wireguard/protocol";
import { localMachine } from "../apps/server/src/hosts/local-machine.ts";
import { changeByUapi, readByUapi } from "../apps/server/src/hosts/uapi.ts";
import { load } from "./load.ts";

/*
 * Runs on the panel's own machine, so nothing sits between the clock and the panel. Reads `Task` as JSON from stdin, writes
 * `Figures` as JSON to stdout.
 */
export interface Task {
  port: number;
  /** Members who create one after another; more than one, because each may make at most 60 a minute. */
  creators: { token: string; input: object }[];
  creations: number;
  /** A member with as many configs as the list measurement needs. */
  readerToken: string;
  /** A wireguard-go interface that nothing else uses, for comparison. */
  bareInterface: string;
  /** Where to write a secret of that interface. */
  secretFile: string;
  barePort: number;
}

export interface Figures {
  peers: number;
  /** ms, in measurement order. */
  create: number[];
  remove: number[];
  wgSet: number[];
  uapiSet: number[];
  /** Requests per second, and bytes of one body. */
  reads: { path: string; bytes: number; panel: number; bare: number }[];
}

const task = (await json(process.stdin)) as Task;
const origin = `http://127.0.0.1:${task.port}`;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

async function create(index: number): Promise<string> {
  const { token, input } = task.creators[index % task.creators.length]!;
  const response = await fetch(`${origin}/api/vpn/configs`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ ...input, name: `bench-${index}` }),
  });
  const answer = await response.text();
  if (!response.ok || !answer.includes('"state":"applied"')) throw new Error(`${response.status} ${answer}`);
  return (JSON.parse(answer) as { id: string }).id;
}

async function remove(index: number, id: string): Promise<void> {
  const { token } = task.creators[index % task.creators.length]!;
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${origin}/api/vpn/configs/${id}`, { method: "DELETE", headers });
  if (response.status !== 204) throw new Error(`${response.status} ${await response.text()}`);
}

const newPeer = (index: number) => ({
  publicKey: generateKeyPair().publicKey,
  presharedKey: generatePresharedKey(),
  allowedIps: [`10.201.${index >> 8}.${index & 255}/32`],
});

/** What a shell script would do: one process, with the secret in a file. */
async function wgSet({ publicKey, presharedKey, allowedIps }: ReturnType<typeof newPeer>): Promise<void> {
  await writeFile(task.secretFile, `${presharedKey}\n`, { mode: 0o600 });
  const peer = ["peer", publicKey, "preshared-key", task.secretFile, "allowed-ips", allowedIps.join(",")];
  const child = spawn("wg", ["set", task.bareInterface, ...peer], { stdio: ["ignore", "ignore", "inherit"] });
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== 0) throw new Error(`wg set ended with ${code}`);
}

/** By index. */
const made: string[] = [];

async function measureCreations(peers: number): Promise<Pick<Figures, "create" | "wgSet" | "uapiSet">> {
  const others = Array.from({ length: peers }, (_, index) => newPeer(index));
  await changeByUapi(localMachine, WIREGUARD, task.bareInterface, { remove: [], upsert: others });
  const figures = { create: [] as number[], wgSet: [] as number[], uapiSet: [] as number[] };
  // The three alternate, so other load on the machine affects all of them; the first two rounds only warm up.
  for (let index = -2; index < task.creations; index += 1) {
    const created = await timed(async () => void made.push(await create(index + 2)));
    const [one, other] = [newPeer(peers + 2 * index + 4), newPeer(peers + 2 * index + 5)];
    const set = await timed(() => wgSet(one));
    const tookMs = await timed(() =>
      changeByUapi(localMachine, WIREGUARD, task.bareInterface, { remove: [], upsert: [other] }),
    );
    if (index < 0) continue;
    figures.create.push(created);
    figures.wgSet.push(set);
    figures.uapiSet.push(tookMs);
  }
  return figures;
}

async function measureReads(path: string): Promise<Figures["reads"][number]> {
  const token = task.readerToken;
  const body = await (await fetch(origin + path, { headers: { authorization: `Bearer ${token}` } })).text();
  const bareServer = fileURLToPath(new URL("./bare-http.ts", import.meta.url));
  const bare = spawn(process.execPath, [...process.execArgv, bareServer, String(task.barePort)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  bare.stdin.end(body);
  await once(bare.stdout, "data");
  const best = { panel: 0, bare: 0 };
  for (let round = 0; round < 3; round += 1) {
    best.panel = Math.max(best.panel, (await load({ port: task.port, path, token })).perSecond);
    best.bare = Math.max(best.bare, (await load({ port: task.barePort, path, token }, { forMs: 1_000 })).perSecond);
  }
  bare.kill();
  await once(bare, "exit");
  return { path, bytes: Buffer.byteLength(body), ...best };
}

const countPeers = async () => (await readByUapi(localMachine, WIREGUARD, "wg0")).peers.length;
const peers = await countPeers();
const creations = await measureCreations(peers);
const added = (await countPeers()) - peers;
// Every answer said 'applied'; here we ask the interface itself.
if (added !== task.creations + 2) throw new Error(`${added} peers were added in ${task.creations + 2} creations`);
await wait(1_000);
const reads = [await measureReads("/api/services"), await measureReads("/api/vpn/configs")];
const removals: number[] = [];
for (const [index, id] of made.entries()) removals.push(await timed(() => remove(index, id)));
console.log(JSON.stringify({ peers, ...creations, remove: removals, reads } satisfies Figures));
