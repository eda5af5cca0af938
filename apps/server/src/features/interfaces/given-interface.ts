import { cidrsOverlap, covers } from "@krug/wireguard/addresses";
import type { AmneziaProfile } from "@krug/wireguard/amneziawg";
import { sharedDifferences } from "@krug/wireguard/amneziawg-given";
import type { ActualPeer } from "@krug/wireguard/interface";
import type { PrivateKey, PublicKey } from "@krug/wireguard/keys";
import type { TunnelParameters, TunnelType } from "@krug/wireguard/protocol";
import { type Host, HostFailure, type Occupied } from "../../hosts/host.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Db, Tx } from "../../platform/database/database.ts";
import { refuse } from "../../platform/refusal.ts";
import type { Sealing } from "../../platform/sealing.ts";
import type { Signals } from "../../platform/signals.ts";
import { refuseTakenPort, refuseTakenSubnet } from "./change-interface.ts";
import { occupiedOf } from "./create-interface.ts";
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

/** How a given interface stands on a machine. */
export interface Standing {
  /** Its name there; null if it does not run there. */
  runsAs: string | null;
  /** As what it runs there, with parameters, of which one is a secret; null if it does not. */
  tunnel: { type: TunnelType; parameters: TunnelParameters } | null;
  /** Its peers there, with raw counters. */
  peers: readonly ActualPeer[];
  listenPort: number | null;
  /** What it must keep clear of; without itself. */
  beside: Occupied;
}

interface Parts {
  clock: Clock;
  sealing: Sealing;
  signals: Signals;
}

/** Interfaces that are taken over from another program, with their key, subnet and port. */
export function makeGivenInterfaces(
  parts: Parts,
  places: (over: Db | Tx) => Promise<Map<string, { interface: InterfaceRow; server: { name: string } }>>,
) {
  /** The server's interfaces. @throws Refusal where the club has this one, it runs otherwise, or its subnet is something else's */
  const refuseGiven = async (
    over: Db | Tx,
    serverId: string,
    { publicKey, subnet, profile }: GivenInterface,
    { beside, runsAs, tunnel }: Standing,
  ): Promise<readonly InterfaceRow[]> => {
    const here = [...(await places(over)).values()].find((place) => place.interface.public_key === publicKey);
    if (here !== undefined) refuse("interface.already_here", { name: here.interface.name, server: here.server.name });
    if (tunnel !== null && runsOtherwise(profile, tunnel)) refuse("import.runs_otherwise", { name: runsAs });
    // Its key cannot be asked for, and no two tunnels of a machine have one subnet.
    const inKernel = beside.kernelTunnels.find(({ subnets }) => subnets.some((used) => cidrsOverlap(subnet, used)));
    if (inKernel !== undefined) refuse("import.runs_in_kernel", { name: inKernel.name });
    const others = await repository.ofServer(over, serverId);
    refuseTakenSubnet(subnet, others, beside);
    return others;
  };

  return {
    refuseGiven,

    /** Asks the machine whether the interface runs there. @throws Refusal server.unreachable */
    async standingOf(host: Host, given: Pick<GivenInterface, "publicKey" | "subnet">): Promise<Standing> {
      const occupied = await occupiedOf(host);
      const running = await host.read().catch((error: unknown) => {
        if (!(error instanceof HostFailure)) throw error;
        return refuse("server.unreachable", { reason: error.reason });
      });
      const own = running.find(({ publicKey }) => publicKey === given.publicKey);
      if (own === undefined) return { runsAs: null, tunnel: null, peers: [], listenPort: null, beside: occupied };
      return {
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

    /** Writes it, with its server held. @throws Refusal as `refuseGiven`, and where something else has the port */
    async insertGiven(
      tx: Tx,
      serverId: string,
      given: GivenInterface,
      standing: Standing,
      { port, name }: { port: number; name: string | undefined },
    ): Promise<InterfaceRow> {
      const { runsAs, beside } = standing;
      const others = await refuseGiven(tx, serverId, given, standing);
      refuseTakenPort(port, others, beside);
      const { privateKey, publicKey, subnet, mtu, profile } = given;
      const interfaceName = runsAs ?? freeInterfaceName(others, beside);
      const row = rowOf(parts.clock, serverId, others, { interfaceName, publicKey, port, subnet, subnetV6: null, mtu });
      const drawn = { row: { ...row, name: name ?? row.name }, privateKey, profile: profile ?? undefined };
      const sealed = sealedRow(drawn, await parts.sealing.sealer(tx));
      await repository.insert(parts, tx, sealed);
      return sealed;
    },
  };
}

/** Would its devices be cut off by what the file says, or all connections end with its program? */
const runsOtherwise = (
  profile: AmneziaProfile | null,
  { type, parameters }: NonNullable<Standing["tunnel"]>,
): boolean =>
  type !== (profile === null ? "wireguard" : "amneziawg") ||
  sharedDifferences(profile?.parameters ?? {}, parameters).length > 0;
