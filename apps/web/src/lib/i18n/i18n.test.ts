import { expect, test } from "vitest";
import { staffInvitesWords } from "../../features/access/invites/staff-words.ts";
import { auditWords } from "../../features/club/audit/words.ts";
import { ownAccount } from "../../features/members/members/account-words.ts";
import { settingsWords } from "../../features/members/members/settings-words.ts";
import { usersWords } from "../../features/members/users/words.ts";
import { inboxWords } from "../../features/messages/inbox/words.ts";
import { staffSupportWords } from "../../features/messages/staff-support/words.ts";
import { staffPaymentsWords } from "../../features/money/payments/staff-words.ts";
import { statisticsWords } from "../../features/operation/statistics/words.ts";
import { systemWords } from "../../features/operation/system/words.ts";
import { rulesWords } from "../../features/vpn/access-rules/words.ts";
import { catalogWords } from "../../features/vpn/catalog/words.ts";
import { configsBrowserWords } from "../../features/vpn/config-browser/words.ts";
import { interfacesWords } from "../../features/vpn/interfaces/words.ts";
import { serversWords } from "../../features/vpn/servers/words.ts";
import { circle } from "./circle.ts";
import { devices } from "./devices.ts";
import { en as enFirst } from "./en.ts";
import { memberRu } from "./member.ts";
import { newcomerRu } from "./newcomer.ts";
import { SPECIFIED_EN, SPECIFIED_RU } from "./specified.ts";
import { staffWords } from "./staff.ts";
import { supportWords } from "./support.ts";
import { typeset } from "./typography.ts";

/** The texts of the first pages and of dialogs. */
const ru = {
  ...memberRu,
  ...newcomerRu,
  ...circle.ru,
  ...devices.ru,
  ownAccount: ownAccount.ru,
  settings: settingsWords.ru,
  support: supportWords.ru,
  staff: staffWords.ru,
  staffPayments: staffPaymentsWords.ru,
  staffInvites: staffInvitesWords.ru,
  users: usersWords.ru,
  rules: rulesWords.ru,
  staffSupport: staffSupportWords.ru,
  audit: auditWords.ru,
  system: systemWords.ru,
  servers: serversWords.ru,
  interfaces: interfacesWords.ru,
  catalog: catalogWords.ru,
  statistics: statisticsWords.ru,
  configsBrowser: configsBrowserWords.ru,
  inbox: inboxWords.ru,
};
const en = {
  ...enFirst,
  ...circle.en,
  ...devices.en,
  ownAccount: ownAccount.en,
  settings: settingsWords.en,
  support: supportWords.en,
  staff: staffWords.en,
  staffPayments: staffPaymentsWords.en,
  staffInvites: staffInvitesWords.en,
  users: usersWords.en,
  rules: rulesWords.en,
  staffSupport: staffSupportWords.en,
  audit: auditWords.en,
  system: systemWords.en,
  servers: serversWords.en,
  interfaces: interfacesWords.en,
  catalog: catalogWords.en,
  statistics: statisticsWords.en,
  configsBrowser: configsBrowserWords.en,
  inbox: inboxWords.en,
};

const textsOf = (part: unknown): string[] =>
  typeof part === "string"
    ? [part]
    : typeof part === "object" && part !== null
      ? Object.values(part).flatMap(textsOf)
      : [];
const shapeOf = (part: unknown): unknown =>
  Array.isArray(part)
    ? part.length
    : typeof part === "object" && part !== null
      ? Object.fromEntries(Object.entries(part).map(([key, value]) => [key, shapeOf(value)]))
      : typeof part;

test.each(SPECIFIED_RU)("the Russian dictionary has exactly: %s", (text) => {
  expect(textsOf(ru)).toContain(text);
});

test.each(SPECIFIED_EN)("the English dictionary has exactly: %s", (text) => {
  expect(textsOf(en)).toContain(text);
});

test("texts with a number match the specification too", () => {
  expect(ru.register.tryIn(275)).toBe("Попробуйте через 275 секунд");
  expect(ru.dashboard.expired("01.02.2026")).toBe("Истекла 01.02.2026");
});

test("English has every text that Russian has", () => {
  expect(shapeOf(en)).toEqual(shapeOf(ru));
  expect(textsOf(en).filter((text) => text.trim() === "")).toEqual([]);
});

test("no English text was left in Russian, save the club's name and the name of the language", () => {
  const allowed = new Set(["Круг", "Круг, start page", "Русский", "РУ"]);
  expect(textsOf(en).filter((text) => /[а-яё]/i.test(text) && !allowed.has(text))).toEqual([]);
});

test.each([
  [1, "1 адрес"],
  [2, "2 адреса"],
  [5, "5 адресов"],
  [11, "11 адресов"],
  [21, "21 адрес"],
])("plurals are right: %i", (count, words) => {
  expect(ru.create.addresses(count)).toBe(words.replace(" ", "\u00a0"));
});

test("short words do not end a line of prose", () => {
  expect(typeset("Откройте его в WireGuard и включите туннель")).toBe(
    "Откройте его в\u00a0WireGuard и\u00a0включите туннель",
  );
});
