import { type Reason, reason, reasonsTogether } from "@krug/domain/reasons";
import { DesiredStateError } from "@krug/wireguard/plan";
import { withSpared } from "@krug/wireguard/spare";
import { sortOut } from "../conflicts.ts";
import type { Applied, DesiredHost, InterfaceConflict } from "../host.ts";
import { CallGivenUp, type Machine, MachineFailure } from "../machine.ts";
import { holderOfUdpPort, nameServerAddresses } from "../occupied.ts";
import { bringInterface, removeInterface } from "./bring-interface.ts";
import type { Tools } from "./calls.ts";
import { readSettled } from "./read-tunnels.ts";
import type { DriverState } from "./state.ts";

/** Brings the machine to the whole desired state. */
export async function applyHost(state: DriverState, desiredHost: DesiredHost, tools: Tools): Promise<Applied> {
  const { interfaces, ownKeys, closedTcpPorts, openPorts, access, opensForwarding = false, speeds = [] } = desiredHost;
  const { carrier, unreported } = state;
  const { machine } = tools;
  const noFirewall = interfaces.length > 0 ? await whyNoFirewall(state, machine) : null;
  const rules = carrier.beginRules(machine);
  const { links, actual, busyPorts, udpSockets } = await readSettled(state, tools, interfaces);
  const isOneNew = interfaces.some(({ name }) => !actual.some((tunnel) => tunnel.name === name));
  const routes = isOneNew ? await carrier.routes(machine) : [];
  const { wanted, unwanted, conflicts } = sortOut({ interfaces, ownKeys, actual, links, busyPorts, routes });
  await nameHoldersOfPorts(machine, interfaces, conflicts);
  const { attempt, throwBugs } = makeAttempts();
  const attemptOn = async (name: string, work: () => Promise<void>) => {
    const failure = await attempt(work);
    if (failure === null) return;
    state.known.delete(name);
    conflicts.push({ name, reason: "failed", why: failure });
  };

  for (const tunnel of unwanted)
    await attemptOn(tunnel.name, () => removeInterface(state, tools, tunnel, tunnel.publicKey));
  await rules.refuseOthers((name) => {
    const found = actual.find((tunnel) => tunnel.name === name);
    return found === undefined ? null : wanted.some(({ present }) => present === found);
  });
  // Before any tunnel carries a packet: none may pass a machine without rules.
  const firewallFailure = await attempt(async () => {
    if (noFirewall !== null) throw new MachineFailure("refused", noFirewall);
    const nameServers = nameServerAddresses(udpSockets);
    const tunnelled = wanted.map((each) => each.desired);
    await rules.load({ interfaces: tunnelled, closedTcpPorts, openPorts, nameServers, access });
  });
  const isGuarded = firewallFailure === null;
  if (firewallFailure !== null)
    for (const { desired } of wanted) conflicts.push({ name: desired.name, reason: "failed", why: firewallFailure });
  if (wanted.length > 0) {
    const v6 = wanted.some(({ desired }) => desired.addresses.some((each) => each.includes(":")));
    await rules.letThrough({ v6 });
  }
  const spared: Applied["spared"] = [];
  const lostPeers: Applied["lostPeers"] = [];
  for (const { desired, present } of wanted) {
    if (!isGuarded && present === null) continue;
    await attemptOn(desired.name, async () => {
      const sparing = withSpared(desired, present);
      lostPeers.push(...sparing.lost.map((publicKey) => ({ interfaceKey: desired.publicKey, publicKey })));
      await bringInterface(state, tools, {
        desired: sparing.desired,
        present,
        link: links.get(desired.name),
        isGuarded,
      });
      if (desired.known) spared.push({ interfaceKey: desired.publicKey, peers: sparing.spared });
    });
  }
  const exits = wanted.flatMap(({ desired: { isExit, name } }) => (isExit ? [name] : []));
  if (isGuarded && exits.length > 0) {
    const up = exits.filter((name) => !conflicts.some((conflict) => conflict.name === name));
    const failure = await attempt(() => rules.routeExits(up));
    if (failure !== null) conflicts.push(...up.map((name) => ({ name, reason: "failed" as const, why: failure })));
  }
  const openingFailure = await attempt(() =>
    carrier.open(machine, opensForwarding ? wanted.map(({ desired }) => desired) : []),
  );
  let namesFailure: Reason | null = null;
  const resolvingFailure = isGuarded
    ? await attempt(async () => {
        namesFailure = await carrier.resolveNames(machine);
      })
    : null;
  let speedFailure: Reason | null = null;
  const limitingFailure = isGuarded
    ? await attempt(async () => {
        const up = wanted.filter(({ desired }) => !conflicts.some(({ name }) => name === desired.name));
        const tunnels = up.flatMap(({ desired }) => (desired.isExit ? [] : [desired.name]));
        speedFailure = await carrier.limitSpeeds(machine, tunnels, speeds, links);
      })
    : null;
  throwBugs();
  const done = unreported.take();
  const isAsSeen =
    wanted.every(({ present }) => present !== null) && done.addedPeers.length === 0 && done.removedPeers.length === 0;
  return {
    conflicts,
    firewallFailure,
    openingFailure,
    namesFailure: resolvingFailure ?? namesFailure,
    speedFailure: limitingFailure ?? speedFailure,
    spared,
    lostPeers,
    seen: isAsSeen ? actual : null,
    ...done,
  };
}

/** Null if it has one. @throws MachineFailure if the machine cannot run tunnels at all */
async function whyNoFirewall(state: DriverState, machine: Machine): Promise<Reason | null> {
  if (state.isAble) return null;
  const { backend, missing } = await state.carrier.findAbilities(machine);
  state.isAble = backend !== null;
  if (state.isAble) return null;
  const lacks = reasonsTogether(missing.map(({ why }) => why));
  if (missing.some(({ code }) => code !== "no_nftables")) throw new MachineFailure("refused", lacks);
  return lacks;
}

async function nameHoldersOfPorts(
  machine: Machine,
  interfaces: DesiredHost["interfaces"],
  conflicts: InterfaceConflict[],
): Promise<void> {
  for (const conflict of conflicts) {
    const port = interfaces.find(({ name }) => name === conflict.name)?.listenPort;
    if (conflict.reason !== "port_busy" || port === undefined) continue;
    const holder = await holderOfUdpPort(machine, port);
    if (holder !== null) conflict.why = reason("interface.port_busy", { port, holder });
  }
}

/** A bug in one interface must not stop work on the others; it is thrown after them. */
function makeAttempts() {
  const bugs: unknown[] = [];
  return {
    /** Returns why it failed, or null. */
    async attempt(work: () => Promise<void>): Promise<Reason | null> {
      try {
        await work();
        return null;
      } catch (error) {
        const isAway =
          error instanceof CallGivenUp || (error instanceof MachineFailure && error.outcome === "unreachable");
        if (isAway) throw error;
        if (error instanceof MachineFailure) return error.why;
        if (error instanceof DesiredStateError) return reason("interface.wrong_wish", {}, error.message);
        bugs.push(error);
        return reason("interface.failed");
      }
    },
    throwBugs() {
      if (bugs.length > 0) throw bugs[0];
    },
  };
}
