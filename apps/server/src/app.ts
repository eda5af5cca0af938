import { contract } from "@krug/contract/api";
import { MINUTE_MS } from "@krug/domain/moment";
import type { Reason } from "@krug/domain/reasons";
import { Registry } from "prom-client";
import { backup } from "./backup.ts";
import { openPlace } from "./backup-places/open-place.ts";
import type { Haste } from "./backup-places/s3.ts";
import { BOUNDED_MOMENTS } from "./bounded-moments.ts";
import type { Config } from "./config.ts";
import { makeEndWork } from "./end-work.ts";
import type { PasswordCost } from "./features/access/auth/index.ts";
import { SUPERSEDED } from "./features/club/fencing/index.ts";
import { miniAppOf } from "./features/messages/telegram/mini-app.ts";
import { serveWebhook } from "./features/messages/telegram/webhook-route.ts";
import { makeHealth } from "./features/operation/health/index.ts";
import { makeMetrics } from "./features/operation/metrics/index.ts";
import { serveMetrics } from "./features/operation/metrics/metrics-route.ts";
import { removeLeftDatabases } from "./features/vpn/import/read-database.ts";
import type { Greet } from "./features/vpn/probe/index.ts";
import { makeFeatures } from "./features.ts";
import { fillEmptyDatabase, makeNoteMembers } from "./first-start.ts";
import type { Host } from "./hosts/host.ts";
import type { Remotes } from "./hosts/remote.ts";
import type { HadMembers } from "./installation.ts";
import { ownPortsOf } from "./own-ports.ts";
import { asksOutside, servePages } from "./pages.ts";
import { makeBoundMoments } from "./platform/bound-moments.ts";
import type { Clock } from "./platform/clock.ts";
import type { Database } from "./platform/database/database.ts";
import { isTroubled, unlessTroubled } from "./platform/database/trouble.ts";
import { makeEvents } from "./platform/events.ts";
import type { Feature } from "./platform/feature.ts";
import { makeForgetting } from "./platform/forgetting.ts";
import { makeHeldLeases } from "./platform/held-leases.ts";
import { makeClients } from "./platform/http/client-address.ts";
import { makeCreationLimit } from "./platform/http/creation-limit.ts";
import { watchForwarding } from "./platform/http/forwarded.ts";
import type { InternetException } from "./platform/http/internet.ts";
import { mount } from "./platform/http/mount.ts";
import { refuseOtherHosts } from "./platform/http/origin.ts";
import { makeRepeats } from "./platform/http/repeats.ts";
import { timeRequests } from "./platform/http/request-times.ts";
import { makeHttpServer } from "./platform/http/server.ts";
import { makeJobs } from "./platform/jobs/make-jobs.ts";
import { releaseOwnJobs } from "./platform/jobs/table.ts";
import { makeLeases } from "./platform/leases.ts";
import type { LogTarget } from "./platform/log.ts";
import type { Names } from "./platform/names.ts";
import type { Draw } from "./platform/pictures.ts";
import { makeSchedule } from "./platform/schedule.ts";
import type { Sealing } from "./platform/sealing.ts";
import { makeSignals } from "./platform/signals.ts";
import { makeProvenBackup } from "./proven-backup.ts";
import { makeRoutes } from "./routes.ts";

export interface AppParts {
  config: Config;
  database: Database;
  clock: Clock;
  sealing: Sealing;
  /** Identifies this installation among those that share the database; stored in its DATA_DIR. */
  panelId: string;
  /** Where the database is, for the operator. */
  databasePlace: string;
  hadMembers: HadMembers;
  /** The panel's own machine; null with LOCAL_SERVER=off. */
  localHost: Host | null;
  /** Servers reached over SSH. */
  remotes: Remotes;
  /** Resolves domains to addresses. */
  names: Names;
  version: string;
  /** The security gate's data: the country database that comes with the panel, and the list of hosting networks. */
  geoFiles: { countryFile: string; hostingFile: string };
  /** Folder of the built web client. */
  webFolder: string;
  /** Also check answers against the contract: in tests and development. */
  checkAnswers: boolean;
  /** Where the log goes: lines of JSON on the standard output, unless a person reads it. */
  logTo?: LogTarget;
  /** The cost of a password's hash. Only tests use a cheaper one: neither main.ts nor the environment can. */
  passwordCost?: PasswordCost;
  /** In a separate process, unless a test draws faster. */
  drawPicture?: Draw;
  /** The cost of a backup's passphrase. Only tests use a cheaper one, as for passwords. */
  backupWorkFactor?: number;
  /** How soon storage that fails is asked again. Only tests are in a hurry. */
  backupHaste?: Haste;
  /** How interfaces are probed: over UDP, unless the machine is a double. */
  greet?: Greet;
  /**
   * Addresses supplied by others are only called on the internet. Only tests make an exception: neither main.ts nor the
   * environment can.
   */
  internetException?: InternetException;
}

export type App = Awaited<ReturnType<typeof makeApp>>;

/** The composition root: the platform, the features on it (features.ts), their calls (routes.ts), and starting and stopping. */
export async function makeApp(parts: AppParts) {
  const { config, database, clock, sealing, panelId } = parts;
  const { db, transact } = database;
  const { publicUrl } = config;
  const clients = makeClients(config.trustedProxies);
  const framed = miniAppOf(config.telegramBotToken, publicUrl);
  const repeats = makeRepeats({ db, clock });
  const server = await makeHttpServer({
    clock,
    repeats,
    framed,
    logLevel: config.logLevel,
    trusts: clients.trusts,
    secure: publicUrl?.protocol === "https:",
    framesItself: asksOutside(config),
    ...(parts.logTo && { logTo: parts.logTo }),
  });
  const { log } = server;
  // Not the library's own, which would be shared by all panels of a process.
  const registry = new Registry();
  if (config.metricsToken !== null) timeRequests(server, registry, repeats);
  refuseOtherHosts(server, publicUrl);

  const events = makeEvents();
  const signals = await makeSignals(database, log);
  const leases = makeLeases(transact, clock, panelId);
  const heldLeases = makeHeldLeases({ db, log, panelId });
  const jobs = makeJobs({ db, transact, clock, log, signals, heldLeases, panelId });
  const creationLimit = makeCreationLimit({ transact, clock });
  const forgetting = makeForgetting({ db, transact, clock, log });
  const schedule = makeSchedule(log, database.engine === "sqlite" ? null : leases, forgetting);
  const backupPlace = config.backupPlan && openPlace(config.backupPlan.place, parts.backupHaste);
  const { platform, features } = makeFeatures(
    { db, transact, clock, sealing, jobs, events, signals, leases, heldLeases, forgetting, log, publicUrl },
    {
      ...parts,
      forwarding: watchForwarding(server, clients, clock),
      ownPorts: () => ownPortsOf(server),
      backupPlace,
      makeBackup: (place, name) =>
        makeProvenBackup(config, place, name, {
          now: clock.now(),
          version: parts.version,
          workFactor: parts.backupWorkFactor,
        }),
      onFirstMember: makeNoteMembers({ ...parts, log }),
    },
  );
  const { apiTokens, auth, fencing, maintenance, reconciler, servers } = features;
  const brought: readonly Feature[] = Object.values(features);

  const isSuperseded = async () => (await fencing.newer()) !== null;
  const dataExport = Object.assign({}, ...brought.map((feature) => feature.dataExport));
  const health = makeHealth(database);
  const takeBackup = (passphrase: string) =>
    backup(config, {
      lock: { passphrase, workFactor: parts.backupWorkFactor },
      now: clock.now(),
      version: parts.version,
    });
  mount(server, contract, makeRoutes(platform, features, { ...parts, health, dataExport, takeBackup }), {
    gate: {
      authenticate: auth.authenticate,
      authenticateApiToken: apiTokens.authenticate,
      switchedOn: () => features.rights.switchedOn(db),
      underMaintenance: () => maintenance.isOn(db),
      isSuperseded,
      maintenanceBy: maintenance.decidedBy,
    },
    addressOf: clients.addressOf,
    creationLimit,
    publicUrl,
    framed,
    checkAnswers: parts.checkAnswers,
    repeats,
  });
  if (parts.checkAnswers)
    repeats.checkBy(async ({ url = "", headers, socket: { remoteAddress = "" } }) => {
      const sent = await server.inject({ method: "GET", url, headers, remoteAddress });
      return { status: sent.statusCode, headers: sent.headers, body: sent.body };
    });
  serveWebhook(server, features.telegramBot);
  serveMetrics(server, config.metricsToken, () => makeMetrics(registry, { ...platform, ...features, ...parts }));
  await servePages(server, { ...parts, health, framed });

  const forgetOld = async () => {
    for (const part of [jobs, ...brought, creationLimit]) await part.forgetOld?.();
  };
  for (const feature of brought) for (const work of feature.timed ?? []) schedule.add(work);
  const boundMoments = makeBoundMoments({ db, transact, clock }, BOUNDED_MOMENTS);
  schedule.add({ name: "moments ahead of time", at: "15 */10 * * * *", run: boundMoments });
  schedule.add({ name: "database's log", at: "0 41 * * * *", run: database.foldLog });
  schedule.add({ name: "left databases", at: "0 41 * * * *", run: removeLeftDatabases });
  schedule.add({ name: "old records", at: "0 7 * * * *", leaseMs: 10 * MINUTE_MS, forgets: true, run: forgetOld });

  const endWork = makeEndWork({ schedule, features: brought, jobs, readCounters: reconciler.readOwn, heldLeases, log });
  fencing.onNewer(() => {
    log.error({}, SUPERSEDED);
    void endWork();
  });

  /** Checks all servers. Returns what keeps this machine from running tunnels properly. */
  const lookAround = async (): Promise<Reason[]> => {
    await reconciler.lookAtServers().catch((error: unknown) => {
      if (!isTroubled(error)) log.error({ err: error }, "servers could not be looked at");
    });
    return config.localServer === "off" ? [] : servers.localLacks();
  };

  return {
    server,
    repeats,
    jobs,
    lookAtServers: reconciler.lookAtServers,
    lookAround,
    forgetOld,
    boundMoments,
    doScheduled: schedule.doAll,
    parts: { ...platform, panelId, ...features },
    /**
     * Fills an empty database with its initial contents. Returns the path of the one-time link for the first admin, if there is
     * none yet.
     * @throws Error with a message for the operator if there were members before
     */
    async prepare(): Promise<string | null> {
      await fillEmptyDatabase({ ...parts, ...features });
      await features.clubZone.load();
      await features.backups.refuseWrongPlace().catch((error: Error) => {
        throw new Error(`BACKUP_DIR ${error.message}`, { cause: error });
      });
      await releaseOwnJobs(transact, panelId);
      return auth.firstStart(config.firstAdmin);
    },
    /**
     * Starts the jobs and the scheduled tasks; servers are checked at once, in the background. After that check, returns what
     * keeps this machine from running tunnels properly.
     */
    async start(): Promise<string[]> {
      // While the database is away nobody can tell: the scheduled check will.
      if (await unlessTroubled(isSuperseded(), false)) {
        log.error({}, SUPERSEDED);
        return [SUPERSEDED];
      }
      await removeLeftDatabases();
      jobs.start();
      schedule.start();
      for (const feature of brought) feature.start?.();
      return lookAround();
    },
    /** Answers pending requests, lets running work end and closes everything; tunnels stay up. */
    async stop(): Promise<void> {
      await endWork({ answers: server.close(), database });
    },
  };
}
