import { type ChildProcess, fork } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { asPrivateKey, type PrivateKey } from "@krug/wireguard/key-text";
import { publicKeyOf } from "@krug/wireguard/keys";
import { afterEach, expect, test } from "vitest";
import { configInput } from "../../../../testing/config-input.ts";
import { serveMachine } from "../../../../testing/machine-over-ipc.ts";
import { makeMemoryMachine } from "../../../../testing/memory-machine.ts";
import { type Club, startClub } from "../../../../testing/start-club.ts";
import { makeHost } from "../../../hosts/driver.ts";
import { LEASE_MS } from "../../../platform/held-leases.ts";

const TAKEN_OVER_WITHIN_MS = 30_000;
/** As often as the product's schedule checks (`timed`). */
const LOOK_EVERY_MS = 10_000;
const READS_ALL = "wg show all dump";

let club: Club;
let child: ChildProcess | undefined;
let stopOther = async () => {};
afterEach(async () => {
  child?.kill("SIGKILL");
  await stopOther();
  await club.stop();
});

/** A panel in a separate process on the club's database. Its machine is `machine`; `before` may delay each of its commands. */
async function startPanelOn(machine: ReturnType<typeof makeMemoryMachine>, before: (command: string) => Promise<void>) {
  const { dataDir, databaseUrl, masterKeyFile } = club.config;
  const script = fileURLToPath(new URL("../../../../testing/panel-process.ts", import.meta.url));
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
  const panel = fork(script, [String(club.clock.now().getTime())], {
    execArgv: ["--import", tsx],
    env: {
      PATH: process.env.PATH,
      DATA_DIR: join(dataDir, "frozen-panel"),
      DATABASE_URL: databaseUrl ?? "",
      MASTER_KEY_FILE: masterKeyFile,
      // A server needs an endpoint.
      PUBLIC_URL: "https://vpn.example",
      SECURITY_GATE: "off",
      LOG_LEVEL: "silent",
    },
  });
  child = panel;
  serveMachine(panel, machine, before);
  await new Promise<void>((resolve, reject) => {
    panel.on("message", (message) => message === "started" && resolve());
    panel.once("exit", () => reject(new Error("the panel's process ended")));
  });
  return panel;
}

test("a panel that froze during its work changes nothing once another has taken over the machine", async () => {
  club = await startClub({ localServer: "off" });
  const machine = makeMemoryMachine((key) => publicKeyOf(asPrivateKey(key) as PrivateKey));
  /** Without the panel's own, which has no address. */
  const peers = () =>
    [...machine.tunnels.values()].flatMap(({ peers }) =>
      [...peers].flatMap(([key, [, , allowedIps]]) => (allowedIps === "(none)" ? [] : [key])),
    );

  let hold: { reached(): void; until: Promise<void> } | null = null;
  const commands: string[] = [];
  const frozen = await startPanelOn(machine, async (command) => {
    commands.push(command);
    if (command !== READS_ALL || hold === null) return;
    const { reached, until } = hold;
    hold = null;
    reached();
    await until;
  });
  const boris = await club.member({ configLimit: 5 });
  const make = async (name: string) =>
    (await club.as(boris).call("POST /vpn/configs", { body: await configInput(club, boris, { name }) })).body;
  const kept = await make("kept");
  expect(kept).toMatchObject({ state: "applied" });

  // In a round, after reading the machine: it is about to put back a peer that somebody removed by hand.
  const lost = await make("lost");
  expect(lost).toMatchObject({ state: "applied" });
  for (const { peers } of machine.tunnels.values()) peers.delete([...peers.keys()].at(-1) ?? "");
  let wake = () => {};
  const until = new Promise<void>((resolve) => {
    wake = resolve;
  });
  await new Promise<void>((reached) => {
    hold = { reached, until };
    frozen.send("look");
  });
  frozen.kill("SIGSTOP");
  const frozenAt = performance.now();

  // Another panel on this machine, which does not know that it was this server.
  const other = await club.otherPanel(makeHost(machine));
  stopOther = other.stop;
  const isTakenOver = async () => {
    const [server] = await other.app.parts.servers.all(club.db);
    return server?.panel_id === other.app.parts.panelId;
  };
  expect(await isTakenOver()).toBe(false);
  while (!(await isTakenOver())) {
    await wait(LOOK_EVERY_MS);
    await other.app.parts.reconciler.timed[1]?.run();
    await other.app.jobs.drain();
    expect(performance.now() - frozenAt).toBeLessThan(TAKEN_OVER_WITHIN_MS);
  }
  expect(performance.now() - frozenAt).toBeGreaterThan(LEASE_MS / 2);
  expect(peers()).toHaveLength(2);
  await other.as(boris).call("DELETE /vpn/configs/{id}", { params: { id: lost.id } });
  await other.app.parts.reconciler.lookAtServers();
  await other.app.jobs.drain();
  expect(peers()).toHaveLength(1);

  const before = commands.length;
  frozen.kill("SIGCONT");
  wake();
  await wait(3_000);
  expect(commands.slice(before)).toEqual([]);
  expect(peers()).toHaveLength(1);
  // Nor does it make a second server from the machine.
  frozen.send("look");
  await wait(2_000);
  expect(await other.app.parts.servers.all(club.db)).toHaveLength(1);
  expect(peers()).toHaveLength(1);
  expect((await other.as(boris).call("GET /vpn/configs")).body).toMatchObject([{ id: kept.id, state: "applied" }]);
});
