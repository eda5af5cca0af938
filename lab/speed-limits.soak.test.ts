import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SpeedLimit } from "../apps/server/src/hosts/host.ts";
import { desiredHost, newDevice, newInterface, withPeers } from "./club-wire.ts";
import { type DrivenHost, driveHost, ENGINE_RUNS } from "./driven-host.ts";
import type { Namespace } from "./namespace.ts";
import * as lab from "./network.ts";
import { isNear, transferSpeed } from "./transfer-speed.ts";

/*
 * Speed limits by packets, in the kernel's network and in the engine's own. A busy machine makes a transfer slower than its limit,
 * so that it is tried again; none is ever faster.
 */

const MBIT = 10;
const BYTES = 1_000_000;
const PLACES = [lab.TARGET_ADDRESS, `[${lab.TARGET_ADDRESS_V6}]`];

let network: lab.LabNetwork;
let host: DrivenHost;
const wg0 = newInterface("wg0", 51820);
const wg1 = newInterface("wg1", 51821, "10.9.0");
const [phone, laptop, boris] = [newDevice(wg0, 2), newDevice(wg1, 2), newDevice(wg0, 3)];
const sourcesOf = (...devices: (typeof phone)[]) =>
  devices.flatMap(({ peer }) => peer.allowedIps.map((each) => each.split("/")[0] ?? ""));
const base = desiredHost(withPeers(wg0, phone, boris), withPeers(wg1, laptop));
const limit = (mbit: number): SpeedLimit => ({ key: "anna", mbit, sources: sourcesOf(phone, laptop) });
const limited = (...speeds: SpeedLimit[]) => host.apply({ ...base, speeds });

const speed = (at: Namespace, place: string, way: "down" | "up", bytes = BYTES) => transferSpeed(at, place, way, bytes);
const client = (number: number) => network.clients[number]!;

const traces = async () => {
  const said = await Promise.all([
    network.host.attempt("ip", ["link", "show", "dev", "krug-speed"]),
    network.host.attempt("nft", ["list", "table", "netdev", "krug_speed"]),
  ]);
  return said.map(({ exitCode }) => exitCode === 0);
};

async function firstClass(): Promise<string> {
  const said = await network.host.exec("tc", ["class", "show", "dev", "krug-speed"]);
  return said.split(" ")[2] ?? "";
}

describe.each([
  ["the kernel's", "socket"],
  ["the engine's own", "/run/krug-engines"],
] as const)("in %s network", (_, control) => {
  beforeAll(async () => {
    network = await lab.makeNetwork({ clients: 3 });
    [host] = await Promise.all([driveHost(network.host, control), lab.startServices(network.target, { tcp: [80] })]);
    await host.apply(base);
    for (const [at, { file }] of [phone, laptop, boris].entries())
      await lab.tunnelUp(network, network.clients[at]!, file);
    for (const client of network.clients)
      await lab.until("each reaches the target", () => lab.fetchFrom(client, `http://${lab.TARGET_ADDRESS}/`));
  });
  afterAll(() => network?.close());

  test("a member's devices together have the limit in each direction and family, and others do not", async () => {
    expect((await limited(limit(MBIT))).speedFailure).toBeNull();
    for (const place of PLACES) {
      await isNear(MBIT, () => speed(client(0), place, "down"));
      await isNear(MBIT, () => speed(client(0), place, "up"));
    }
    await isNear(MBIT, async () => {
      const beganAt = performance.now();
      // Long, because the programs' start counts too.
      await Promise.all([0, 1].map((number) => speed(client(number), PLACES[0]!, "down", 4 * BYTES)));
      return (2 * 4 * BYTES * 8) / 1e3 / (performance.now() - beganAt);
    });
    await lab.until("another is faster", async () => (await speed(client(2), PLACES[0]!, "down")) > 3 * MBIT);
    await lab.until("and up", async () => (await speed(client(2), PLACES[1]!, "up")) > 3 * MBIT);
  });

  test("1,000 members with a limit cost another member next to nothing", async () => {
    const many = Array.from({ length: 1_000 }, (_, at) => ({
      key: `member-${at}`,
      mbit: 20,
      sources: [`10.20.${at >> 8}.${at & 255}`, `fd20::${at.toString(16)}`],
    }));
    const measured = { free: [] as number[], limited: [] as number[] };
    const median = (way: keyof typeof measured) =>
      measured[way].toSorted((a, b) => a - b)[Math.floor(measured[way].length / 2)] ?? 0;
    await lab.until(
      "0.95 of the speed without limits",
      async () => {
        // Alternating, because other work on the machine makes it now slower, now faster.
        for (const way of ["free", "limited"] as const) {
          await limited(...(way === "free" ? [] : [limit(MBIT), ...many]));
          measured[way].push(await speed(client(2), PLACES[0]!, "down", 30_000_000));
        }
        return measured.free.length >= 9 && median("limited") >= 0.95 * median("free");
      },
      300_000,
    );
    const [free, beside] = [median("free").toFixed(0), median("limited").toFixed(0)];
    console.log(`another member: ${free} Mbit/s without limits, ${beside} Mbit/s beside 1,000 limited ones`);
    await limited(limit(MBIT), ...many);
    const tookMs = host.lastTookMs();
    await host.applySpeeds([limit(4), ...many]);
    console.log(`1,000 limits: compared in ${tookMs.toFixed(0)} ms, one changed in ${host.lastTookMs().toFixed(0)} ms`);
  });

  if (control === "socket") inTheKernel();
  else inTheEngine();
});

function inTheKernel() {
  test("a changed limit is in force at once, what was altered is mended, and no limit leaves no trace", async () => {
    expect(await host.applySpeeds([limit(4)])).toBeNull();
    await isNear(4, () => speed(client(0), PLACES[0]!, "down", 400_000));
    for (const [program, ...args] of [
      ["tc", "class", "change", "dev", "krug-speed", "classid", await firstClass(), "htb", "rate", "90mbit"],
      ["tc", "qdisc", "delete", "dev", "krug-speed", "root"],
      ["nft", "flush", "chain", "netdev", "krug_speed", "to_devices"],
      ["nft", "delete", "table", "netdev", "krug_speed"],
      ["ip", "link", "set", "dev", "krug-speed", "down"],
      ["ip", "link", "delete", "dev", "krug-speed"],
    ] as const) {
      expect(await host.lackingSpeeds([limit(4)])).toBe(0);
      await network.host.exec(program, [...args]);
      expect(await host.lackingSpeeds([limit(4)])).toBe(1);
      expect((await limited(limit(4))).speedFailure).toBeNull();
      await isNear(4, () => speed(client(0), PLACES[0]!, "down", 400_000));
    }
    expect(await traces()).toEqual([true, true]);
    expect((await limited()).speedFailure).toBeNull();
    expect(await traces()).toEqual([false, false]);
  });

  test("a machine without tc says so, and limits nobody", async () => {
    await limited(limit(4));
    const { stdout } = await network.host.attempt("sh", ["-c", "command -v tc"]);
    await network.host.exec("mount", ["--bind", "/bin/false", stdout.trim()]);
    expect(await host.applySpeeds([limit(4)])).not.toBeNull();
    expect((await traces())[1]).toBe(false);
    await network.host.exec("umount", [stdout.trim()]);
    expect(await host.applySpeeds([limit(4)])).toBeNull();
  });
}

function inTheEngine() {
  test("a changed limit is in force at once, and an engine that was started again gets it in the next round", async () => {
    await limited(limit(MBIT));
    expect(await host.applySpeeds([limit(4)])).toBeNull();
    await isNear(4, () => speed(client(0), PLACES[0]!, "down", 400_000));
    expect(await host.lackingSpeeds([limit(4)])).toBe(0);
    await network.host.exec("pkill", ["-KILL", "-f", `${ENGINE_RUNS}.* wg0$`]);
    expect((await limited(limit(4))).speedFailure).toBeNull();
    expect(await host.lackingSpeeds([limit(4)])).toBe(0);
    await lab.until("it is back", () => lab.fetchFrom(client(0), `http://${lab.TARGET_ADDRESS}/`), 60_000);
    await isNear(4, () => speed(client(0), PLACES[0]!, "up", 400_000));
    await limited();
    await lab.until("no limit", async () => (await speed(client(0), PLACES[0]!, "down")) > 3 * MBIT);
  });
}
