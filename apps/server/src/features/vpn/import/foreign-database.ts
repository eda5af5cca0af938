import { rm, stat } from "node:fs/promises";
import { AMNEZIA_FIELDS } from "@krug/wireguard/amneziawg";
import { type ServerFile, ServerFileError } from "@krug/wireguard/server-file";
import { fromRows } from "@krug/wireguard/wg-easy-file";
import { openForeign, type Sqlite } from "../../../platform/database/sqlite.ts";
import { type AllRows, readDashboard, type WgDashboard } from "./wg-dashboard.ts";

const MOST_CLIENTS = 1_000;
/** Where a version of wg-easy stores AmneziaWG's parameters, if it does; by our names for them. */
const AMNEZIA_COLUMNS = AMNEZIA_FIELDS.map(
  ({ name }) => [{ jc: "j_c", jmin: "j_min", jmax: "j_max" }[name] ?? name, name] as const,
);

/**
 * Reads the database in which wg-easy 15 stores its interface and clients, or WGDashboard's, which has devices only. It is
 * untrusted: it is opened read-only, nothing of its schema is trusted, and only tables with plain columns are read. The file is
 * deleted once it is open.
 * @throws ServerFileError
 */
export async function readForeignDatabase(path: string): Promise<ServerFile | WgDashboard> {
  try {
    const { size } = await stat(path);
    const file = await openForeign(path);
    // It has private keys: no name of it may outlive this process.
    await rm(path);
    return read(file, size);
  } catch (error) {
    // SQLite's message on a broken file may quote it.
    throw error instanceof ServerFileError ? error : new ServerFileError("unreadable");
  }
}

/** `size`: the file's. Rows that share pages could add up to a thousand times as much. */
function read(file: Sqlite, size: number): ServerFile | WgDashboard {
  let left = size;
  const all: AllRows = (sql, ...values) => {
    const rows: Record<string, unknown>[] = [];
    for (const row of file.prepare(sql).iterate(...values) as IterableIterator<Record<string, unknown>>) {
      for (const value of Object.values(row)) if (typeof value === "string") left -= value.length;
      if (left < 0 || rows.length >= MOST_CLIENTS) throw new ServerFileError("unreadable");
      rows.push(row);
    }
    return rows;
  };
  try {
    const columnsOf = (table: string) => {
      // `hidden` is above 1 for computed columns.
      const columns = all("select name, hidden from pragma_table_xinfo(?)", table);
      const isTable = all("select 1 from sqlite_schema where type = 'table' and name = ? and rootpage > 0", table);
      if (isTable.length === 0 || columns.some(({ hidden }) => Number(hidden) > 1))
        throw new ServerFileError("unreadable");
      return new Set(columns.map(({ name }) => name));
    };
    const dashboard = readDashboard(all, columnsOf);
    if (dashboard !== null) return dashboard;
    const columns = columnsOf("interfaces_table");
    const kept = AMNEZIA_COLUMNS.filter(([column]) => columns.has(column));
    const ofClients = columnsOf("clients_table");
    const isOfSeveral = ofClients.has("interface_id");
    const [own, another] = all(
      `select ${["name", "private_key", "ipv4_cidr", "port", "mtu", ...kept.map(([column]) => column)].join(", ")}
       from interfaces_table limit 2`,
    );
    if (own === undefined || another !== undefined) throw new ServerFileError("unreadable");
    // All of them, without a condition: rows that SQLite skips would not count, however often the file repeats them.
    const clients = all(
      `select ${isOfSeveral ? "interface_id, " : ""}id, name, public_key, private_key, pre_shared_key, ipv4_address, ipv6_address, server_allowed_ips, enabled${ofClients.has("expires_at") ? ", expires_at" : ""}
       from clients_table limit ${MOST_CLIENTS + 1}`,
    ).filter((row) => !isOfSeveral || row.interface_id === own.name);
    return fromRows(
      {
        privateKey: own.private_key,
        address: own.ipv4_cidr,
        listenPort: own.port,
        mtu: own.mtu,
        amnezia: Object.fromEntries(kept.map(([column, field]) => [field, own[column]])),
        // It always has values; whether they are in use is a variable of its environment.
        mayBePlain: true,
      },
      clients
        .sort((one, other) => Number(one.id) - Number(other.id))
        .map((row) => ({
          id: String(row.id),
          name: row.name,
          publicKey: row.public_key,
          privateKey: row.private_key,
          preSharedKey: row.pre_shared_key ?? "",
          addresses: [row.ipv4_address, row.ipv6_address, ...listIn(row.server_allowed_ips)].filter(
            (each) => each !== null,
          ),
          enabled: Number(row.enabled) === 1,
          endsAt: row.expires_at,
        })),
    );
  } finally {
    file.close();
  }
}

/** Networks behind a client, as JSON; anything but a list counts as an unreadable network. */
function listIn(text: unknown): unknown[] {
  if (typeof text !== "string") return [];
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list : [list];
  } catch {
    return [text];
  }
}
