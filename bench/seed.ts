import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { generateKeyPair, generatePresharedKey } from "@krug/wireguard/keys";
import type { MemberTables } from "../apps/server/src/features/members/members/table.ts";
import { type ConfigTables, NEW_CONFIG } from "../apps/server/src/features/vpn/configs/table.ts";
import type { InterfaceTables } from "../apps/server/src/features/vpn/interfaces/table.ts";
import { openSqlite } from "../apps/server/src/platform/database/sqlite.ts";
import { openSealing } from "../apps/server/src/platform/sealing.ts";
import { sealedColumns } from "../apps/server/src/sealed.ts";

/** A network with room for 65,533 devices. */
const SUBNET = "10.200.0.0/16";
const addressAt = (index: number) => `10.200.${(index + 2) >> 8}.${(index + 2) & 255}`;

/**
 * Writes configs into a stopped panel's data; gives the first interface a larger network and removes everyone's limit. The
 * configs are as real as the panel's own: sealed keys, addresses, one service each.
 */
export async function seedConfigs(dataDir: string, owners: { memberId: string; count: number }[]): Promise<void> {
  const ofEach = owners.flatMap(({ memberId, count }) => Array.from({ length: count }, () => memberId));
  const database = await openSqlite(join(dataDir, "krug.db"));
  const sealing = await openSealing(database, join(dataDir, "master.key"), sealedColumns);
  await database.transact(async (tx) => {
    const seal = await sealing.sealer(tx);
    const tables = tx.withTables<
      ConfigTables & InterfaceTables & MemberTables & { services: { id: string }; dns_entries: { id: string } }
    >();
    const place = await tables.selectFrom("interfaces").select("id").executeTakeFirstOrThrow();
    const service = await tables.selectFrom("services").select("id").executeTakeFirstOrThrow();
    const dns = await tables.selectFrom("dns_entries").select("id").executeTakeFirstOrThrow();
    await tables.updateTable("interfaces").set({ subnet: SUBNET }).where("id", "=", place.id).execute();
    await tables.updateTable("members").set({ config_limit: -1 }).execute();
    for (const [index, memberId] of ofEach.entries()) {
      const id = randomUUID();
      const { privateKey, publicKey } = generateKeyPair();
      await tables
        .insertInto("configs")
        .values({
          id,
          member_id: memberId,
          name: `seed-${index}`,
          name_key: `seed-${index}`,
          device_type: "computer",
          interface_id: place.id,
          dns_id: dns.id,
          address: addressAt(index),
          address_v6: null,
          public_key: publicKey,
          sealed_private_key: seal(`configs.private_key:${id}`, privateKey),
          sealed_preshared_key: seal(`configs.preshared_key:${id}`, generatePresharedKey()),
          ...NEW_CONFIG,
          is_blocked: 0,
          delivered_at: null,
          idempotency_key: null,
          idempotency_body: null,
          created_at: Date.now(),
        })
        .execute();
      await tables
        .insertInto("config_services")
        .values({ config_id: id, service_id: service.id, position: 0 })
        .execute();
    }
  });
  await database.close();
}
