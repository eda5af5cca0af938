import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { generateKeyPair, generatePresharedKey } from "@krug/wireguard/keys";
import * as lab from "../lab/network.ts";
import { invite, setUpAdmin, startPanel } from "../lab/panel.ts";
import { countCpu } from "./cpu.ts";
import { runInLab } from "./run.ts";
import { seedConfigs } from "./seed.ts";
import { median, ms, printTable, times } from "./table.ts";

/*
 * `tsx bench/idle.ts`: the cost of an idle panel, and of restoring 10,000 peers after their interface was lost, each next to the
 * cost of the same with WireGuard's own program. Ends by itself and leaves nothing behind.
 */
const CONFIGS = Number(process.argv[2] ?? 10_000);
const MINUTES = 3;
const ROUNDS = 3;
const MINUTE_MS = 60_000;
const LONGEST_MS = 15 * MINUTE_MS;

/** The next minute's round starts in its first second. */
const secondOfMinute = (second: number) =>
  wait((MINUTE_MS + second * 1_000 - (Date.now() % MINUTE_MS)) % MINUTE_MS || MINUTE_MS);

async function bench(network: lab.LabNetwork): Promise<void> {
  const { host } = network;
  const panel = await startPanel(network, host, {
    env: { LOG_LEVEL: "info" },
  });
  const { admin, id } = await setUpAdmin(panel);
  const reader = await invite(panel, admin, "reader");
  await panel.end("SIGTERM");
  await host.exec("ip", ["link", "del", "wg0"]);
  await seedConfigs(panel.dataDir, [
    { memberId: reader.user.id, count: CONFIGS / 2 },
    { memberId: id, count: CONFIGS / 2 },
  ]);
  await panel.start();
  const peers = async () => (await lab.devicesOn(host, "wg0")).length;
  await lab.until("all peers are on the wire", async () => (await peers()) === CONFIGS, MINUTE_MS);

  const confFile = join(network.folder, "bench.conf");
  await writeFile(confFile, confOf(CONFIGS));
  let tunnels = 0;
  const setConf = async (): Promise<number> => {
    const name = `bench${tunnels++}`;
    await host.exec("wireguard-go", [name]);
    const took = Number(await host.exec("bash", ["-c", clocked(`wg setconf ${name} ${confFile}`, "%R")])) * 1_000;
    await host.exec("ip", ["link", "del", name]);
    return took;
  };

  const dumps: number[] = [];
  const minutes: number[] = [];
  // The first round after the start has no data yet.
  await secondOfMinute(30);
  await secondOfMinute(30);
  for (let minute = 0; minute < MINUTES; minute += 1) {
    const cpu = countCpu(panel.pid());
    await secondOfMinute(30);
    minutes.push(cpu());
    const [user = 0, system = 0] = (await host.exec("bash", ["-c", clocked("wg show wg0 dump > /dev/null", "%U %S")]))
      .split(" ")
      .map((seconds) => Number(seconds) * 1_000);
    dumps.push(user + system);
  }

  const back: number[] = [];
  const setConfs: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    setConfs.push(await setConf());
    await secondOfMinute(50);
    await host.exec("ip", ["link", "del", "wg0"]);
    await secondOfMinute(0);
    const began = performance.now();
    await lab.until("all peers are back", async () => (await peers()) === CONFIGS, MINUTE_MS / 2);
    back.push(performance.now() - began);
    setConfs.push(await setConf());
  }
  const mb = Number(/VmRSS:\s+(\d+) kB/.exec(await readFile(`/proc/${panel.pid()}/status`, "utf8"))?.[1]) / 1_000;
  await panel.end("SIGTERM");
  printTable([
    ["what", "measured", "beside", "ratio", "target"],
    [
      `an idle minute at ${CONFIGS} configs, the panel's CPU`,
      ms(median(minutes)),
      `wg show dump ${ms(median(dumps))}`,
      times(median(minutes) / median(dumps)),
      "< 120 ms",
    ],
    [
      `${CONFIGS} peers back after a lost interface`,
      ms(median(back)),
      `wg setconf ${ms(median(setConfs))}`,
      times(median(back) / median(setConfs)),
      "< 1.4",
    ],
    ["resident memory afterwards", `${mb.toFixed(0)} MB`, "", "", ""],
  ]);
}

const clocked = (command: string, format: string) => `TIMEFORMAT='${format}'; { time ${command}; } 2>&1`;

function confOf(count: number): string {
  const peers = Array.from({ length: count }, (_, index) => {
    const place = index + 2;
    return `[Peer]\nPublicKey = ${generateKeyPair().publicKey}\nPresharedKey = ${generatePresharedKey()}\nAllowedIPs = 10.99.${place >> 8}.${place & 255}/32\n`;
  });
  return `[Interface]\nPrivateKey = ${generateKeyPair().privateKey}\n${peers.join("")}`;
}

await runInLab(bench, LONGEST_MS);
