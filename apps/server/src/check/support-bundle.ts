import { closeSync, openSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { arch, cpus, freemem, platform, release, totalmem, uptime } from "node:os";
import { gzipSync } from "node:zlib";
import { sql } from "kysely";
import { isLoopback, variables } from "../config.ts";
import { serverStatusOf } from "../features/vpn/servers/index.ts";
import { fileTrouble } from "../platform/file-trouble.ts";
import { type CheckParts, check, type Opened } from "./check.ts";
import { exitCodeOf, type Finding } from "./finding.ts";
import { checkWords } from "./words.ts";
import { kindOf } from "./work.ts";

/**
 * Variables whose values leave the machine: each is a number, a switch or a word from a fixed list, validated before. All others
 * are shown as a name and whether it is set.
 */
const SHOWN = new Set<string>([
  "PORT",
  "LOCAL_SERVER",
  "HOST_PORTS_FOR_MEMBERS",
  "SECURITY_GATE",
  "TELEGRAM_WEBHOOK",
  "CLUB_TIME_ZONE",
  "BACKUP_EVERY",
  "BACKUP_KEEP",
  "SAMPLE_DATA",
  "INSECURE_HTTP",
  "LOG_LEVEL",
]);

const isShown = (name: string, value: string) =>
  SHOWN.has(name) && variables[name as keyof typeof variables].schema.safeParse(value).success;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * What helps somebody else to find the fault, without anything about the club's people: no name, no text that a person wrote, no
 * key, no address and no endpoint. It is built from what may be in it, not by removing what may not.
 */
export async function supportBundle(parts: CheckParts, environment: Environment): Promise<object> {
  const inside: { database: object | null; servers: object[]; work: object | null } = {
    database: null,
    servers: [],
    work: null,
  };
  const findings = await check(parts, async (opened) => {
    if (opened === null) return;
    inside.database = await aboutDatabase(opened);
    if (opened.app === null) return;
    inside.servers = await aboutServers(opened.app.parts, parts.clock.now().getTime());
    inside.work = await aboutWork(opened.app);
  });
  const { config, version, clock } = parts;
  return {
    madeAt: clock.now().toISOString(),
    version,
    exitCode: exitCodeOf(findings),
    findings: findings.map(forOthers),
    platform: {
      node: process.versions.node,
      sqlite: process.versions.sqlite ?? null,
      system: platform(),
      release: release(),
      arch: arch(),
      cores: cpus().length,
      memory: { total: totalmem(), free: freemem() },
      uptimeS: Math.round(uptime()),
      diskFree: freeOn(config.dataDir),
      isRoot: process.getuid?.() === 0,
    },
    configuration: {
      listensBeyondLoopback: !isLoopback(config.host),
      isHttps: config.publicUrl?.protocol === "https:",
      variables: Object.keys(variables).map((name) => {
        const value = environment[name]?.trim();
        if (value === undefined || value === "") return { name, isSet: false };
        return { name, isSet: true, ...(isShown(name, value) && { value }) };
      }),
    },
    ...inside,
  };
}

/** Our own words only: a server is named by its id, and foreign text stays here. */
const forOthers = ({ code, level, server, text, todo }: Finding) => ({
  code,
  level,
  server: server?.id ?? null,
  text,
  todo,
});

/** Bytes; null if unknown. */
function freeOn(folder: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return null;
  }
}

const MIGRATION = /^[\w.-]{1,100}\.sql$/;

async function aboutDatabase({ database, migrations }: Opened): Promise<object> {
  const { db, engine } = database;
  const counts: Record<string, number | null> = {};
  for (const { name, schema } of await db.introspection.getTables()) {
    if (engine === "postgres" && schema !== "public") continue;
    const asked = sql<{ count: number }>`select count(*) as count from ${sql.table(name)}`.execute(db);
    counts[name] = await asked.then(
      ({ rows }) => Number(rows[0]?.count),
      () => null,
    );
  }
  return {
    engine,
    trouble: database.trouble(),
    // Only names of migration files: others were written by something else.
    migrations: migrations.applied.filter(({ name }) => MIGRATION.test(name)),
    rows: counts,
  };
}

type AppParts = NonNullable<Opened["app"]>["parts"];

const aboutServers = async ({ db, servers, interfaces, panelId }: AppParts, now: number) => {
  const all = await interfaces.all(db);
  return (await servers.all(db)).map((server) => ({
    id: server.id,
    isRemote: server.driver === "ssh",
    isThisMachine: server.panel_id === panelId,
    isMain: server.is_main === 1,
    isSetUp: server.is_setup_complete === 1,
    status: serverStatusOf(server, now),
    problem:
      Object.keys(checkWords.en.servers.connection).find((known) => known === server.unreachable_problem) ?? null,
    unreachableSince: server.unreachable_since,
    reconciledAt: server.reconciled_at,
    interfaces: all
      .filter((row) => row.server_id === server.id)
      .map(({ id, type, is_active, conflict }) => ({
        id,
        isAmnezia: type === "amneziawg",
        isActive: is_active === 1,
        isHeld: conflict !== null,
      })),
  }));
};

async function aboutWork({ jobs, parts }: NonNullable<Opened["app"]>): Promise<object> {
  const { troubled, ...status } = await jobs.status();
  const backups = await parts.backups.state();
  return {
    jobs: { ...status, troubled: troubled.map(({ kind, count }) => ({ kind: kindOf(kind), count })) },
    backups: backups && withoutAddresses(backups),
  };
}

type BackupState = NonNullable<Awaited<ReturnType<AppParts["backups"]["state"]>>>;

const withoutAddresses = ({ place, lastGoodPlace, problem, ...rest }: BackupState) => ({
  ...rest,
  place: place.kind,
  lastGoodPlace: lastGoodPlace?.kind ?? null,
  problem: problem !== null,
});

/** Readable by its owner only; an existing file is not replaced, and none is left incomplete. @throws Error with a sentence for the operator */
export function writeBundle(path: string, bundle: object): { bytes: number } {
  const bytes = gzipSync(`${JSON.stringify(bundle, null, 2)}\n`);
  try {
    const file = openSync(path, "wx", 0o600);
    try {
      writeFileSync(file, bytes);
    } catch (error) {
      rmSync(path);
      throw error;
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw fileTrouble(error, path) ?? error;
  }
  return { bytes: bytes.length };
}
