import { setTimeout as wait } from "node:timers/promises";
import { reason } from "@krug/domain/reasons";
import { canonicalAddress } from "@krug/wireguard/addresses";
import type { DesiredInterface } from "@krug/wireguard/interface";
import { DEFAULT_MTU } from "@krug/wireguard/path-mtu";
import type { Engine, TunnelProtocol } from "@krug/wireguard/protocol";
import { z } from "zod";
import { IpAddress, MOST_NAME } from "./answers.ts";
import { type Machine, MachineFailure, NobodyAnswers, ProgramFailed, runForJson } from "./machine.ts";
import { readByUapi } from "./uapi.ts";

/** A network interface as `ip address` shows it; `addresses` have a prefix and exclude link-local ones. */
export interface Link {
  name: string;
  /** The kernel gives each link a new number, until it restarts. */
  index: number | null;
  mtu: number;
  isUp: boolean;
  addresses: string[];
}

const IpLink = z.object({
  ifname: z.string().max(MOST_NAME),
  ifindex: z.int().optional(),
  mtu: z.int().nonnegative().optional(),
  flags: z.array(z.string()).optional(),
  addr_info: z
    .array(
      z.object({
        local: IpAddress.optional(),
        prefixlen: z.int().min(0).max(128).optional(),
        scope: z.string().optional(),
      }),
    )
    .optional(),
});

/** What the kernel accepts and is safe in a file name, an argument and a firewall's text. */
export function isInterfaceName(name: string): boolean {
  return /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,14}$/.test(name);
}

/** By name. */
export async function readLinks(machine: Machine): Promise<Map<string, Link>> {
  const links = await runForJson(machine, "ip", ["-j", "address", "show"], z.array(IpLink));
  return new Map(links.map((link) => [link.ifname, linkOf(link)]));
}

const LinksOfType = z.array(IpLink.pick({ ifname: true, flags: true }).partial());

/** Links of other types are listed as empty objects until the kernel has loaded this one, and not at all afterwards. */
export async function readLinksOfType(machine: Machine, type: string): Promise<Pick<Link, "name" | "isUp">[]> {
  const found = await runForJson(machine, "ip", ["-j", "link", "show", "type", type], LinksOfType);
  return found.flatMap(({ ifname, flags = [] }) =>
    ifname === undefined ? [] : [{ name: ifname, isUp: flags.includes("UP") }],
  );
}

function linkOf({ ifname, ifindex, mtu = 0, flags = [], addr_info = [] }: z.output<typeof IpLink>): Link {
  const addresses = addr_info.flatMap(({ local, prefixlen, scope }) =>
    local === undefined || prefixlen === undefined || scope === "link" ? [] : [`${local}/${prefixlen}`],
  );
  return { name: ifname, index: ifindex ?? null, mtu, isUp: flags.includes("UP"), addresses };
}

/** Sets addresses, MTU and link state as wanted; anything already right is not touched. */
export async function bringLinkTo(
  machine: Machine,
  protocol: TunnelProtocol,
  desired: DesiredInterface,
  link: Link | undefined,
): Promise<void> {
  const { name } = desired;
  const mtu = mtuOf(protocol, desired);
  if (link?.mtu !== mtu) await machine.run("ip", ["link", "set", "dev", name, "mtu", String(mtu)]);
  if (!link?.isUp) await machine.run("ip", ["link", "set", "dev", name, "up"]);
  const addresses = desired.addresses.map(canonical);
  for (const address of addresses) {
    if (!link?.addresses.includes(address)) await machine.run("ip", ["address", "replace", address, "dev", name]);
  }
  for (const address of link?.addresses ?? []) {
    if (!addresses.includes(address)) await machine.run("ip", ["address", "del", address, "dev", name]);
  }
}

export const mtuOf = ({ mtuFor }: TunnelProtocol, { mtu, parameters }: DesiredInterface): number =>
  mtu ?? mtuFor?.(parameters ?? {}) ?? DEFAULT_MTU;

/** As `ip` prints it, so that another spelling does not look like another address. */
function canonical(addressWithPrefix: string): string {
  const [address = "", prefix] = addressWithPrefix.split("/");
  return `${canonicalAddress(address) ?? address}/${prefix}`;
}

export async function createLink(
  machine: Machine,
  protocol: TunnelProtocol,
  backend: "kernel" | "userspace",
  name: string,
): Promise<void> {
  if (backend === "kernel") await machine.run("ip", ["link", "add", "dev", name, "type", protocol.linkType]);
  else await startEngine(machine, protocol, name);
}

export async function deleteLink(machine: Machine, protocol: TunnelProtocol, name: string): Promise<void> {
  await machine.run("ip", ["link", "delete", "dev", name]);
  await isSilentSoon(machine, protocol, name);
}

/** An engine ends when its interface goes. Until then its socket exists, and its name is taken. */
export async function isSilentSoon(machine: Machine, protocol: TunnelProtocol, name: string): Promise<boolean> {
  for (const deadline = Date.now() + 3_000; Date.now() < deadline; await wait(5)) {
    if (!(await isAnswering(machine, protocol, name))) return true;
  }
  return false;
}

/**
 * The first one that the machine has; null if it has none. @throws MachineFailure if one is intended for it but cannot be
 * installed
 */
export async function findEngine(machine: Machine, { engines }: TunnelProtocol): Promise<Engine | null> {
  let lack: MachineFailure | null = null;
  for (const engine of engines) {
    const found = await machine.findProgram(engine.program).catch((error: unknown) => {
      if (!(error instanceof MachineFailure) || error.outcome !== "refused") throw error;
      lack ??= error;
      return null;
    });
    if (found !== null) return engine;
  }
  if (lack !== null) throw lack;
  return null;
}

/** In the foreground: a forked child would never be reaped if the panel is process 1. */
export async function startEngine(machine: Machine, protocol: TunnelProtocol, name: string): Promise<void> {
  const engine = await findEngine(machine, protocol);
  if (engine === null) throw new MachineFailure("refused", reason("engine.none", { name }));
  const { program } = engine;
  // Somebody else's, for example in another network namespace that shares our /run: not ours to configure.
  if (!(await isSilentSoon(machine, protocol, name)))
    throw new ProgramFailed(program, "not_started", null, `${name} already answers elsewhere`);
  const started = await machine.start(program, [...engine.args, name], { environment: { LOG_LEVEL: "error" } });
  for (const deadline = Date.now() + 5_000; Date.now() < deadline; await wait(5)) {
    const failure = started.failure();
    if (failure?.reason === "failed")
      throw new ProgramFailed(
        program,
        "failed",
        failure.exitCode,
        `could not make ${name}: its name, control socket or /dev/net/tun`,
      );
    if (failure) throw failure;
    if (await isAnswering(machine, protocol, name)) return;
  }
  started.stop();
  throw new ProgramFailed(program, "timeout", null, `${name} does not answer`);
}

async function isAnswering(machine: Machine, protocol: TunnelProtocol, name: string): Promise<boolean> {
  try {
    await readByUapi(machine, protocol, name, []);
    return true;
  } catch (error) {
    if (error instanceof NobodyAnswers) return false;
    throw error;
  }
}
