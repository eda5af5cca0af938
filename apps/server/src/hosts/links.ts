import { spawn } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";
import { canonicalAddress } from "@krug/wireguard/addresses";
import type { DesiredInterface } from "@krug/wireguard/interface";
import { CLEAN_ENVIRONMENT, ProgramFailed, type Run } from "./run.ts";
import { NobodyAnswers, readByUapi } from "./uapi.ts";

/** A network interface as `ip address` tells it; `addresses` with prefix, link-local ones left out. */
export interface Link {
  name: string;
  mtu: number;
  isUp: boolean;
  addresses: string[];
}

interface IpLink {
  ifname: string;
  mtu?: number;
  flags?: string[];
  addr_info?: { local?: string; prefixlen?: number; scope?: string }[];
}

/** What both implementations give a tunnel when nobody says otherwise: 1500 less 80 bytes of WireGuard over IPv6. */
const DEFAULT_MTU = 1420;

/** What the kernel takes and what is safe in a file name, an argument and the text of a firewall. */
export function isInterfaceName(name: string): boolean {
  return /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,14}$/.test(name);
}

/** By name. */
export async function readLinks(run: Run): Promise<Map<string, Link>> {
  const links = JSON.parse(await run("ip", ["-j", "address", "show"])) as IpLink[];
  return new Map(links.map((link) => [link.ifname, linkOf(link)]));
}

function linkOf({ ifname, mtu = 0, flags = [], addr_info = [] }: IpLink): Link {
  const addresses = addr_info.flatMap(({ local, prefixlen, scope }) =>
    local === undefined || scope === "link" ? [] : [`${local}/${prefixlen}`],
  );
  return { name: ifname, mtu, isUp: flags.includes("UP"), addresses };
}

/** Brings address, MTU and up-ness to what is wanted and touches nothing that is right already. */
export async function bringLinkTo(run: Run, desired: DesiredInterface, link: Link | undefined): Promise<void> {
  const { name } = desired;
  const mtu = desired.mtu ?? DEFAULT_MTU;
  if (link?.mtu !== mtu) await run("ip", ["link", "set", "dev", name, "mtu", String(mtu)]);
  if (!link?.isUp) await run("ip", ["link", "set", "dev", name, "up"]);
  const addresses = desired.addresses.map(canonical);
  for (const address of addresses) {
    if (!link?.addresses.includes(address)) await run("ip", ["address", "replace", address, "dev", name]);
  }
  for (const address of link?.addresses ?? []) {
    if (!addresses.includes(address)) await run("ip", ["address", "del", address, "dev", name]);
  }
}

/** As `ip` prints it, so that another spelling of the same address is not taken for another address. */
function canonical(addressWithPrefix: string): string {
  const [address = "", prefix] = addressWithPrefix.split("/");
  return `${canonicalAddress(address) ?? address}/${prefix}`;
}

export async function createLink(run: Run, backend: "kernel" | "userspace", name: string): Promise<void> {
  if (backend === "kernel") await run("ip", ["link", "add", "dev", name, "type", "wireguard"]);
  else await startWireguardGo(name);
}

export async function deleteLink(run: Run, name: string): Promise<void> {
  await run("ip", ["link", "delete", "dev", name]);
  await isSilentSoon(name);
}

/** wireguard-go ends when its interface goes; its socket is there until then, and no other can be made of that name. */
async function isSilentSoon(name: string): Promise<boolean> {
  for (const deadline = Date.now() + 3_000; Date.now() < deadline; await wait(5)) {
    if (!(await isAnswering(name))) return true;
  }
  return false;
}

/**
 * In a session of its own and tied to us by nothing, so that neither Ctrl-C nor our end, however sudden, ends the tunnel.
 * In the foreground all the same: forking itself away would leave a child that nobody collects where we are process 1.
 */
async function startWireguardGo(name: string): Promise<void> {
  // Someone else's, e.g. of another network namespace that shares our /run: answering there is not ours to configure.
  if (!(await isSilentSoon(name)))
    throw new ProgramFailed("wireguard-go", "failed", null, `${name} already answers elsewhere`);
  const child = spawn("wireguard-go", ["--foreground", name], {
    detached: true,
    stdio: "ignore",
    cwd: "/",
    env: { ...CLEAN_ENVIRONMENT, LOG_LEVEL: "error" },
  });
  let failure: ProgramFailed | null = null;
  child.on("error", () => {
    failure = new ProgramFailed("wireguard-go", "not_found", null, "");
  });
  child.on("exit", (code) => {
    failure ??= new ProgramFailed(
      "wireguard-go",
      "failed",
      code,
      `could not make ${name}: name, socket or /dev/net/tun`,
    );
  });
  child.unref();
  for (const deadline = Date.now() + 5_000; Date.now() < deadline; await wait(5)) {
    if (failure) throw failure;
    if (await isAnswering(name)) return;
  }
  child.kill("SIGTERM");
  throw new ProgramFailed("wireguard-go", "timeout", null, `${name} does not answer`);
}

async function isAnswering(name: string): Promise<boolean> {
  try {
    await readByUapi(name, []);
    return true;
  } catch (error) {
    if (error instanceof NobodyAnswers) return false;
    throw error;
  }
}
