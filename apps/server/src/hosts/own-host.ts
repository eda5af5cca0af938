import {
  type Applied,
  type Call,
  type DesiredHost,
  type Host,
  HostFailure,
  HostRefused,
  type HostReport,
  HostSuperseded,
  NO_ACCESS_RULES,
  type RemovedPeer,
} from "./host.ts";

/**
 * The panel's own machine with the best available way: kernel links if it has what they need, otherwise engines with their own
 * network. Both use the same keys, ports and addresses, so devices do not notice the difference, and packages or rights added
 * later are used from the next check on. Once the kernel's way is in use it stays while the panel runs: a firewall that is
 * missing for a moment is no reason to end tunnels.
 */
export function makeOwnHost(kernel: Host, engines: Host): Host {
  let chosen: Host | null = null;
  /** Whether the other way may still have tunnels of ours. */
  let mayBeElsewhere = true;
  // Removed from the other way and not reported yet.
  let untold: RemovedPeer[] = [];

  async function inspect(call?: Call): Promise<HostReport> {
    const report = await kernel.inspect(call);
    if (report.backend !== null || chosen === kernel) return choose(kernel, report);
    const byEngines = await engines.inspect(call);
    if (byEngines.backend !== null)
      return choose(engines, { ...byEngines, missing: report.missing, install: report.install });
    return { ...report, missing: [...report.missing, ...byEngines.missing] };
  }

  function choose(host: Host, report: HostReport): HostReport {
    if (host !== chosen) mayBeElsewhere = true;
    chosen = host;
    return report;
  }

  /** Before a panel's first inspection the existing tunnels decide: nothing is tried, and nothing changed. */
  async function current(call?: Call): Promise<Host> {
    if (chosen !== null) return chosen;
    if ((await engines.read(call)).length > 0) return engines;
    return kernel.look(call).then(
      () => kernel,
      (error: unknown) => {
        if (error instanceof HostRefused && !(error instanceof HostSuperseded)) return engines;
        throw error;
      },
    );
  }

  async function apply(desired: DesiredHost, call?: Call): Promise<Applied> {
    if (chosen === null) await inspect(call);
    const isOurs = new Set([...desired.ownKeys, ...desired.interfaces.map(({ publicKey }) => publicKey)]);
    const standsIn = async (host: Host) =>
      (await host.read(call)).some(({ publicKey }) => publicKey !== null && isOurs.has(publicKey));
    if (mayBeElsewhere && chosen === engines) {
      // The kernel's tunnels keep running without a panel or programs: they are maintained as far as possible.
      const standsInKernel = await standsIn(kernel).catch((error: unknown) => {
        if (error instanceof HostFailure) return false;
        throw error;
      });
      if (standsInKernel) chosen = kernel;
    }
    const host = chosen ?? kernel;
    if (mayBeElsewhere && host === kernel && (await standsIn(engines))) {
      const left = await engines.apply(
        { ...desired, ownKeys: [...isOurs], interfaces: [], access: NO_ACCESS_RULES },
        call,
      );
      untold.push(...left.removedPeers);
    }
    const answer = await telling(() => host.apply(desired, call));
    mayBeElsewhere = false;
    return answer;
  }

  /** Adds to the answer or failure what was removed from the other way, so that no counter is lost. */
  async function telling(work: () => Promise<Applied>): Promise<Applied> {
    const moved = untold;
    untold = [];
    try {
      const answer = await work();
      if (moved.length === 0) return answer;
      return { ...answer, seen: null, removedPeers: [...moved, ...answer.removedPeers] };
    } catch (error) {
      if (error instanceof HostFailure) error.done.removedPeers.push(...moved);
      else untold = moved;
      throw error;
    }
  }

  return {
    inspect,
    apply,
    reach: async (call) => (await current(call)).reach(call),
    read: async (call) => (await current(call)).read(call),
    readSome: async (names, call) => (await current(call)).readSome(names, call),
    look: async (call) => (await current(call)).look(call),
    applyPeers: async (change, call) => (await current(call)).applyPeers(change, call),
    applyAccess: async (access, call) => (await current(call)).applyAccess(access, call),
    applySpeeds: async (speeds, call) => (await current(call)).applySpeeds(speeds, call),
    lackingSpeeds: async (speeds, call) => (await current(call)).lackingSpeeds(speeds, call),
    occupied: async (call) => (await current(call)).occupied(call),
    passing: async (call) => (await current(call)).passing(call),
    refusing: async (tunnels, call) => (await current(call)).refusing(tunnels, call),
    readMachine: async (call) => (await current(call)).readMachine(call),
    pathMtu: async (call) => (await current(call)).pathMtu(call),
    echoes: async (from, call) => (await current(call)).echoes(from, call),
    defaultEndpoint: async (call) => (await current(call)).defaultEndpoint(call),
  };
}
