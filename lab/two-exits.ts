import type { DesiredInterface } from "@krug/wireguard/interface";
import type { PublicKey } from "@krug/wireguard/key-text";
import { desiredSide, linkName, newLink } from "../apps/server/src/features/vpn/exits/link-interfaces.ts";
import type { LinkRow } from "../apps/server/src/features/vpn/exits/table.ts";
import { type DesiredHost, type DesiredRouting, NO_ACCESS_RULES } from "../apps/server/src/hosts/host.ts";
import type { Sealing } from "../apps/server/src/platform/sealing.ts";
import { type Device, desiredHost, newDevice, newInterface, withPeers } from "./club-wire.ts";
import { type DrivenHost, driveHost } from "./driven-host.ts";
import { addExit, type ExitServer, seenBy } from "./exit-network.ts";
import type { Namespace } from "./namespace.ts";
import * as lab from "./network.ts";

/** Nothing is sealed here. */
const unsealed = { open: (_: string, text: string) => text } as Sealing;

export type Rules = DesiredRouting["rules"];

/** An entry with links to two exits, each driven as the panel drives it, and members' devices at the entry. */
export interface TwoExits {
  network: lab.LabNetwork;
  entry: DrivenHost;
  exits: { server: ExitServer; host: DrivenHost }[];
  links: LinkRow[];
  tunnel: DesiredInterface;
  devices: Device[];
  /** Of a device, IPv4 first. */
  sources(of: Device): string[];
  routing(rules: Rules, path?: number | null): DesiredRouting;
  wished(rules: Rules, more?: { over?: LinkRow[]; path?: number | null }): DesiredHost;
  atExit(link: LinkRow, path?: number | null): DesiredHost;
  /** By whom the target sees a device's request come; null: no answer. */
  by(place: string, of?: Namespace): Promise<string | null>;
  close(): Promise<void>;
}

export async function makeTwoExits({
  clients = 1,
  type = "wireguard",
}: {
  clients?: number;
  type?: LinkRow["type"];
} = {}): Promise<TwoExits> {
  const network = await lab.makeNetwork({ clients });
  const exits: TwoExits["exits"] = [];
  const links: LinkRow[] = [];
  const tunnel = newInterface("wg0", 51820);
  const devices = network.clients.map((_, index) => newDevice(tunnel, 2 + index));
  /** Of all links that there were: the panel remembers them too. */
  const linkKeys = new Set<PublicKey>();
  const side = (link: LinkRow, of: "entry" | "exit", path: number | null = null) => {
    const desired = desiredSide(unsealed, link, of, { path, hasV6: true });
    linkKeys.add(desired.publicKey);
    return desired;
  };
  const routing: TwoExits["routing"] = (rules, path = null) => ({
    interfaces: ["wg0"],
    links: links.map((link) => {
      const { mtu, addresses } = side(link, "entry", path);
      return {
        number: link.number,
        name: linkName(link, "entry"),
        mtu,
        addresses: addresses.map((each) => each.split("/")[0] ?? ""),
      };
    }),
    rules,
  });
  const two: Omit<TwoExits, "entry"> = {
    network,
    exits,
    links,
    tunnel,
    devices,
    sources: ({ peer }) => peer.allowedIps.map((each) => each.replace(/\/\d+$/, "")),
    routing,
    wished: (rules, { over = links, path = null } = {}) => ({
      ...desiredHost(withPeers(tunnel, ...devices), ...over.map((link) => side(link, "entry", path))),
      ownKeys: [tunnel.publicKey, ...linkKeys],
      access: { ...NO_ACCESS_RULES, routing: routing(rules, path) },
    }),
    atExit: (link, path = null) => ({
      ...desiredHost(side(link, "exit", path)),
      ownKeys: [...linkKeys],
      access: { ...NO_ACCESS_RULES, decided: [linkName(link, "exit")] },
    }),
    by: async (place, of = network.clients[0]!) => seenBy(await lab.fetchFrom(of, `http://${place}/`)),
    async close() {
      await network.close();
      await Promise.all(exits.map(({ server }) => server.exit.close()));
    },
  };
  const servers = [await addExit(network, 1), await addExit(network, 2)];
  // The strictest that administrators set.
  for (const of of ["all", "default"])
    for (const at of [network.host, ...servers.map(({ exit }) => exit)])
      await at.exec("sysctl", ["-q", "-w", `net.ipv4.conf.${of}.rp_filter=1`]);
  const entry = await driveHost(network.host);
  await lab.startServices(network.target, { tcp: [80] });
  for (const server of servers) {
    const ends = { entryId: "entry", exitId: server.address, address: server.address, type };
    const link = newLink((_, secret) => secret, Date.now(), ends, { links, entry: null, exit: null });
    if (link === null) throw new Error("no link");
    links.push(link);
    const host = await driveHost(server.exit);
    exits.push({ server, host });
    await applied(host, two.atExit(link));
  }
  await applied(entry, two.wished([{ sources: devices.flatMap(two.sources), networks: null, exit: "direct" }]));
  for (const [index, { file }] of devices.entries()) {
    const client = network.clients[index]!;
    await lab.tunnelUp(network, client, file);
    await lab.until("the target answers", async () => (await two.by(lab.TARGET_ADDRESS, client)) !== null);
  }
  return { ...two, entry };
}

async function applied(host: DrivenHost, desired: DesiredHost): Promise<void> {
  const { conflicts, firewallFailure } = await host.apply(desired);
  if (conflicts.length > 0 || firewallFailure !== null) throw new Error(JSON.stringify({ conflicts, firewallFailure }));
}
