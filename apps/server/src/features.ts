import type { Config } from "./config.ts";
import { makeApiTokens } from "./features/access/api-tokens/index.ts";
import { makeAuth, type PasswordCost } from "./features/access/auth/index.ts";
import { makeInvites } from "./features/access/invites/index.ts";
import { makeMaintenance } from "./features/access/maintenance/index.ts";
import { makePasskeys } from "./features/access/passkeys/index.ts";
import { makeSecurityGate } from "./features/access/security-gate/index.ts";
import { makeTwoFactor } from "./features/access/two-factor/index.ts";
import { makeAudit } from "./features/club/audit/index.ts";
import { makeBackups } from "./features/club/backup/index.ts";
import { makeFencing } from "./features/club/fencing/index.ts";
import { makeRights } from "./features/club/rights/index.ts";
import { makeClubZone, makeSettings } from "./features/club/settings/index.ts";
import { makeGroups } from "./features/members/groups/index.ts";
import { makeAddMembers, makeMembers } from "./features/members/members/index.ts";
import { makeNotes } from "./features/members/notes/index.ts";
import { makePictures } from "./features/members/pictures/index.ts";
import { makeTemplates } from "./features/members/templates/index.ts";
import { makeAnswerTemplates } from "./features/messages/answer-templates/index.ts";
import { makeInbox } from "./features/messages/inbox/index.ts";
import { makeLive } from "./features/messages/live/index.ts";
import { makeLostDevices } from "./features/messages/lost-devices/index.ts";
import { makeOutbox } from "./features/messages/outbox/index.ts";
import { makePush } from "./features/messages/push/index.ts";
import { makePushSender } from "./features/messages/push/sender.ts";
import { makeSupport } from "./features/messages/support/index.ts";
import { makeTelegramBot } from "./features/messages/telegram/bot.ts";
import { makeTelegram } from "./features/messages/telegram/index.ts";
import { makeWebhooks } from "./features/messages/webhooks/index.ts";
import { makePayments } from "./features/money/payments/index.ts";
import { makeReferral } from "./features/money/referral/index.ts";
import { makeGuide } from "./features/operation/guide/index.ts";
import { keepRollUps, makeDayFigures } from "./features/operation/statistics/index.ts";
import { makeAccessRules } from "./features/vpn/access-rules/index.ts";
import { makeCatalog } from "./features/vpn/catalog/index.ts";
import { makeConfigs } from "./features/vpn/configs/index.ts";
import { makeDrains, makeRotation } from "./features/vpn/drain/index.ts";
import { makeDrainPlans } from "./features/vpn/drain/plan.ts";
import { makeExits } from "./features/vpn/exits/index.ts";
import { makeFoundPrograms, makeImporting } from "./features/vpn/import/index.ts";
import { makeInterfaceChanges, makeInterfaces } from "./features/vpn/interfaces/index.ts";
import { makeOutageDetection } from "./features/vpn/outage-detection/index.ts";
import { type Greet, makeProbe } from "./features/vpn/probe/index.ts";
import { makeReconciler } from "./features/vpn/reconciler/index.ts";
import { makeRouting } from "./features/vpn/routing/index.ts";
import { makeServerHistory } from "./features/vpn/server-history/index.ts";
import { makeServerSetup } from "./features/vpn/server-setup/index.ts";
import { makeServers } from "./features/vpn/servers/index.ts";
import { makeMachines } from "./features/vpn/servers/machines.ts";
import { makeSources } from "./features/vpn/sources/index.ts";
import { makeTraffic } from "./features/vpn/traffic/index.ts";
import { makeMemberUsage } from "./features/vpn/usage/index.ts";
import type { Host, HostPort } from "./hosts/host.ts";
import type { Remotes } from "./hosts/remote.ts";
import type { BackupPlace } from "./platform/archive/place.ts";
import { makeClubTime } from "./platform/club-time.ts";
import type { ForwardingTrouble } from "./platform/http/forwarded.ts";
import { type InternetException, makeInternet } from "./platform/http/internet.ts";
import type { Names } from "./platform/names.ts";
import type { Draw } from "./platform/pictures.ts";
import type { Platform } from "./platform/platform.ts";

/** Facts about this installation and its machine. */
interface Surroundings {
  config: Config;
  panelId: string;
  localHost: Host | null;
  remotes: Remotes;
  names: Names;
  geoFiles: { countryFile: string; hostingFile: string };
  passwordCost?: PasswordCost;
  drawPicture?: Draw;
  greet?: Greet;
  internetException?: InternetException;
  forwarding(): ForwardingTrouble;
  /** Of the panel itself, which stays reachable through its own tunnels. */
  ownPorts(): HostPort[];
  onFirstMember(): void;
  /** Where scheduled backups go; null: there are none. */
  backupPlace: BackupPlace | null;
  makeBackup(place: BackupPlace, name: string): Promise<{ bytes: number }>;
}

export type Features = ReturnType<typeof makeFeatures>["features"];

/** The features in dependency order: each gets what is above it here, and nothing else. */
export function makeFeatures(ground: Omit<Platform, "clubTime">, around: Surroundings) {
  const { config } = around;
  const settings = makeSettings(ground.clock, ground.signals);
  const clubZone = makeClubZone({ ...ground, fixed: config.clubTimeZone, settings });
  /** Of each server itself, for members. */
  const openPorts = (): HostPort[] => [...config.hostPortsForMembers, ...around.ownPorts()];
  const platform = { ...ground, clubTime: makeClubTime(clubZone.now), openPorts };

  const audit = makeAudit(platform);
  const fencing = makeFencing({ ...platform, audit });
  const members = makeMembers({ ...platform, settings, audit });
  const notes = makeNotes(platform);
  const groups = makeGroups({ ...platform, audit });
  const guide = makeGuide(platform);
  const maintenance = makeMaintenance({ ...platform, settings, audit });
  const rights = makeRights({ settings });
  const servers = makeServers({ ...platform, ...around, audit, fencing });
  const internet = makeInternet({ ...around, isOwnAddress: servers.isOwnAddress });
  const gate = { enabled: config.securityGate === "on", services: config.geoServices, folder: config.geoDir };
  const securityGate = makeSecurityGate({
    ...platform,
    ...around,
    settings,
    servers,
    gate: { ...gate, ...around.geoFiles },
  });
  const auth = makeAuth({ ...platform, ...around, settings, audit, members, maintenance, securityGate });
  const twoFactor = makeTwoFactor({ ...platform, audit, members, auth });
  const passkeys = makePasskeys({ ...platform, audit, members, maintenance, auth, twoFactor });
  const apiTokens = makeApiTokens({ ...platform, audit, members, auth, securityGate });
  const interfaces = makeInterfaces({ ...platform, ...around, servers, groups });
  const serverSetup = makeServerSetup({ ...platform, ...around, audit, servers, interfaces });
  const serverHistory = makeServerHistory({ ...platform, servers });
  const probe = makeProbe({ ...platform, ...around, servers, interfaces });
  const sources = makeSources({ ...platform, ...around, audit, internet, securityGate, folder: config.geoDir });
  const catalog = makeCatalog({ ...platform, sources });
  const exits = makeExits({ ...platform, servers, interfaces, catalog });
  const templates = makeTemplates();
  const invites = makeInvites({ ...platform, settings, audit, members, auth, interfaces, templates, securityGate });
  const traffic = makeTraffic(platform);
  const bot = {
    token: config.telegramBotToken,
    apiRoot: config.telegramApiRoot,
    webhook: config.telegramWebhook === "on",
  };
  const outbox = makeOutbox({ ...platform, settings });
  const telegram = makeTelegram({ ...platform, settings, audit, members, maintenance, auth, outbox, bot });
  const push = makePush({ ...platform, internet, members, outbox });
  const configs = makeConfigs({
    ...platform,
    settings,
    audit,
    auth,
    members,
    interfaces,
    catalog,
    exits,
    templates,
    traffic,
    telegram,
  });
  const drains = makeDrains({ ...platform, audit, servers, interfaces, groups, configs });
  const { usage } = configs;
  const rotation = makeRotation({ ...platform, audit, members, servers, interfaces, usage, drains });
  const addMembers = makeAddMembers({ ...platform, settings, audit, auth, templates });
  const importing = makeImporting({ ...platform, audit, members, servers, interfaces, configs, addMembers });
  const interfaceChanges = makeInterfaceChanges({ ...platform, ...around, audit, members, servers, usage, exits });
  const foundPrograms = makeFoundPrograms({
    ...platform,
    audit,
    servers,
    interfaces,
    configs,
    probe,
    importing,
    removeInterface: interfaceChanges.remove,
  });
  const outageDetection = makeOutageDetection({ ...platform, interfaces, configs, probe });
  const memberUsage = makeMemberUsage({ ...platform, members, configs, traffic });
  const referral = makeReferral({ ...platform, settings, members });
  const pictures = makePictures({ ...platform, ...around });
  const payments = makePayments({ ...platform, settings, audit, members, pictures });
  const live = makeLive({ ...platform, members });
  const accessRules = makeAccessRules({
    ...platform,
    ...around,
    audit,
    members,
    groups,
    servers,
    interfaces,
    catalog,
    configs,
    sources,
    exits,
  });
  const routing = makeRouting({ ...platform, interfaces, catalog, configs, sources, accessRules, exits });
  const reconciler = makeReconciler({
    ...platform,
    fencing,
    members,
    servers,
    interfaces,
    configs,
    traffic,
    accessRules,
    routing,
    exits,
    probe,
  });
  const answerTemplates = makeAnswerTemplates();
  const support = makeSupport({ ...platform, audit, members, pictures, live });
  const lostDevices = makeLostDevices({ ...platform, audit, auth, passkeys, members, configs, support, telegram });
  const dayFigures = makeDayFigures({ ...platform, members, servers, configs, traffic, payments, support });
  const backups = makeBackups({ ...platform, ...around, ...config });
  const webhooks = makeWebhooks({ ...platform, internet, audit, members });
  const inbox = makeInbox({
    ...platform,
    settings,
    audit,
    members,
    catalog,
    configs,
    support,
    referral,
    outbox,
    live,
    dayFigures,
  });
  const telegramBot = makeTelegramBot({
    ...platform,
    auth,
    settings,
    audit,
    members,
    maintenance,
    outbox,
    bot,
    telegram,
    configsOf: configs.ofMember,
    giveFile: configs.giveFile,
    lostDevices,
    noticeToSend: inbox.noticeToSend,
    noticeOf: inbox.noticeOf,
    aboutOf: inbox.aboutOf,
    support,
    twoFactor,
    rights,
    payments,
    servers,
    machines: makeMachines({ ...platform, ...around, ...servers, countryOf: securityGate.countryOf }),
    drains,
    drainPlans: makeDrainPlans({ ...platform, servers, interfaces, configs, drains }),
  });
  const pushSender = makePushSender({ ...platform, members, push, noticeToSend: inbox.noticeToSend });
  keepRollUps({ ...platform, configs, traffic });

  // In the order of a member's data export.
  const features = {
    settings,
    clubZone,
    audit,
    fencing,
    rights,
    maintenance,
    members,
    groups,
    notes,
    guide,
    auth,
    twoFactor,
    passkeys,
    apiTokens,
    securityGate,
    servers,
    interfaces,
    serverSetup,
    serverHistory,
    probe,
    sources,
    catalog,
    exits,
    templates,
    configs,
    drains,
    rotation,
    importing,
    foundPrograms,
    outageDetection,
    traffic,
    outbox,
    telegram,
    telegramBot,
    push,
    pushSender,
    memberUsage,
    invites,
    referral,
    pictures,
    payments,
    live,
    accessRules,
    reconciler,
    answerTemplates,
    support,
    lostDevices,
    backups,
    webhooks,
    inbox,
  };
  return { platform, features };
}
