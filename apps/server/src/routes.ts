import type { Readable } from "node:stream";
import type { Contract } from "@krug/contract/api";
import type { Config } from "./config.ts";
import { makeApiTokenRoutes } from "./features/access/api-tokens/routes.ts";
import { makeAuthRoutes, makePasswordRoutes } from "./features/access/auth/routes.ts";
import { makeInviteRoutes, makeJoiningRoutes } from "./features/access/invites/routes.ts";
import { makeMaintenanceRoutes } from "./features/access/maintenance/routes.ts";
import { makePasskeyRoutes } from "./features/access/passkeys/routes.ts";
import { makeSecurityRoutes } from "./features/access/security-gate/routes.ts";
import { makeTwoFactorRoutes } from "./features/access/two-factor/routes.ts";
import { makeAuditRoutes } from "./features/club/audit/routes.ts";
import { makeBackupRoutes } from "./features/club/backup/routes.ts";
import { makeRightsRoutes } from "./features/club/rights/routes.ts";
import { makeSettingsRoutes } from "./features/club/settings/routes.ts";
import { makeDataExportRoutes } from "./features/members/data-export/routes.ts";
import { makeGroupRoutes } from "./features/members/groups/routes.ts";
import { makeImportMembers } from "./features/members/members/import-members.ts";
import { makeMemberRoutes } from "./features/members/members/routes.ts";
import { makeNoteRoutes } from "./features/members/notes/routes.ts";
import { makePictureRoutes } from "./features/members/pictures/routes.ts";
import { makeTemplateRoutes } from "./features/members/templates/routes.ts";
import { makeAnswerTemplateRoutes } from "./features/messages/answer-templates/routes.ts";
import { makeInboxRoutes } from "./features/messages/inbox/routes.ts";
import { makeLiveRoutes } from "./features/messages/live/routes.ts";
import { makeLostDeviceRoutes } from "./features/messages/lost-devices/routes.ts";
import { makeOutboxRoutes } from "./features/messages/outbox/routes.ts";
import { makePushRoutes } from "./features/messages/push/routes.ts";
import { makeSupportRoutes } from "./features/messages/support/routes.ts";
import { makeTelegramRoutes } from "./features/messages/telegram/routes.ts";
import { makeWebhookRoutes } from "./features/messages/webhooks/routes.ts";
import { makePaymentRoutes } from "./features/money/payments/routes.ts";
import { makeReferralRoutes } from "./features/money/referral/routes.ts";
import { makeAlarmRoutes } from "./features/operation/alarms/routes.ts";
import { makeGuideRoutes } from "./features/operation/guide/routes.ts";
import type { Health } from "./features/operation/health/index.ts";
import { makePulseRoutes } from "./features/operation/pulse/routes.ts";
import { makeSearchRoutes } from "./features/operation/search/routes.ts";
import { makeStatisticsRoutes } from "./features/operation/statistics/routes.ts";
import { makeSystemRoutes } from "./features/operation/system/routes.ts";
import { makeAccessRuleRoutes } from "./features/vpn/access-rules/routes.ts";
import { makeCatalogRoutes } from "./features/vpn/catalog/routes.ts";
import { makeFileLinkRoutes } from "./features/vpn/configs/file-link-routes.ts";
import { makeConfigRoutes } from "./features/vpn/configs/routes.ts";
import { makeDrainRoutes } from "./features/vpn/drain/routes.ts";
import { makeExitRoutes } from "./features/vpn/exits/routes.ts";
import { makeImportRoutes, makeOldProgramRoutes } from "./features/vpn/import/routes.ts";
import { makeInterfaceRoutes, makeShownInterfaces } from "./features/vpn/interfaces/routes.ts";
import { makeOutageDetectionRoutes } from "./features/vpn/outage-detection/routes.ts";
import { makeServerHistoryRoutes } from "./features/vpn/server-history/routes.ts";
import { makeServerSetupRoutes } from "./features/vpn/server-setup/routes.ts";
import { makeServerRoutes } from "./features/vpn/servers/routes.ts";
import { makeSourceRoutes } from "./features/vpn/sources/routes.ts";
import { makeTrafficRoutes } from "./features/vpn/traffic/routes.ts";
import { makeUnknownPeerRoutes } from "./features/vpn/unknown-peers/routes.ts";
import type { Features, makeFeatures } from "./features.ts";
import type { Host } from "./hosts/host.ts";
import type { Remotes } from "./hosts/remote.ts";
import type { Database } from "./platform/database/database.ts";
import type { DataExport } from "./platform/feature.ts";
import type { Handlers } from "./platform/http/call.ts";
import type { Names } from "./platform/names.ts";

interface Around {
  config: Config;
  database: Database;
  panelId: string;
  localHost: Host | null;
  remotes: Remotes;
  names: Names;
  version: string;
  /** The whole club, encrypted. */
  takeBackup(passphrase: string): Promise<Readable>;
  health: Health;
  dataExport: Readonly<Record<string, DataExport>>;
}

/** The calls of every feature. They are above all features, so each may use any of them. */
export function makeRoutes(
  platform: ReturnType<typeof makeFeatures>["platform"],
  features: Features,
  { health, config, dataExport, ...around }: Around,
): { [Feature in keyof Contract]: Handlers<Contract[Feature]> } {
  const { configs, servers, interfaces, catalog, templates, groups, answerTemplates, webhooks, reconciler } = features;
  const { readStats, isRead, speedOf } = reconciler;
  const all = { ...platform, ...features, ...around, usage: configs.usage };
  return {
    auth: { ...makeAuthRoutes(all), ...makeJoiningRoutes(all) },
    twoFactor: makeTwoFactorRoutes(all),
    passkeys: makePasskeyRoutes(all),
    apiTokens: makeApiTokenRoutes(all),
    members: { ...makeMemberRoutes(all), ...makePasswordRoutes(all) },
    memberImport: makeImportMembers(all),
    groups: makeGroupRoutes(all),
    notes: makeNoteRoutes(all),
    guide: makeGuideRoutes(all),
    alarms: makeAlarmRoutes(all),
    pulse: makePulseRoutes(all),
    invites: { ...makeInviteRoutes(all), ...makeReferralRoutes(all) },
    templates: makeTemplateRoutes(all),
    catalog: makeCatalogRoutes(all),
    sources: makeSourceRoutes(all),
    configs: makeConfigRoutes({ ...all, readStats, isRead, speedOf }),
    fileLinks: makeFileLinkRoutes(all),
    traffic: makeTrafficRoutes(all),
    payments: makePaymentRoutes(all),
    pictures: makePictureRoutes(all),
    accessRules: makeAccessRuleRoutes(all),
    exits: makeExitRoutes(all),
    servers: makeServerRoutes(all),
    serverSetup: makeServerSetupRoutes(all),
    serverHistory: makeServerHistoryRoutes(all),
    drain: makeDrainRoutes(all),
    outageDetection: makeOutageDetectionRoutes(all),
    interfaces: makeInterfaceRoutes(all),
    unknownPeers: makeUnknownPeerRoutes(all),
    imports: makeImportRoutes({ importing: features.importing, shownInterface: makeShownInterfaces(all).settled }),
    oldPrograms: makeOldProgramRoutes(all),
    rights: makeRightsRoutes(all),
    live: makeLiveRoutes(all),
    inbox: makeInboxRoutes(all),
    outbox: makeOutboxRoutes(all),
    push: makePushRoutes(all),
    statistics: makeStatisticsRoutes(all),
    dataExport: makeDataExportRoutes({ ...all, sections: dataExport }),
    search: makeSearchRoutes(all),
    support: makeSupportRoutes(all),
    lostDevices: makeLostDeviceRoutes(all),
    answerTemplates: makeAnswerTemplateRoutes(all),
    security: makeSecurityRoutes(all),
    audit: makeAuditRoutes({
      ...all,
      things: [
        servers.all,
        interfaces.names,
        catalog.services,
        catalog.dns,
        templates.names,
        groups.names,
        answerTemplates.names,
        webhooks.names,
      ],
    }),
    settings: makeSettingsRoutes({ ...all, fixedTimeZone: config.clubTimeZone }),
    telegram: makeTelegramRoutes(all),
    webhooks: makeWebhookRoutes(all),
    system: {
      health: ({ reply }) => health(reply),
      ...makeMaintenanceRoutes(all),
      ...makeBackupRoutes(all),
      ...makeSystemRoutes({ ...all, environment: config }),
    },
  };
}
