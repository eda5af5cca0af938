import type { Readable } from "node:stream";
import type { Contract } from "@krug/contract/api";
import type { Config } from "./config.ts";
import { makeAccessRuleRoutes } from "./features/access-rules/routes.ts";
import { makeAlarmRoutes } from "./features/alarms/routes.ts";
import { makeAnswerTemplateRoutes } from "./features/answer-templates/routes.ts";
import { makeApiTokenRoutes } from "./features/api-tokens/routes.ts";
import { makeAuditRoutes } from "./features/audit/routes.ts";
import { makeAuthRoutes } from "./features/auth/routes.ts";
import { makeBackupRoutes } from "./features/backup/routes.ts";
import { makeCatalogRoutes } from "./features/catalog/routes.ts";
import { makeConfigRoutes } from "./features/configs/routes.ts";
import { makeEmptyingRoutes } from "./features/emptying/routes.ts";
import { makeGuideRoutes } from "./features/guide/routes.ts";
import type { Health } from "./features/health/index.ts";
import { makeInboxRoutes } from "./features/inbox/routes.ts";
import { makeInterfaceRoutes, makeShownInterfaces } from "./features/interfaces/routes.ts";
import { makeInviteRoutes, makeJoiningRoutes } from "./features/invites/routes.ts";
import { makeLiveRoutes } from "./features/live/routes.ts";
import { makeLostDeviceRoutes } from "./features/lost-devices/routes.ts";
import { makeMaintenanceRoutes } from "./features/maintenance/routes.ts";
import { makeMemberRoutes } from "./features/members/routes.ts";
import { makeMovingInRoutes } from "./features/moving-in/routes.ts";
import { makeNoteRoutes } from "./features/notes/routes.ts";
import { makeOutboxRoutes } from "./features/outbox/routes.ts";
import { makeOwnDataRoutes } from "./features/own-data/routes.ts";
import { makePaymentRoutes } from "./features/payments/routes.ts";
import { makePictureRoutes } from "./features/pictures/routes.ts";
import { makePushRoutes } from "./features/push/routes.ts";
import { makeReachRoutes } from "./features/reach/routes.ts";
import { makeReferralRoutes } from "./features/referral/routes.ts";
import { makeRightsRoutes } from "./features/rights/routes.ts";
import { makeSearchRoutes } from "./features/search/routes.ts";
import { makeSecurityRoutes } from "./features/security-gate/routes.ts";
import { makeServerHistoryRoutes } from "./features/server-history/routes.ts";
import { makeServerSetupRoutes } from "./features/server-setup/routes.ts";
import { makeServerRoutes } from "./features/servers/routes.ts";
import { makeSettingsRoutes } from "./features/settings/routes.ts";
import { makeStatisticsRoutes } from "./features/statistics/routes.ts";
import { makeSupportRoutes } from "./features/support/routes.ts";
import { makeSystemRoutes } from "./features/system/routes.ts";
import { makeTelegramRoutes } from "./features/telegram/routes.ts";
import { makeTemplateRoutes } from "./features/templates/routes.ts";
import { makeTrafficRoutes } from "./features/traffic/routes.ts";
import { makeTwoFactorRoutes } from "./features/two-factor/routes.ts";
import { makeUnknownPeerRoutes } from "./features/unknown-peers/routes.ts";
import { makeWebhookRoutes } from "./features/webhooks/routes.ts";
import type { Features, Platform } from "./features.ts";
import type { Host } from "./hosts/host.ts";
import type { Remotes } from "./hosts/remote.ts";
import type { Database } from "./platform/database/database.ts";
import type { OwnData } from "./platform/feature.ts";
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
  ownData: Readonly<Record<string, OwnData>>;
}

/** The calls of every feature. They stand above all features, so each may ask any of them. */
export function makeRoutes(
  platform: Platform,
  features: Features,
  { health, config, ownData, ...around }: Around,
): { [Feature in keyof Contract]: Handlers<Contract[Feature]> } {
  const { configs, servers, interfaces, catalog, templates, answerTemplates, webhooks, reconciler } = features;
  const all = { ...platform, ...features, ...around, usage: configs.usage };
  return {
    auth: { ...makeAuthRoutes(all), ...makeJoiningRoutes(all) },
    twoFactor: makeTwoFactorRoutes(all),
    apiTokens: makeApiTokenRoutes(all),
    members: makeMemberRoutes(all),
    notes: makeNoteRoutes(all),
    guide: makeGuideRoutes(all),
    alarms: makeAlarmRoutes(all),
    invites: { ...makeInviteRoutes(all), ...makeReferralRoutes(all) },
    templates: makeTemplateRoutes(all),
    catalog: makeCatalogRoutes(all),
    configs: makeConfigRoutes({ ...all, readStats: reconciler.readStats, speedOf: reconciler.speedOf }),
    traffic: makeTrafficRoutes(all),
    payments: makePaymentRoutes(all),
    pictures: makePictureRoutes(all),
    accessRules: makeAccessRuleRoutes(all),
    servers: makeServerRoutes(all),
    serverSetup: makeServerSetupRoutes(all),
    serverHistory: makeServerHistoryRoutes(all),
    emptying: makeEmptyingRoutes(all),
    reach: makeReachRoutes(all),
    interfaces: makeInterfaceRoutes(all),
    unknownPeers: makeUnknownPeerRoutes(all),
    movingIn: makeMovingInRoutes({ ...all, shownInterface: makeShownInterfaces(all).settled }),
    rights: makeRightsRoutes(all),
    live: makeLiveRoutes(all),
    inbox: makeInboxRoutes(all),
    outbox: makeOutboxRoutes(all),
    push: makePushRoutes(all),
    statistics: makeStatisticsRoutes(all),
    ownData: makeOwnDataRoutes({ ...all, sections: ownData }),
    search: makeSearchRoutes(all),
    support: makeSupportRoutes(all),
    lostDevices: makeLostDeviceRoutes(all),
    answerTemplates: makeAnswerTemplateRoutes(all),
    security: makeSecurityRoutes(all),
    audit: makeAuditRoutes({
      ...all,
      things: [
        servers.all,
        interfaces.all,
        catalog.services,
        catalog.dns,
        templates.names,
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
