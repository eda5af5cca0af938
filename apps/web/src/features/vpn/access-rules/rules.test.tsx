import { whyOf } from "@krug/contract/reasons";
import { reason } from "@krug/domain/reasons";
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { screens } from "../../../testing/open-page.tsx";
import { type Heard, type Panel, refused } from "../../../testing/panel.ts";
import { uuid } from "../../../testing/samples.ts";
import { expectNothingWellInSilence } from "../../../testing/silent-panel.ts";
import { admin, enter, listed, moderator } from "../../../testing/staff.ts";
import type { Checked, Rule } from "./queries.ts";

screens();

const rule = (n: number, about: Partial<Rule> = {}): Rule => ({
  id: uuid(700 + n),
  type: "blacklist",
  target: `203.0.113.${n}`,
  appliesTo: "all",
  group: null,
  memberCount: null,
  createdAt: "2026-11-20T10:00:00Z",
  domain: null,
  ...about,
});
const anna = listed(1, { displayName: "Анна", username: "anna" });
const boris = listed(2, { displayName: "Борис", username: "boris" });
const server = {
  id: uuid(900),
  name: "Этот сервер",
  state: "in_force" as const,
  appliedAt: new Date().toISOString(),
  reason: null,
  why: null,
};
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000 - 1_000).toISOString();

const open = async (rules: Rule[], says: Panel = {}, me = admin, address = "/admin/rules") => {
  const page = await enter(
    address,
    {
      "GET /admin/rules": ({ query }: Heard) => rules.filter(({ type }) => type === query.get("type")),
      "GET /admin/rules/servers": [server],
      "GET /admin/groups": [],
      "GET /users": ({ query }: Heard) =>
        [anna, boris].filter(({ displayName }) => displayName.includes(query.get("q") ?? "")),
      ...says,
    },
    me,
  );
  await screen.findByRole("heading", { level: 1, name: "Правила доступа" });
  return page;
};
const list = async (name: string) => within(await screen.findByRole("region", { name }));
const pick = async (user: Awaited<ReturnType<typeof open>>["user"], label: string, name: string) => {
  await user.type(await screen.findByRole("combobox", { name: label }), name);
  await user.click(await screen.findByRole("option", { name: new RegExp(name) }));
};

test("bans and exceptions are in two lists, each rule with whom it is for", async () => {
  await open([
    rule(1),
    rule(2, { appliesTo: [anna.id], memberCount: 1 }),
    rule(3, { type: "whitelist", target: "example.org" }),
  ]);
  const black = await list("Чёрный список");
  await black.findByText("203.0.113.1");
  expect(black.getByText("все участники")).toBeTruthy();
  expect(black.getByRole("button", { name: "выбранные участники: 1" })).toBeTruthy();
  const white = await list("Белый список");
  expect(white.getByText("example.org")).toBeTruthy();
});

test("empty lists say so, and a search without results says something else", async () => {
  const { user } = await open([]);
  await screen.findByText("В чёрном списке нет правил");
  await screen.findByText("В белом списке нет правил");
  await user.type(screen.getByRole("searchbox", { name: "Найти правило" }), "zzz");
  await waitFor(() => expect(screen.getAllByText("По этому запросу правил нет")).toHaveLength(2));
});

test.each([
  [
    "found",
    { addresses: ["203.0.113.40", "2001:db8::40"], foundAt: ago(2), failingSince: null, failure: null },
    "203.0.113.40 и ещё 1 адрес, проверено 2 минуты назад",
  ],
  [
    "lost",
    { addresses: ["203.0.113.40"], foundAt: ago(30), failingSince: ago(20), failure: "not_found" },
    "Домен перестал находиться 20 минут назад. Пока действует найденное раньше: 1 адрес",
  ],
  [
    "never found",
    { addresses: [], foundAt: null, failingSince: ago(1), failure: "not_found" },
    "Домен не найден: правило пока не действует",
  ],
  [
    "nobody answers",
    { addresses: [], foundAt: null, failingSince: ago(1), failure: "unavailable" },
    "Адреса узнать не удалось: правило пока не действует",
  ],
] as const)("a domain says what it rests on: %s", async (_, domain, words) => {
  await open([rule(1, { target: "example.org", domain: { ...domain, addresses: [...domain.addresses] } })]);
  const said = await screen.findByText((text) => text.replace(/\u00a0/g, " ") === words);
  expect(said).toBeTruthy();
});

test("a server that has the rules is distinguished from one that waits, with the reason", async () => {
  const waiting = {
    ...server,
    id: uuid(901),
    name: "Амстердам",
    state: "pending" as const,
    appliedAt: null,
    reason: "",
    why: whyOf(reason("ssh.silent", {}, "no answer")),
  };
  await open([], { "GET /admin/rules/servers": [server, waiting] });
  const panel = await list("Где действуют");
  await panel.findByText("в силе");
  expect(panel.getByText("ожидает применения")).toBeTruthy();
  expect(panel.getByText("машина не отвечает")).toBeTruthy();
  expect(panel.getByText("no answer").tagName).toBe("Q");
});

test("a rule may be for a group, whose name it then shows", async () => {
  const family = { id: uuid(800), name: "Семья", interfaces: [], memberCount: 2, ruleCount: 0, createdAt: ago(5) };
  const forFamily = rule(1, { appliesTo: [anna.id, boris.id], memberCount: 2, group: family });
  const { user, asked } = await open([forFamily], { "GET /admin/groups": [family], "POST /admin/rules": forFamily });
  expect(await screen.findByRole("button", { name: "группа «Семья»: 2" })).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Добавить правило" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Новое правило" }));
  await user.type(dialog.getByLabelText("Адрес, сеть или домен"), "203.0.113.1");
  await user.click(await dialog.findByRole("radio", { name: "Группа" }));
  expect(dialog.getByRole("combobox", { name: "Группа" })).toHaveProperty("value", family.id);
  await user.click(dialog.getByRole("button", { name: "Создать" }));
  await waitFor(() =>
    expect(asked("POST /admin/rules").map(({ body }) => body)).toEqual([
      { type: "blacklist", target: "203.0.113.1", appliesTo: { groupId: family.id } },
    ]),
  );
});

test("a new rule bans for all by default, and cannot be empty", async () => {
  const { user, asked, address } = await open([], { "POST /admin/rules": rule(1) });
  await user.click(screen.getByRole("button", { name: "Добавить правило" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Новое правило" }));
  expect(dialog.getByRole("button", { name: "Создать" })).toHaveProperty("disabled", true);
  await user.type(dialog.getByLabelText("Адрес, сеть или домен"), " 203.0.113.1 # office");
  await user.click(dialog.getByRole("button", { name: "Создать" }));
  await screen.findByText("Правило добавлено: 203.0.113.1");
  expect(asked("POST /admin/rules").at(-1)?.body).toEqual({
    type: "blacklist",
    target: "203.0.113.1",
    appliesTo: "all",
  });
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(address()).toBe("/admin/rules");
});

test("a paste makes a rule for each address, range and name in it; anything else is named and nothing is made", async () => {
  const { user, asked, say } = await open([], { "POST /admin/rules": rule(1) }, admin, "/admin/rules?add=rule");
  const dialog = within(await screen.findByRole("dialog", { name: "Новое правило" }));
  const field = dialog.getByLabelText("Адрес, сеть или домен");
  const press = () => user.click(dialog.getByRole("button", { name: "Создать" }));
  const sent = () => asked("POST /admin/rules").map(({ body }) => (body as { target: string }).target);
  await user.click(field);
  await user.paste("# ads\n203.0.113.0-203.0.113.127\nexample.org # site\nAS64500\n198.51.100.0 255.255.255.0");
  dialog.getByText(/^Получится 3\sправила/);
  await press();
  dialog.getByText("«AS64500» — не адрес, не сеть и не домен");
  expect(sent()).toEqual([]);

  await user.clear(field);
  await user.paste("203.0.113.0-203.0.113.127\nexample.org\n198.51.100.0 255.255.255.0");
  await press();
  await screen.findByText(/^Добавлено: 3\sправила/);
  expect(sent()).toEqual(["203.0.113.0/25", "example.org", "198.51.100.0/24"]);
  say({});
});

test("targets of a paste that have no rule yet stay in the field", async () => {
  const { user } = await open(
    [],
    {
      "POST /admin/rules": ({ body }) =>
        (body as { target: string }).target === "8.8.8.8" ? refused(409, "rule.exists", "Есть.") : rule(1),
    },
    admin,
    "/admin/rules?add=rule",
  );
  const dialog = within(await screen.findByRole("dialog", { name: "Новое правило" }));
  await user.click(dialog.getByLabelText("Адрес, сеть или домен"));
  await user.paste("1.1.1.1\n8.8.8.8\n9.9.9.9");
  await user.click(dialog.getByRole("button", { name: "Создать" }));
  await dialog.findByText(/Есть\./);
  expect(dialog.getByLabelText("Адрес, сеть или домен")).toHaveProperty("value", "8.8.8.8\n9.9.9.9");
});

test("a rule for selected members takes them by name, and they can be removed again", async () => {
  const { user, asked } = await open(
    [],
    { "POST /admin/rules": rule(1) },
    admin,
    "/admin/rules?add=rule&list=whitelist",
  );
  const dialog = within(await screen.findByRole("dialog", { name: "Новое правило" }));
  expect(dialog.getByRole("radio", { name: "Белый список" })).toHaveProperty("checked", true);
  await user.type(dialog.getByLabelText("Адрес, сеть или домен"), "example.org");
  await user.click(dialog.getByRole("radio", { name: "Выбранные" }));
  expect(dialog.getByRole("button", { name: "Создать" })).toHaveProperty("disabled", true);
  await pick(user, "Имя или логин участника", "Анна");
  const field = dialog.getByRole("combobox");
  await user.type(field, "Б{Enter}");
  await waitFor(() => expect(dialog.getByRole("button", { name: "Убрать: Борис" })).toBeTruthy());
  await user.click(dialog.getByRole("button", { name: "Убрать: Анна" }));
  await user.click(dialog.getByRole("button", { name: "Создать" }));
  await waitFor(() =>
    expect(asked("POST /admin/rules").at(-1)?.body).toEqual({
      type: "whitelist",
      target: "example.org",
      appliesTo: [boris.id],
    }),
  );
});

test("a refused rule shows the specification's sentence and why, and what was typed stays", async () => {
  const why = "Такое правило уже есть.";
  const { user } = await open(
    [],
    { "POST /admin/rules": refused(409, "rule.exists", why) },
    admin,
    "/admin/rules?add=rule",
  );
  const dialog = within(await screen.findByRole("dialog", { name: "Новое правило" }));
  await user.type(dialog.getByLabelText("Адрес, сеть или домен"), "example.org");
  await user.click(dialog.getByRole("button", { name: "Создать" }));
  await dialog.findByText(`Ошибка при добавлении правила. ${why}`);
  expect(dialog.getByLabelText("Адрес, сеть или домен")).toHaveProperty("value", "example.org");
});

test("a network that covers most of the internet shows a warning", async () => {
  const { user } = await open([], {}, admin, "/admin/rules?add=rule");
  const dialog = within(await screen.findByRole("dialog", { name: "Новое правило" }));
  await user.type(dialog.getByLabelText("Адрес, сеть или домен"), "0.0.0.0/0");
  await dialog.findByText(/большая часть интернета/);
  await user.click(dialog.getByRole("radio", { name: "Белый список" }));
  expect(dialog.queryByText(/большая часть интернета/)).toBeNull();
});

test("deleting a rule needs a confirmation that names it", async () => {
  const { user, asked } = await open([rule(1)], { "DELETE /admin/rules/{id}": undefined });
  await user.click(await screen.findByRole("button", { name: "Удалить правило: 203.0.113.1" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Удалить правило?" }));
  expect(dialog.getByText(/^203\.0\.113\.1: запрет/)).toBeTruthy();
  expect(asked("DELETE /admin/rules/{id}")).toEqual([]);
  await user.click(dialog.getByRole("button", { name: "Удалить" }));
  await screen.findByText("Правило удалено: 203.0.113.1");
  expect(asked("DELETE /admin/rules/{id}")[0]?.path).toBe(`/admin/rules/${uuid(701)}`);
});

test("a failed deletion is reported under the question; a rule already deleted counts as deleted", async () => {
  const { user, say } = await open([rule(1)], { "DELETE /admin/rules/{id}": "silence" });
  await user.click(await screen.findByRole("button", { name: "Удалить правило: 203.0.113.1" }));
  const dialog = within(await screen.findByRole("dialog"));
  await user.click(dialog.getByRole("button", { name: "Удалить" }));
  await dialog.findByText(/^Ошибка при удалении правила/);
  say({ "DELETE /admin/rules/{id}": refused(404, "rule.not_found", "Правило не найдено.") });
  await user.click(dialog.getByRole("button", { name: "Удалить" }));
  await screen.findByText("Правило удалено: 203.0.113.1");
});

test("a tap on the selected members shows who they are", async () => {
  const { user } = await open([rule(1, { appliesTo: [anna.id, boris.id], memberCount: 2 })], {
    "GET /admin/rules/{id}/members": [anna, boris],
  });
  await user.click(await screen.findByRole("button", { name: "выбранные участники: 2" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Для кого: 203.0.113.1" }));
  expect((await dialog.findByRole("link", { name: /Борис/ })).getAttribute("href")).toBe("/admin/users/boris");
});

test.each([
  ["a moderator", moderator, null],
  ["an admin who looks as one", admin, "moderator"],
])("%s sees the rules and changes none", async (_, me, viewed) => {
  if (viewed) sessionStorage.setItem("krug.viewed-role", viewed);
  const { asked } = await open([rule(1)], {}, me, "/admin/rules?add=rule");
  await screen.findByText("203.0.113.1");
  expect(screen.queryByRole("button", { name: /Добавить правило|Удалить правило/ })).toBeNull();
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(screen.getAllByText("Только просмотр")).toBeTruthy();
  expect(asked("GET /admin/rules").every(({ query }) => query.get("as") === "moderator")).toBe(true);
});

const checked = (about: Partial<Checked>): Checked => ({
  member: { id: anna.id, username: "anna", displayName: "Анна" },
  target: "example.org",
  verdict: "reaches",
  obstacle: null,
  failure: null,
  places: [{ address: "203.0.113.1", open: true, by: "default", closedBecause: null, rule: null }],
  beside: [],
  exits: [],
  ...about,
});
const ban = {
  id: uuid(701),
  type: "blacklist" as const,
  target: "203.0.113.0/24",
  appliesTo: "selected" as const,
  group: null,
};

test.each([
  ["nothing is about it", {}, ["Анна откроет example.org", "Правил об этом нет."]],
  [
    "a ban",
    {
      verdict: "closed",
      places: [{ address: "203.0.113.1", open: false, by: "blacklist", closedBecause: null, rule: ban }],
    },
    ["Анна не откроет example.org", "Чёрный список: 203.0.113.0/24, выбранные участники."],
  ],
  [
    "closed to everybody",
    {
      verdict: "closed",
      places: [{ address: "10.8.0.2", open: false, by: "closed", closedBecause: "members", rule: null }],
    },
    ["Сеть других участников, закрыта для всех."],
  ],
  [
    "some of its addresses",
    {
      verdict: "partly",
      places: [
        { address: "203.0.113.1", open: false, by: "blacklist", closedBecause: null, rule: ban },
        { address: "192.0.2.1", open: true, by: "default", closedBecause: null, rule: null },
      ],
    },
    ["Анна откроет example.org не всегда", "192.0.2.1", "203.0.113.1"],
  ],
  ["his VPN is off", { verdict: "closed", obstacle: "expired" }, ["Подписка истекла: VPN отключён."]],
  ["no such domain", { verdict: "closed", failure: "not_found", places: [] }, ["Домен не найден."]],
  [
    "by exits",
    {
      exits: [
        {
          device: "iphone",
          address: "203.0.113.7",
          exit: "closed",
          server: null,
          link: null,
          downSince: null,
          instead: null,
          other: null,
          service: null,
        },
        {
          device: "mac",
          address: "203.0.113.7",
          exit: "server",
          server: "Хельсинки",
          link: "up",
          downSince: null,
          instead: null,
          other: null,
          service: "YouTube",
        },
        {
          device: "tv",
          address: "203.0.113.7",
          exit: "server",
          server: "Рига",
          link: "down",
          downSince: null,
          instead: "other",
          other: "Вена",
          service: null,
        },
      ],
    },
    [
      /^example.org → закрыто. iphone: как весь трафик/,
      "example.org → выход «Хельсинки», отвечает. mac: сервис «YouTube».",
      /^example.org → выход «Рига», не отвечает, пока через «Вена». tv: /,
    ],
  ],
  ["outside the tunnel", { beside: ["tv"] }, [/^Мимо VPN, без правил: tv\./]],
] as [string, Partial<Checked>, (string | RegExp)[]][])(
  "a check says first what happens, then what decides it: %s",
  async (_, about, words) => {
    const { user, asked } = await open([], { "GET /admin/rules/check": checked(about) });
    await pick(user, "Участник", "Анна");
    const panel = await list("Проверить доступ");
    await user.type(panel.getByLabelText("Адрес или домен"), "example.org{Enter}");
    for (const text of words)
      await panel.findByText((said) =>
        typeof text === "string" ? said.replace(/\u00a0/g, " ") === text : text.test(said.replace(/\u00a0/g, " ")),
      );
    expect(Object.fromEntries(asked("GET /admin/rules/check").at(-1)?.query ?? [])).toEqual({
      userId: anna.id,
      target: "example.org",
    });
  },
);

test("a check that lacks a member or a place says which", async () => {
  const { user, asked } = await open([]);
  const panel = await list("Проверить доступ");
  await user.click(panel.getByRole("button", { name: "Проверить" }));
  expect(panel.getByText("Выберите участника из списка")).toBeTruthy();
  expect(panel.getByText("Укажите адрес или домен")).toBeTruthy();
  expect(asked("GET /admin/rules/check")).toEqual([]);
});

test("while the panel is silent, no server is shown to have the rules", async () => {
  await open([]);
  await screen.findByText("в силе");
  await expectNothingWellInSilence();
});
