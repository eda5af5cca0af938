import { randomUUID } from "node:crypto";
import { readAddress } from "@krug/wireguard/addresses";
import type { ActualPeer, DesiredPeer } from "@krug/wireguard/interface";
import { asPresharedKey, NO_PRESHARED_KEY, type PublicKey } from "@krug/wireguard/key-text";
import { chunks } from "../../../platform/database/chunks.ts";
import { type Db, lockRows, type Tx } from "../../../platform/database/database.ts";
import { preparedForList } from "../../../platform/database/prepared.ts";
import type { SealedColumn } from "../../../platform/sealed-columns.ts";
import { hostNumbersOf, type InterfaceRow } from "../interfaces/index.ts";
import * as addresses from "./addresses.ts";
import { unreadablePeerOf } from "./keys.ts";
import type { ConfigParts } from "./parts.ts";
import type { ConfigTables, UnknownPeerRow } from "./table.ts";

/*
 * Peers under our interfaces' keys that a restored panel found on the wire at its first reading and that its backup does not
 * know: devices made since. They belong to nobody, and stay until an admin decides
 * (docs/adr/0076-a-restored-panel-is-the-current-one.md).
 */

const tables = (db: Db | Tx) => db.withTables<ConfigTables>();
const place = (id: string) => `unknown_peers.preshared_key:${id}`;

export const sealedInUnknownPeers: SealedColumn = {
  table: "unknown_peers",
  column: "sealed_preshared_key",
  key: ["id"],
  place: ({ id = "" }) => place(id),
};

const on = (db: Db | Tx, interfaceIds: readonly string[]) =>
  tables(db)
    .selectFrom("unknown_peers")
    .selectAll()
    .where("interface_id", "in", [...interfaceIds])
    .orderBy("interface_id")
    .orderBy("address_number");

const allOn = preparedForList(on);

export interface Rival {
  by: "key" | "address";
  name: string;
  memberId: string;
}

export function makeUnknownPeers({ clock, sealing }: Pick<ConfigParts, "clock" | "sealing">) {
  const presharedKeyOf = ({ id, sealed_preshared_key }: UnknownPeerRow) =>
    asPresharedKey(sealing.open(place(id), sealed_preshared_key));

  return {
    /** Those on these interfaces, at most `limit` of them. */
    on: async (db: Db | Tx, interfaceIds: readonly string[], limit?: number): Promise<UnknownPeerRow[]> => {
      if (interfaceIds.length === 0) return [];
      return limit === undefined ? allOn(db, interfaceIds) : on(db, interfaceIds).limit(limit).execute();
    },
    count: async (db: Db | Tx, interfaceIds: readonly string[]): Promise<number> => {
      if (interfaceIds.length === 0) return 0;
      const row = await on(db, interfaceIds)
        .clearSelect()
        .clearOrderBy()
        .select((e) => e.fn.countAll<number>().as("count"))
        .executeTakeFirstOrThrow();
      return Number(row.count);
    },
    /** Locked until the transaction ends. */
    lock: (tx: Tx, ids: readonly string[]): Promise<UnknownPeerRow[]> =>
      tables(tx)
        .selectFrom("unknown_peers")
        .selectAll()
        .where("id", "in", [...ids])
        .orderBy("id")
        .$call(lockRows(tx))
        .execute(),
    /** Every key that the database knows on this interface, including deleted configs'. */
    knownKeys: async (db: Db | Tx, interfaceId: string): Promise<Set<PublicKey>> => {
      const rows = await tables(db)
        .selectFrom("configs")
        .select(["public_key", "peer_key", "leaving_key"])
        .where("interface_id", "=", interfaceId)
        .execute();
      const keys = rows.flatMap(({ public_key, peer_key, leaving_key }) => [public_key, peer_key, leaving_key]);
      return new Set(keys.flatMap((key) => (key === null ? [] : [key as PublicKey])));
    },
    /** The backup's devices that conflict with these, by the peer's id: one with the same key, or else with the same address. */
    async rivals(db: Db | Tx, rows: readonly UnknownPeerRow[]): Promise<Map<string, Rival>> {
      const found = new Map<string, Rival>();
      const living = () =>
        tables(db)
          .selectFrom("configs")
          .select(["id", "name", "member_id", "interface_id", "address", "public_key"])
          .where("deleted_at", "is", null)
          .where("place_of", "is", null);
      for (const some of chunks(rows)) {
        const at = await living()
          .where(
            "address",
            "in",
            some.map(({ address }) => address),
          )
          .execute();
        const keyed = await living()
          .where(
            "public_key",
            "in",
            some.map(({ public_key }) => public_key),
          )
          .execute();
        for (const row of some) {
          const byKey = keyed.find(({ public_key }) => public_key === row.public_key);
          const byAddress = at.find((each) => each.interface_id === row.interface_id && each.address === row.address);
          const rival = byKey ?? byAddress;
          if (rival !== undefined)
            found.set(row.id, { by: byKey ? "key" : "address", name: rival.name, memberId: rival.member_id });
        }
      }
      return found;
    },
    /** Frees a deleted config's address for the unknown peer that has it; the config can then not be restored. */
    async claimAddress(tx: Tx, row: UnknownPeerRow): Promise<void> {
      const other = await addresses.lockAt(tx, row.interface_id, row.address);
      if (other !== undefined && other.deleted_at !== null)
        await addresses.purge(tx, [other.id], clock.now().getTime());
    },
    presharedKeyOf,
    /** @throws if its preshared key cannot be opened; then `unreadablePeerOf` */
    peerOf: (row: UnknownPeerRow): DesiredPeer => ({ ...unreadablePeerOf(row), presharedKey: presharedKeyOf(row) }),
    /** Stores what was found on an interface; no new device gets their addresses. The interface's row is locked. */
    async add(tx: Tx, { id: interfaceId, subnet }: InterfaceRow, peers: readonly ActualPeer[]): Promise<void> {
      if (peers.length === 0) return;
      const seal = await sealing.sealer(tx);
      const rows = peers.map(({ publicKey, presharedKey, allowedIps }): UnknownPeerRow => {
        const id = randomUUID();
        const claimed = allowedIps.map((cidr) => cidr.split("/")[0] ?? "");
        const address = claimed.find((each) => readAddress(each)?.family === 4) ?? "";
        return {
          id,
          interface_id: interfaceId,
          public_key: publicKey,
          sealed_preshared_key: seal(place(id), presharedKey ?? NO_PRESHARED_KEY),
          address,
          address_v6: claimed.find((each) => readAddress(each)?.family === 6) ?? null,
          address_number: Number(readAddress(address)?.value),
          found_at: clock.now().getTime(),
        };
      });
      const numbers = rows.map(({ address_number }) => address_number);
      await addresses.takeGiven(tx, interfaceId, hostNumbersOf(subnet), numbers);
      for (const some of chunks(rows)) await tables(tx).insertInto("unknown_peers").values(some).execute();
    },
    /** Deletes these. `isAddressKept`: a config now has the address. */
    async remove(tx: Tx, rows: readonly UnknownPeerRow[], { isAddressKept = false } = {}): Promise<void> {
      for (const some of chunks(rows)) {
        await tables(tx)
          .deleteFrom("unknown_peers")
          .where(
            "id",
            "in",
            some.map(({ id }) => id),
          )
          .execute();
        if (!isAddressKept) await addresses.giveBack(tx, some);
      }
    },
  };
}
