import { type Reason, reason } from "@krug/domain/reasons";
import type { TunnelProtocol } from "@krug/wireguard/protocol";
import type { Carrier } from "./carrier.ts";
import type { ProtocolWithProgram } from "./control.ts";
import { echoes } from "./echoes.ts";
import { type Exits, forgetExits, prepareExits, routeExits } from "./exit-routes.ts";
import { makeFirewall, readPassing } from "./firewall.ts";
import { readRefusals, readSwitches, respectMarks, turnForwardingOn, whyNotForwarding } from "./forwarding.ts";
import { findKernelAbilities, whyNoTunEngine } from "./inspect.ts";
import { bringLinkTo, createLink, deleteLink, readLinks } from "./links.ts";
import { begun, type Machine, MachineFailure, orElse } from "./machine.ts";
import { readMachine } from "./machine-state.ts";
import { defaultRouteAddress, findOccupied, readRoutes } from "./occupied.ts";
import { measurePath } from "./path-mtu.ts";
import { bringOpeningsTo, findRefusing } from "./refusing.ts";
import { resolversOf } from "./resolver.ts";
import { makeResolverKeeper } from "./resolver-keeper.ts";
import { bringGuardTo, readGuard } from "./routing-guard.ts";
import { lackingSpeeds, makeSpeedLimits, SPEED_DEVICE } from "./speed-limits.ts";
import { watchTable } from "./table-watch.ts";

const NO_EXITS: Exits = { interfaces: [] };
const TRIED_MS = 5_000;

/** Tunnels as kernel links, the kernel's own or an engine's; rules in nftables. */
export function makeKernelCarrier(
  machine: Machine,
  wireguard: ProtocolWithProgram,
  all: readonly TunnelProtocol[],
  /** Does work on the machine when it is its turn and if it may. */
  change: (work: (machine: Machine) => Promise<void>) => Promise<void>,
  /** The tunnels' club; null if unknown. */
  club: () => Promise<string | null>,
): Carrier {
  const firewall = makeFirewall(club);
  const resolvers = makeResolverKeeper();
  const speeds = makeSpeedLimits();
  let limited: readonly string[] | null = null;
  const undriven = all.flatMap(({ program, linkType }) => (program === null ? [linkType] : []));
  let backend: "kernel" | "userspace" = "userspace";

  // Whether others' firewalls have our openings; unknown until the first check.
  let hasOpened: boolean | null = null;

  // If it fails, the next check of the whole machine fails too and says why.
  const tableWatch = watchTable(machine, () => change(firewall.restore).catch(() => undefined));

  let isTried = false;
  const resolveNames = async (machine: Machine): Promise<Reason | null> => {
    const wanted = firewall.resolvers();
    const before = await resolvers.look(machine, wanted);
    // Its sets first: a resolver would answer without them.
    await firewall.bringResolversTo(machine, before.slots);
    const after = await resolvers.bring(machine, wanted, before);
    await firewall.bringResolversTo(machine, after.slots);
    if (!isTried && after.slots !== null && after.slots.size > 0) {
      isTried = true;
      // Whether questions arrive shows once members ask; the next round would be late.
      setTimeout(
        () => void change(async (later) => void (await resolveNames(later))).catch(() => undefined),
        TRIED_MS,
      ).unref();
    }
    return after.failure;
  };

  return {
    async findAbilities(machine) {
      const abilities = await findKernelAbilities(machine, wireguard);
      if (abilities.backend === "kernel" || abilities.backend === "userspace") backend = abilities.backend;
      return abilities;
    },
    whyNoEngine: whyNoTunEngine,
    readLinks,
    async create(machine, protocol, name) {
      const isByEngine = protocol.program === null;
      const lack = isByEngine ? await whyNoTunEngine(machine, protocol) : null;
      if (lack !== null) throw new MachineFailure("refused", lack);
      await createLink(machine, protocol, isByEngine ? "userspace" : backend, name);
    },
    remove: deleteLink,
    bringLinkTo,
    beginRules(machine) {
      // What the later steps need is requested along with the rest: nothing in between changes it.
      const table = begun(firewall.lookAt(machine));
      const guard = begun(readGuard(machine));
      const switches = begun(readSwitches(machine));
      let exits: Exits = NO_EXITS;
      return {
        async refuseOthers(isOurs) {
          // If it cannot be listed, loading it reports why.
          const listed = await table.catch((error: unknown) => {
            if (!(error instanceof MachineFailure)) throw error;
            return null;
          });
          await firewall.refuseOthers(listed, isOurs);
        },
        async load(wish) {
          exits = wish.interfaces.length === 0 ? NO_EXITS : (wish.access.routing ?? NO_EXITS);
          await prepareExits(machine, exits, await guard);
          const wanted = [...resolversOf(wish.interfaces, wish.access.routing).values()];
          const { slots } = await resolvers.look(machine, wanted);
          await firewall.bringTo(machine, { ...wish, answering: slots }, () => table);
          // After the table: without its mark the guard would block running tunnels.
          const tunnels = wish.interfaces.map(({ name }) => name);
          const isGuardable = tunnels.length > 0 && (await respectMarks(machine, await switches));
          await bringGuardTo(machine, { v4: isGuardable ? tunnels : [], v6: tunnels }, await guard);
          await forgetExits(machine, exits, await guard);
          if (tunnels.length > 0) tableWatch.start();
          else tableWatch.stop();
        },
        async routeExits(names) {
          const links = exits.links?.filter(({ name }) => names.includes(name)) ?? [];
          await routeExits(machine, links, await guard);
        },
        letThrough: async (families) => turnForwardingOn(machine, families, await switches),
      };
    },
    async restrict(machine, access) {
      await firewall.bringAccessTo(machine, access);
      await resolveNames(machine);
    },
    resolveNames,
    async limitSpeeds(machine, tunnels, limits, links) {
      limited = tunnels;
      return speeds.bringTo(machine, { tunnels, limits }, links.has(SPEED_DEVICE));
    },
    async changeSpeeds(machine, limits) {
      if (limited === null) throw new MachineFailure("refused", reason("rules.no_firewall"));
      return speeds.bringTo(machine, { tunnels: limited, limits });
    },
    lackingSpeeds,
    passing: readPassing,
    refusing: findRefusing,
    async open(machine, tunnels) {
      // Checking others' firewalls takes a few programs, and is skipped if nothing was ever opened.
      if (tunnels.length === 0 && hasOpened === false) return;
      await bringOpeningsTo(machine, tunnels);
      hasOpened = tunnels.length > 0;
    },
    async look(machine, tunnels) {
      const [switches, hasFirewall] = await Promise.all([readSwitches(machine), firewall.isThere(machine)]);
      const isOn = (value: string | null) => (value === null ? null : value !== "0");
      return {
        forwarding: { v4: isOn(switches.v4), v6: isOn(switches.v6) },
        notForwarding: await whyNotForwarding(machine).catch(orElse([])),
        // Only a hint: nft may be unable to list others' chains.
        refusals: await readRefusals(machine, tunnels).catch(orElse([])),
        hasFirewall,
      };
    },
    routes: readRoutes,
    findOccupied: (machine, tunnels) => findOccupied(machine, tunnels, undriven),
    readMachine,
    pathMtu: measurePath,
    echoes,
    defaultAddress: defaultRouteAddress,
  };
}
