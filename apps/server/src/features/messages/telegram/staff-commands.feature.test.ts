import { MINUTE_MS, SECOND_MS } from "@krug/domain/moment";
import { beforeEach, expect, test, vi } from "vitest";
import { askBot, botWorks, clubWithBot, linkTelegram } from "../../../../testing/link-telegram.ts";
import { codeOf, enabled, wrongCode } from "../../../../testing/second-factor.ts";
import type { Club, Person } from "../../../../testing/start-club.ts";
import type { TelegramDouble, TelegramPerson } from "../../../../testing/telegram-double.ts";
import { SshFailure } from "../../../hosts/remote.ts";

/* What staff ask the bot for, and what they do about a server that is away (ADR 157). */
const PATIENCE = { timeout: 20_000, interval: 20 };
const AT = "203.0.113.9";
const chiefThere: TelegramPerson = { id: 811, first_name: "Главный", language_code: "ru" };
const veraThere: TelegramPerson = { id: 812, first_name: "Вера", language_code: "ru" };

let telegram: TelegramDouble;
let club: Club;
let admin: Person;
let secret: string;
beforeEach(async () => {
  ({ club, telegram } = await clubWithBot());
  await botWorks(club);
  admin = await club.admin({ row: { display_name: "Главный" } });
  ({ secret } = await enabled(club, admin));
  await linkTelegram(club, telegram, admin, chiefThere);
});

const last = (there = chiefThere) => telegram.messagesTo(there).at(-1);
const says = (text: string | RegExp, there = chiefThere) =>
  vi.waitFor(() => expect(last(there)?.text).toMatch(text), PATIENCE);
/** Among other messages: all members are notified of maintenance. */
const hears = (text: RegExp) =>
  vi.waitFor(
    () => expect(telegram.messagesTo(chiefThere).some((message) => text.test(message.text))).toBe(true),
    PATIENCE,
  );
const press = (words: string) => vi.waitFor(() => telegram.press(chiefThere, words), PATIENCE);
const sendCode = (of = secret, there = chiefThere) => {
  club.clock.advance(30 * SECOND_MS);
  telegram.say(there, codeOf(club, of));
};
const maintenanceIsOn = async () => (await club.as(admin).call("GET /maintenance")).body.enabled;

test("'кто платит сегодня' names whose subscription ends today, of a VIP member only to an admin", async () => {
  const tonight = Date.parse("2026-11-21T23:59:59+03:00");
  for (const [display_name, subscriptionEnd, row] of [
    ["Анна", tonight, {}],
    ["Борис", tonight + 1_000, {}],
    ["Тайна", tonight, { is_vip: 1 }],
    ["Вечный", tonight, { is_unlimited: 1 }],
  ] as const)
    await club.member({ subscriptionEnd, row: { display_name, ...row } });
  expect(await askBot(telegram, chiefThere, "Кто платит сегодня?")).toMatch(/^Сначала подтвердите/);
  sendCode();
  await says(/^Сегодня заканчивается подписка, участников: 2\nАнна \(member-\d+\)\nТайна \(member-\d+\)$/);
  const vera = await club.moderator();
  const hers = (await enabled(club, vera)).secret;
  await linkTelegram(club, telegram, vera, veraThere);
  await askBot(telegram, veraThere, "/due");
  sendCode(hers, veraThere);
  await says(/участников: 1\nАнна/, veraThere);
  const stranger = { id: 813, first_name: "Гость", language_code: "ru" };
  expect(await askBot(telegram, stranger, "/due")).toMatch(/^Это бот клуба/);
});

test("maintenance is switched on and off with a code each time, by admins, and meanwhile staff work", async () => {
  expect(await askBot(telegram, chiefThere, "/maintenance")).toMatch(/^Техработы выключены/);
  telegram.say(chiefThere, wrongCode(club, secret));
  await says(/код/);
  expect(await maintenanceIsOn()).toBe(false);
  sendCode();
  await hears(/^Техработы включены\.$/);
  expect(await maintenanceIsOn()).toBe(true);
  telegram.say(chiefThere, "/due");
  // Its code confirms nothing else.
  await hears(/^Сначала подтвердите/);
  telegram.say(chiefThere, "/maintenance");
  await hears(/^Техработы включены\. Чтобы выключить/);
  sendCode();
  await vi.waitFor(async () => expect(await maintenanceIsOn()).toBe(false), PATIENCE);
  const log = (await club.as(admin).call("GET /admin/audit", { query: { action: "maintenance.switched" } })).body;
  expect(log.map(({ by, via, after }) => [by?.displayName, via, after])).toEqual([
    ["Главный", "telegram", { enabled: false }],
    ["Главный", "telegram", { enabled: true }],
  ]);
  const vera = await club.moderator();
  await enabled(club, vera);
  await linkTelegram(club, telegram, vera, veraThere);
  expect(await askBot(telegram, veraThere, "/maintenance")).toBe("У вас нет доступа к этому.");
});

test("a server that is away is checked, and its devices are moved, from the notice", async () => {
  const vps = club.remotes.rent(AT);
  const credentials = { host: AT, port: 22, username: "root", password: "right" };
  const made = (await club.as(admin).send("POST", "/api/admin/servers", { name: "Хельсинки", credentials })).body;
  const rented = (made as { id: string }).id;
  for (const step of ["install-docker", "install-wireguard", "configure-wireguard"] as const)
    await club.as(admin).call(`POST /admin/servers/{id}/${step}`, { params: { id: rented } });
  vps.away = new SshFailure("silent");
  await club.app.lookAtServers();
  await club.settle();
  club.clock.advance(2 * MINUTE_MS);
  await club.app.parts.servers.timed.find(({ name }) => name === "servers that are gone")?.run();
  await says(/^Сервер «Хельсинки» не отвечает/);
  expect(last()?.buttons.map(({ text }) => text)).toEqual(["Проверить", "Перенести устройства"]);
  await press("Проверить");
  await says(/^Сначала подтвердите/);
  sendCode();
  await vi.waitFor(() => expect(telegram.messagesTo(chiefThere).at(-2)?.text).toMatch(/^Сначала/), PATIENCE);
  expect(last()?.text).toMatch(/не отвечает|не ответил|недоступ/i);
  await press("Перенести устройства");
  await says(/^Куда перенести устройства с сервера «Хельсинки»/);
  await press("Этот сервер: свободно 253");
  await says(/^Переносим с «Хельсинки» на «Этот сервер»/);
  await club.settle();
  const [drain] = (await club.as(admin).call("GET /admin/servers/emptyings")).body;
  expect(drain).toMatchObject({ from: { id: rented }, state: "done", by: admin.username });
  const log = (await club.as(admin).call("GET /admin/audit", { query: { action: "server.emptying_started" } })).body;
  expect(log.map(({ via }) => via)).toEqual(["telegram"]);
  vps.away = null;
  await press("Проверить");
  const answers = () => telegram.messagesTo(chiefThere).map(({ text }) => text);
  await vi.waitFor(() => expect(answers()).toContain("Сервер «Хельсинки» отвечает."), PATIENCE);
});
