import type { TunnelProtocol } from "@krug/wireguard/protocol";
import type { Protocols, ProtocolWithProgram } from "./control.ts";
import { whyNotForwarding } from "./forwarding.ts";
import type { AmneziaReport, HostProblem, HostReport } from "./host.ts";
import { type Machine, MachineFailure, orElse, ProgramFailed } from "./machine.ts";
import { readMachineHash } from "./machine-state.ts";

const CAP_NET_ADMIN = 12n;
const PROBE = "krugprobe0";

/** What to do where the panel has no engine of AmneziaWG. `files`: the name of it, or names. */
export const howToGetEngine = (files: string): string =>
  `install Go where the panel is built and build it again, or put ${files} into a folder and name that in AMNEZIAWG_ENGINES`;

/** Of the panel's own machine. */
export const NO_ENGINE = `the panel has no engine of AmneziaWG: ${howToGetEngine("amneziawg-go-amd64 or amneziawg-go-arm64")}`;

export type Abilities = Pick<HostReport, "backend" | "missing">;

/** What this machine is and what it lacks, in sentences an operator can act on. */
export async function inspectMachine(machine: Machine, { wireguard, amneziawg }: Protocols): Promise<HostReport> {
  const abilities = await findAbilities(machine, wireguard).catch((error: unknown): Abilities => {
    if (!(error instanceof MachineFailure)) throw error;
    return { backend: null, missing: [{ code: "no_backend", detail: error.message }] };
  });
  const [hash, forAmnezia] = await Promise.all([
    readMachineHash(machine).catch(() => null),
    amneziaReport(machine, amneziawg).catch((error: unknown) => {
      if (!(error instanceof MachineFailure)) throw error;
      return { lacks: error.message, module: null };
    }),
  ]);
  return { ...abilities, amneziawg: forAmnezia, machine: hash };
}

async function amneziaReport(machine: Machine, protocol: TunnelProtocol | undefined): Promise<AmneziaReport> {
  const lacks = protocol === undefined ? NO_ENGINE : await whyNoEngine(machine, protocol);
  // The file belongs to the module that runs; one on the disk may be another.
  const module = (await machine.readFile("/sys/module/amneziawg/version").catch(orElse(null)))?.trim() || null;
  return { lacks, module };
}

/** Why a machine cannot run tunnels of a protocol that has an engine alone; null where it can. @throws MachineFailure */
export async function whyNoEngine(machine: Machine, protocol: TunnelProtocol): Promise<string | null> {
  return (await mayMakeTunnels(machine, protocol)) ? null : `${protocol.engine} or /dev/net/tun is not usable`;
}

/** @throws MachineFailure */
export async function findAbilities(machine: Machine, protocol: ProtocolWithProgram): Promise<Abilities> {
  if ((await machine.readFile("/proc/sys/kernel/ostype"))?.trim() !== "Linux") {
    const system = (await machine.run("uname", ["-s"]).catch(orElse(""))).trim();
    const detail = `WireGuard is driven on Linux only, this is ${system || "another system"}`;
    return { backend: null, missing: [{ code: "not_linux", detail }] };
  }
  const missing: HostProblem[] = [];
  if (!(await mayAdministerNetwork(machine))) {
    missing.push({
      code: "not_root",
      detail: "the panel needs root, or the capability CAP_NET_ADMIN, to make tunnels",
    });
  }
  for (const [program, code, debianPackage] of [
    [protocol.program, "no_wireguard_tools", protocol.packages.program],
    ["ip", "no_iproute", "iproute2"],
    ["nft", "no_nftables", "nftables"],
  ] as const) {
    if (!(await machine.findProgram(program)))
      missing.push({ code, detail: `${program} is not installed: apt-get install ${debianPackage}` });
  }
  if (missing.length > 0) return { backend: null, missing };

  const firewall = await machine.run("nft", ["list", "tables"]).catch((error: unknown) => {
    if (error instanceof ProgramFailed) return error;
    throw error;
  });
  if (firewall instanceof ProgramFailed) {
    return {
      backend: null,
      missing: [{ code: "no_nftables", detail: `the kernel has no nftables: ${firewall.stderr}` }],
    };
  }
  const backend = await findBackend(machine, protocol);
  if (backend === null) {
    const detail =
      `the kernel has no WireGuard, and ${protocol.engine} or /dev/net/tun is not usable: ` +
      `apt-get install ${protocol.packages.engine}, or load the module ${protocol.linkType}`;
    return { backend, missing: [{ code: "no_backend", detail }] };
  }
  const tunnels = (await machine.run(protocol.program, ["show", "interfaces"])).split(/\s+/).filter(Boolean);
  // A hint, not a need: tunnels also run if nft cannot list others' chains.
  const reasons = await whyNotForwarding(machine, tunnels).catch(orElse([]));
  return { backend, missing: reasons.map((detail) => ({ code: "forwarding_blocked", detail })) };
}

async function findBackend(machine: Machine, protocol: TunnelProtocol): Promise<"kernel" | "userspace" | null> {
  const isInKernel = await machine.run("ip", ["link", "add", "dev", PROBE, "type", protocol.linkType]).then(
    () => true,
    (error) => {
      if (!(error instanceof ProgramFailed)) throw error;
      // One left behind by a crash proves the same.
      return error.stderr.includes("File exists");
    },
  );
  if (isInKernel) {
    await machine.run("ip", ["link", "delete", "dev", PROBE]).catch(orElse(""));
    return "kernel";
  }
  return (await mayMakeTunnels(machine, protocol)) ? "userspace" : null;
}

const mayMakeTunnels = async (machine: Machine, { engine }: TunnelProtocol) =>
  (await machine.findProgram(engine)) !== null && (await machine.canWrite("/dev/net/tun"));

async function mayAdministerNetwork(machine: Machine): Promise<boolean> {
  const status = (await machine.readFile("/proc/self/status")) ?? "";
  const effective = /^CapEff:\s*([0-9a-f]+)$/m.exec(status)?.[1];
  return effective !== undefined && ((BigInt(`0x${effective}`) >> CAP_NET_ADMIN) & 1n) === 1n;
}
