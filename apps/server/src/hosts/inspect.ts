import { type Reason, reason } from "@krug/domain/reasons";
import type { TunnelProtocol } from "@krug/wireguard/protocol";
import type { Abilities, Carrier } from "./carrier.ts";
import type { ProtocolWithProgram } from "./control.ts";
import { whyNotForwarding } from "./forwarding.ts";
import type { AmneziaReport, HostProblem, HostReport } from "./host.ts";
import { findEngine } from "./links.ts";
import { type Machine, MachineFailure, orElse, ProgramFailed } from "./machine.ts";
import { readMachineHash } from "./machine-state.ts";

const CAP_NET_ADMIN = 12n;
const PROBE = "krugprobe0";

/** What the kernel's ways need besides root; one line to copy, whatever part of it is missing. */
export const INSTALL = "apt-get install -y wireguard-tools nftables iproute2";
/** For services' names on interfaces that the server routes; everything else works without. */
export const INSTALL_RESOLVER = "apt-get install -y dnsmasq-base";

/** What this machine is and what it lacks, in words an operator can act on. */
export async function inspectMachine(
  machine: Machine,
  carrier: Pick<Carrier, "findAbilities" | "whyNoEngine">,
  amneziawg: TunnelProtocol | undefined,
): Promise<HostReport> {
  const abilities = await carrier.findAbilities(machine).catch((error: unknown): Abilities => {
    if (!(error instanceof MachineFailure)) throw error;
    return { backend: null, missing: [{ code: "no_backend", why: error.why }], install: null };
  });
  const [hash, forAmnezia] = await Promise.all([
    readMachineHash(machine).catch(() => null),
    amneziaReport(machine, carrier, amneziawg).catch((error: unknown) => {
      if (!(error instanceof MachineFailure)) throw error;
      return { lacks: error.why, module: null };
    }),
  ]);
  return { ...abilities, amneziawg: forAmnezia, machine: hash };
}

async function amneziaReport(
  machine: Machine,
  carrier: Pick<Carrier, "whyNoEngine">,
  protocol: TunnelProtocol | undefined,
): Promise<AmneziaReport> {
  const lacks = protocol === undefined ? reason("lack.engine") : await carrier.whyNoEngine(machine, protocol);
  // This file is from the loaded module; the one on disk may differ.
  const module = (await machine.readFile("/sys/module/amneziawg/version").catch(orElse(null)))?.trim() || null;
  return { lacks, module };
}

/** Why a machine cannot make links for an engine; null if it can. @throws MachineFailure */
export async function whyNoTunEngine(machine: Machine, protocol: TunnelProtocol): Promise<Reason | null> {
  return (await mayMakeTunnels(machine, protocol)) ? null : reason("lack.tun");
}

/** Null on Linux. @throws MachineFailure */
export async function notLinux(machine: Machine): Promise<HostProblem | null> {
  if ((await machine.readFile("/proc/sys/kernel/ostype"))?.trim() === "Linux") return null;
  const system = (await machine.run("uname", ["-s"]).catch(orElse(""))).trim();
  return { code: "not_linux", why: reason("lack.not_linux", { system: system || "?" }) };
}

/** @throws MachineFailure */
export async function findKernelAbilities(machine: Machine, protocol: ProtocolWithProgram): Promise<Abilities> {
  const system = await notLinux(machine);
  if (system !== null) return { backend: null, missing: [system], install: null };
  const missing: HostProblem[] = [];
  if (!(await mayAdministerNetwork(machine))) {
    missing.push({ code: "not_root", why: reason("lack.not_root") });
  }
  const programs = [protocol.program, "ip", "nft"];
  const found = await Promise.all(programs.map((program) => machine.findProgram(program)));
  const absent = programs.filter((_, place) => found[place] === null);
  const install = absent.length > 0 ? INSTALL : null;
  if (install !== null) {
    const code = String(absent) === "nft" ? "no_nftables" : "no_programs";
    const why = reason("lack.programs", { programs: absent.join(", "), count: absent.length, install });
    missing.push({ code, why });
  }
  if (missing.length > 0) return { backend: null, missing, install };

  const firewall = await machine.run("nft", ["list", "tables"]).catch((error: unknown) => {
    if (error instanceof ProgramFailed) return error;
    throw error;
  });
  if (firewall instanceof ProgramFailed) {
    return {
      backend: null,
      missing: [{ code: "no_nftables", why: reason("lack.nftables", {}, firewall.stderr) }],
      install,
    };
  }
  const backend = await findBackend(machine, protocol);
  if (backend === null) {
    const why = reason("lack.backend", { module: protocol.linkType });
    return { backend, missing: [{ code: "no_backend", why }], install };
  }
  // Others' firewalls are judged by counters: reading their rules gives no certainty (docs/adr/0099-forwarding-is-counted.md).
  const reasons = await whyNotForwarding(machine).catch(orElse([]));
  return { backend, missing: reasons.map((why) => ({ code: "forwarding_blocked", why })), install };
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

const mayMakeTunnels = async (machine: Machine, protocol: TunnelProtocol) =>
  (await findEngine(machine, protocol)) !== null && (await machine.canWrite("/dev/net/tun"));

async function mayAdministerNetwork(machine: Machine): Promise<boolean> {
  const status = (await machine.readFile("/proc/self/status")) ?? "";
  const effective = /^CapEff:\s*([0-9a-f]+)$/m.exec(status)?.[1];
  return effective !== undefined && ((BigInt(`0x${effective}`) >> CAP_NET_ADMIN) & 1n) === 1n;
}
