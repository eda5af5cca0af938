import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import * as lab from "../lab/network.ts";
import { configInputOf, invite, type LabPanel, setUpAdmin, startPanel } from "../lab/panel.ts";
import type { Figures, Task } from "./measure.ts";
import { runInLab } from "./run.ts";
import { seedConfigs } from "./seed.ts";
import { at, ms, printTable, times } from "./table.ts";

/*
 * `npm run bench`: the panel's cost next to the bare minimum for the same work, on a machine of the lab with 1,000 peers, or
 * as many as `tsx bench/create.ts` is given. Ends by itself and leaves nothing behind. Compare the ratios rather than the
 * times: both sides run on the same machine.
 */
const CONFIGS = Number(process.argv[2] ?? 1_000);
const LISTED = 100;
const CREATIONS = 100;
/** For two members who take turns, with two warm-up rounds. */
const HIS_CREATIONS = (CREATIONS + 2) / 2;
const STARTS = 3;
const LONGEST_MS = 5 * 60_000;
/** Configured as an operator runs it, not as tests do. */
const env = { LOG_LEVEL: "info" };

async function bench(network: lab.LabNetwork): Promise<void> {
  const { host } = network;
  const panel = await startPanel(network, host, { env });
  const { admin, token, id } = await setUpAdmin(panel);
  const reader = await invite(panel, admin, "reader");
  const inputs = await Promise.all([admin, reader.member].map(configInputOf));
  await panel.end("SIGTERM");
  await host.exec("ip", ["link", "del", "wg0"]);
  await seedConfigs(panel.dataDir, [
    // The rest of the list is created during the measurement.
    { memberId: reader.user.id, count: LISTED - HIS_CREATIONS },
    { memberId: id, count: CONFIGS - LISTED + HIS_CREATIONS },
  ]);

  const starts: number[] = [];
  for (let round = 0; round < STARTS; round += 1) starts.push(await secondStart(panel, host));

  await panel.start();
  await lab.until("all peers are on the wire", async () => (await peersOn(host)) === CONFIGS, 60_000);
  await wait(10_000);
  const idleBytes = await residentBytes(panel.pid());

  await host.exec("wireguard-go", ["bench0"]);
  const measured = await lab.startSource(host, "../bench/measure.ts");
  const creators = inputs.map((input, index) => ({ token: index === 0 ? token : reader.token, input }));
  const task: Task = {
    port: panel.port,
    creators,
    creations: CREATIONS,
    readerToken: reader.token,
    bareInterface: "bench0",
    secretFile: join(network.folder, "preshared-key"),
    barePort: 4001,
  };
  measured.process.stdin?.end(JSON.stringify(task));
  await lab.until("it is measured", () => measured.process.exitCode !== null, LONGEST_MS);
  if (measured.process.exitCode !== 0) throw new Error(measured.output());
  print(JSON.parse(measured.output()) as Figures, { idleBytes, busyBytes: await residentBytes(panel.pid()), starts });
  await panel.end("SIGTERM");
}

/** From `npm start` on a built panel with data to the first answer from /health, in ms. */
async function secondStart(panel: LabPanel, host: lab.LabNetwork["host"]): Promise<number> {
  const began = performance.now();
  await panel.start("npm");
  const took = performance.now() - began;
  await lab.until("it has looked at its machine", async () => (await peersOn(host)) === CONFIGS, 60_000);
  await panel.end("SIGTERM");
  return took;
}

const peersOn = async (host: lab.LabNetwork["host"]) => (await lab.devicesOn(host, "wg0")).length;

async function residentBytes(pid: number): Promise<number> {
  return Number(/VmRSS:\s+(\d+) kB/.exec(await readFile(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024;
}

function print(
  figures: Figures,
  { idleBytes, busyBytes, starts }: Record<"idleBytes" | "busyBytes", number> & { starts: number[] },
) {
  const rows = (["p50", "p99"] as const).flatMap((name) => {
    const share = name === "p50" ? 0.5 : 0.99;
    const [create, remove, wgSet, uapiSet] = [figures.create, figures.remove, figures.wgSet, figures.uapiSet].map(
      (list) => at(list, share),
    );
    const what = `create → peer, ${name} at ${figures.peers} configs`;
    return [
      [what, ms(create!), `wg set ${ms(wgSet!)}`, times(create! / wgSet!), name === "p50" ? "< 50 ms" : ""],
      ["", "", `one UAPI set ${ms(uapiSet!)}`, times(create! / uapiSet!), ""],
      [
        `delete → cut off, ${name}`,
        ms(remove!),
        `wg set ${ms(wgSet!)}`,
        times(remove! / wgSet!),
        name === "p50" ? "< 9 ms" : "",
      ],
    ];
  });
  for (const { path, bytes, panel, bare } of figures.reads)
    rows.push([
      `GET ${path}, ${bytes} bytes`,
      `${panel.toFixed(0)}/s`,
      `node:http ${bare.toFixed(0)}/s`,
      times(panel / bare),
      "",
    ]);
  const mb = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;
  rows.push(["resident memory, idle", mb(idleBytes), "", times(idleBytes / 150e6), "< 150 MB"]);
  rows.push(["resident memory, after all this", mb(busyBytes), "", "", ""]);
  rows.push([
    `npm start → /health, best of ${starts.length}`,
    ms(Math.min(...starts)),
    "",
    times(Math.min(...starts) / 1_500),
    "< 1500 ms",
  ]);
  rows.unshift(["what", "measured", "beside", "ratio", "target"]);
  printTable(rows);
}

await runInLab(bench, LONGEST_MS);
