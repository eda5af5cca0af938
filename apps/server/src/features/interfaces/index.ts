import type { InterfaceAnswer, servers as serversContract } from "@krug/contract/servers";
import { formatAddress, requireCidr } from "@krug/wireguard/addresses";
import type { DesiredInterface, DesiredPeer } from "@krug/wireguard/interface";
import type { PrivateKey, PublicKey } from "@krug/wireguard/keys";
import type { Host } from "../../hosts/host.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Db, Tx } from "../../platform/database/database.ts";
import type { Handlers } from "../../platform/http/call.ts";
import type { Sealing } from "../../platform/sealing.ts";
import type { ServerRow, Servers } from "../servers/index.ts";
import { newInterface, privateKeyPlace } from "./new-interface.ts";
import * as repository from "./repository.ts";
import type { InterfaceRow } from "./table.ts";

export type { InterfaceRow } from "./table.ts";

/** An interface together with its server. */
export interface Place {
  interface: InterfaceRow;
  server: ServerRow;
}

export type Interfaces = ReturnType<typeof makeInterfaces>;

/** WireGuard interfaces of the servers, and who may use which. */
export function makeInterfaces(parts: { db: Db; sealing: Sealing; clock: Clock; servers: Servers }) {
  const { db, sealing, clock, servers } = parts;

  const places = async (over: Db | Tx): Promise<Map<string, Place>> => {
    const ofId = new Map((await servers.all(over)).map((server) => [server.id, server]));
    const found = new Map<string, Place>();
    for (const row of await repository.all(over)) {
      const server = ofId.get(row.server_id);
      if (server !== undefined) found.set(row.id, { interface: row, server });
    }
    return found;
  };

  const routes: Handlers<typeof serversContract> = {
    interfaces: async () => (await repository.all(db)).map(toAnswer),
  };

  return {
    all: repository.all,
    find: repository.find,
    ofServer: repository.ofServer,
    keysEverOn: repository.keysEverOn,
    lock: repository.lock,
    exist: repository.exist,
    assignedTo: repository.assignedTo,
    assign: repository.assign,
    copyAssignments: repository.copyAssignments,
    update: repository.update,
    routes,
    /** All interfaces with their servers, by interface id; a club has tens of them at the most. */
    places,
    /**
     * Interfaces a member may make configs on: those assigned to him, those of servers assigned to him, and, when he has
     * neither, those of the main server once its setup is complete (decisions, section 6).
     */
    async openTo(over: Db | Tx, memberId: string): Promise<Place[]> {
      const all = [...(await places(over)).values()];
      const ownInterfaces = new Set(await repository.assignedTo(over, memberId));
      const ownServers = new Set(await servers.assignedTo(over, memberId));
      const own = all.filter((place) => ownInterfaces.has(place.interface.id) || ownServers.has(place.server.id));
      if (ownInterfaces.size > 0 || ownServers.size > 0) return own;
      return all.filter((place) => place.server.is_main === 1 && place.server.is_setup_complete === 1);
    },
    /** Draws the next interface of a server, clear of what its machine uses; the answer writes it. */
    async draw(server: ServerRow, host: Host): Promise<(tx: Tx) => Promise<InterfaceRow>> {
      const row = newInterface(
        { sealing, clock },
        server.id,
        await repository.ofServer(db, server.id),
        await host.occupied(),
      );
      return async (tx) => {
        await repository.insert(tx, row);
        return row;
      };
    },
    /** The interface as it should stand on its machine. The gateway has the first address of the subnet. */
    desired: (row: InterfaceRow, peers: DesiredPeer[]): DesiredInterface => ({
      name: row.interface_name,
      privateKey: sealing.open(privateKeyPlace(row.id), row.sealed_private_key) as PrivateKey,
      publicKey: row.public_key as PublicKey,
      listenPort: row.listen_port,
      addresses: [row.subnet, row.subnet_v6].flatMap((subnet) => (subnet === null ? [] : [gatewayOf(subnet)])),
      mtu: row.mtu,
      peers,
    }),
  };
}

/** Host name or address that devices connect to; null while nobody has said where the server is. */
export const endpointOf = ({ interface: row, server }: Place) =>
  row.endpoint ?? server.endpoint ?? server.default_endpoint;

function gatewayOf(subnet: string): string {
  const { family, first, prefix } = requireCidr(subnet);
  return `${formatAddress(family, first + 1n)}/${prefix}`;
}

const toAnswer = (row: InterfaceRow): InterfaceAnswer => ({
  id: row.id,
  name: row.name,
  type: row.type,
  serverId: row.server_id,
  server_id: row.server_id,
  interfaceName: row.interface_name,
  interface_name: row.interface_name,
  listenPort: row.listen_port,
  listen_port: row.listen_port,
  subnet: row.subnet,
  endpoint: row.endpoint,
  mtu: row.mtu,
  createdAt: new Date(row.created_at).toISOString(),
  created_at: new Date(row.created_at).toISOString(),
  isActive: row.is_active === 1,
  is_active: row.is_active === 1 ? 1 : 0,
});
