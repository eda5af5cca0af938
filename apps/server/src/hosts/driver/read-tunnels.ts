import { setTimeout as wait } from "node:timers/promises";
import type { DesiredInterface } from "@krug/wireguard/interface";
import type { TunnelProtocol } from "@krug/wireguard/protocol";
import { incarnation } from "../control.ts";
import type { HostLook } from "../host.ts";
import { lifeOf, readRun } from "../life.ts";
import { orElse } from "../machine.ts";
import { busyUdpPorts, readUdpSockets } from "../occupied.ts";
import type { Tools } from "./calls.ts";
import { remember } from "./known-interfaces.ts";
import type { DriverState } from "./state.ts";

/** How long the kernel may take to remove what a killed program made; a busy machine needs tens of ms. */
const GOES_WITHIN_MS = 1_000;

/** Of every type that the panel controls. */
export async function readTunnels({ controls }: DriverState, { controlOf }: Tools) {
  const found = await Promise.all(
    controls.all.map(async ({ type }) => (await controlOf(type).readAll()).map((tunnel) => ({ ...tunnel, type }))),
  );
  return found.flat();
}

/** These, of every type. */
export async function readSome({ controls }: DriverState, { controlOf }: Tools, names: readonly string[]) {
  const found = await Promise.all(
    names.flatMap((name) => controls.all.map(({ type }) => controlOf(type).read(name).catch(orElse(null)))),
  );
  return found.filter((tunnel) => tunnel !== null);
}

/** Reads everything at once, because a machine may be far away. `likely` are expected there. */
export async function readInterfaces(state: DriverState, tools: Tools, likely: readonly DesiredInterface[] = []) {
  const { machine } = tools;
  const { known, controls, carrier } = state;
  const incarnationOf = async ([name, protocol]: readonly [string, TunnelProtocol]) =>
    [name, await incarnation(machine, protocol, name)] as const;
  // Before the peers: an interface that is recreated in between then counts as unknown.
  const names = new Map([
    ...[...known].map(([name, { protocol }]) => [name, protocol] as const),
    ...likely.flatMap(({ name, type }) => {
      const protocol = controls.find(type);
      return protocol === undefined ? [] : [[name, protocol] as const];
    }),
  ]);
  const [incarnations, links, run, first] = await Promise.all([
    Promise.all([...names].map(incarnationOf)),
    carrier.readLinks(machine),
    readRun(machine),
    readTunnels(state, tools),
  ]);
  const others = first.flatMap(({ name, type }) =>
    links.has(name) && names.get(name)?.type !== type ? [[name, controls.protocolOf(type)] as const] : [],
  );
  const byName = new Map([...incarnations, ...(await Promise.all(others.map(incarnationOf)))]);
  const lifeOn = (name: string) => lifeOf(run, links.get(name), byName.get(name) ?? null);
  const isNew = first.some(
    ({ name, publicKey }) => publicKey !== null && ![null, known.get(name)?.life].includes(lifeOn(name)),
  );
  // Read again after the links: old counters must not be attributed to a new life.
  const tunnels = isNew ? await readTunnels(state, tools) : first;
  // A control socket briefly outlives its interface; without a link the interface is gone, or on another machine.
  const actual = tunnels.flatMap((tunnel) =>
    links.has(tunnel.name) ? [{ ...tunnel, life: lifeOn(tunnel.name) }] : [],
  );
  known.clear();
  for (const tunnel of actual)
    remember(known, tunnel, controls.protocolOf(tunnel.type), byName.get(tunnel.name) ?? null);
  return { links, actual };
}

/** A tunnel whose program has just ended keeps its device and port for a moment: they are not somebody else's. */
export async function readSettled(state: DriverState, tools: Tools, likely: readonly DesiredInterface[]) {
  const before = [...state.known];
  for (const deadline = Date.now() + GOES_WITHIN_MS; ; await wait(10)) {
    const [{ links, actual }, udpSockets] = await Promise.all([
      readInterfaces(state, tools, likely),
      readUdpSockets(tools.machine),
    ]);
    const busyPorts = busyUdpPorts(udpSockets);
    const isGoing = before.some(
      ([name, { listenPort }]) =>
        !actual.some((tunnel) => tunnel.name === name) && (links.has(name) || busyPorts.has(listenPort)),
    );
    if (!isGoing || Date.now() > deadline) return { links, actual, busyPorts, udpSockets };
  }
}

export async function lookAround(state: DriverState, tools: Tools): Promise<HostLook> {
  await state.guard?.refuseIfSuperseded();
  const { links, actual } = await readInterfaces(state, tools);
  const names = actual.map(({ name }) => name);
  return {
    interfaces: actual,
    down: names.filter((name) => links.get(name)?.isUp !== true),
    ...(await state.carrier.look(
      tools.machine,
      names.flatMap((name) => links.get(name) ?? []),
    )),
  };
}
