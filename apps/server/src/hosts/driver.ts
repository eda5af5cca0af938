import type { PublicKey } from "@krug/wireguard/key-text";
import { type TunnelProtocol, WIREGUARD } from "@krug/wireguard/protocol";
import { Endpoint, MachineState, Occupied, Passed, PathMtu, RefusedBy } from "./answers.ts";
import type { Carrier } from "./carrier.ts";
import type { Protocols, ProtocolWithProgram } from "./control.ts";
import { applyHost } from "./driver/apply-host.ts";
import { applyPeers } from "./driver/apply-peers.ts";
import { checked, makeCalls } from "./driver/calls.ts";
import { lookAround, readInterfaces, readSome, readTunnels } from "./driver/read-tunnels.ts";
import type { DriverState } from "./driver/state.ts";
import { makeTunnelControls, type Way } from "./driver/tunnel-controls.ts";
import { makeUnreported } from "./driver/unreported.ts";
import { makeEngineCarrier, type OwnNetwork, userspaceNetworking } from "./engine-carrier.ts";
import type { Guard } from "./generation.ts";
import { type Applied, type Host, NO_ACCESS_RULES } from "./host.ts";
import { inspectMachine } from "./inspect.ts";
import { makeKernelCarrier } from "./kernel-carrier.ts";
import type { Machine } from "./machine.ts";

export interface DriverOptions {
  /** Whether an engine's tunnels are controlled through their socket (the default) or by the protocol's program. */
  control?: Way;
  /** Replaces WireGuard's own, for tests. */
  wireguard?: ProtocolWithProgram;
  /** With the engine's path on this machine; omitted if the panel has none. */
  amneziawg?: TunnelProtocol;
  /** The club that owns the tunnels, a UUID; null if unknown. */
  club?: () => Promise<string | null>;
  /** Of a machine that does not guard itself, as the helper over SSH does. */
  guard?: Guard;
}

const APPLY_WITHIN_MS = 100_000;

/** The driver of a machine whose kernel carries the tunnels. */
export function makeHost(
  machine: Machine,
  { control: way = "socket", wireguard = WIREGUARD, amneziawg, guard, club = async () => null }: DriverOptions = {},
): Host {
  const all = [wireguard, ...(amneziawg ? [amneziawg] : [])];
  const protocols = { wireguard, ...(amneziawg && { amneziawg }) };
  return driveBy(machine, { protocols, way, guard }, (change) =>
    makeKernelCarrier(machine, wireguard, all, change, club),
  );
}

/** The same for a machine whose tunnels the panel's engine carries with its own network: needs neither root nor programs. */
export function makeEngineHost(
  machine: Machine,
  { engine, folder, own, guard }: { engine: string; folder: string; own: OwnNetwork; guard?: Guard },
): Host {
  const protocols = userspaceNetworking(engine, folder);
  return driveBy(machine, { protocols, way: "socket", guard }, () =>
    makeEngineCarrier(protocols, own, `${folder}/speeds`),
  );
}

/** Removes everything that the panel made on the machine, and returns the last counters. */
export function tearDown(host: Host, ownKeys: PublicKey[]): Promise<Applied> {
  return host.apply({ interfaces: [], ownKeys, closedTcpPorts: [], openPorts: [], access: NO_ACCESS_RULES });
}

function driveBy(
  machine: Machine,
  { protocols, way, guard }: { protocols: Protocols; way: Way; guard: Guard | undefined },
  carriedBy: (change: (work: (machine: Machine) => Promise<void>) => Promise<void>) => Carrier,
): Host {
  const controls = makeTunnelControls(protocols, way);
  const unreported = makeUnreported();
  const { ask, askInTurn, change, changePeers, changeOnOurOwn } = makeCalls({ machine, controls, guard, unreported });
  const carrier = carriedBy(changeOnOurOwn);
  const state: DriverState = { carrier, controls, guard, known: new Map(), unreported, isAble: false };

  return {
    inspect: (call) =>
      askInTurn(async (tools) => {
        const report = await inspectMachine(tools.machine, carrier, protocols.amneziawg);
        state.isAble = report.backend !== null;
        return report;
      }, call),
    read: (call) => askInTurn(async (tools) => (await readInterfaces(state, tools)).actual, call),
    readSome: (names, call) => ask((tools) => readSome(state, tools, names), call),
    look: (call) => askInTurn((tools) => lookAround(state, tools), call),
    apply: (desired, call) =>
      changePeers((tools) => applyHost(state, desired, tools), { deadlineMs: APPLY_WITHIN_MS, ...call }),
    applyPeers: (peerChange, call) => changePeers((tools) => applyPeers(state, peerChange, tools), call),
    applyAccess: (access, call) => change((tools) => carrier.restrict(tools.machine, access), call),
    applySpeeds: (speeds, call) => change((tools) => carrier.changeSpeeds(tools.machine, speeds), call),
    lackingSpeeds: (speeds, call) => ask((tools) => carrier.lackingSpeeds(tools.machine, speeds), call),
    occupied: (call) =>
      askInTurn(
        checked(Occupied, async (tools) => carrier.findOccupied(tools.machine, await readTunnels(state, tools))),
        call,
      ),
    // Not queued: these change nothing and need not wait for changes.
    reach: (call) => ask(async (tools) => void (await tools.machine.findProgram("sh")), call),
    passing: (call) =>
      ask(
        checked(Passed, (tools) => carrier.passing(tools.machine)),
        call,
      ),
    refusing: (tunnels, call) =>
      ask(
        checked(RefusedBy, (tools) => carrier.refusing(tools.machine, tunnels)),
        call,
      ),
    readMachine: (call) =>
      ask(
        checked(MachineState, (tools) => carrier.readMachine(tools.machine)),
        call,
      ),
    pathMtu: (call) =>
      ask(
        checked(PathMtu, (tools) => carrier.pathMtu(tools.machine)),
        call,
      ),
    echoes: (from, call) => ask((tools) => carrier.echoes(tools.machine, from), call),
    defaultEndpoint: (call) =>
      ask(
        checked(Endpoint, (tools) => carrier.defaultAddress(tools.machine)),
        call,
      ),
  };
}
