import { existsSync } from "node:fs";
import { amneziaUp } from "../lab/amnezia-client.ts";
import type { Namespace } from "../lab/namespace.ts";
import * as lab from "../lab/network.ts";
import { configInputOf, invite, setUpAdmin, startPanel } from "../lab/panel.ts";
import { OWN_ENGINE as engine } from "../scripts/engine.mjs";
import { runInLab } from "./run.ts";
import { at, ms, printTable, times } from "./table.ts";

/*
 * `npm run bench`: the cost of AmneziaWG next to plain WireGuard, with the engines used if the kernel has neither: how soon a new
 * device is on the wire, and how fast one downloads. The kinds alternate, so other load on the machine affects all of them.
 */
const CREATIONS = 54;
const DOWNLOADS = 5;
const BYTES = 60_000_000;
const LONGEST_MS = 2 * 60_000;
const TARGET = `http://${lab.TARGET_ADDRESS}/`;

const KINDS = ["WireGuard", "AmneziaWG 2.0", "AmneziaWG 3.1"] as const;
type Kind = (typeof KINDS)[number];
const versions = { "AmneziaWG 2.0": "2.0", "AmneziaWG 3.1": "3.1" } as const;
const perKind = <Value>(make: (kind: Kind) => Value) =>
  Object.fromEntries(KINDS.map((kind) => [kind, make(kind)])) as Record<Kind, Value>;

async function bench(network: lab.LabNetwork): Promise<void> {
  const { host, clients } = network;
  const [panel] = await Promise.all([
    startPanel(network, host, { env: { LOG_LEVEL: "info" } }),
    lab.startServices(network.target, { tcp: [80] }),
  ]);
  const { admin } = await setUpAdmin(panel);
  // Each may make at most 60 configs a minute.
  const { member } = await invite(panel, admin, "marina");
  await admin.ask("PUT /users/{id}", {
    params: { id: (await member.ask("GET /auth/me")).id },
    body: { vpnConfigLimit: -1 },
  });
  const [plain] = await admin.ask("GET /admin/servers/interfaces");
  if (plain === undefined) throw new Error("the panel made no interface");
  const places = perKind(() => plain.id);
  for (const [kind, version] of Object.entries(versions)) {
    const { interface: made } = await admin.ask("POST /admin/servers/{serverId}/create-interface", {
      params: { serverId: plain.serverId },
      body: { amneziawg: { version, preset: "ordinary" } },
    });
    if (made.conflict !== null) throw new Error(`${kind} did not come up: ${made.conflict}`);
    await admin.ask("POST /admin/servers/interfaces/assign", { body: { userId: "marina", interfaceId: made.id } });
    places[kind as Kind] = made.id;
  }

  const input = await configInputOf(member);
  const create = async (kind: Kind, name: string) => {
    const body = { ...input, interfaceId: places[kind], name };
    const began = performance.now();
    const { id, state } = await member.ask("POST /vpn/configs", { body });
    if (state !== "applied") throw new Error(`${kind}: the new config is ${state}`);
    return { id, took: performance.now() - began };
  };
  const created = perKind((): number[] => []);
  // The first round only warms up.
  for (let round = -1; round < CREATIONS / KINDS.length; round += 1)
    for (const [place, kind] of KINDS.entries()) {
      const { id, took } = await create(kind, `bench-${place}-${round + 1}`);
      if (round >= 0) created[kind].push(took);
      else await connect(network, clients[place] as Namespace, kind, await member.download(id));
    }

  const speeds = perKind((): number[] => []);
  for (let round = -1; round < DOWNLOADS; round += 1)
    for (const [place, kind] of KINDS.entries()) {
      const speed = await download(clients[place] as Namespace);
      if (round >= 0) speeds[kind].push(speed);
    }
  await panel.end("SIGTERM");
  print(created, speeds);
}

async function connect(network: lab.LabNetwork, client: Namespace, kind: Kind, file: string): Promise<void> {
  if (kind === "WireGuard") await lab.tunnelUp(network, client, file);
  else await amneziaUp(client, engine, file);
  await lab.until(`${kind} reaches the target`, () => lab.fetchFrom(client, TARGET));
}

/** Mbit/s. */
async function download(client: Namespace): Promise<number> {
  const args = ["--silent", "--fail", "--noproxy", "*", "--max-time", "60", "--output", "/dev/null"];
  const speed = await client.exec("curl", [...args, "--write-out", "%{speed_download}", `${TARGET}?bytes=${BYTES}`]);
  return (Number(speed) * 8) / 1e6;
}

function print(created: Record<Kind, number[]>, speeds: Record<Kind, number[]>) {
  const mbits = (value: number) => `${value.toFixed(0)} Mbit/s`;
  const disguised = KINDS.filter((kind) => kind !== "WireGuard");
  const [soon, fast] = [at(created.WireGuard, 0.5), at(speeds.WireGuard, 0.5)];
  printTable([
    ["what", "measured", "beside", "ratio", "target"],
    ...disguised.map((kind) => {
      const own = at(created[kind], 0.5);
      return [`create → peer, ${kind}, p50`, ms(own), `WireGuard ${ms(soon)}`, times(own / soon), "< 1.50×"];
    }),
    ...disguised.map((kind) => {
      const own = at(speeds[kind], 0.5);
      return [`download, ${kind}, p50`, mbits(own), `WireGuard ${mbits(fast)}`, times(own / fast), ""];
    }),
  ]);
}

if (existsSync(engine)) await runInLab(bench, LONGEST_MS, { clients: KINDS.length });
else console.log("AmneziaWG is not measured: this processor has no engine.");
