import { formatAddress, formatCidr, parseCidr } from "@krug/wireguard/addresses";
import type { ActualInterface } from "@krug/wireguard/interface";
import { z } from "zod";
import { IpAddress, MOST_NAME } from "./answers.ts";
import type { Occupied } from "./host.ts";
import { readLinks, readLinksOfType } from "./links.ts";
import { type Machine, orElse, runForJson } from "./machine.ts";

const DNS_PORT = 53;

/**
 * What a new interface must avoid: names, ports and networks already used on this machine. `undriven`: types of links that the
 * kernel may have and the panel does not control.
 */
export async function findOccupied(
  machine: Machine,
  tunnels: readonly ActualInterface[],
  undriven: readonly string[],
): Promise<Occupied> {
  /** A kernel without the type has none. */
  const readUndriven = (type: string) => readLinksOfType(machine, type).catch(orElse([]));
  const [byName, udp, inKernel, routes] = await Promise.all([
    readLinks(machine),
    readUdpSockets(machine),
    Promise.all(undriven.map(readUndriven)),
    readRoutes(machine),
  ]);
  const links = [...byName.values()];
  return {
    interfaceNames: links.map(({ name }) => name),
    udpPorts: [...new Set([...busyUdpPorts(udp), ...tunnels.map(({ listenPort }) => listenPort)])].filter(Boolean),
    subnets: [...new Set([...links.flatMap(({ addresses }) => addresses), ...routes.map(({ network }) => network)])],
    kernelTunnels: inKernel.flat().map(({ name }) => ({ name, subnets: byName.get(name)?.addresses ?? [] })),
  };
}

/** Several devices if packets are balanced between them; none if they are refused, such as addresses banned by fail2ban. */
export interface Route {
  network: string;
  devices: string[];
}

/** Both families and all tables; without the default route and the machine's own addresses. */
export async function readRoutes(machine: Machine): Promise<Route[]> {
  const ofFamily = async (family: string) => {
    const args = ["-j", family, "route", "show", "table", "all"];
    const routes = await runForJson(machine, "ip", args, z.array(ReadRoute)).catch(orElse([]));
    return routes.flatMap(({ dst, type = "unicast", dev, nexthops = [] }) => {
      const cidr = OWN_ROUTES.has(type) ? null : parseCidr(dst ?? "");
      if (cidr === null || cidr.prefix < WIDEST_NETWORK) return [];
      return [
        {
          network: formatCidr(cidr),
          devices: (dev === undefined ? nexthops : [{ dev }]).flatMap(({ dev: by }) => by ?? []),
        },
      ];
    });
  };
  return (await Promise.all(["-4", "-6"].map(ofFamily))).flat();
}
const Device = z.string().max(MOST_NAME);
const ReadRoute = z.object({
  /** Or 'default'. */
  dst: z.string().optional(),
  type: z.string().optional(),
  dev: Device.optional(),
  nexthops: z.array(z.object({ dev: Device.optional() })).optional(),
});
const OWN_ROUTES = new Set(["local", "broadcast", "anycast", "multicast"]);
/** Wider ones are parts of the default route, such as the halves of the internet with which VPN programs replace it. */
const WIDEST_NETWORK = 7;

/** Where this machine's UDP sockets are bound, including the kernel's own: addresses as in /proc/net. */
export async function readUdpSockets(machine: Machine): Promise<{ addressHex: string; port: number }[]> {
  const tables = await Promise.all(["/proc/net/udp", "/proc/net/udp6"].map((table) => machine.readFile(table)));
  return tables.flatMap((table) =>
    (table ?? "").split("\n").flatMap((line) => {
      const [, addressHex, port] = /^\s*\d+:\s+([0-9A-F]{8}|[0-9A-F]{32}):([0-9A-F]{4})\s/.exec(line) ?? [];
      return addressHex && port ? [{ addressHex, port: Number.parseInt(port, 16) }] : [];
    }),
  );
}

type UdpSockets = Awaited<ReturnType<typeof readUdpSockets>>;

export function busyUdpPorts(sockets: UdpSockets): Set<number> {
  return new Set(sockets.map(({ port }) => port));
}

/** The program that uses a UDP port, for the operator; null if the kernel uses it, as for its own tunnels. */
export async function holderOfUdpPort(machine: Machine, port: number): Promise<string | null> {
  const text = await machine.run("ss", ["-H", "-ulnp", `sport = :${port}`]).catch(orElse(""));
  const [, program, pid] = /users:\(\("([^"]+)",pid=(\d+)/.exec(text) ?? [];
  return program === undefined ? null : `${program} (process ${pid})`;
}

/**
 * Addresses at which a program on this machine answers DNS, without loopback: bare; 0.0.0.0 and :: mean all of a family. An IPv6
 * socket for all addresses also answers IPv4.
 */
export function nameServerAddresses(sockets: UdpSockets): string[] {
  const found = new Set<string>();
  for (const { addressHex, port } of sockets) {
    if (port !== DNS_PORT) continue;
    const address = addressFromHex(addressHex);
    if (address.startsWith("127.") || address === "::1") continue;
    found.add(address);
    if (address === "::") found.add("0.0.0.0");
  }
  return [...found].sort();
}

/** As in /proc/net: 32-bit words in the machine's byte order, which is little-endian wherever Node runs. */
function addressFromHex(hex: string): string {
  const bytes = (hex.match(/.{8}/g) ?? []).flatMap((word) => (word.match(/../g) ?? []).reverse());
  if (bytes.length === 4) return bytes.map((byte) => Number.parseInt(byte, 16)).join(".");
  return formatAddress(6, BigInt(`0x${bytes.join("")}`));
}

const Sources = z.array(z.object({ prefsrc: IpAddress.optional() }));

/** This machine's own address on its route to the internet, IPv4 first; null without a default route. */
export async function defaultRouteAddress(machine: Machine): Promise<string | null> {
  // Any internet address will do: nothing is sent, the kernel only reports which route a packet would take.
  for (const destination of ["1.1.1.1", "2606:4700:4700::1111"]) {
    const args = ["-j", "route", "get", destination];
    const [route] = await runForJson(machine, "ip", args, Sources).catch(orElse([]));
    if (route?.prefsrc) return route.prefsrc;
  }
  return null;
}
