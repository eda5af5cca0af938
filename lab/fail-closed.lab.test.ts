import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { tearDown } from "../apps/server/src/hosts/driver.ts";
import type { DesiredHost } from "../apps/server/src/hosts/host.ts";
import { desiredHost, newDevice, newInterface, withPeers } from "./club-wire.ts";
import { type DrivenHost, driveHost } from "./driven-host.ts";
import { type Leaks, sendEverywhere } from "./leaks.ts";
import type { Namespace } from "./namespace.ts";
import * as lab from "./network.ts";

/* What stays closed to packets for the machine itself, also after somebody removes the firewall. */
const HOST_V6 = "2001:db8:113::1";
const tunnel = newInterface("wg0", 51820);
const other = newInterface("wg1", 51821, "10.8.1");
const anna = newDevice(tunnel, 2);
const boris = newDevice(tunnel, 3);
const vera = newDevice(other, 2);
const BANNED = "203.0.113.13";
const base: DesiredHost = {
  ...desiredHost(withPeers(tunnel, anna, boris), withPeers(other, vera)),
  access: { everyone: { allowed: [], denied: [`${BANNED}/32`] }, groups: [] },
};

let network: lab.LabNetwork;
let host: DrivenHost;
let rulesBefore: string;
const routingRules = async () =>
  (await network.host.exec("ip", ["-4", "rule"])) + (await network.host.exec("ip", ["-6", "rule"]));
const client = () => network.clients[0]!;
const reaches = async (place: string) => (await lab.fetchFrom(client(), `http://${place}/`)) !== null;

beforeAll(async () => {
  network = await lab.makeNetwork({ clients: 3 });
  // The strictest setting: an answer must arrive by the route on which the kernel would send.
  await network.host.exec("sysctl", ["-q", "-w", "net.ipv4.conf.all.rp_filter=1"]);
  await network.target.exec("ip", ["address", "add", `${BANNED}/24`, "dev", "eth0"]);
  rulesBefore = await routingRules();
  [host] = await Promise.all([
    driveHost(network.host),
    lab.startServices(network.target),
    lab.startServices(network.host, { tcp: [80, 443, 22, 8080] }),
  ]);
  await host.apply(base);
  const files = [anna, boris, vera].map(({ file }) => file);
  await Promise.all(network.clients.map((each, index) => lab.tunnelUp(network, each, files[index]!)));
  for (const each of network.clients)
    await lab.until("all reach the target", () => lab.fetchFrom(each, `http://${lab.TARGET_ADDRESS}/`));
});
afterAll(() => network?.close());

describe("the machine's own addresses, from a tunnel", () => {
  const own = [lab.HOST_ADDRESS, lab.HOST_SECOND_ADDRESS, `[${HOST_V6}]`];

  test("only listed ports answer a member, on every address, IPv4 and IPv6", async () => {
    const places = own.flatMap((address) => [80, 443, 22, 8080].map((port) => `${address}:${port}`));
    const open = await Promise.all(places.map(reaches));
    expect(places.filter((_, index) => open[index])).toEqual(places.filter((place) => /:(80|443)$/.test(place)));
    // The others exist all the same: clients outside a tunnel reach them.
    expect(await lab.fetchFrom(network.target, `http://${lab.HOST_SECOND_ADDRESS}:8080/`)).toContain("host");
    expect(await lab.fetchFrom(network.target, `http://[${HOST_V6}]:22/`)).toContain("host");
  });

  test("a changed list is in force at the next check, and a ban wins over it", async () => {
    const openPorts = [{ protocol: "tcp" as const, port: 8080 }];
    await host.apply({ ...base, openPorts });
    const places = [80, 8080].map((port) => `${lab.HOST_SECOND_ADDRESS}:${port}`);
    expect(await Promise.all(places.map(reaches))).toEqual([false, true]);
    await host.apply({
      ...base,
      openPorts,
      access: { everyone: { allowed: [], denied: [`${lab.HOST_SECOND_ADDRESS}/32`] }, groups: [] },
    });
    expect(await reaches(`${lab.HOST_SECOND_ADDRESS}:8080`)).toBe(false);
    expect(await reaches(`${lab.HOST_ADDRESS}:8080`)).toBe(true);
    await host.apply(base);
  });

  test("every address answers a ping, including the tunnel's gateway", async () => {
    const pings = ["10.8.0.1", "fd00:ca6c::1", lab.HOST_ADDRESS, lab.HOST_SECOND_ADDRESS, HOST_V6];
    const answers = await Promise.all(
      pings.map((address) => client().attempt("ping", ["-c", "1", "-W", "2", address])),
    );
    expect(answers.map(({ exitCode }) => exitCode)).toEqual(pings.map(() => 0));
  });

  test("DNS is open only if the machine serves it", async () => {
    const question = (address: string, over: "udp" | "tcp") =>
      client().attempt(process.execPath, ["-e", over === "udp" ? ASK_BY_UDP : ASK_BY_TCP, address, "53"]);
    const heard = async (address: string) =>
      (await Promise.all([question(address, "udp"), question(address, "tcp")])).map(({ exitCode }) => exitCode === 0);
    const server = await network.host.start(process.execPath, ["-e", ECHO, lab.HOST_SECOND_ADDRESS, "53"]);
    await lab.until("the name server listens", () => server.output().includes("listening"));
    expect(await heard(lab.HOST_SECOND_ADDRESS)).toEqual([false, false]);
    await host.apply(base);
    expect(await heard(lab.HOST_SECOND_ADDRESS)).toEqual([true, true]);
    // A server on all addresses answers at each public one, but still not at the tunnel's own.
    await server.kill("SIGKILL");
    const everywhere = await network.host.start(process.execPath, ["-e", ECHO, "::", "53"]);
    await lab.until("it listens everywhere", () => everywhere.output().includes("listening"));
    await host.apply(base);
    expect(await heard(HOST_V6)).toEqual([true, true]);
    expect(await heard("10.8.0.1")).toEqual([false, false]);
    await everywhere.kill("SIGKILL");
    await host.apply(base);
  });
});

describe("the firewall removed", () => {
  let leaks: Leaks;
  const tableStands = async () =>
    (await network.host.attempt("nft", ["list", "chain", "inet", "krug", "from_members"])).exitCode === 0;

  beforeAll(async () => {
    const [from, boris2, vera2] = network.clients as [Namespace, Namespace, Namespace];
    leaks = await sendEverywhere(
      from,
      network.target,
      {
        "another member": { at: boris2 },
        "a member of another interface": { at: vera2 },
        "the private network": { at: network.privateNetwork },
        "a place that is banned": { at: network.target, address: BANNED },
        "the machine itself": { at: network.host },
      },
      [
        BANNED,
        boris.address,
        "fd00:ca6c::3",
        vera.address,
        "fd00:ca6d::2",
        lab.PRIVATE_ADDRESS,
        lab.PRIVATE_ADDRESS_V6,
        lab.HOST_ADDRESS,
        lab.HOST_SECOND_ADDRESS,
        HOST_V6,
        "10.8.0.1",
        "fd00:ca6c::1",
        "192.168.77.1",
      ],
    );
    await leaks.goesOn("packets reach the target");
  });

  const rulesOf = async (chain: string) =>
    (await network.host.attempt("nft", ["list", "chain", "inet", "krug", chain])).stdout;
  /** How long each removal lasted, in ms. The next one follows as soon as the last is undone. */
  const harmAgain = async (rounds: number, ...harms: string[][]) => {
    const took: number[] = [];
    const asked: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await network.host.exec("nft", harms[round % harms.length]!);
      const harmedAt = Date.now();
      await lab.until("the table is back", async () => {
        const askedAt = Date.now();
        const rules = await rulesOf("from_members");
        asked.push(Date.now() - askedAt);
        return rules.includes("drop");
      });
      took.push(Date.now() - harmedAt);
    }
    console.log(`back after ${took.join(", ")} ms`);
    return { back: Math.max(...took), look: Math.max(...asked) };
  };

  test("with the panel running it is restored within a second, each time, and nothing passes meanwhile", async () => {
    const slowest = await harmAgain(
      16,
      ["flush", "ruleset"],
      ["delete", "table", "inet", "krug"],
      ["flush", "chain", "inet", "krug", "from_members"],
    );
    // A second. Longer only if merely reading the rules takes a busy machine more than a twentieth of that.
    expect(slowest.back).toBeLessThan(Math.max(1_000, 20 * slowest.look));
    await leaks.goesOn("the internet is reached again");
    expect(leaks.leaked()).toEqual([]);
  });

  test("with the panel killed nothing passes at all; a new panel restores everything", async () => {
    await host.process.kill("SIGKILL");
    await leaks.goesOn("tunnels do not need the panel");
    // The firewall's watcher went with the panel.
    await lab.until(
      "no watch is left",
      async () => (await network.host.attempt("pgrep", ["-f", "nft monitor"])).exitCode !== 0,
    );
    await network.host.exec("nft", ["flush", "ruleset"]);
    await wait(50);
    const before = leaks.arrived();
    await wait(500);
    expect(leaks.arrived()).toBe(before);
    expect(await tableStands()).toBe(false);
    expect(leaks.leaked()).toEqual([]);
    // Everybody else's traffic still passes.
    expect(await lab.fetchFrom(network.target, `http://${lab.HOST_SECOND_ADDRESS}:8080/`)).toContain("host");
    expect(await lab.fetchFrom(network.host, `http://${lab.TARGET_ADDRESS}/`)).toContain("target");

    host = await driveHost(network.host);
    await host.apply(base);
    await leaks.goesOn("the internet is reached again");
    expect(leaks.leaked()).toEqual([]);
    await lab.until("the machine's own page is reached again", () => reaches(`${lab.HOST_SECOND_ADDRESS}:80`));
  });

  test("a removed interface's rules are removed too, and after the last one the machine is as before", async () => {
    expect(await routingRules()).not.toBe(rulesBefore);
    await host.apply({ ...base, interfaces: [base.interfaces[0]!] });
    expect(await routingRules()).toContain("wg0");
    expect(await routingRules()).not.toContain("wg1");
    await tearDown(host, base.ownKeys);
    expect(await routingRules()).toBe(rulesBefore);
    expect(await network.host.exec("nft", ["list", "tables"])).not.toContain("krug");
  });
});

const ECHO = `
  const [address, port] = process.argv.slice(1);
  const socket = require("dgram").createSocket(address.includes(":") ? "udp6" : "udp4");
  socket.on("message", (text, from) => socket.send(text, from.port, from.address)).bind(Number(port), address, () =>
    require("net").createServer((line) => line.pipe(line)).listen(Number(port), address, () => console.log("listening")));`;

const ASK_BY_UDP = `
  const [address, port] = process.argv.slice(1);
  const socket = require("dgram").createSocket(address.includes(":") ? "udp6" : "udp4");
  socket.on("message", () => process.exit(0)).send("x", Number(port), address);
  setTimeout(() => process.exit(1), 700);`;

const ASK_BY_TCP = `
  const [address, port] = process.argv.slice(1);
  const line = require("net").createConnection(Number(port), address, () => line.write("x"));
  line.on("data", () => process.exit(0)).on("error", () => process.exit(1));
  setTimeout(() => process.exit(1), 700);`;
