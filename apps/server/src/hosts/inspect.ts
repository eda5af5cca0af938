import { open, readFile } from "node:fs/promises";
import { whyNotForwarding } from "./forwarding.ts";
import type { HostProblem, HostReport } from "./host.ts";
import { readMachineHash } from "./machine.ts";
import { findProgram, ProgramFailed, type Run } from "./run.ts";

const CAP_NET_ADMIN = 12n;
const PROBE = "krugprobe0";

type Abilities = Pick<HostReport, "backend" | "missing">;

/** What this machine is and what it lacks, in sentences an operator can act on. */
export async function inspectMachine(run: Run): Promise<HostReport> {
  const abilities = await findAbilities(run).catch((error: unknown): Abilities => {
    return { backend: null, missing: [{ code: "no_backend", detail: String((error as Error).message ?? error) }] };
  });
  return { ...abilities, machine: await readMachineHash() };
}

async function findAbilities(run: Run): Promise<Abilities> {
  if (process.platform !== "linux") {
    return {
      backend: null,
      missing: [{ code: "not_linux", detail: `WireGuard is driven on Linux only, this is ${process.platform}` }],
    };
  }
  const missing: HostProblem[] = [];
  if (!(await mayAdministerNetwork())) {
    missing.push({
      code: "not_root",
      detail: "the panel needs root, or the capability CAP_NET_ADMIN, to make tunnels",
    });
  }
  for (const [program, code, debianPackage] of [
    ["wg", "no_wireguard_tools", "wireguard-tools"],
    ["ip", "no_iproute", "iproute2"],
    ["nft", "no_nftables", "nftables"],
  ] as const) {
    if (!(await findProgram(program)))
      missing.push({ code, detail: `${program} is not installed: apt-get install ${debianPackage}` });
  }
  if (missing.length > 0) return { backend: null, missing };

  const firewall = await run("nft", ["list", "tables"]).catch((error: ProgramFailed) => error);
  if (firewall instanceof ProgramFailed) {
    return {
      backend: null,
      missing: [{ code: "no_nftables", detail: `the kernel has no nftables: ${firewall.stderr}` }],
    };
  }
  const backend = await findBackend(run);
  if (backend === null) {
    const detail =
      "the kernel has no WireGuard, and wireguard-go or /dev/net/tun is not usable: apt-get install wireguard-go, or load the module wireguard";
    return { backend, missing: [{ code: "no_backend", detail }] };
  }
  const tunnels = (await run("wg", ["show", "interfaces"])).split(/\s+/).filter(Boolean);
  // A hint, not a need: an nft that cannot tell about others' chains is no reason to be without tunnels.
  const reasons = await whyNotForwarding(run, tunnels).catch(() => []);
  return { backend, missing: reasons.map((detail) => ({ code: "forwarding_blocked", detail })) };
}

async function findBackend(run: Run): Promise<"kernel" | "userspace" | null> {
  const isInKernel = await run("ip", ["link", "add", "dev", PROBE, "type", "wireguard"]).then(
    () => true,
    (error) => {
      // One that a crash left behind proves the same.
      return error instanceof ProgramFailed && error.stderr.includes("File exists");
    },
  );
  if (isInKernel) {
    await run("ip", ["link", "delete", "dev", PROBE]).catch(() => undefined);
    return "kernel";
  }
  return (await findProgram("wireguard-go")) !== null && (await opensTun()) ? "userspace" : null;
}

/** Opening says more than looking: a container may show the device and not let it be used. */
async function opensTun(): Promise<boolean> {
  const tun = await open("/dev/net/tun", "r+").catch(() => null);
  await tun?.close();
  return tun !== null;
}

async function mayAdministerNetwork(): Promise<boolean> {
  const effective = /^CapEff:\s*([0-9a-f]+)$/m.exec(await readFile("/proc/self/status", "utf8"))?.[1];
  return effective !== undefined && ((BigInt(`0x${effective}`) >> CAP_NET_ADMIN) & 1n) === 1n;
}
