import { setTimeout as wait } from "node:timers/promises";
import { type Contract, contract } from "@krug/contract/api";
import type { FastifyInstance } from "fastify";
import { type Config, isLoopback } from "./config.ts";
import { makeAccessRules } from "./features/access-rules/index.ts";
import { makeAudit } from "./features/audit/index.ts";
import { makeAuth, type PasswordCost } from "./features/auth/index.ts";
import { makeCatalog } from "./features/catalog/index.ts";
import { makeConfigs } from "./features/configs/index.ts";
import { makeHealth } from "./features/health/index.ts";
import { makeInbox } from "./features/inbox/index.ts";
import { makeInterfaces } from "./features/interfaces/index.ts";
import { makeInvites } from "./features/invites/index.ts";
import { makeLive } from "./features/live/index.ts";
import { makeMaintenance } from "./features/maintenance/index.ts";
import { makeMemberUse } from "./features/member-use/index.ts";
import { makeMemberRoutes, makeMembers } from "./features/members/index.ts";
import { makeOwnData } from "./features/own-data/index.ts";
import { makePayments } from "./features/payments/index.ts";
import { makePictures } from "./features/pictures/index.ts";
import { makeReconciler } from "./features/reconciler/index.ts";
import { makeReferral } from "./features/referral/index.ts";
import { makeRights } from "./features/rights/index.ts";
import { makeSecurityGate, serveAskingPage } from "./features/security-gate/index.ts";
import { makeServers } from "./features/servers/index.ts";
import { makeClubZone, makeSettings, makeSettingsRoutes } from "./features/settings/index.ts";
import { makeStatistics } from "./features/statistics/index.ts";
import { makeSupport } from "./features/support/index.ts";
import { makeSystem } from "./features/system/index.ts";
import { makeTelegram } from "./features/telegram/index.ts";
import { makeTraffic } from "./features/traffic/index.ts";
import { makeTwoFactor } from "./features/two-factor/index.ts";
import type { Host, HostPort } from "./hosts/host.ts";
import { type HadMembers, lostMembers } from "./installation.ts";
import type { Clock } from "./platform/clock.ts";
import { makeClubTime } from "./platform/club-time.ts";
import type { Database } from "./platform/database/database.ts";
import { isTroubled } from "./platform/database/trouble.ts";
import { makeEvents } from "./platform/events.ts";
import type { Handlers } from "./platform/http/call.ts";
import { makeClients } from "./platform/http/client-address.ts";
import { compressedText } from "./platform/http/compressed.ts";
import { makeCreationLimit } from "./platform/http/creation-limit.ts";
import { watchForwarding } from "./platform/http/forwarded.ts";
import { mount } from "./platform/http/mount.ts";
import { describeApi } from "./platform/http/openapi.ts";
import { apiPage } from "./platform/http/openapi-page.ts";
import { refuseOtherHosts } from "./platform/http/origin.ts";
import { makeHttpServer } from "./platform/http/server.ts";
import { serveWeb } from "./platform/http/static-web.ts";
import { makeJobs, releaseOwnJobs } from "./platform/jobs.ts";
import { makeLeases } from "./platform/leases.ts";
import type { Names } from "./platform/names.ts";
import { makeSchedule } from "./platform/schedule.ts";
import type { Sealing } from "./platform/sealing.ts";
import { makeSignals } from "./platform/signals.ts";

export interface AppParts {
  config: Config;
  database: Database;
  clock: Clock;
  sealing: Sealing;
  /** This installation among those that share the database; kept in its DATA_DIR. */
  panelId: string;
  /** Where the database is, for the operator. */
  databasePlace: string;
  hadMembers: HadMembers;
  /** The panel's own machine; null with LOCAL_SERVER=off. */
  localHost: Host | null;
  /** Who says what a domain's addresses are. */
  names: Names;
  version: string;
  /** What the security gate goes by: the country database that comes with the panel, and the list of hosting networks. */
  geoFiles: { countryFile: string; hostingFile: string };
  /** Folder of the built web client. */
  webFolder: string;
  /** Check answers against the contract too: in tests and development. */
  checkAnswers: boolean;
  /** Of a password's hash. Tests alone name a cheaper one: neither main.ts nor the environment can. */
  passwordCost?: PasswordCost;
}

export type App = Awaited<ReturnType<typeof makeApp>>;

/** The composition root: read from top to bottom it is the order in which things depend on each other. */
export async function makeApp(parts: AppParts) {
  const { config, database, clock, sealing, panelId, localHost, hadMembers, passwordCost } = parts;
  const { db, transact } = database;
  const { publicUrl } = config;
  const asksOutside = config.securityGate === "on" && config.geoServices.length > 0;
  const clients = makeClients(config.trustedProxies);
  const server: FastifyInstance = await makeHttpServer({
    logLevel: config.logLevel,
    trusts: clients.trusts,
    secure: publicUrl?.protocol === "https:",
    framesItself: asksOutside,
  });
  const { log } = server;
  refuseOtherHosts(server, publicUrl);

  const events = makeEvents();
  const signals = await makeSignals(database, log);
  const settings = makeSettings(clock, signals);
  const clubZone = makeClubZone({ fixed: config.clubTimeZone, db, settings, events, signals });
  const clubTime = makeClubTime(clubZone.now);
  const jobs = makeJobs({ db, transact, clock, log, signals, panelId });
  const creationLimit = makeCreationLimit({ transact, clock });
  const leases = makeLeases(transact, clock, panelId);
  const schedule = makeSchedule(log);
  const platform = { db, transact, clock, clubTime, sealing, jobs, events, signals, log, publicUrl };

  const audit = makeAudit(clock);
  const members = makeMembers({ clubTime, db, clock, settings, sealing });
  const maintenance = makeMaintenance({ ...platform, settings, audit });
  const rights = makeRights({ ...platform, settings });
  const servers = makeServers({
    ...platform,
    audit,
    members,
    rights,
    panelId,
    localHost,
    // These come later in this order; they are asked only when somebody looks at the servers.
    useOfServers: (over, withVip) => interfaces.useOfServers(over, withVip),
    countryOf: (address) => securityGate.countryOf(address),
  });
  const securityGate = makeSecurityGate({
    ...platform,
    settings,
    audit,
    servers,
    gate: {
      enabled: config.securityGate === "on",
      services: config.geoServices,
      folder: config.geoDir,
      ...parts.geoFiles,
    },
    forwarding: watchForwarding(server, clients, clock),
  });
  // At once, in the folder and in the file: a part of this installation must not be taken for a new one.
  const noteMembers = async () => {
    hadMembers.note();
    await database.foldLog();
  };
  const onFirstMember = () =>
    void noteMembers().catch((error: unknown) => log.error({ err: error }, "could not note that there are members"));
  const auth = makeAuth({
    ...platform,
    settings,
    audit,
    members,
    maintenance,
    securityGate,
    onFirstMember,
    passwordCost,
  });
  const twoFactor = makeTwoFactor({ ...platform, audit, members, auth });
  const interfaces = makeInterfaces({
    ...platform,
    audit,
    members,
    rights,
    servers,
    // Configs come later in this order; what they carry is counted only when somebody asks.
    usage: {
      byInterface: (over, withVip) => configs.usage.byInterface(over, withVip),
      addressesOn: (tx, id) => configs.usage.addressesOn(tx, id),
    },
  });
  const invites = makeInvites({ ...platform, settings, audit, members, auth, interfaces, securityGate });
  const catalog = makeCatalog({
    ...platform,
    audit,
    // Configs come later in this order; they are asked only when somebody changes an entry or looks where it is used.
    usage: {
      configsWithService: (over, id) => configs.usage.configsWithService(over, id),
      configsWithDns: (over, id) => configs.usage.configsWithDns(over, id),
      byService: (over, withVip) => configs.usage.byService(over, withVip),
      byDns: (over, withVip) => configs.usage.byDns(over, withVip),
      toDownload: (over, of) => configs.usage.toDownload(over, of),
      phonesOver: (over, id, sizes, limit) => configs.usage.phonesOver(over, id, sizes, limit),
    },
  });
  const traffic = makeTraffic(platform);
  const telegram = makeTelegram({
    ...platform,
    leases,
    settings,
    audit,
    members,
    maintenance,
    bot: { token: config.telegramBotToken, apiRoot: config.telegramApiRoot },
    // Configs come later in this order; they are asked for only when somebody writes to the bot.
    configsOf: (memberId, limit) => configs.ofMember(memberId, limit),
  });
  const configs = makeConfigs({ ...platform, settings, audit, members, interfaces, catalog, traffic, telegram });
  const memberUse = makeMemberUse({ ...platform, members, configs, traffic });
  const referral = makeReferral({ ...platform, settings, members, configs, traffic });
  const pictures = makePictures(platform);
  const payments = makePayments({ ...platform, settings, audit, members, pictures });
  const live = makeLive({ ...platform, members });
  const accessRules = makeAccessRules({
    ...platform,
    names: parts.names,
    audit,
    members,
    servers,
    interfaces,
    catalog,
    configs,
  });
  /** The panel itself stays reachable through its own tunnels, where it is reachable at all. */
  const ownPort = (): HostPort[] => {
    const bound = server.server.address();
    if (bound === null || typeof bound === "string" || isLoopback(bound.address)) return [];
    return [{ protocol: "tcp", port: bound.port }];
  };
  const reconciler = makeReconciler({
    ...platform,
    members,
    servers,
    interfaces,
    configs,
    traffic,
    accessRules,
    openPorts: () => [...config.hostPortsForMembers, ...ownPort()],
  });
  const support = makeSupport({ ...platform, audit, members, pictures, live });
  const inbox = makeInbox({ ...platform, settings, audit, members, live });
  const statistics = makeStatistics({ ...platform, members, servers, interfaces, catalog, configs, traffic });
  const ownData = makeOwnData(platform, {
    account: members.ownData,
    sessions: auth.ownData,
    configs: configs.ownData,
    invitations: invites.ownData,
    payments: payments.ownData,
    support: support.ownData,
    inbox: inbox.ownData,
  });
  const system = makeSystem({
    ...platform,
    database,
    audit,
    servers,
    interfaces,
    version: parts.version,
    environment: config,
  });
  const health = makeHealth(database);

  const handlers: { [Feature in keyof Contract]: Handlers<Contract[Feature]> } = {
    auth: { ...auth.routes, ...invites.authRoutes },
    twoFactor: twoFactor.routes,
    members: makeMemberRoutes({
      ...platform,
      settings,
      audit,
      auth,
      members,
      countConfigs: configs.countsOf,
      hasTwoFactor: twoFactor.isEnabled,
    }),
    invites: { ...invites.routes, ...referral.routes },
    catalog: catalog.routes,
    configs: configs.routes(reconciler.readStats),
    traffic: traffic.routes(configs.idsOf),
    payments: payments.routes,
    pictures: pictures.routes,
    accessRules: accessRules.routes,
    servers: servers.routes,
    interfaces: interfaces.routes,
    rights: rights.routes,
    live: live.routes,
    inbox: inbox.routes,
    statistics: statistics.routes,
    ownData: ownData.routes,
    support: support.routes,
    security: securityGate.routes,
    audit: audit.routes({
      ...platform,
      members,
      things: [servers.all, interfaces.all, catalog.services, catalog.dns],
    }),
    settings: makeSettingsRoutes({ ...platform, settings, audit, fixedTimeZone: config.clubTimeZone }),
    telegram: telegram.routes,
    system: {
      health: ({ reply }) => health(reply),
      ...maintenance.routes(twoFactor),
      ...system.routes,
    },
  };
  mount(server, contract, handlers, {
    gate: { authenticate: auth.authenticate, underMaintenance: () => maintenance.isOn(db) },
    addressOf: clients.addressOf,
    creationLimit,
    publicUrl,
    checkAnswers: parts.checkAnswers,
  });
  server.get("/health", async (_request, reply) => health(reply.header("cache-control", "no-store")));
  if (asksOutside) serveAskingPage(server, config.geoServices);
  const description = once(() => describeApi(contract, parts.version));
  server.get(
    "/api/openapi.json",
    compressedText("application/json", () => JSON.stringify(description())),
  );
  server.get(
    "/api/docs",
    compressedText("text/html; charset=utf-8", () => apiPage(description() as never)),
  );
  const gate = "/security/gate";
  await serveWeb(
    server,
    parts.webFolder,
    {
      index: [gate],
      landing: [gate],
      login: [gate],
      register: [gate],
      dashboard: [gate, "/auth/me", "/vpn/configs", "/vpn/available-interfaces", "/auth/telegram/status"],
    },
    { sampleData: config.sampleData === "on" },
  );

  /** Looks at the panel's own machine, and has it and every other server set right. */
  const lookAtServers = async () => {
    await servers.ensureLocal(interfaces);
    return reconciler.reconcileAll();
  };
  let endedUpTo = clock.now().getTime();
  /** Takes peers of subscriptions that ended since the last look off the wire: what the clock says, forwards or back. */
  const cutEnded = async () => {
    const now = clock.now().getTime();
    // A clock that came back: who was cut too early is brought back by the same look.
    await configs.cutEnded(Math.min(endedUpTo, now), Math.max(endedUpTo, now));
    endedUpTo = now;
  };
  const forgetOld = async () => {
    await jobs.forgetOld();
    await traffic.forgetOld();
    await auth.forgetOld();
    await invites.forgetOldAttempts();
    await telegram.forgetOld();
    await payments.forgetOldReceipts();
    await pictures.forgetOld();
    await inbox.forgetOld();
    await creationLimit.forgetOld();
  };
  /** An installation that had members offers no link to whoever comes first. */
  const refuseLostMembers = async () => {
    const wasUsed = !(await audit.isEmpty(db));
    if (wasUsed)
      throw new Error(
        lostMembers(parts.databasePlace, "To go on with it, make an admin: npm run krug -- create-admin NAME. "),
      );
    if (hadMembers.isNoted()) throw new Error(lostMembers(parts.databasePlace));
  };
  const MINUTE_MS = 60_000;
  schedule.every("subscriptions", "*/2 * * * * *", cutEnded);
  schedule.every("club's zone", "15 * * * * *", clubZone.load);
  schedule.every("servers", "0 * * * * *", async () => void (await lookAtServers()));
  schedule.every("referral", "30 * * * * *", async () => {
    if (await leases.take("referral", 10_000)) await referral.recount();
  });
  // Soon after a day of the club's calendar has ended, and after a start.
  schedule.every("month of use", "20 * * * * *", async () => {
    if (await leases.take("month of use", 10_000)) await memberUse.countDays();
  });
  schedule.every("names of rules", "*/10 * * * * *", async () => {
    if (await leases.take("names of rules", MINUTE_MS)) await accessRules.watchNames();
  });
  schedule.every("ends of subscriptions", "50 * * * * *", async () => {
    if (await leases.take("ends of subscriptions", 10_000)) await inbox.remindOfEnds();
  });
  schedule.every("deleted configs", "*/20 * * * * *", async () => {
    if (await leases.take("deleted configs", 10_000)) await configs.purgePast();
  });
  schedule.every("database's log", "0 41 * * * *", database.foldLog);
  schedule.every("old records", "0 7 * * * *", async () => {
    if (await leases.take("old records", 10 * MINUTE_MS)) await forgetOld();
  });

  return {
    server,
    jobs,
    lookAtServers,
    cutEnded,
    forgetOld,
    recountReferral: referral.recount,
    countDaysOfUse: memberUse.countDays,
    watchNames: accessRules.watchNames,
    remindOfEnds: inbox.remindOfEnds,
    parts: {
      ...platform,
      panelId,
      settings,
      audit,
      members,
      auth,
      twoFactor,
      maintenance,
      servers,
      interfaces,
      invites,
      catalog,
      configs,
      traffic,
      telegram,
      reconciler,
    },
    /**
     * Fills what an empty database starts with; answers the path of the one-time link for the first admin, where there is
     * none yet. @throws Error with a sentence for the operator where there were members before
     */
    async prepare(): Promise<string | null> {
      if (!(await members.isEmpty(db))) hadMembers.note();
      else {
        await refuseLostMembers();
        // Only before there is anyone: an admin who empties the catalogue means it.
        await transact((tx) => catalog.seedCatalog(tx));
      }
      await clubZone.load();
      await releaseOwnJobs(transact, panelId);
      return auth.firstStart(config.firstAdmin);
    },
    /**
     * Starts the jobs and the clock's tasks; servers are looked at at once, in the background. Answers, after that look, what
     * keeps this machine from running tunnels as it should.
     */
    async start(): Promise<string[]> {
      jobs.start();
      schedule.start();
      telegram.start();
      await lookAtServers().catch((error: unknown) => {
        if (!isTroubled(error)) log.error({ err: error }, "servers could not be looked at");
      });
      return config.localServer === "off" ? [] : servers.localLacks();
    },
    /** Answers what is being asked, lets running work end and closes everything, within some 4 s; tunnels stay up. */
    async stop(): Promise<void> {
      schedule.stop();
      await Promise.all([within(STOP_PART_MS, telegram.stop()), server.close()]);
      // A job that is cut short is done again after the next start.
      await within(STOP_PART_MS, jobs.stop());
      await database.close();
    },
  };
}

/** For what may hang on somebody outside when the panel stops. */
const STOP_PART_MS = 1_000;

const within = (ms: number, work: Promise<void>) => Promise.race([work, wait(ms, undefined, { ref: false })]);

/** Made when first asked for, and kept: anyone may ask, as often as he likes. */
function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
