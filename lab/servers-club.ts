import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { generateKeyPair } from "@krug/wireguard/keys";
import { readConfig } from "../apps/server/src/config.ts";
import { newMemberRow } from "../apps/server/src/features/members/members/new-member.ts";
import type { MemberRow, MemberTables } from "../apps/server/src/features/members/members/table.ts";
import { newKeys } from "../apps/server/src/features/vpn/configs/keys.ts";
import { type ConfigRow, type ConfigTables, NEW_CONFIG } from "../apps/server/src/features/vpn/configs/table.ts";
import { privateKeyPlace } from "../apps/server/src/features/vpn/interfaces/new-interface.ts";
import type { InterfaceRow, InterfaceTables } from "../apps/server/src/features/vpn/interfaces/table.ts";
import { type SshKey, sealedInSshKey } from "../apps/server/src/features/vpn/servers/ssh-key.ts";
import { NOT_REMOTE, type ServerRow, type ServerTables } from "../apps/server/src/features/vpn/servers/table.ts";
import type { Database } from "../apps/server/src/platform/database/database.ts";
import { openSqlite } from "../apps/server/src/platform/database/sqlite.ts";
import { openSealing, type Seal } from "../apps/server/src/platform/sealing.ts";
import { sealedColumns } from "../apps/server/src/sealed.ts";
import { scratchRoot } from "../scripts/scratch-for-tests.mjs";
import type { ServerPlace } from "./many-servers.ts";

/* Data of a panel that has many servers over SSH, each with one interface and the same number of devices. */

const CONFIGS_OF_EACH_MEMBER = 5;
const ROWS_PER_STATEMENT = 400;

type Tables = ServerTables &
  InterfaceTables &
  ConfigTables &
  MemberTables & { services: { id: string }; dns_entries: { id: string } };

const batches = <Row>(rows: readonly Row[]): Row[][] =>
  Array.from({ length: Math.ceil(rows.length / ROWS_PER_STATEMENT) }, (_, number) =>
    rows.slice(number * ROWS_PER_STATEMENT, (number + 1) * ROWS_PER_STATEMENT),
  );

/** What the database has for the servers at these places, in order. */
export async function serversAt(places: readonly ServerPlace[], dataDir: string): Promise<ServerRow[]> {
  const database = await openSqlite(join(dataDir, "krug.db"));
  const servers = await database.db.withTables<ServerTables>().selectFrom("servers").selectAll().execute();
  await database.close();
  const byPort = new Map(servers.map((server) => [server.ssh_port, server]));
  return places.flatMap(({ port }) => byPort.get(port) ?? []);
}

/** A folder for a panel's data, in memory if the machine has enough, so that other programs' use of the disk is not measured. */
export const newDataDir = () => mkdtemp(join(scratchRoot(), "krug-many-servers-"));
export const removeDataDir = (dataDir: string) => rm(dataDir, { recursive: true, force: true });

/**
 * Fills the data that a stopped panel has created in an empty folder with these servers, in this order, and members' devices on
 * them. `login` is the panel's own key, which the servers accept.
 */
export async function fillWithServers(dataDir: string, club: ServersClub): Promise<void> {
  const database = await openSqlite(join(dataDir, "krug.db"));
  const { masterKeyFile } = readConfig({ DATA_DIR: dataDir });
  await fillDatabase(database, masterKeyFile, club);
  await database.close();
}

export interface ServersClub {
  places: readonly ServerPlace[];
  peersOfEach: number;
  login: SshKey;
  configsOfEachMember?: number;
  /** More fields of a server's members, by their number there. */
  member?(number: number): Partial<MemberRow>;
}

/** The same for either database. */
export async function fillDatabase(database: Database, masterKeyFile: string, club: ServersClub): Promise<void> {
  const { places, peersOfEach, login, configsOfEachMember = CONFIGS_OF_EACH_MEMBER } = club;
  const memberOf = club.member ?? (() => ({ is_unlimited: 1 }));
  const sealing = await openSealing(database, masterKeyFile, sealedColumns);
  await database.transact(async (tx) => {
    const seal = await sealing.sealer(tx);
    const tables = tx.withTables<Tables>();
    const service = await tables.selectFrom("services").select("id").executeTakeFirstOrThrow();
    const dns = await tables.selectFrom("dns_entries").select("id").executeTakeFirstOrThrow();
    const now = Date.now();
    await tables
      .insertInto("ssh_key")
      .values({
        id: "panel",
        public_key: login.publicKey,
        sealed_private_key: seal(sealedInSshKey.place({}), login.privateKey),
        created_at: now,
      })
      .execute();
    for (const [index, place] of places.entries()) {
      const server = serverRow(place, index, now - places.length + index);
      const tunnel = interfaceRow(server.id, seal, now);
      const members = Array.from({ length: Math.ceil(peersOfEach / configsOfEachMember) }, (_, number) => ({
        ...newMemberRow({ username: `member-${index}-${number}`, created_at: now, ...memberOf(number) }),
        display_name_key: "",
      }));
      const configs = Array.from({ length: peersOfEach }, (_, number) => {
        const { id: member_id } = members[Math.floor(number / configsOfEachMember)] ?? raise("too few members");
        return configRow(number, seal, { member_id, interface_id: tunnel.id, dns_id: dns.id, created_at: now });
      });
      await tables.insertInto("servers").values(server).execute();
      await tables.insertInto("interfaces").values(tunnel).execute();
      for (const some of batches(members)) await tables.insertInto("members").values(some).execute();
      for (const some of batches(configs)) {
        await tables.insertInto("configs").values(some).execute();
        await tables
          .insertInto("config_services")
          .values(some.map(({ id }) => ({ config_id: id, service_id: service.id, position: 0 })))
          .execute();
      }
    }
  });
}

const raise = (what: string): never => {
  throw new Error(what);
};

const serverRow = ({ port, fingerprint }: ServerPlace, index: number, created_at: number): ServerRow => ({
  ...NOT_REMOTE,
  id: randomUUID(),
  name: `Server ${index}`,
  driver: "ssh",
  panel_id: null,
  machine: null,
  endpoint: null,
  default_endpoint: "127.0.0.1",
  is_main: index === 0 ? 1 : 0,
  is_setup_complete: 1,
  is_prepared: 1,
  takes_new: 1,
  unreachable_since: null,
  unreachable_reason: null,
  reconciled_at: null,
  created_at,
  deleted_at: null,
  ssh_host: "127.0.0.1",
  ssh_port: port,
  ssh_username: "root",
  host_key: fingerprint,
});

function interfaceRow(server_id: string, seal: Seal, created_at: number): InterfaceRow {
  const id = randomUUID();
  const { privateKey, publicKey } = generateKeyPair();
  return {
    id,
    server_id,
    name: "Interface 1",
    type: "wireguard",
    parameters: "{}",
    sealed_header_key: null,
    interface_name: "wg0",
    listen_port: 51_820,
    subnet: "10.8.0.0/16",
    subnet_v6: null,
    routing: "device",
    rest_exit: "direct",
    exit_down: "wait",
    exit_link: "wireguard",
    endpoint: null,
    mtu: null,
    public_key: publicKey,
    sealed_private_key: seal(privateKeyPlace(id), privateKey),
    is_active: 1,
    takes_new: 1,
    first_look_due: 0,
    conflict: null,
    created_at,
    deleted_at: null,
    given_back: 0,
  };
}

function configRow(
  number: number,
  seal: Seal,
  of: Pick<ConfigRow, "member_id" | "interface_id" | "dns_id" | "created_at">,
): ConfigRow {
  const id = randomUUID();
  return {
    ...NEW_CONFIG,
    ...of,
    id,
    name: `device-${number}`,
    name_key: `device-${number}`,
    device_type: "computer",
    address: `10.8.${(number + 2) >> 8}.${(number + 2) & 255}`,
    address_v6: null,
    // Nobody connects with it, so no real pair is needed.
    ...newKeys(seal, id, randomBytes(32).toString("base64")),
    is_blocked: 0,
    delivered_at: null,
    idempotency_key: null,
    idempotency_body: null,
    made_by: null,
  };
}
