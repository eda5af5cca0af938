import { apiTokens as apiTokensEn } from "../../apps/web/src/features/access/api-tokens/words-en.ts";
import { apiTokens as apiTokensRu } from "../../apps/web/src/features/access/api-tokens/words-ru.ts";
import { lost as lostEn } from "../../apps/web/src/features/access/auth/lost-words-en.ts";
import { lost as lostRu } from "../../apps/web/src/features/access/auth/lost-words-ru.ts";
import { staffInvites as staffInvitesEn } from "../../apps/web/src/features/access/invites/staff-words-en.ts";
import { staffInvites as staffInvitesRu } from "../../apps/web/src/features/access/invites/staff-words-ru.ts";
import { audit as auditEn } from "../../apps/web/src/features/club/audit/words-en.ts";
import { audit as auditRu } from "../../apps/web/src/features/club/audit/words-ru.ts";
import { groups as groupsEn } from "../../apps/web/src/features/members/groups/words-en.ts";
import { groups as groupsRu } from "../../apps/web/src/features/members/groups/words-ru.ts";
import { memberField as memberFieldEn } from "../../apps/web/src/features/members/member-field/words-en.ts";
import { memberField as memberFieldRu } from "../../apps/web/src/features/members/member-field/words-ru.ts";
import { account as accountEn } from "../../apps/web/src/features/members/members/account-words-en.ts";
import { account as accountRu } from "../../apps/web/src/features/members/members/account-words-ru.ts";
import { settings as settingsEn } from "../../apps/web/src/features/members/members/settings-words-en.ts";
import { settings as settingsRu } from "../../apps/web/src/features/members/members/settings-words-ru.ts";
import { notes as notesEn } from "../../apps/web/src/features/members/notes/words-en.ts";
import { notes as notesRu } from "../../apps/web/src/features/members/notes/words-ru.ts";
import { templates as templatesEn } from "../../apps/web/src/features/members/templates/words-en.ts";
import { templates as templatesRu } from "../../apps/web/src/features/members/templates/words-ru.ts";
import { bulk as bulkEn } from "../../apps/web/src/features/members/users/bulk-words-en.ts";
import { bulk as bulkRu } from "../../apps/web/src/features/members/users/bulk-words-ru.ts";
import { fromFile as fromFileEn } from "../../apps/web/src/features/members/users/from-file-words-en.ts";
import { fromFile as fromFileRu } from "../../apps/web/src/features/members/users/from-file-words-ru.ts";
import { handOver as handOverEn } from "../../apps/web/src/features/members/users/hand-over-words-en.ts";
import { handOver as handOverRu } from "../../apps/web/src/features/members/users/hand-over-words-ru.ts";
import { quota as quotaOfEn } from "../../apps/web/src/features/members/users/quota-words-en.ts";
import { quota as quotaOfRu } from "../../apps/web/src/features/members/users/quota-words-ru.ts";
import { users as usersEn } from "../../apps/web/src/features/members/users/words-en.ts";
import { users as usersRu } from "../../apps/web/src/features/members/users/words-ru.ts";
import { answerTemplates as answerTemplatesEn } from "../../apps/web/src/features/messages/answer-templates/words-en.ts";
import { answerTemplates as answerTemplatesRu } from "../../apps/web/src/features/messages/answer-templates/words-ru.ts";
import { inbox as inboxEn } from "../../apps/web/src/features/messages/inbox/words-en.ts";
import { inbox as inboxRu } from "../../apps/web/src/features/messages/inbox/words-ru.ts";
import { outbox as outboxEn } from "../../apps/web/src/features/messages/outbox/words-en.ts";
import { outbox as outboxRu } from "../../apps/web/src/features/messages/outbox/words-ru.ts";
import { push as pushEn } from "../../apps/web/src/features/messages/push/words-en.ts";
import { push as pushRu } from "../../apps/web/src/features/messages/push/words-ru.ts";
import { staffSupport as staffSupportEn } from "../../apps/web/src/features/messages/staff-support/words-en.ts";
import { staffSupport as staffSupportRu } from "../../apps/web/src/features/messages/staff-support/words-ru.ts";
import { webhooks as webhooksEn } from "../../apps/web/src/features/messages/webhooks/words-en.ts";
import { webhooks as webhooksRu } from "../../apps/web/src/features/messages/webhooks/words-ru.ts";
import { manyWords as manyPaymentsEn } from "../../apps/web/src/features/money/payments/many-words-en.ts";
import { manyWords as manyPaymentsRu } from "../../apps/web/src/features/money/payments/many-words-ru.ts";
import { staffPayments as staffPaymentsEn } from "../../apps/web/src/features/money/payments/staff-words-en.ts";
import { staffPayments as staffPaymentsRu } from "../../apps/web/src/features/money/payments/staff-words-ru.ts";
import { guide as guideEn } from "../../apps/web/src/features/operation/guide/words-en.ts";
import { guide as guideRu } from "../../apps/web/src/features/operation/guide/words-ru.ts";
import { pulse as pulseEn } from "../../apps/web/src/features/operation/pulse/words-en.ts";
import { pulse as pulseRu } from "../../apps/web/src/features/operation/pulse/words-ru.ts";
import { statistics as statisticsEn } from "../../apps/web/src/features/operation/statistics/words-en.ts";
import { statistics as statisticsRu } from "../../apps/web/src/features/operation/statistics/words-ru.ts";
import { system as systemEn } from "../../apps/web/src/features/operation/system/words-en.ts";
import { system as systemRu } from "../../apps/web/src/features/operation/system/words-ru.ts";
import { rules as rulesEn } from "../../apps/web/src/features/vpn/access-rules/words-en.ts";
import { rules as rulesRu } from "../../apps/web/src/features/vpn/access-rules/words-ru.ts";
import { catalog as catalogEn } from "../../apps/web/src/features/vpn/catalog/words-en.ts";
import { catalog as catalogRu } from "../../apps/web/src/features/vpn/catalog/words-ru.ts";
import { configsBrowser as configsBrowserEn } from "../../apps/web/src/features/vpn/config-browser/words-en.ts";
import { configsBrowser as configsBrowserRu } from "../../apps/web/src/features/vpn/config-browser/words-ru.ts";
import { deviceCheck as deviceCheckEn } from "../../apps/web/src/features/vpn/configs/device-check-words-en.ts";
import { deviceCheck as deviceCheckRu } from "../../apps/web/src/features/vpn/configs/device-check-words-ru.ts";
import { servicesWords as servicesEn } from "../../apps/web/src/features/vpn/configs/services-words-en.ts";
import { servicesWords as servicesRu } from "../../apps/web/src/features/vpn/configs/services-words-ru.ts";
import { amneziawg as amneziawgEn } from "../../apps/web/src/features/vpn/interfaces/amneziawg-words-en.ts";
import { amneziawg as amneziawgRu } from "../../apps/web/src/features/vpn/interfaces/amneziawg-words-ru.ts";
import { oldProgram as oldProgramEn } from "../../apps/web/src/features/vpn/interfaces/old-program-words-en.ts";
import { oldProgram as oldProgramRu } from "../../apps/web/src/features/vpn/interfaces/old-program-words-ru.ts";
import { interfaces as interfacesEn } from "../../apps/web/src/features/vpn/interfaces/words-en.ts";
import { interfaces as interfacesRu } from "../../apps/web/src/features/vpn/interfaces/words-ru.ts";
import { serverSetup as serverSetupEn } from "../../apps/web/src/features/vpn/servers/setup-words-en.ts";
import { serverSetup as serverSetupRu } from "../../apps/web/src/features/vpn/servers/setup-words-ru.ts";
import { servers as serversEn } from "../../apps/web/src/features/vpn/servers/words-en.ts";
import { servers as serversRu } from "../../apps/web/src/features/vpn/servers/words-ru.ts";
import { unknownPeers as unknownPeersEn } from "../../apps/web/src/features/vpn/unknown-peers/words-en.ts";
import { unknownPeers as unknownPeersRu } from "../../apps/web/src/features/vpn/unknown-peers/words-ru.ts";
import { charter as charterEn } from "../../apps/web/src/lib/i18n/en/charter.ts";
import { diagnosis as diagnosisEn } from "../../apps/web/src/lib/i18n/en/diagnosis.ts";
import { friends as friendsEn } from "../../apps/web/src/lib/i18n/en/friends.ts";
import { gateScreen as gateScreenEn } from "../../apps/web/src/lib/i18n/en/gate-screen.ts";
import { month as monthEn } from "../../apps/web/src/lib/i18n/en/month.ts";
import * as newDeviceEn from "../../apps/web/src/lib/i18n/en/new-device.ts";
import * as ownEn from "../../apps/web/src/lib/i18n/en/own-devices.ts";
import { passkeys as passkeysEn } from "../../apps/web/src/lib/i18n/en/passkeys.ts";
import { payments as paymentsEn } from "../../apps/web/src/lib/i18n/en/payments.ts";
import { quota as quotaEn } from "../../apps/web/src/lib/i18n/en/quota.ts";
import { staff as staffEn } from "../../apps/web/src/lib/i18n/en/staff.ts";
import { support as supportEn } from "../../apps/web/src/lib/i18n/en/support.ts";
import { telegram as telegramEn } from "../../apps/web/src/lib/i18n/en/telegram.ts";
import { en as enFirst } from "../../apps/web/src/lib/i18n/en.ts";
import { charter as charterRu } from "../../apps/web/src/lib/i18n/ru/charter.ts";
import { diagnosis as diagnosisRu } from "../../apps/web/src/lib/i18n/ru/diagnosis.ts";
import { friends as friendsRu } from "../../apps/web/src/lib/i18n/ru/friends.ts";
import { gateScreen as gateScreenRu } from "../../apps/web/src/lib/i18n/ru/gate-screen.ts";
import { member as memberRu } from "../../apps/web/src/lib/i18n/ru/member.ts";
import { month as monthRu } from "../../apps/web/src/lib/i18n/ru/month.ts";
import * as newDeviceRu from "../../apps/web/src/lib/i18n/ru/new-device.ts";
import { newcomer as newcomerRu } from "../../apps/web/src/lib/i18n/ru/newcomer.ts";
import * as ownRu from "../../apps/web/src/lib/i18n/ru/own-devices.ts";
import { passkeys as passkeysRu } from "../../apps/web/src/lib/i18n/ru/passkeys.ts";
import { payments as paymentsRu } from "../../apps/web/src/lib/i18n/ru/payments.ts";
import { quota as quotaRu } from "../../apps/web/src/lib/i18n/ru/quota.ts";
import { staff as staffRu } from "../../apps/web/src/lib/i18n/ru/staff.ts";
import { support as supportRu } from "../../apps/web/src/lib/i18n/ru/support.ts";
import { telegram as telegramRu } from "../../apps/web/src/lib/i18n/ru/telegram.ts";
import { ru as ruFirst } from "../../apps/web/src/lib/i18n/ru.ts";
import { edit as editEn } from "../../apps/web/src/ui/edit-words-en.ts";
import { edit as editRu } from "../../apps/web/src/ui/edit-words-ru.ts";

/** All of the product's texts, in both languages. */
export const dictionaries = {
  ru: {
    ...ruFirst,
    gate: { ...ruFirst.gate, ...gateScreenRu },
    ...memberRu,
    ...newcomerRu,
    edit: editRu,
    catalog: catalogRu,
    interfaces: interfacesRu,
    oldProgram: oldProgramRu,
    amneziawg: amneziawgRu,
    servers: serversRu,
    serverSetup: serverSetupRu,
    ownAccount: accountRu,
    settings: settingsRu,
    quota: quotaRu,
    answerTemplates: answerTemplatesRu,
    apiTokens: apiTokensRu,
    passkeys: passkeysRu,
    audit: auditRu,
    charter: charterRu,
    deviceCheck: deviceCheckRu,
    services: servicesRu,
    lost: lostRu,
    diagnosis: diagnosisRu,
    friends: friendsRu,
    staffGuide: guideRu,
    month: monthRu,
    ...newDeviceRu,
    ...ownRu,
    memberField: memberFieldRu,
    notes: notesRu,
    fromFile: fromFileRu,
    groups: groupsRu,
    templates: templatesRu,
    payments: paymentsRu,
    rules: rulesRu,
    staff: staffRu,
    staffSupport: staffSupportRu,
    staffInvites: staffInvitesRu,
    staffPayments: staffPaymentsRu,
    manyPayments: manyPaymentsRu,
    statistics: statisticsRu,
    pulse: pulseRu,
    configsBrowser: configsBrowserRu,
    inbox: inboxRu,
    outbox: outboxRu,
    push: pushRu,
    support: supportRu,
    system: systemRu,
    webhooks: webhooksRu,
    telegram: telegramRu,
    unknownPeers: unknownPeersRu,
    users: { ...usersRu, bulk: bulkRu, handOver: handOverRu, quota: quotaOfRu },
  },
  en: {
    ...enFirst,
    gate: { ...enFirst.gate, ...gateScreenEn },
    edit: editEn,
    catalog: catalogEn,
    interfaces: interfacesEn,
    oldProgram: oldProgramEn,
    amneziawg: amneziawgEn,
    servers: serversEn,
    serverSetup: serverSetupEn,
    ownAccount: accountEn,
    settings: settingsEn,
    quota: quotaEn,
    answerTemplates: answerTemplatesEn,
    apiTokens: apiTokensEn,
    passkeys: passkeysEn,
    audit: auditEn,
    charter: charterEn,
    deviceCheck: deviceCheckEn,
    services: servicesEn,
    lost: lostEn,
    diagnosis: diagnosisEn,
    friends: friendsEn,
    staffGuide: guideEn,
    month: monthEn,
    ...newDeviceEn,
    ...ownEn,
    memberField: memberFieldEn,
    notes: notesEn,
    fromFile: fromFileEn,
    groups: groupsEn,
    templates: templatesEn,
    payments: paymentsEn,
    rules: rulesEn,
    staff: staffEn,
    staffSupport: staffSupportEn,
    staffInvites: staffInvitesEn,
    staffPayments: staffPaymentsEn,
    manyPayments: manyPaymentsEn,
    statistics: statisticsEn,
    pulse: pulseEn,
    configsBrowser: configsBrowserEn,
    inbox: inboxEn,
    outbox: outboxEn,
    push: pushEn,
    support: supportEn,
    system: systemEn,
    webhooks: webhooksEn,
    telegram: telegramEn,
    unknownPeers: unknownPeersEn,
    users: { ...usersEn, bulk: bulkEn, handOver: handOverEn, quota: quotaOfEn },
  },
};
