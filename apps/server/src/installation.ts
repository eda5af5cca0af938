import { randomUUID } from "node:crypto";
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import type { Config } from "./config.ts";
import type { Database } from "./platform/database/database.ts";
import { migrate } from "./platform/database/migrate.ts";
import { openPostgres } from "./platform/database/postgres.ts";
import { openSqlite } from "./platform/database/sqlite.ts";
import { readMasterKey } from "./platform/sealing.ts";

/** The repository's folder, found from the sources as well as from the bundle. */
export function productFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "apps", "server", "migrations"))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error("The product's folder with apps/server/migrations was not found.");
    folder = parent;
  }
  return folder;
}

export const productVersion = () =>
  (JSON.parse(readFileSync(join(productFolder(), "package.json"), "utf8")) as { version: string }).version;

/** What comes with the panel for the security gate; provenance stands in the list itself and in docs/operating.md. */
export const packagedGeoFiles = () => ({
  countryFile: join(
    productFolder(),
    "node_modules/@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb",
  ),
  hostingFile: join(productFolder(), "apps/server/data/hosting-networks.txt"),
});

/** Which installation this is among those that share a database. */
function readPanelId(dataDir: string): string {
  const path = join(dataDir, "panel-id");
  if (existsSync(path)) return readFileSync(path, "utf8").trim();
  const id = randomUUID();
  // Whole or not at all: a panel that forgot who it is would take its own machine for another's.
  const draft = `${path}.new`;
  const file = openSync(draft, "w", 0o600);
  writeSync(file, `${id}\n`);
  fsyncSync(file);
  closeSync(file);
  renameSync(draft, path);
  return id;
}

/** Nothing is sealed before there is a member or an interface; until then a missing master key may be made anew. */
async function holdsSecrets({ db }: Database): Promise<boolean> {
  const found = await sql`select 1 from members union all select 1 from interfaces limit 1`.execute(db);
  return found.rows.length > 0;
}

export interface Installation {
  database: Database;
  masterKey: Buffer;
  panelId: string;
}

/** Opens what an installation keeps: its database, brought up to date, its master key and its identity. */
export async function openInstallation(config: Config, now: Date): Promise<Installation> {
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  const database =
    config.databaseUrl === null ? await openSqlite(join(config.dataDir, "krug.db")) : openPostgres(config.databaseUrl);
  try {
    await migrate(database, join(productFolder(), "apps", "server", "migrations"), now);
    const masterKey = readMasterKey(config.masterKeyFile, !(await holdsSecrets(database)));
    return { database, masterKey, panelId: readPanelId(config.dataDir) };
  } catch (error) {
    await database.close();
    throw error;
  }
}
