import { formatAddress, requireCidr } from "@krug/wireguard/addresses";
import type { DesiredInterface, DesiredPeer } from "@krug/wireguard/interface";
import type { PrivateKey, PublicKey } from "@krug/wireguard/key-text";
import type { Host } from "../../../hosts/host.ts";
import type { Db, Tx } from "../../../platform/database/database.ts";
import type { Names } from "../../../platform/names.ts";
import type { Platform } from "../../../platform/platform.ts";
import { opened } from "../../../platform/sealing.ts";
import type { Groups } from "../../members/groups/index.ts";
import { memberDeleted } from "../../members/members/index.ts";
import { type ServerRow, type Servers, serverDeleted } from "../servers/index.ts";
import { makeSeen } from "./create-interface.ts";
import { makeEndpointAddresses } from "./endpoint-addresses.ts";
import { makeGivenInterfaces } from "./given-interface.ts";
import { newInterface, privateKeyPlace, sealedRow } from "./new-interface.ts";
import { parametersOf, profileOf } from "./profile.ts";
import * as repository from "./repository.ts";
import type { InterfaceRow } from "./table.ts";

export { auditedOf } from "./audited.ts";
export { type ExitCheck, makeInterfaceChanges } from "./change-interface.ts";
export { makeCreateInterface } from "./create-interface.ts";
export { endpointMoved, interfaceChanged, interfaceDeleted, interfaceGivenBack } from "./events.ts";

import { interfaceGivenBack } from "./events.ts";

export type { OnMachine as GivenOnMachine, Yielding } from "./given-interface.ts";
export { sealedInInterfaces } from "./new-interface.ts";
export type { InterfaceParts, InterfaceUse } from "./parts.ts";
export { drawProfile, shownFault, tunnelOf } from "./profile.ts";
export { awaitFirstLooks } from "./repository.ts";
export { capacityOf, hostNumbersOf } from "./subnet-capacity.ts";
export type { InterfaceRow } from "./table.ts";

/** An interface together with its server. */
export interface Place {
  interface: InterfaceRow;
  server: ServerRow;
}

interface Parts extends Platform {
  servers: Servers;
  groups: Pick<Groups, "interfacesOf">;
  names: Names;
}

export type Interfaces = ReturnType<typeof makeInterfaces>;

/** WireGuard interfaces of the servers, and who may use which. */
export function makeInterfaces(parts: Parts) {
  const { db, sealing, clock, events, signals, servers, groups } = parts;

  const known = repository.keepAll(signals);
  let joined: { rows: readonly InterfaceRow[]; all: readonly ServerRow[]; places: Map<string, Place> } | null = null;
  const join = (rows: readonly InterfaceRow[], all: readonly ServerRow[]): ReadonlyMap<string, Place> => {
    if (joined?.rows !== rows || joined.all !== all) joined = { rows, all, places: placesOf(rows, all) };
    return joined.places;
  };
  const seenOf = makeSeen(servers);

  const places = async (over: Db | Tx): Promise<Map<string, Place>> =>
    placesOf(await repository.all(over), await servers.all(over));

  const endpointAddresses = makeEndpointAddresses({
    ...parts,
    async endpoints(over) {
      const found = new Map<string, string[]>();
      for (const [id, place] of await places(over)) {
        const host = endpointOf(place);
        if (host !== null) found.set(host, [...(found.get(host) ?? []), id]);
      }
      return found;
    },
  });

  events.on(memberDeleted, (tx, { memberId }) => repository.assignments.removeAllOf(tx, memberId));
  // A server is deleted without any config on it, so only the rows of its interfaces are left.
  events.on(serverDeleted, async (tx, { serverId }) => {
    for (const { id } of await repository.ofServer(tx, serverId)) {
      await repository.update(parts, tx, id, { deleted_at: clock.now().getTime() });
      await repository.assignments.removeAll(tx, id);
    }
  });

  return {
    all: repository.all,
    find: repository.find,
    ofServer: repository.ofServer,
    everOn: repository.everOn,
    keysEverOn: repository.keysEverOn,
    async giveBack(tx: Tx, serverId: string, publicKey: string): Promise<void> {
      for (const interfaceId of await repository.giveBack(tx, serverId, publicKey))
        await events.record(tx, interfaceGivenBack, { interfaceId });
    },
    keepLinkKeys: repository.keepLinkKeys,
    lock: repository.lock,
    exist: repository.exist,
    assignedTo: repository.assignments.of,
    holders: repository.assignments.holders,
    /** Lets the member make configs on these interfaces; existing configs stay. */
    assign: repository.assignments.insert,
    give: repository.assignments.give,
    /** Gives a member what another may use because of assignments, also to their groups. */
    async copyAssignments(tx: Tx, fromMemberId: string, toMemberId: string): Promise<void> {
      const living = new Set((await repository.all(tx)).map(({ id }) => id));
      const ofGroups = (await groups.interfacesOf(tx, fromMemberId)).filter((id) => living.has(id));
      const own = await repository.assignments.of(tx, fromMemberId);
      await repository.assignments.insert(tx, toMemberId, [...own, ...ofGroups]);
    },
    update: (tx: Tx, id: string, change: Parameters<typeof repository.update>[3]) =>
      repository.update(parts, tx, id, change),
    /** Every interface there ever was with its server, by id: statistics still name deleted ones. */
    async everWere(over: Db | Tx): Promise<Map<string, { name: string; serverId: string; serverName: string }>> {
      const names = new Map((await servers.ever(over)).map(({ id, name }) => [id, name]));
      return new Map(
        (await repository.ever(over)).map(({ id, name, server_id }) => [
          id,
          { name, serverId: server_id, serverName: names.get(server_id) ?? "" },
        ]),
      );
    },
    /** All interfaces with their servers, by interface id; a club has tens of them at most. */
    places,
    names: async (over: Db): Promise<{ id: string; name: string }[]> =>
      [...(await places(over))].map(([id, place]) => ({ id, name: placeName(place) })),
    /** Those of one server. */
    placesOn: async (over: Db | Tx, server: ServerRow): Promise<Map<string, Place>> =>
      placesOf(await repository.ofServer(over, server.id), [server]),
    /** Those of several, by interface id. */
    placesOnAll: async (over: Db | Tx, some: readonly ServerRow[]): Promise<Map<string, Place>> =>
      placesOf(await repository.ofServers(over, [...new Set(some.map(({ id }) => id))]), some),
    /** Whether members on this server have IPv6. */
    hasV6: async (over: Db | Tx, serverId: string): Promise<boolean> =>
      (await repository.ofServer(over, serverId)).some((row) => row.subnet_v6 !== null),
    /** As `places`, from memory: for display, many times a second. */
    async knownPlaces(over: Db): Promise<ReadonlyMap<string, Place>> {
      return join(await known.read(over), await servers.known(over));
    },
    /** As `knownPlaces` would answer at once; undefined if it would query the database. */
    latestPlaces(): ReadonlyMap<string, Place> | undefined {
      const [rows, all] = [known.latest(), servers.latest()];
      return rows && all && join(rows, all);
    },
    /**
     * Interfaces a member may make configs on: those assigned to them or to their groups, those of servers assigned to them, or,
     * without any, those of the main server once its set-up is complete (decisions, section 6).
     */
    async openTo(over: Db | Tx, memberId: string): Promise<Place[]> {
      const ofId = await places(over);
      const all = [...ofId.values()];
      const ofGroups = (await groups.interfacesOf(over, memberId)).filter((id) => ofId.has(id));
      const ownInterfaces = new Set([...(await repository.assignments.of(over, memberId)), ...ofGroups]);
      const ownServers = new Set(await servers.assignedTo(over, memberId));
      const own = all.filter((place) => ownInterfaces.has(place.interface.id) || ownServers.has(place.server.id));
      if (ownInterfaces.size > 0 || ownServers.size > 0) return own;
      return all.filter((place) => place.server.is_main === 1 && place.server.is_setup_complete === 1);
    },
    /**
     * Prepares a server's first interface, clear of what its machine uses; the returned function writes it, unless somebody has
     * made one meanwhile. Null if the machine has no free port or subnet left.
     */
    async draw(server: ServerRow, host: Host): Promise<((tx: Tx) => Promise<InterfaceRow | undefined>) | null> {
      const existing = await repository.ofServer(db, server.id);
      const drawn = newInterface(clock, server.id, existing, await seenOf(server, host));
      if (drawn === null) return null;
      return async (tx) => {
        await servers.lock(tx, server.id);
        if ((await repository.ofServer(tx, server.id)).length > 0) return undefined;
        const row = sealedRow(drawn, await sealing.sealer(tx));
        await repository.insert(parts, tx, row);
        return row;
      };
    },
    /** What services must not include: the networks of the tunnels, and where devices connect. */
    async ownNetworks(over: Db): Promise<string[]> {
      const all = [...(await places(over)).values()];
      const subnets = all.flatMap(({ interface: { subnet, subnet_v6 } }) => [subnet, subnet_v6 ?? []].flat());
      const hosts = [...new Set(all.flatMap((place) => endpointOf(place) ?? []))];
      const behind = await Promise.all(hosts.map((host) => endpointAddresses.of(over, host)));
      return [...new Set([...subnets, ...behind.flat()])];
    },
    /** Those whose server routes. */
    routedIds: async (over: Db | Tx): Promise<string[]> =>
      (await repository.all(over)).filter(({ routing }) => routing === "server").map(({ id }) => id),
    /** The addresses of an endpoint's host; none while a name's are unknown. */
    addressesBehind: endpointAddresses.of,
    timed: [{ name: "names of endpoints", at: "*/10 * * * * *", leaseMs: 60_000, run: endpointAddresses.watch }],
    ...makeGivenInterfaces(parts, places),
    /** What an AmneziaWG interface and its devices share, with its secret; null for plain WireGuard. */
    profileOf: (row: InterfaceRow) => profileOf(sealing, row),
    parametersOf: (row: InterfaceRow) => parametersOf(sealing, row),
    /** The interface as it should be on its machine. The gateway has the subnet's first address. */
    desired: (row: InterfaceRow, peers: DesiredPeer[]): DesiredInterface => ({
      name: row.interface_name,
      type: row.type,
      // A secret that does not open must not keep the server's other interfaces as they are.
      parameters: parametersOf(sealing, row),
      privateKey: opened(sealing, {
        place: privateKeyPlace(row.id),
        text: row.sealed_private_key,
      }) as PrivateKey | null,
      publicKey: row.public_key as PublicKey,
      listenPort: row.listen_port,
      addresses: [row.subnet, row.subnet_v6].flatMap((subnet) => (subnet === null ? [] : [gatewayOf(subnet)])),
      mtu: row.mtu,
      peers,
    }),
  };
}

function placesOf(rows: readonly InterfaceRow[], servers: readonly ServerRow[]): Map<string, Place> {
  const ofId = new Map(servers.map((server) => [server.id, server]));
  const found = new Map<string, Place>();
  for (const row of rows) {
    const server = ofId.get(row.server_id);
    if (server !== undefined) found.set(row.id, { interface: row, server });
  }
  return found;
}

/** With its server: each has an 'Interface 1'. */
export const placeName = (place: Place): string => `${place.server.name}: ${place.interface.name}`;

/** Host name or address that devices connect to; null until the server's address is known. */
export const endpointOf = ({ interface: row, server }: Place) =>
  row.endpoint ?? server.endpoint ?? server.default_endpoint;

function gatewayOf(subnet: string): string {
  const { family, first, prefix } = requireCidr(subnet);
  return `${formatAddress(family, first + 1n)}/${prefix}`;
}
