import type { TunnelProtocol } from "@krug/wireguard/protocol";
import { namesOfSockets } from "./control.ts";
import { whyNotForwarding } from "./forwarding.ts";
import type { HostProblem, HostReport } from "./host.ts";
import { type Machine, MachineFailure, orElse, ProgramFailed } from "./machine.ts";
import { readMachineHash } from "./machine-state.ts";

const CAP_NET_ADMIN = 12n;
const PROBE = "krugprobe0";

export type Abilities = Pick<HostReport, "backend" | "missing">;

/** What this machine is and what it lacks, in sentences an operator can act on. */
export async function inspectMachine(machine: Machine, protocol: TunnelProtocol): Promise<HostReport> {
  const abilities = await findAbilities(machine, protocol).catch((error: unknown): Abilities => {
    if (!(error instanceof MachineFailure)) throw error;
    return { backend: null, missing: [{ code: "no_backend", detail: error.message }] };
  });
  return { ...abilities, machine: await readMachineHash(machine).catch(() => null) };
}

/** @throws MachineFailure */
export async function findAbilities(machine: Machine, protocol: TunnelProtocol): Promise<Abilities> {
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
    ...(protocol.program === null
      ? []
      : ([[protocol.program, "no_wireguard_tools", protocol.packages.program]] as const)),
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
      protocol.program === null
        ? `${protocol.engine} or /dev/net/tun is not usable`
        : `the kernel has no WireGuard, and ${protocol.engine} or /dev/net/tun is not usable: ` +
          `apt-get install ${protocol.packages.engine}, or load the module ${protocol.linkType}`;
    return { backend, missing: [{ code: "no_backend", detail }] };
  }
  const tunnels =
    protocol.program === null
      ? await namesOfSockets(machine, protocol)
      : (await machine.run(protocol.program, ["show", "interfaces"])).split(/\s+/).filter(Boolean);
  // A hint, not a need: tunnels also run if nft cannot list others' chains.
  const reasons = await whyNotForwarding(machine, tunnels).catch(orElse([]));
  return { backend, missing: reasons.map((detail) => ({ code: "forwarding_blocked", detail })) };
}

async function findBackend(machine: Machine, protocol: TunnelProtocol): Promise<"kernel" | "userspace" | null> {
  // A kernel's tunnel has no socket: without a program it could not be set.
  if (protocol.program === null) return (await mayMakeTunnels(machine, protocol)) ? "userspace" : null;
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
