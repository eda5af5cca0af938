import { readFile } from "node:fs/promises";
import type { ActualInterface } from "@krug/wireguard/interface";
import type { Occupied } from "./host.ts";
import { readLinks } from "./links.ts";
import type { Run } from "./run.ts";

/** What a new interface must keep clear of: names, ports and networks that somebody on this machine has. */
export async function findOccupied(run: Run, tunnels: readonly ActualInterface[]): Promise<Occupied> {
  const links = [...(await readLinks(run)).values()];
  const routes = await Promise.all(
    ["-4", "-6"].map(async (family) => {
      const text = await run("ip", ["-j", family, "route", "show", "table", "all"]).catch(() => "[]");
      return (JSON.parse(text || "[]") as { dst?: string; type?: string }[])
        .filter(({ dst, type }) => dst?.includes("/") && type !== "multicast")
        .map(({ dst }) => dst ?? "");
    }),
  );
  return {
    interfaceNames: links.map(({ name }) => name),
    udpPorts: [...new Set([...(await busyUdpPorts()), ...tunnels.map(({ listenPort }) => listenPort)])].filter(Boolean),
    subnets: [...new Set([...links.flatMap(({ addresses }) => addresses), ...routes.flat()])],
  };
}

/** Ports that a UDP socket of this machine is bound to, the kernel's own included. */
export async function busyUdpPorts(): Promise<Set<number>> {
  const ports = new Set<number>();
  for (const table of ["/proc/net/udp", "/proc/net/udp6"]) {
    for (const line of (await readFile(table, "utf8").catch(() => "")).split("\n").slice(1)) {
      const port = /^\s*\d+:\s+[0-9A-F]+:([0-9A-F]{4})\s/.exec(line)?.[1];
      if (port) ports.add(Number.parseInt(port, 16));
    }
  }
  return ports;
}

/** The address that this machine leaves towards the internet by, IPv4 first; null without a default route. */
export async function defaultRouteAddress(run: Run): Promise<string | null> {
  // Any address of the internet would do: nothing is sent, the kernel only says which way it would go.
  for (const destination of ["1.1.1.1", "2606:4700:4700::1111"]) {
    const text = await run("ip", ["-j", "route", "get", destination]).catch(() => "[]");
    const address = (JSON.parse(text || "[]") as { prefsrc?: string }[])[0]?.prefsrc;
    if (address) return address;
  }
  return null;
}
