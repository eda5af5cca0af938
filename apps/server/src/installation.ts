import { randomUUID } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { amneziawgBy } from "@krug/wireguard/amneziawg";
import { wireguardBy } from "@krug/wireguard/protocol";
import type { Config } from "./config.ts";
import { makeEngineHost, makeHost } from "./hosts/driver.ts";
import type { Generation, Host } from "./hosts/host.ts";
import { localMachineWith, localNetwork } from "./hosts/local-machine.ts";
import { makeLocalMemory } from "./hosts/local-memory.ts";
import { makeOwnHost } from "./hosts/own-host.ts";
import type { EngineFiles } from "./hosts/ssh/engine.ts";
import { checkOpened, explainOpening, placeOf } from "./platform/database/cannot-open.ts";
import type { Database } from "./platform/database/database.ts";
import { isMigrated, migrate } from "./platform/database/migrate.ts";
import { openPostgres } from "./platform/database/postgres.ts";
import { openSqlite } from "./platform/database/sqlite.ts";
import { failure } from "./platform/failure.ts";
import { makeFolder } from "./platform/file-trouble.ts";
import { openSealing, type Sealing } from "./platform/sealing.ts";
import { sealedColumns } from "./sealed.ts";

/** The repository's folder, from the sources as well as from the bundle. */
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

/** Data that comes with the panel for the security gate; its provenance is in the list itself and in docs/operating.md. */
export const packagedGeoFiles = () => ({
  countryFile: join(
    productFolder(),
    "node_modules/@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb",
  ),
  hostingFile: join(productFolder(), "apps/server/data/hosting-networks.txt"),
});

const pathOfProgram = (name: string) => join(productFolder(), "apps/server/src/hosts/ssh", name);

/** Finds, stops and starts other VPN programs on a machine. */
export const oldProgramsScript = () =>
  readFileSync(join(productFolder(), "apps/server/src/features/vpn/import/old-programs.sh"), "utf8");

/** What the panel installs on servers over SSH. */
export function packagedServerPrograms(): Record<"agent" | "setup" | "container" | "resolver" | "programs", string> {
  const read = (name: string) => readFileSync(pathOfProgram(name), "utf8");
  return {
    agent: read("agent.pl"),
    setup: read("setup.sh").replace("# container.sh\n", () => read("container.sh")),
    container: read("container.pl"),
    resolver: read("resolver.sh"),
    programs: `#!/bin/bash\nset -eu\n${oldProgramsScript()}moving "$@"\n`,
  };
}

/** The engines by processor of the target machine; null if the panel has none. */
export function enginesIn({ engines, amneziawgEngines }: Pick<Config, "engines" | "amneziawgEngines">): EngineFiles {
  const found = (folder: string, name: string) => {
    const at = (kind: string) => {
      const path = join(folder, `${name}-${kind}`);
      return existsSync(path) ? path : null;
    };
    return { x64: at("amd64"), arm64: at("arm64") };
  };
  const others = amneziawgEngines === null ? null : found(amneziawgEngines, "amneziawg-go");
  if (others !== null && (others.x64 ?? others.arm64) !== null) return { ...others, isForAmneziaAlone: true };
  return { ...found(engines ?? join(productFolder(), "engine/dist"), "krug-engine"), isForAmneziaAlone: false };
}

/** For the panel's own machine; null if the panel has none for its processor. */
const ownEngine = ({ x64, arm64 }: EngineFiles): string | null => ({ x64, arm64 })[process.arch as string] ?? null;

/**
 * Controls tunnels on the panel's own machine. `own` returns the panel's generation; `cannot` is called with the reason if older
 * panels of the club cannot be kept off.
 */
export function openOwnHost(
  config: Pick<Config, "dataDir" | "machineDir" | "engines" | "amneziawgEngines">,
  own: () => Promise<Generation>,
  cannot: (why: string) => void = () => {},
): Host {
  const engines = enginesIn(config);
  const engine = ownEngine(engines);
  const kernel = makeHost(localMachineWith(engine, pathOfProgram("resolver.sh")), {
    club: async () => (await own()).club,
    ...(engine !== null && { amneziawg: amneziawgBy(engine) }),
    ...(engine !== null && !engines.isForAmneziaAlone && { wireguard: wireguardBy(engine) }),
    guard: makeLocalMemory(join(config.machineDir, "generations.db"), own, cannot),
  });
  const panelEngine = ownEngine(enginesIn({ ...config, amneziawgEngines: null }));
  if (panelEngine === null) return kernel;
  // Its engines belong only to this installation, and so does the record of whom they obey.
  const folder = join(config.dataDir, "engines");
  const byEngines = makeEngineHost(localMachineWith(panelEngine, pathOfProgram("resolver.sh")), {
    engine: panelEngine,
    folder,
    own: localNetwork,
    guard: makeLocalMemory(join(folder, "generations.db"), own, cannot),
  });
  return makeOwnHost(kernel, byEngines);
}

/** Identifies this installation among those that share a database. */
function readPanelId(dataDir: string): string {
  const path = join(dataDir, "panel-id");
  if (existsSync(path)) return readFileSync(path, "utf8").trim();
  const id = randomUUID();
  // Written atomically: a panel that forgot its id would take its own machine for another's.
  const draft = `${path}.new`;
  const file = openSync(draft, "w", 0o600);
  writeSync(file, `${id}\n`);
  fsyncSync(file);
  closeSync(file);
  renameSync(draft, path);
  return id;
}

/** Records that the installation has, or had, members: then it is never offered to the first visitor. */
export interface HadMembers {
  isNoted(): boolean;
  /** In DATA_DIR, next to the database, which may be lost or only partly restored. */
  note(): void;
}

const hadMembersIn = (dataDir: string): HadMembers => {
  const path = join(dataDir, "had-members");
  return {
    isNoted: () => existsSync(path),
    note: () => {
      if (!existsSync(path)) writeFileSync(path, "Here a club has members: see docs/operating.md.\n", { mode: 0o600 });
    },
  };
};

/** What to do if the members are gone; `ways` explains how to continue with the database as it is. */
export const lostMembers = (database: string, ways = "") =>
  `${database} holds no members, but this installation had some: it is another database, or a part of the club's. ` +
  "Stop, put the whole copy of DATA_DIR back (krug.db, and krug.db-wal where there is one), or set DATABASE_URL to the club's database. " +
  `${ways}To begin a new club, start with an empty DATA_DIR and an empty database.`;

export interface Installation {
  database: Database;
  /** For the operator: a path, or an address without its password. */
  databasePlace: string;
  sealing: Sealing;
  panelId: string;
  hadMembers: HadMembers;
}

/** A file up to this size is checked completely, which takes a third of a second. */
const CHECKED_BYTES = 100_000_000;

/** @throws if the file can only be a part of a database, or is missing although it must exist */
function lookAtFile(file: string, { mustExist, hadMembers }: { mustExist: boolean; hadMembers: HadMembers }) {
  const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const bytes = sizeOf(file);
  const hasLog = existsSync(`${file}-wal`);
  // A log without its file is of no use, and an empty one stays after each stop.
  if (bytes === 0) {
    if (mustExist) throw failure("database.none", { place: file });
    if (hadMembers.isNoted()) throw new Error(lostMembers(file));
  }
  return { isSmall: bytes <= CHECKED_BYTES, isAlone: bytes > 0 && !hasLog };
}

/**
 * Opens an installation's data: its database, upgraded, its master key and its identity.
 * @param options.mustExist  nothing is created if no panel has worked here yet
 * @throws Error with a message for the operator
 */
export async function openInstallation(
  config: Config,
  now: Date,
  { mustExist = false }: { mustExist?: boolean } = {},
): Promise<Installation> {
  const { dataDir, databaseUrl } = config;
  const file = join(dataDir, "krug.db");
  const databasePlace = placeOf(databaseUrl, file);
  const hadMembers = hadMembersIn(dataDir);
  const seen = databaseUrl === null ? lookAtFile(file, { mustExist, hadMembers }) : null;
  let database: Database | undefined;
  try {
    makeFolder(dataDir);
    database = databaseUrl === null ? await openSqlite(file) : openPostgres(databaseUrl, { patient: true });
    await checkOpened(database, seen?.isSmall === true);
    if (!(await isMigrated(database))) {
      if (mustExist) throw failure("database.none", { place: databasePlace });
      // A file that a panel created and nothing was checkpointed into: everything written was in its log.
      if (seen?.isAlone)
        throw new Error(
          `${file} is empty: it was copied without ${file}-wal, in which everything stood. Copy both, or delete ${file} to begin a new club.`,
        );
    }
    await migrate(database, join(productFolder(), "apps", "server", "migrations"), now);
    if (databaseUrl !== null) {
      // Only a schema change may take as long as it needs.
      await database.close();
      database = openPostgres(databaseUrl);
    }
    const sealing = await openSealing(database, config.masterKeyFile, sealedColumns);
    return { database, databasePlace, sealing, panelId: readPanelId(dataDir), hadMembers };
  } catch (error) {
    await database?.db.destroy();
    throw explainOpening(error, databaseUrl, file);
  }
}
