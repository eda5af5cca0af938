import { parseConfig, writeConfig } from "@krug/wireguard/config-text";
import { mtuForPath } from "@krug/wireguard/path-mtu";
import { afterAll, beforeAll, expect, test } from "vitest";
import { desiredHost, newDevice, newInterface, withPeers } from "./club-wire.ts";
import { type DrivenHost, driveHost } from "./driven-host.ts";
import * as lab from "./network.ts";

/* Paths to the internet as in clouds: narrower than the machine's own link says, or IPv6 only. */
const NARROW = 1_450;
const TARGET_V6 = `http://[${lab.TARGET_ADDRESS_V6}]/`;
const tunnel = newInterface("wg0", 51820);
const anna = newDevice(tunnel, 2);

let network: lab.LabNetwork;
let host: DrivenHost;
let device: lab.Tunnel | null = null;
const client = () => network.clients[0]!;
/** Sends a packet of that many bytes through the tunnel in one piece, and waits for its answer. */
const passes = async (bytes: number, to = lab.TARGET_ADDRESS) =>
  (await client().attempt("ping", ["-n", "-c", "2", "-i", "0.2", "-W", "1", "-M", "do", "-s", `${bytes - 28}`, to]))
    .exitCode === 0;
const connect = async (change: Partial<ReturnType<typeof parseConfig>> = {}) => {
  await device?.down();
  device = await lab.tunnelUp(network, client(), writeConfig({ ...parseConfig(anna.file), ...change }));
};

beforeAll(async () => {
  network = await lab.makeNetwork();
  const { internet } = network;
  // Packets as on a wire, each by itself.
  for (const [at, link] of [
    [network.host, "eth0"],
    [client(), "eth0"],
  ] as const)
    await at.exec("ip", ["link", "set", link, "gso_max_segs", "1"]);
  // Like a cloud's own network: larger packets disappear, and nobody is notified.
  const drops = `"to-host" meta length > ${NARROW} drop`;
  await internet.exec("nft", ["-f", "-"], {
    stdin: `table inet narrow {
      chain from { type filter hook prerouting priority raw; iifname ${drops}; }
      chain to { type filter hook postrouting priority filter; oifname ${drops}; }
    }`,
  });
  [host] = await Promise.all([driveHost(network.host), lab.startServices(network.target, { tcp: [80] })]);
});
afterAll(() => network?.close());

test("a path that is narrower than its link says is measured to the byte", async () => {
  expect(await network.host.exec("cat", ["/sys/class/net/eth0/mtu"])).toBe("1500\n");
  expect(await host.pathMtu()).toBe(NARROW);
});

test("there packets of the usual MTU are lost, and those of the proposed one pass", async () => {
  await host.apply(desiredHost(withPeers(tunnel, anna)));
  await connect({ mtu: 1_420 });
  await lab.until("the device is connected", () => passes(1_000));
  expect(await passes(1_420)).toBe(false);

  const fits = mtuForPath(await host.pathMtu()) ?? 0;
  expect(fits).toBe(1_370);
  await host.apply(desiredHost(withPeers({ ...tunnel, mtu: fits }, anna)));
  await connect({ mtu: fits });
  await lab.until("the device is connected", () => passes(1_000));
  expect(await passes(fits)).toBe(true);
  expect(await lab.fetchFrom(client(), `http://${lab.TARGET_ADDRESS}/?bytes=300000`, 10)).toContain("target sees");
});

test("a machine with only IPv6 knows its address and path, and devices reach it and the internet", async () => {
  const { internet } = network;
  await internet.exec("sysctl", ["-q", "-w", "net.ipv6.conf.all.forwarding=1"]);
  const add = (at: typeof internet, address: string, link: string) =>
    at.exec("ip", ["address", "add", address, "dev", link, "nodad"]);
  await add(internet, `${lab.GATEWAY_V6}/64`, "to-host");
  await add(internet, "2001:db8:51::254/64", "clients");
  await add(client(), "2001:db8:51::11/64", "eth0");
  await add(network.host, `${lab.HOST_ADDRESS_V6}/64`, "eth0");
  await client().exec("ip", ["-6", "route", "add", "default", "via", "2001:db8:51::254"]);
  await network.host.exec("ip", ["-6", "route", "add", "default", "via", lab.GATEWAY_V6]);
  for (const link of ["eth0", "eth1", "eth2"]) await network.host.exec("ip", ["-4", "address", "flush", "dev", link]);

  expect(await host.defaultEndpoint()).toBe(lab.HOST_ADDRESS_V6);
  expect(await host.pathMtu()).toBe(NARROW);
  const fits = mtuForPath(NARROW);
  expect(await host.apply(desiredHost(withPeers({ ...tunnel, mtu: fits }, anna)))).toMatchObject({
    conflicts: [],
    firewallFailure: null,
  });
  const { peer } = parseConfig(anna.file);
  await connect({ mtu: fits, peer: { ...peer, endpoint: { host: lab.HOST_ADDRESS_V6, port: tunnel.listenPort } } });
  const answer = await lab.until("the device reaches the target", () => lab.fetchFrom(client(), TARGET_V6));
  expect(answer).toContain("target sees 2001:db8:113::1");
  const { stdout } = await network.host.attempt("wg", ["show", "wg0", "endpoints"]);
  expect(stdout).toContain("[2001:db8:51::11]:");
  // Packets as large as possible, with IPv6's longer header.
  expect(await lab.fetchFrom(client(), `${TARGET_V6}?bytes=300000`, 10)).toContain("target sees");
});
