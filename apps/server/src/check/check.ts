import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Language } from "@krug/contract/refusals";
import { isoOf } from "@krug/domain/moment";
import { type App, makeApp } from "../app.ts";
import type { Config } from "../config.ts";
import type { Host } from "../hosts/host.ts";
import type { Remotes } from "../hosts/remote.ts";
import { packagedGeoFiles, productFolder } from "../installation.ts";
import type { Clock } from "../platform/clock.ts";
import { explainOpening } from "../platform/database/cannot-open.ts";
import type { Database } from "../platform/database/database.ts";
import { isMigrated, type MigrationsSeen, seeMigrations } from "../platform/database/migrate.ts";
import { openPostgres } from "../platform/database/postgres.ts";
import { openSqliteToRead } from "../platform/database/sqlite.ts";
import { failure } from "../platform/failure.ts";
import { systemNames } from "../platform/names.ts";
import { openSealingToRead } from "../platform/sealing.ts";
import { aboutClock, aboutIntegrity, aboutLedgers, aboutMigrations, aboutSecrets } from "./database.ts";
import { lookAtFiles } from "./files.ts";
import { type Finding, finding } from "./finding.ts";
import { lookAtServers, PATIENCE, type Patience } from "./servers.ts";
import { type CheckWords, checkWords } from "./words.ts";
import { lookAtWork } from "./work.ts";

export interface CheckParts {
  config: Config;
  clock: Clock;
  /** Null with LOCAL_SERVER=off. */
  localHost: Host | null;
  /** They must not repair what they find. */
  remotes: Remotes;
  version: string;
  patience?: Patience;
  /** Of its words. Programs and support bundles get English. */
  language?: Language;
}

/** What the check has opened, for further questions. */
export interface Opened {
  database: Database;
  migrations: MigrationsSeen;
  /** Null if the key, the migrations or the file keep the panel's own parts from working. */
  app: App | null;
}

/**
 * Compares the database, the files and the machines, and changes none: the database is opened read-only, no lease is taken, and
 * nothing is recorded. Failures do not stop it. `further` may use what is open.
 */
export async function check(
  parts: CheckParts,
  further: (opened: Opened | null) => Promise<void> = async () => {},
): Promise<Finding[]> {
  const { config, clock } = parts;
  const say = checkWords[parts.language ?? "en"];
  const panelFile = join(config.dataDir, "panel-id");
  const panelId = existsSync(panelFile) ? readFileSync(panelFile, "utf8").trim() : null;
  const found: Finding[] = [];
  const attempt = attemptInto(found, say);
  await attempt("data_dir.unread", say.unread.dataDir, () => lookAtFiles(say, config, panelId));

  const database = await openToRead(config).catch((error: unknown) => {
    const why = explainOpening(error, config.databaseUrl, join(config.dataDir, "krug.db"));
    found.push(
      finding("unknown", "database.closed", say.databaseClosed, {
        detail: say.sentenceOf(why),
        todo: say.environment,
      }),
    );
    return null;
  });
  if (database === null) {
    await further(null);
    return found;
  }
  let app: App | null = null;
  try {
    const migrations = await seeMigrations(database, join(productFolder(), "apps", "server", "migrations"));
    const ofMigrations = aboutMigrations(say, migrations);
    found.push(ofMigrations);
    await attempt("database.unread", say.unread.database, () => aboutIntegrity(say, database));
    if (ofMigrations.level === "well") app = await openApp(parts, say, database, panelId ?? "", found);
    else found.push(finding("unknown", "rest.skipped", say.skipped));
    const opened = app;
    if (opened !== null) {
      const now = clock.now();
      await attempt("panel.unread", say.unread.panel, () => aboutGeneration(say, opened));
      await attempt("jobs.unread", say.unread.jobs, () => lookAtWork(say, opened, now));
      await attempt("ledgers.unread", say.unread.ledgers, async () => [await aboutLedgers(say, opened)]);
      await attempt("clock.unread", say.unread.clock, async () => {
        const looks = (await opened.parts.servers.all(database.db)).map(({ reconciled_at }) => reconciled_at ?? 0);
        return [await aboutClock(say, database, clock, looks.length === 0 ? null : Math.max(...looks))];
      });
      await attempt("servers.unread", say.unread.servers, () =>
        lookAtServers(say, opened, now, parts.patience ?? PATIENCE),
      );
    }
    await further({ database, migrations, app });
  } finally {
    if (app === null) await database.close();
    else await app.stop();
  }
  return found;
}

/** Whether a machine has told this panel that another has taken its place. */
async function aboutGeneration({ panel: say }: CheckWords, { parts }: App): Promise<Finding[]> {
  const newer = await parts.fencing.newer();
  if (newer === null)
    return [
      finding("well", "panel", say.current),
      ...((await parts.fencing.isProvable())
        ? []
        : [
            finding("note", "panel.unproved", say.unproved, {
              todo: say.unprovedTodo,
            }),
          ]),
    ];
  return [
    finding("wrong", "panel.superseded", say.superseded(isoOf(newer.since)), {
      detail: say.seenOn(newer.server),
      todo: say.supersededTodo,
    }),
  ];
}

/** What cannot be checked is a finding too, and keeps nothing else from being checked. */
const attemptInto =
  (found: Finding[], { sentenceOf }: CheckWords) =>
  async (code: string, text: string, look: () => Promise<Finding[]>) => {
    try {
      found.push(...(await look()));
    } catch (error) {
      found.push(finding("unknown", code, text, { detail: sentenceOf(error) }));
    }
  };

/** @throws if there is no club database */
export async function openToRead({ dataDir, databaseUrl }: Config): Promise<Database> {
  const file = join(dataDir, "krug.db");
  if (databaseUrl === null && !existsSync(file)) throw failure("database.no_file", { file });
  const database = databaseUrl === null ? await openSqliteToRead(file) : openPostgres(databaseUrl, { readOnly: true });
  try {
    if (!(await isMigrated(database))) throw failure("database.unused");
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** The panel's own parts over a database that is only read; nothing of them starts. */
async function openApp(
  parts: CheckParts,
  say: CheckWords,
  database: Database,
  panelId: string,
  found: Finding[],
): Promise<App | null> {
  const { config, localHost, remotes, version, clock } = parts;
  const sealing = await openSealingToRead(database, config.masterKeyFile).catch((error: unknown) => {
    found.push(
      finding("wrong", "master_key.wrong", say.key.wrong, {
        detail: say.sentenceOf(error),
        todo: say.key.wrongTodo,
      }),
    );
    return null;
  });
  if (sealing === null) return null;
  await attemptInto(found, say)("master_key.unread", say.unread.secrets, async () => [
    await aboutSecrets(say, database, sealing),
  ]);
  const app = makeApp({
    config: { ...config, logLevel: "silent" },
    database,
    sealing,
    panelId,
    databasePlace: "",
    hadMembers: { isNoted: () => true, note: () => {} },
    clock,
    localHost,
    remotes,
    names: systemNames,
    version,
    geoFiles: packagedGeoFiles(),
    webFolder: "",
    checkAnswers: false,
  });
  return app.catch((error: unknown) => {
    const text = say.unread.parts;
    found.push(finding("unknown", "rest.closed", text, { detail: say.sentenceOf(error) }));
    return null;
  });
}
