import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type DesiredRouting, NO_ACCESS_RULES } from "../apps/server/src/hosts/host.ts";
import { desiredHost, newDevice, newInterface, withPeers } from "./club-wire.ts";
import { type DrivenHost, driveHost } from "./driven-host.ts";
import { lookUp } from "./look-up.ts";
import * as lab from "./network.ts";

/* Names on interfaces that the server routes (ADR 166). */
const RESOLVER = "203.0.113.53";
const RESOLVER_V6 = "2001:db8:113::53";
/** Nobody has these. */
const FOREIGN = "203.0.113.99";
const FOREIGN_V6 = "2001:db8:113::99";
const TARGET = lab.TARGET_ADDRESS;

describe("names on an interface that the server routes, by packets", () => {
  let network: lab.LabNetwork;
  let host: DrivenHost;
  const tunnel = newInterface("wg0", 51820);
  const anna = newDevice(tunnel, 2);
  const sources = anna.peer.allowedIps.map((each) => each.replace(/\/\d+$/, ""));
  const ofNames = (...addresses: string[]) => ({
    sources,
    networks: addresses.map((each) => `${each}/${each.includes(":") ? 128 : 32}`),
    onlyDns: true as const,
    exit: "direct" as const,
  });
  const rest = { sources, networks: null, exit: "direct" as const };

  const route = (...rules: DesiredRouting["rules"]) =>
    host.applyAccess({ ...NO_ACCESS_RULES, routing: { interfaces: ["wg0"], rules } });
  const reaches = async (place: string) => (await lab.fetchFrom(network.clients[0]!, `http://${place}/`)) !== null;
  const asks = (server: string) => lookUp(network.clients[0]!, server, "site.example");

  beforeAll(async () => {
    network = await lab.makeNetwork();
    const { target } = network;
    await target.exec("ip", ["address", "add", `${RESOLVER}/24`, "dev", "eth0"]);
    await target.exec("ip", ["address", "add", `${RESOLVER_V6}/64`, "dev", "eth0", "nodad"]);
    const records = join(network.folder, "names");
    await writeFile(records, `site.example ${TARGET}\n`);
    [host] = await Promise.all([
      driveHost(network.host),
      lab.startServices(target, { tcp: [80, 53, 853] }),
      lab.startScript(target, "./name-server.ts", [RESOLVER, records]),
      lab.startScript(target, "./name-server.ts", [RESOLVER_V6, records]),
    ]);
    await host.apply(desiredHost(withPeers(tunnel, anna)));
    await lab.tunnelUp(network, network.clients[0]!, anna.file);
    await lab.until("anna reaches the target", () => reaches(TARGET));
  });
  afterAll(() => network?.close());

  test("whatever address is asked on port 53, the device's own resolver answers: UDP, TCP, IPv4, IPv6", async () => {
    expect([await asks(FOREIGN), await reaches(`${FOREIGN}:53`)]).toEqual([[], false]);
    await route(ofNames(RESOLVER, RESOLVER_V6), rest);
    for (const server of [FOREIGN, FOREIGN_V6, RESOLVER, RESOLVER_V6]) expect(await asks(server)).toEqual([TARGET]);
    for (const place of [FOREIGN, `[${FOREIGN_V6}]`, RESOLVER]) expect(await reaches(`${place}:53`)).toBe(true);
  });

  test("of a family without a resolver nothing on port 53 leaves", async () => {
    await route(ofNames(RESOLVER), rest);
    expect([await reaches(`${TARGET}:53`), await reaches(`[${lab.TARGET_ADDRESS_V6}]:53`)]).toEqual([true, false]);
    expect(await reaches(`[${lab.TARGET_ADDRESS_V6}]`)).toBe(true);
  });

  test("DNS over TLS is closed, by no rule to be opened, and everything else is as chosen", async () => {
    await route(ofNames(RESOLVER), rest);
    const open = { everyone: { allowed: [`${TARGET}/32`], denied: [] }, groups: [] };
    await host.applyAccess({ ...open, routing: { interfaces: ["wg0"], rules: [ofNames(RESOLVER), rest] } });
    expect([await reaches(`${TARGET}:853`), await reaches(TARGET)]).toEqual([false, true]);
    await host.applyAccess({ ...NO_ACCESS_RULES, routing: { interfaces: ["wg7"], rules: [] } });
    expect(await reaches(`${TARGET}:853`)).toBe(true);
  });

  test("access rules close a device's resolver, and a redirected question passes them no better", async () => {
    const closed = { everyone: { allowed: [], denied: [`${RESOLVER}/32`] }, groups: [] };
    await host.applyAccess({ ...closed, routing: { interfaces: ["wg0"], rules: [ofNames(RESOLVER), rest] } });
    for (const server of [FOREIGN, RESOLVER]) expect(await asks(server)).toEqual([]);
  });
});
