import { DAY_MS, HOUR_MS, SECOND_MS } from "@krug/domain/moment";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { aPicture, asDataUrl } from "../../../../testing/a-picture.ts";
import { askBot, botWorks, clubWithBot, linkTelegram } from "../../../../testing/link-telegram.ts";
import { codeOf, disable, enabled, wrongCode } from "../../../../testing/second-factor.ts";
import type { Club, Person } from "../../../../testing/start-club.ts";
import type { TelegramDouble, TelegramPerson } from "../../../../testing/telegram-double.ts";
import type { MemberRow } from "../../members/members/index.ts";
import { makeStaffClaims } from "./staff-claims.ts";

/* Staff decide on claims from Telegram (ADR 157). */
const PATIENCE = { timeout: 20_000, interval: 20 };
const veraThere: TelegramPerson = { id: 801, first_name: "Вера", language_code: "ru" };
const glebThere: TelegramPerson = { id: 802, first_name: "Глеб", language_code: "ru" };
const secrets = new Map<string, string>();

let telegram: TelegramDouble;
let club: Club;
let admin: Person;
let vera: Person;
let gleb: Person;
let anna: Person;
beforeEach(async () => {
  ({ club, telegram } = await clubWithBot({}, { localServer: "off" }));
  await botWorks(club);
  admin = await club.admin();
  await club.as(admin).call("PUT /admin/payments/settings", { body: { price: "300", details: "Карта" } });
  [vera, gleb] = [await staff("Вера", veraThere), await staff("Глеб", glebThere)];
  anna = await club.member({ row: { display_name: "Анна" } });
});

async function staff(display_name: string, there: TelegramPerson): Promise<Person> {
  const person = await club.moderator({ row: { display_name } });
  secrets.set(person.id, (await enabled(club, person)).secret);
  await linkTelegram(club, telegram, person, there);
  return person;
}
const claim = (who = anna, body: { receipt?: string; months?: 3 } = {}) =>
  club.as(who).call("POST /payments/claim", { body });
const last = (there: TelegramPerson) => telegram.messagesTo(there).at(-1);
const says = (there: TelegramPerson, text: string | RegExp) =>
  vi.waitFor(() => expect(last(there)?.text).toMatch(text), PATIENCE);
/** The message about a claim, wherever it stands among the others. */
const claimOf = (there: TelegramPerson) =>
  telegram.messagesTo(there).findLast(({ text }) => text.includes("«Я оплатил»"));
const told = (there: TelegramPerson, text: string | RegExp) =>
  vi.waitFor(() => expect(claimOf(there)?.text ?? "").toMatch(text), PATIENCE);
const buttons = (there: TelegramPerson) => claimOf(there)?.buttons.map(({ text }) => text);
const press = (there: TelegramPerson, words: string) => vi.waitFor(() => telegram.press(there, words), PATIENCE);
const freshCode = (who: Person) => {
  club.clock.advance(30 * SECOND_MS);
  return codeOf(club, secrets.get(who.id) ?? "");
};
/** Confirms the account for 12 hours. */
const confirms = async (who: Person, there: TelegramPerson, act: string) => {
  await press(there, act);
  await says(there, /^Сначала подтвердите/);
  telegram.say(there, freshCode(who));
};
const statusOf = async (who = anna) => (await club.as(who).call("GET /payments/own")).body.current.status;
const claimId = async () => (await club.as(admin).call("GET /admin/payments/claims")).body[0]?.id ?? "";
const acts = async () =>
  (await club.as(admin).call("GET /admin/audit")).body
    .filter(({ action }) => action.startsWith("payment.") && action !== "payment.settings_changed")
    .map(({ action, by, via, session }) => [action, by?.displayName, via, session]);

describe("a claim in staff's chats", () => {
  test("has name, month, sum and receipt, is confirmed after a code, and changes for everybody", async () => {
    await claim(anna, { receipt: asDataUrl(await aPicture()) });
    await told(veraThere, /^Анна: «Я оплатил»\n\nноябрь 2026, 300\s₽\. Чек приложен\.$/);
    await told(glebThere, "Анна");
    expect(claimOf(veraThere)?.buttons).toEqual([
      { text: "Подтвердить", callback_data: expect.stringContaining("claim-yes:") },
      { text: "Отклонить", callback_data: expect.stringContaining("claim-no:") },
      { text: "Чек", callback_data: expect.stringContaining("claim-receipt:") },
    ]);
    const member = await club.app.parts.members.find(club.db, vera.id);
    const { parts } = club.app;
    const inPublic = { ...parts, publicUrl: new URL("https://club.example"), noticeOf: parts.inbox.noticeOf };
    const { keyboard } = await makeStaffClaims(inPublic).render(member as MemberRow, await claimId());
    expect(keyboard?.at(-1)).toEqual([{ text: "Открыть", url: "https://club.example/admin/payments" }]);
    await press(veraThere, "Подтвердить");
    await says(veraThere, /^Сначала подтвердите/);
    expect(await statusOf()).toBe("pending");
    telegram.say(veraThere, "не код");
    await says(veraThere, /^Жду код/);
    telegram.say(veraThere, wrongCode(club, secrets.get(vera.id) ?? ""));
    await says(veraThere, /код/i);
    expect(await statusOf()).toBe("pending");
    telegram.say(veraThere, freshCode(vera));
    for (const there of [veraThere, glebThere]) {
      await told(there, /Подтверждено: Вера, 2026-11-21 \d\d:\d\d$/);
      expect(buttons(there)).toEqual([]);
    }
    expect(await statusOf()).toBe("paid");
    expect(await acts()).toEqual([["payment.status_set", "Вера", "telegram", null]]);
  });

  test("for several months names how many and the sum, and confirms exactly these", async () => {
    await club.as(admin).call("PUT /admin/payments/settings", { body: { price3: "810" } });
    await claim(anna, { months: 3 });
    await told(veraThere, /^Анна: «Я оплатил»\n\nноябрь 2026 – январь 2027 \(3\sмесяца\), 810\s₽\. Без чека\.$/);
    const confirm = buttons(veraThere)?.[0] ?? "";
    expect(confirm).toMatch(/^Подтвердить: 3\sмесяца, 810\s₽$/);
    await confirms(vera, veraThere, confirm);
    await told(glebThere, /Подтверждено: Вера/);
    const { history } = (await club.as(anna).call("GET /payments/own")).body;
    expect(history.map(({ period, amount }) => [period, amount])).toEqual([
      ["2027-01", "270"],
      ["2026-12", "270"],
      ["2026-11", "270"],
    ]);
    const { body: told3 } = await club.as(anna).call("GET /inbox");
    expect(told3[0]).toMatchObject({ kind: "payment_recorded", params: { period: "2026-11", months: 3 } });
  });

  test("shows its receipt only to a confirmed account", async () => {
    await claim(anna, { receipt: asDataUrl(await aPicture()) });
    await told(veraThere, "Чек");
    await confirms(vera, veraThere, "Чек");
    await vi.waitFor(() => expect(last(veraThere)?.file?.bytes.length).toBeGreaterThan(50), PATIENCE);
  });

  test("is declined with the reason of the next message, which the member reads", async () => {
    await claim();
    await told(veraThere, "Без чека.");
    await confirms(vera, veraThere, "Отклонить");
    await says(veraThere, /^Почему/);
    telegram.say(veraThere, "x".repeat(301));
    await vi.waitFor(() => expect(telegram.unread()).toBe(0), PATIENCE);
    telegram.say(veraThere, "Перевод не пришёл");
    for (const there of [veraThere, glebThere]) await told(there, /Отклонено: Вера, .*\nПричина: Перевод не пришёл$/);
    expect((await club.as(anna).call("GET /payments/own")).body.claim).toMatchObject({
      state: "declined",
      reason: "Перевод не пришёл",
    });
    expect(await acts()).toEqual([["payment.claim_declined", "Вера", "telegram", null]]);
  });

  test("whoever presses second reads who was first, and one month is paid", async () => {
    await claim();
    await told(glebThere, "Анна");
    const late = claimOf(glebThere)?.buttons[0]?.callback_data ?? "";
    await confirms(vera, veraThere, "Подтвердить");
    await told(glebThere, /Подтверждено: Вера/);
    telegram.pressed(glebThere, late);
    await says(glebThere, /^Сначала подтвердите/);
    telegram.say(glebThere, freshCode(gleb));
    await says(glebThere, /Подтверждено: Вера/);
    expect(await acts()).toHaveLength(1);
  });

  test("of two who press at once one decides, round after round", async () => {
    const people = await Promise.all([club.member(), club.member(), club.member()]);
    await claim(people[0]);
    await vi.waitFor(() => expect(buttons(glebThere)).toContain("Подтвердить"), PATIENCE);
    await confirms(vera, veraThere, "Подтвердить");
    await told(glebThere, /Подтверждено/);
    telegram.pressed(glebThere, `claim-receipt:${anna.id}`);
    await says(glebThere, /^Сначала/);
    telegram.say(glebThere, freshCode(gleb));
    await says(glebThere, /чек/i);
    for (const who of people.slice(1)) {
      await claim(who);
      await vi.waitFor(() => expect(buttons(veraThere)).toContain("Подтвердить"), PATIENCE);
      await vi.waitFor(() => expect(buttons(glebThere)).toContain("Подтвердить"), PATIENCE);
      telegram.press(veraThere, "Подтвердить");
      telegram.press(glebThere, "Подтвердить");
      await told(veraThere, /Подтверждено: /);
      await vi.waitFor(() => expect(claimOf(glebThere)?.text).toBe(claimOf(veraThere)?.text), PATIENCE);
    }
    expect(await acts()).toHaveLength(3);
  });

  test("changes when it is decided on the page, taken back, or its member is deleted", async () => {
    await claim();
    await told(veraThere, "Анна");
    await club.as(anna).call("DELETE /payments/claim");
    await told(veraThere, /Этой заявки больше нет/);
    await claim();
    await vi.waitFor(() => expect(buttons(veraThere)).toContain("Подтвердить"), PATIENCE);
    await club.as(admin).call("PUT /admin/payments/status", {
      body: { userId: anna.id, status: "paid", period: "2026-11" },
    });
    await told(veraThere, /Подтверждено: /);
    const boris = await club.member({ row: { display_name: "Борис" } });
    await claim(boris);
    await told(veraThere, "Борис");
    await club.as(admin).call("DELETE /users/{id}", { params: { id: boris.id } });
    const naming = () => telegram.messagesTo(veraThere).filter(({ text }) => text.includes("Борис"));
    await vi.waitFor(() => expect(naming()).toEqual([]), PATIENCE);
  });
});

describe("what a button does is checked when it is pressed", () => {
  const answers = async (change: () => Promise<unknown>, text: RegExp) => {
    await claim();
    await told(veraThere, "Анна");
    await confirms(vera, veraThere, "Отклонить");
    await says(veraThere, /^Почему/);
    await change();
    telegram.press(veraThere, "Подтвердить");
    const answered = () => telegram.messagesTo(veraThere).some((message) => text.test(message.text));
    await vi.waitFor(() => expect(answered()).toBe(true), PATIENCE);
    expect(await statusOf()).toBe("pending");
  };
  const put = (body: object, who = vera) =>
    club.as(admin).call("PUT /users/{id}", { params: { id: who.id }, body: body as never });

  test("whoever is no longer staff can do nothing", () =>
    answers(() => put({ role: "user" }), /^Это могут только сотрудники/));
  test("nor who is blocked", () => answers(() => put({ isActive: false }), /заблокирован/));
  test("nor in a chat that is no longer theirs", () =>
    answers(() => club.transact((tx) => club.app.parts.members.unlinkMessenger(tx, vera.id)), /ни к чему не привязан/));
  test("nor once an admin has switched it off", () =>
    answers(
      () => club.as(admin).call("PUT /admin/telegram", { body: { staffActs: false } }),
      /^Администратор выключил/,
    ));
  test("a moderator does not decide for a VIP member", () =>
    answers(() => put({ isVip: true }, anna), /Этой заявки больше нет/));
  test("a second factor that was reset, all sessions ended, or 12 hours gone: a code is asked for again", async () => {
    await answers(() => disable(club, admin, vera.id), /^Сначала подтвердите/);
    const asked = () => telegram.messagesTo(veraThere).filter(({ text }) => text.startsWith("Сначала подтвердите"));
    await vi.waitFor(() => expect(asked()).toHaveLength(2), PATIENCE);
    vera = { ...vera };
    const { secret } = await enabled(club, vera);
    secrets.set(vera.id, secret);
    telegram.say(veraThere, freshCode(vera));
    await told(veraThere, /Подтверждено/);
    const boris = await club.member({ row: { display_name: "Борис" } });
    await claim(boris);
    await told(veraThere, "Борис");
    club.clock.advance(12 * HOUR_MS);
    await press(veraThere, "Подтвердить");
    await says(veraThere, /^Сначала подтвердите/);
  });
  test("nothing is decided in a group, by an edited message, or by somebody else who has the button's data", async () => {
    const stranger: TelegramPerson = { id: 999, first_name: "Чужой", language_code: "ru" };
    await askBot(telegram, stranger, "/help");
    await claim();
    await told(veraThere, "Анна");
    await confirms(vera, veraThere, "Отклонить");
    await says(veraThere, /^Почему/);
    const before = telegram.messagesTo(veraThere).length;
    const id = await claimId();
    for (const text of ["Из группы", "/maintenance", "/due"]) telegram.sayInGroup(veraThere, text);
    telegram.edit(veraThere, "Изменено");
    for (const data of [`claim-yes:${id}:2026-11`, `decline:${id}`, `claim-receipt:${id}`]) {
      telegram.pressed(stranger, data);
      await says(stranger, /ни к чему не привязан/);
    }
    await vi.waitFor(() => expect(telegram.unread()).toBe(0), PATIENCE);
    expect([await claimId(), telegram.messagesTo(veraThere).length]).toEqual([id, before]);
    telegram.say(veraThere, "Не тот чек");
    await told(veraThere, /Не тот чек/);
  });
  test("another month than the message says is not paid", async () => {
    await claim();
    await told(veraThere, "ноябрь");
    club.clock.advance(12 * DAY_MS);
    await confirms(vera, veraThere, "Подтвердить");
    await says(veraThere, /только за текущий месяц/);
    expect(await statusOf()).toBe("pending");
  });
});
