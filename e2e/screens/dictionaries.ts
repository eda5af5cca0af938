import { account as accountEn } from "../../apps/web/src/lib/i18n/en/account.ts";
import { audit as auditEn } from "../../apps/web/src/lib/i18n/en/audit.ts";
import { catalog as catalogEn } from "../../apps/web/src/lib/i18n/en/catalog.ts";
import { charter as charterEn } from "../../apps/web/src/lib/i18n/en/charter.ts";
import { configsBrowser as configsBrowserEn } from "../../apps/web/src/lib/i18n/en/configs-browser.ts";
import { diagnosis as diagnosisEn } from "../../apps/web/src/lib/i18n/en/diagnosis.ts";
import { friends as friendsEn } from "../../apps/web/src/lib/i18n/en/friends.ts";
import { inbox as inboxEn } from "../../apps/web/src/lib/i18n/en/inbox.ts";
import { interfaces as interfacesEn } from "../../apps/web/src/lib/i18n/en/interfaces.ts";
import { month as monthEn } from "../../apps/web/src/lib/i18n/en/month.ts";
import { payments as paymentsEn } from "../../apps/web/src/lib/i18n/en/payments.ts";
import { rules as rulesEn } from "../../apps/web/src/lib/i18n/en/rules.ts";
import { servers as serversEn } from "../../apps/web/src/lib/i18n/en/servers.ts";
import { staff as staffEn } from "../../apps/web/src/lib/i18n/en/staff.ts";
import { staffInvites as staffInvitesEn } from "../../apps/web/src/lib/i18n/en/staff-invites.ts";
import { staffPayments as staffPaymentsEn } from "../../apps/web/src/lib/i18n/en/staff-payments.ts";
import { staffSupport as staffSupportEn } from "../../apps/web/src/lib/i18n/en/staff-support.ts";
import { statistics as statisticsEn } from "../../apps/web/src/lib/i18n/en/statistics.ts";
import { support as supportEn } from "../../apps/web/src/lib/i18n/en/support.ts";
import { system as systemEn } from "../../apps/web/src/lib/i18n/en/system.ts";
import { telegram as telegramEn } from "../../apps/web/src/lib/i18n/en/telegram.ts";
import { users as usersEn } from "../../apps/web/src/lib/i18n/en/users.ts";
import { en as enFirst } from "../../apps/web/src/lib/i18n/en.ts";
import { account as accountRu } from "../../apps/web/src/lib/i18n/ru/account.ts";
import { audit as auditRu } from "../../apps/web/src/lib/i18n/ru/audit.ts";
import { catalog as catalogRu } from "../../apps/web/src/lib/i18n/ru/catalog.ts";
import { charter as charterRu } from "../../apps/web/src/lib/i18n/ru/charter.ts";
import { configsBrowser as configsBrowserRu } from "../../apps/web/src/lib/i18n/ru/configs-browser.ts";
import { diagnosis as diagnosisRu } from "../../apps/web/src/lib/i18n/ru/diagnosis.ts";
import { friends as friendsRu } from "../../apps/web/src/lib/i18n/ru/friends.ts";
import { inbox as inboxRu } from "../../apps/web/src/lib/i18n/ru/inbox.ts";
import { interfaces as interfacesRu } from "../../apps/web/src/lib/i18n/ru/interfaces.ts";
import { member as memberRu } from "../../apps/web/src/lib/i18n/ru/member.ts";
import { month as monthRu } from "../../apps/web/src/lib/i18n/ru/month.ts";
import { newcomer as newcomerRu } from "../../apps/web/src/lib/i18n/ru/newcomer.ts";
import { payments as paymentsRu } from "../../apps/web/src/lib/i18n/ru/payments.ts";
import { rules as rulesRu } from "../../apps/web/src/lib/i18n/ru/rules.ts";
import { servers as serversRu } from "../../apps/web/src/lib/i18n/ru/servers.ts";
import { staff as staffRu } from "../../apps/web/src/lib/i18n/ru/staff.ts";
import { staffInvites as staffInvitesRu } from "../../apps/web/src/lib/i18n/ru/staff-invites.ts";
import { staffPayments as staffPaymentsRu } from "../../apps/web/src/lib/i18n/ru/staff-payments.ts";
import { staffSupport as staffSupportRu } from "../../apps/web/src/lib/i18n/ru/staff-support.ts";
import { statistics as statisticsRu } from "../../apps/web/src/lib/i18n/ru/statistics.ts";
import { support as supportRu } from "../../apps/web/src/lib/i18n/ru/support.ts";
import { system as systemRu } from "../../apps/web/src/lib/i18n/ru/system.ts";
import { telegram as telegramRu } from "../../apps/web/src/lib/i18n/ru/telegram.ts";
import { users as usersRu } from "../../apps/web/src/lib/i18n/ru/users.ts";
import { ru as ruFirst } from "../../apps/web/src/lib/i18n/ru.ts";

/** All of the product's texts, in both languages. */
export const dictionaries = {
  ru: {
    ...ruFirst,
    ...memberRu,
    ...newcomerRu,
    catalog: catalogRu,
    interfaces: interfacesRu,
    servers: serversRu,
    ownAccount: accountRu,
    audit: auditRu,
    charter: charterRu,
    diagnosis: diagnosisRu,
    friends: friendsRu,
    month: monthRu,
    payments: paymentsRu,
    rules: rulesRu,
    staff: staffRu,
    staffSupport: staffSupportRu,
    staffInvites: staffInvitesRu,
    staffPayments: staffPaymentsRu,
    statistics: statisticsRu,
    configsBrowser: configsBrowserRu,
    inbox: inboxRu,
    support: supportRu,
    system: systemRu,
    telegram: telegramRu,
    users: usersRu,
  },
  en: {
    ...enFirst,
    catalog: catalogEn,
    interfaces: interfacesEn,
    servers: serversEn,
    ownAccount: accountEn,
    audit: auditEn,
    charter: charterEn,
    diagnosis: diagnosisEn,
    friends: friendsEn,
    month: monthEn,
    payments: paymentsEn,
    rules: rulesEn,
    staff: staffEn,
    staffSupport: staffSupportEn,
    staffInvites: staffInvitesEn,
    staffPayments: staffPaymentsEn,
    statistics: statisticsEn,
    configsBrowser: configsBrowserEn,
    inbox: inboxEn,
    support: supportEn,
    system: systemEn,
    telegram: telegramEn,
    users: usersEn,
  },
};
