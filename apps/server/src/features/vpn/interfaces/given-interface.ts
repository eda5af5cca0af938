import { cidrsOverlap, covers, requireCidr } from "@krug/wireguard/addresses";
import type { AmneziaProfile } from "@krug/wireguard/amneziawg";
import { sharedDifferences } from "@krug/wireguard/amneziawg-given";
import { firstFreePort, firstFreeSubnet } from "@krug/wireguard/free-address";
import type { ActualPeer } from "@krug/wireguard/interface";
import type { PrivateKey, PublicKey } from "@krug/wireguard/key-text";
import type { TunnelParameters, TunnelType } from "@krug/wireguard/protocol";
import { type Host, HostFailure, type Occupied } from "../../../hosts/host.ts";
import type { Db, Tx } from "../../../platform/database/database.ts";
import type { Platform } from "../../../platform/platform.ts";
import { refuse, refuseBecause } from "../../../platform/refusal.ts";
import { occupiedOf } from "./ask-machine.ts";
import { refuseTakenPort, refuseTakenSubnet } from "./change-interface.ts";
import { interfaceChanged } from "./events.ts";
import { freeInterfaceName, rowOf, sealedRow } from "./new-interface.ts";
import * as repository from "./repository.ts";
import type { InterfaceRow } from "./table.ts";

/** An interface that another program made. */
export interface GivenInterface {
  privateKey: PrivateKey;
  publicKey: PublicKey;
  /** Canonical, e.g. '10.8.0.0/24'. */
  subnet: string;
  mtu: number | null;
  /** Null for plain WireGuard. */
  profile: AmneziaProfile | null;
}

/** A given interface's state on a machine. */
export interface OnMachine {
  /** Its name there; null if it does not run there. */
  runsAs: string | null;
  /** Its type there, with parameters, one of which is secret; null if it does not run there. */
  tunnel: { type: TunnelType; parameters: TunnelParameters } | null;
  /** Its peers there, with raw counters. */
  peers: readonly ActualPeer[];
  listenPort: number | null;
  /** What it must not collide with, itself excluded. */
  beside: Occupied;
  /** Keys of the machine's interfaces that have any peer. */
  inUse: ReadonlySet<string>;
}

/** An interface that never had a device, and the values it gets instead of those that a given one needs. */
export interface Yielding {
  row: InterfaceRow;
  change: Partial<Pick<InterfaceRow, "subnet" | "listen_port">>;
}

/** Whether this interface never had a config or any peer. */
export type IsUntouched = (over: Db | Tx, id: string) => Promise<boolean>;

interface Parts extends Platform {}

/** Interfaces imported from another program, with their key, subnet and port. */
export function makeGivenInterfaces(
  parts: Parts,
  places: (over: Db | Tx) => Promise<Map<string, { interface: InterfaceRow; server: { name: string } }>>,
) {
  /**
   * The server's other interfaces, and which of them give way: a fresh panel's Interface 1 has the subnet and port that most
   * programs also start with. `port`: the file's.
   * @throws Refusal if the club has this interface, it runs differently, or its subnet is in use
   */
  const refuseGiven = async (
    over: Db | Tx,
    serverId: string,
    { publicKey, subnet, profile }: GivenInterface,
    { beside, runsAs, tunnel, inUse }: OnMachine,
    port: number | null,
    isUntouched: IsUntouched,
  ): Promise<{ others: readonly InterfaceRow[]; beside: Occupied; yielding: Yielding[] }> => {
    const here = [...(await places(over)).values()].find((place) => place.interface.public_key === publicKey);
    if (here !== undefined) refuse("interface.already_here", { name: here.interface.name, server: here.server.name });
    if (tunnel !== null && runsOtherwise(profile, tunnel)) refuse("import.runs_otherwise", { name: runsAs });
    // Its key cannot be read, and two tunnels of a machine never share a subnet.
    const inKernel = beside.kernelTunnels.find(({ subnets }) => subnets.some((used) => cidrsOverlap(subnet, used)));
    if (inKernel !== undefined) refuse("import.runs_in_kernel", { name: inKernel.name });
    const yielding: InterfaceRow[] = [];
    const others: InterfaceRow[] = [];
    for (const row of await repository.ofServer(over, serverId)) {
      const isInTheWay = cidrsOverlap(row.subnet, subnet) || row.listen_port === port;
      const mayMove = row.first_look_due === 0 && !inUse.has(row.public_key);
      (isInTheWay && mayMove && (await isUntouched(over, row.id)) ? yielding : others).push(row);
    }
    const freed = {
      ...beside,
      udpPorts: beside.udpPorts.filter((used) => !yielding.some((row) => row.listen_port === used)),
      subnets: beside.subnets.filter((used) => !yielding.some((row) => covers([row.subnet], used))),
    };
    refuseTakenSubnet(subnet, others, freed);
    return { others, beside: freed, yielding: moved(yielding, others, freed, { subnet, port }) };
  };

  return {
    refuseGiven,

    /** Asks the machine whether the interface runs there. @throws Refusal server.unreachable */
    async stateOnMachine(host: Host, given: Pick<GivenInterface, "publicKey" | "subnet">): Promise<OnMachine> {
      const occupied = await occupiedOf(host);
      const running = await host.read().catch((error: unknown) => {
        if (!(error instanceof HostFailure)) throw error;
        return refuseBecause("server.unreachable", error.why);
      });
      const own = running.find(({ publicKey }) => publicKey === given.publicKey);
      const hasPeers = ({ peers }: (typeof running)[number]) =>
        peers.some(({ allowedIps, lastHandshakeAt }) => allowedIps.length > 0 || lastHandshakeAt !== null);
      const inUse = new Set(running.filter(hasPeers).map((each) => String(each.publicKey)));
      if (own === undefined)
        return { runsAs: null, tunnel: null, peers: [], listenPort: null, beside: occupied, inUse };
      return {
        inUse,
        runsAs: own.name,
        tunnel: { type: own.type, parameters: own.parameters ?? {} },
        peers: own.peers,
        listenPort: own.listenPort,
        beside: {
          ...occupied,
          interfaceNames: occupied.interfaceNames.filter((name) => name !== own.name),
          udpPorts: occupied.udpPorts.filter((port) => port !== own.listenPort),
          subnets: occupied.subnets.filter((subnet) => !covers([given.subnet], subnet)),
        },
      };
    },

    /**
     * Writes it and those that give way to it, with its server locked.
     * @throws Refusal as `refuseGiven`, and if the port is in use
     */
    async insertGiven(
      tx: Tx,
      serverId: string,
      given: GivenInterface,
      onMachine: OnMachine,
      { port, filePort, name }: { port: number; filePort: number | null; name: string | undefined },
      isUntouched: IsUntouched,
    ): Promise<{ row: InterfaceRow; yielding: Yielding[] }> {
      const { runsAs } = onMachine;
      const agreed = port === filePort ? port : null;
      // A device that is just getting its address on one that would give way counts, or waits.
      for (const { id } of await repository.ofServer(tx, serverId)) await repository.lock(tx, id);
      const {
        others: staying,
        beside,
        yielding,
      } = await refuseGiven(tx, serverId, given, onMachine, agreed, isUntouched);
      refuseTakenPort(port, staying, beside);
      const others = [...staying, ...yielding.map((each) => each.row)];
      for (const each of yielding) {
        await repository.update(parts, tx, each.row.id, { ...each.change, conflict: null });
        await parts.events.record(tx, interfaceChanged, { interfaceId: each.row.id, files: false });
      }
      const { privateKey, publicKey, subnet, mtu, profile } = given;
      const interfaceName = runsAs ?? freeInterfaceName(others, beside);
      const row = rowOf(parts.clock, serverId, others, { interfaceName, publicKey, port, subnet, subnetV6: null, mtu });
      const drawn = { row: { ...row, name: name ?? row.name }, privateKey, profile: profile ?? undefined };
      const sealed = sealedRow(drawn, await parts.sealing.sealer(tx));
      await repository.insert(parts, tx, sealed);
      return { row: sealed, yielding };
    },
  };
}

/** Moves each to free values, which must not collide with the given interface's either. @throws Refusal if there are none */
function moved(
  rows: readonly InterfaceRow[],
  others: readonly InterfaceRow[],
  beside: Occupied,
  given: { subnet: string; port: number | null },
): Yielding[] {
  const subnets = [...beside.subnets, ...others.map((row) => row.subnet), given.subnet];
  const ports = [
    ...beside.udpPorts,
    ...others.map((row) => row.listen_port),
    ...(given.port === null ? [] : [given.port]),
  ];
  const keeps = (row: InterfaceRow) => !cidrsOverlap(row.subnet, given.subnet);
  for (const row of rows) if (keeps(row)) subnets.push(row.subnet);
  for (const row of rows) if (row.listen_port !== given.port) ports.push(row.listen_port);
  return rows.map((row) => {
    const change: Yielding["change"] = {};
    if (!keeps(row)) {
      const { prefix } = requireCidr(row.subnet);
      change.subnet =
        firstFreeSubnet(subnets, prefix) ?? refuse("interface.subnet_taken", { field: "subnet", with: row.subnet });
      subnets.push(change.subnet);
    }
    if (row.listen_port === given.port) {
      change.listen_port =
        firstFreePort(ports) ?? refuse("interface.port_taken", { field: "listenPort", port: given.port });
      ports.push(change.listen_port);
    }
    return { row, change };
  });
}

/** Whether the file's values would cut off its devices, or all connections would end with its program. */
const runsOtherwise = (
  profile: AmneziaProfile | null,
  { type, parameters }: NonNullable<OnMachine["tunnel"]>,
): boolean =>
  type !== (profile === null ? "wireguard" : "amneziawg") ||
  sharedDifferences(profile?.parameters ?? {}, parameters).length > 0;
