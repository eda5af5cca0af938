import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";

interface Client {
  name: string;
  publicKey: string;
  privateKey: string;
  presharedKey?: string;
  address: string;
  behind?: readonly string[];
  enabled?: boolean;
}

/** The columns that are read, among those of wg-easy 15. `more`: other changes to the file. */
export function wgEasyDatabase(privateKey: string, clients: readonly Client[], more = ""): Buffer {
  const folder = mkdtempSync(join(tmpdir(), "krug-wg-easy-"));
  try {
    const path = join(folder, "wg-easy.db");
    const file = new DatabaseSync(path);
    file.exec(`
      pragma journal_mode = wal;
      create table interfaces_table (name text primary key not null, device text not null, port integer not null,
        private_key text not null, public_key text not null, ipv4_cidr text not null, ipv6_cidr text not null,
        mtu integer not null, enabled integer not null);
      create table clients_table (id integer primary key autoincrement not null, user_id integer not null,
        interface_id text not null, name text not null, ipv4_address text not null, ipv6_address text not null,
        private_key text not null, public_key text not null, pre_shared_key text, expires_at text,
        server_allowed_ips text not null, enabled integer not null);
    `);
    file
      .prepare(
        "insert into interfaces_table values ('wg0', 'eth0', 51901, ?, 'x', '10.9.0.0/24', 'fdcc::/112', 1420, 1)",
      )
      .run(privateKey);
    const add = file.prepare("insert into clients_table values (null, 1, 'wg0', ?, ?, ?, ?, ?, ?, null, ?, ?)");
    for (const [n, { name, address, behind = [], enabled = true, ...keys }] of clients.entries())
      add.run(
        name,
        address,
        `fdcc::${n + 2}`,
        keys.privateKey,
        keys.publicKey,
        keys.presharedKey ?? null,
        JSON.stringify(behind),
        Number(enabled),
      );
    if (more !== "") file.exec(more);
    // As when wg-easy ends: the latest writes are in the file itself.
    file.exec("pragma wal_checkpoint(truncate)");
    file.close();
    return readFileSync(path);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
