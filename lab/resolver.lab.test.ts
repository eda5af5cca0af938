import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type DesiredRouting, NO_ACCESS_RULES } from "../apps/server/src/hosts/host.ts";
import { desiredHost, newDevice, newInterface, withPeers } from "./club-wire.ts";
import { type DrivenHost, driveHost } from "./driven-host.ts";
import { countHttps, lookUp } from "./look-up.ts";
import * as lab from "./network.ts";

/* The machine's own resolver, which puts the addresses of services' names into the firewall (ADR 141). */
const RESOLVER = "203.0.113.53";
/** Nobody has it. */
const FOREIGN = "203.0.113.99";
const SITES = ["203.0.113.20", "203.0.113.21", "203.0.113.22", "203.0.113.23"] as const;
const SITES_V6 = ["2001:db8:113::20", "2001:db8:113::21"] as const;

describe("services' names on an interface that the server routes, by packets", () => {
  let network: lab.LabNetwork;
  let host: DrivenHost;
  let records: string;
  const tunnel = newInterface("wg0", 51820);
  const anna = newDevice(tunnel, 2);
  const sources = anna.peer.allowedIps.map((each) => each.replace(/\/\d+$/, ""));
  const dns = { sources, networks: [`${RESOLVER}/32`], onlyDns: true as const, exit: "direct" as const };
  const service = (key: string, domains: string[], exit: "direct" | "closed" = "direct") => ({
    sources,
    networks: [],
    names: { key, domains },
    exit,
  });
  const rest = (exit: "direct" | "closed") => ({ sources, networks: null, exit });

  const access = (...rules: DesiredRouting["rules"]) => ({
    ...NO_ACCESS_RULES,
    routing: { interfaces: ["wg0"], rules: [dns, ...rules] },
  });
  const route = (...rules: DesiredRouting["rules"]) => host.applyAccess(access(...rules));
  const everything = (...rules: DesiredRouting["rules"]) =>
    host.apply({ ...desiredHost(withPeers(tunnel, anna)), access: access(...rules) });
  const reaches = async (address: string) =>
    (await lab.fetchFrom(network.clients[0]!, `http://${address.includes(":") ? `[${address}]` : address}/`)) !== null;
  const asks = (name: string, server = FOREIGN) => lookUp(network.clients[0]!, server, name);
  const answer = async (...lines: string[]) => {
    await writeFile(records, lines.map((line) => `${line}\n`).join(""));
    await wait(250);
  };
  const table = async () =>
    (await network.host.attempt("nft", ["--stateless", "list", "table", "inet", "krug"])).stdout;
  const nftables = async (text: string) => void (await network.host.exec("nft", ["-f", "-"], { stdin: text }));
  const dnsmasq = async () =>
    (await network.host.attempt("pgrep", ["-x", "dnsmasq"])).stdout.split("\n").filter(Boolean);
  const answers = async (name: string) => lab.until(`${name} is answered`, async () => (await asks(name))[0] ?? null);

  beforeAll(async () => {
    network = await lab.makeNetwork();
    const { target } = network;
    for (const address of [RESOLVER, ...SITES])
      await target.exec("ip", ["address", "add", `${address}/24`, "dev", "eth0"]);
    for (const address of SITES_V6)
      await target.exec("ip", ["address", "add", `${address}/64`, "dev", "eth0", "nodad"]);
    records = join(network.folder, "names");
    await writeFile(records, "");
    [host] = await Promise.all([
      driveHost(network.host),
      lab.startServices(target, { tcp: [80] }),
      lab.startScript(target, "./name-server.ts", [RESOLVER, records]),
    ]);
    await host.apply(desiredHost(withPeers(tunnel, anna)));
    await lab.tunnelUp(network, network.clients[0]!, anna.file);
    await lab.until("anna reaches the target", () => reaches(lab.TARGET_ADDRESS));
  });
  afterAll(() => network?.close());

  test("a name's addresses, and those below it, have their service's exit before the device knows them: IPv4 and IPv6", async () => {
    await answer(
      `site.example ${SITES[0]}`,
      `www.site.example ${SITES[1]}`,
      `www.site.example ${SITES_V6[0]}`,
      `other.example ${SITES[2]}`,
    );
    const applied = await everything(service("video", ["site.example"]), rest("closed"));
    expect(applied.namesFailure).toBeNull();
    expect(await Promise.all([...SITES, ...SITES_V6].map(reaches))).not.toContain(true);
    expect(await asks("www.site.example")).toEqual([SITES[1], SITES_V6[0]]);
    expect(await Promise.all([SITES[1], SITES_V6[0]].map(reaches))).toEqual([true, true]);
    expect(await asks("site.example", RESOLVER)).toEqual([SITES[0]]);
    expect(await asks("other.example")).toEqual([SITES[2]]);
    expect(await Promise.all([SITES[0], SITES[2], SITES_V6[1]].map(reaches))).toEqual([true, false, false]);
  });

  test("the other way round: names of a closed service are closed, the rest is open", async () => {
    await route(service("ads", ["www.site.example"], "closed"), rest("direct"));
    await answers("www.site.example");
    expect(await Promise.all([SITES[0], SITES[1], SITES_V6[0]].map(reaches))).toEqual([true, false, false]);
  });

  test("the resolver has no rights but one, listens only in the tunnel, and gives no address away in other records", async () => {
    await everything(service("video", ["site.example"]), rest("closed"));
    expect(await countHttps(network.host, RESOLVER, "site.example")).toBe(1);
    expect(await countHttps(network.clients[0]!, FOREIGN, "site.example")).toBe(0);
    const [pid = ""] = await dnsmasq();
    const status = await network.host.exec("cat", [`/proc/${pid}/status`]);
    expect(status).toMatch(/^CapEff:\s+0000000000001000$/m);
    expect(status).not.toMatch(/^Uid:\s+0\s/m);
    const sockets = await network.host.exec("ss", ["-Hlnp", "-A", "udp,tcp"]);
    const own = sockets.split("\n").filter((line) => line.includes("dnsmasq"));
    expect(own).toHaveLength(4);
    for (const line of own) expect(line).toMatch(/ (?:10\.8\.0\.1|\[fd[0-9a-f:]*\]):5301 /);
  });

  test("a reload loses nothing that was answered, and a round in which nothing changes finds nothing to load", async () => {
    const video = service("video", ["site.example"]);
    await everything(video, rest("closed"));
    await answers("site.example");
    await everything(video, service("more", ["other.example"]), rest("closed"));
    expect(await reaches(SITES[0])).toBe(true);
    await answers("other.example");
    const before = await network.host.exec("nft", ["-a", "list", "table", "inet", "krug"]);
    const handles = (text: string) => text.match(/chain \w+ \{ # handle \d+/g)?.join();
    await everything(video, service("more", ["other.example"]), rest("closed"));
    expect(handles(await network.host.exec("nft", ["-a", "list", "table", "inet", "krug"]))).toBe(handles(before));
    await nftables("flush ruleset\n");
    await lab.until("the table is back", async () => (await table()).includes("kept_video_v4"));
    await lab.until("and what was answered", async () => reaches(SITES[0]));
  });

  test("an address that the name has no more keeps its service for a day, and its connections their exit", async () => {
    const video = service("video", ["site.example"]);
    await everything(video, rest("closed"));
    await answers("site.example");
    const download = network.clients[0]!.attempt("curl", [
      ...["--silent", "--noproxy", "*", "--max-time", "30", "--limit-rate", "200k", "--write-out", "%{http_code}"],
      ...["--output", "/dev/null", `http://${SITES[0]}/?bytes=2400000`],
    ]);
    let at = 0;
    for (const until = Date.now() + 9_000; Date.now() < until; at++) {
      const site = SITES[at % SITES.length] ?? "";
      await answer(`site.example ${site}`);
      expect(await answers("site.example")).toBe(site);
      expect(await reaches(site)).toBe(true);
      await wait(1_500);
      if (at === 1)
        // As after a day.
        await nftables(["asked", "kept"].map((which) => `flush set inet krug ${which}_video_v4\n`).join(""));
    }
    expect((await download).stdout).toBe("200");
  });

  test("killed, it is back by itself, and until then no name is answered and nothing else opens", async () => {
    await answer(`site.example ${SITES[0]}`);
    await everything(service("video", ["site.example"]), rest("closed"));
    const [pid = ""] = await dnsmasq();
    await network.host.exec("kill", ["-STOP", pid]);
    expect(await asks("site.example")).toEqual([]);
    expect(await reaches(lab.TARGET_ADDRESS)).toBe(false);
    await network.host.exec("kill", ["-KILL", pid]);
    await answers("site.example");
    expect((await dnsmasq())[0]).not.toBe(pid);
  });

  test("whatever was killed, the next round has it answer again", async () => {
    const video = service("video", ["site.example"]);
    await network.host.attempt("pkill", ["-KILL", "-f", "resolver.sh watch"]);
    await network.host.attempt("pkill", ["-KILL", "-x", "dnsmasq"]);
    await everything(video, rest("closed"));
    await answers("site.example");
    expect(await dnsmasq()).toHaveLength(1);
  });

  test("another firewall that refuses questions to the machine is found out, and members ask their own resolver", async () => {
    await everything(service("video", ["site.example"]), rest("closed"));
    await nftables(`add table inet others
add chain inet others incoming { type filter hook input priority 0; policy accept; }
add rule inet others incoming udp dport 5301 drop
`);
    // Counters of this table begin at zero.
    await route(service("video", ["site.example"]), service("more", ["other.example"]), rest("closed"));
    expect(await asks("site.example")).toEqual([]);
    const { namesFailure } = await everything(service("video", ["site.example"]), rest("closed"));
    expect(namesFailure).toContain("names.refused");
    expect(await asks("site.example")).toEqual([SITES[0]]);
  });

  test("without services that have names there is none", async () => {
    await everything(rest("direct"));
    await lab.until("it has ended", async () => (await dnsmasq()).length === 0);
    expect(await asks("site.example")).toEqual([SITES[0]]);
  });
});
