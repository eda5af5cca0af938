import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { screens } from "../../../testing/open-page.tsx";
import { type Heard, type Panel, refused } from "../../../testing/panel.ts";
import { inDays, uuid } from "../../../testing/samples.ts";
import { staffInterface } from "../../../testing/servers.ts";
import { admin, enter, moderator } from "../../../testing/staff.ts";
import type { InviteCode } from "./staff-queries.ts";

screens();

const wg0 = uuid(60);
const wg1 = uuid(61);

/** A staff code. A test passes only the fields that it is about. */
const code = (about: Partial<InviteCode> = {}): InviteCode => ({
  id: uuid(800),
  code: "K7MRHW",
  createdAt: inDays(-3),
  expiresAt: null,
  maxUses: 5,
  currentUses: 2,
  subscriptionDays: 30,
  subscriptionEndDate: null,
  interfaces: [wg0],
  template: null,
  isActive: true,
  is_active: 1,
  state: "active",
  createdBy: { id: admin.id, username: "chief", displayName: "Глава" },
  ...about,
});
const counts = { all: 12, active: 4, expired: 3, used: 3, deactivated: 2 };
const wgInterface = (id: string, n: number) =>
  staffInterface({ id, name: `Interface ${n}`, interfaceName: `wg${n - 1}`, interface_name: `wg${n - 1}` });

const open = async (says: Panel = {}, address = "/admin/invites", me = admin) => {
  const page = await enter(
    address,
    {
      "GET /admin/invite-codes/counts": counts,
      "GET /admin/invite-codes/{id}/members": [],
      "GET /admin/invite-codes/{id}": code(),
      "GET /admin/invite-codes": [code()],
      "GET /admin/servers/interfaces": [wgInterface(wg0, 1), wgInterface(wg1, 2)],
      ...says,
    },
    me,
  );
  await screen.findByRole("heading", { level: 1 });
  const last = (key: Parameters<typeof page.asked>[0]): Heard | undefined => page.asked(key).at(-1);
  return { ...page, last };
};
const menu = async (user: Awaited<ReturnType<typeof open>>["user"], item: string) => {
  await user.click(await screen.findByRole("button", { name: "Действия: K7MRHW" }));
  await user.click(await screen.findByRole("menuitem", { name: item }));
};
const plain = (text: string | null | undefined) => text?.replace(/\s/g, " ");

test("a row shows the code, its state, what it gives, who made it and how often it was used", async () => {
  await open({ "GET /admin/invite-codes": [code({ expiresAt: "2027-01-31T20:59:59Z" })] });
  const row = (await screen.findByRole("link", { name: "K7MRHW" })).closest("tr") as HTMLElement;
  const words = [...row.querySelectorAll("td")].map((cell) => plain(cell.textContent));
  expect(words.slice(0, 4)).toEqual(["K7MRHW", "Действует", "30 дней", "Глава"]);
  expect(words[5]).toMatch(/^(31\.01|01\.02)\.2027$/);
  expect(words[6]).toBe("2 из 5");
});

test.each([
  ["expired", "Просрочен"],
  ["used", "Использован"],
  ["deactivated", "Деактивирован"],
] as const)("a code that is %s reads '%s', and can be neither changed nor deactivated", async (state, words) => {
  const { user } = await open({ "GET /admin/invite-codes": [code({ state })] });
  const table = within(await screen.findByRole("table"));
  expect(await table.findByText(words)).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Действия: K7MRHW" })).toBeNull();
  await user.click(screen.getByRole("link", { name: "K7MRHW" }));
  await screen.findByRole("heading", { name: "Кто пришёл по коду" });
});

test("codes can be filtered by state and found by the whole code", async () => {
  const { user, last, address } = await open();
  await user.click(await screen.findByRole("radio", { name: /Просрочены/ }));
  await waitFor(() => expect(last("GET /admin/invite-codes")?.query.get("state")).toBe("expired"));
  expect(address()).toBe("/admin/invites?state=expired");
  await user.type(screen.getByRole("searchbox", { name: "Код целиком" }), "k7mrhw");
  await waitFor(() => expect(last("GET /admin/invite-codes")?.query.get("q")).toBe("k7mrhw"));
});

test("a code is created with what it gives, and then shown for passing on", async () => {
  const { user, asked } = await open({ "POST /admin/invite-codes": code({ code: "ABCDEF" }) });
  await user.click(await screen.findByRole("button", { name: "Создать код" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Новый инвайт-код" }));
  const make = await dialog.findByRole("button", { name: "Создать код" });
  await user.click(make);
  await dialog.findByText("Выберите хотя бы один интерфейс");
  expect(asked("POST /admin/invite-codes"), "an interface is needed").toHaveLength(0);
  await user.click(dialog.getByRole("checkbox", { name: "Хельсинки: Interface 2" }));
  await user.clear(dialog.getByLabelText("Сколько человек может прийти"));
  await user.click(make);
  await dialog.findByText("Целое число от 1 до 1 000 000");
  await user.type(dialog.getByLabelText("Сколько человек может прийти"), "3");
  await user.clear(dialog.getByLabelText("Сколько дней"));
  await user.type(dialog.getByLabelText("Сколько дней"), "14");
  await user.type(dialog.getByLabelText("Код действует до конца дня"), "2099-01-31");
  await user.click(make);
  const made = within(await screen.findByRole("dialog", { name: "Код создан" }));
  expect(made.getByText("A B C D E F")).toBeTruthy();
  expect(asked("POST /admin/invite-codes")[0]?.body).toEqual({
    maxUses: 3,
    interfaces: [wg1],
    expiresAt: "2099-01-31",
    subscriptionDays: 14,
  });
  await user.click(made.getByRole("button", { name: "Скопировать приглашение" }));
  const invitation = await navigator.clipboard.readText();
  expect(invitation).toContain("Код: ABCDEF.");
  expect(invitation).toContain(`${location.origin}/register#code=ABCDEF`);
});

test("if two servers have an 'Interface 1', the form names each with its server", async () => {
  const places = [wgInterface(wg0, 1), staffInterface({ id: wg1, serverId: uuid(72), serverName: "Осло" })];
  const { user } = await open({ "GET /admin/servers/interfaces": places });
  await user.click(await screen.findByRole("button", { name: "Создать код" }));
  const dialog = within(await screen.findByRole("dialog"));
  await dialog.findByRole("checkbox", { name: "Хельсинки: Interface 1" });
  await dialog.findByRole("checkbox", { name: "Осло: Interface 1" });
});

test("with one interface there is no choice; no limit and the trial are spelled out", async () => {
  const { user, asked } = await open({
    "GET /admin/servers/interfaces": [wgInterface(wg0, 1)],
    "POST /admin/invite-codes": code(),
  });
  await user.click(await screen.findByRole("button", { name: "Создать код" }));
  const dialog = within(await screen.findByRole("dialog"));
  await user.click(await dialog.findByRole("radio", { name: "Пробная" }));
  await user.click(dialog.getByRole("checkbox", { name: "Без ограничения" }));
  await user.click(dialog.getByRole("button", { name: "Создать код" }));
  await screen.findByRole("dialog", { name: "Код создан" });
  expect(asked("POST /admin/invite-codes")[0]?.body).toEqual({ maxUses: -1, interfaces: [wg0] });
});

test("the panel decides by the club's day whether a date is past, and the form shows it at the field", async () => {
  const past = "Дата окончания подписки не может быть раньше сегодняшней.";
  const { user, asked, say } = await open({
    "POST /admin/invite-codes": refused(400, "member.subscription_in_past", past),
  });
  await user.click(await screen.findByRole("button", { name: "Создать код" }));
  const dialog = within(await screen.findByRole("dialog"));
  await user.click(await dialog.findByRole("radio", { name: "До даты" }));
  await user.type(dialog.getByLabelText("До конца дня"), "2020-01-01");
  await user.click(dialog.getByRole("button", { name: "Создать код" }));
  expect(asked("POST /admin/invite-codes")).toHaveLength(0);
  await user.click(dialog.getByRole("checkbox", { name: /Interface 1$/ }));
  await user.click(dialog.getByRole("button", { name: "Создать код" }));
  await dialog.findByText(past);
  await waitFor(() => expect(document.activeElement).toBe(dialog.getByLabelText("До конца дня")));
  const over = "Срок действия кода должен быть в будущем.";
  say({ "POST /admin/invite-codes": refused(400, "invite.expires_in_past", over) });
  await user.type(dialog.getByLabelText("Код действует до конца дня"), "2020-01-01");
  await user.click(dialog.getByRole("button", { name: "Создать код" }));
  await dialog.findByText(over);
  expect(dialog.queryByText(past)).toBeNull();
  await waitFor(() => expect(document.activeElement).toBe(dialog.getByLabelText("Код действует до конца дня")));
});

test("a club without an interface sees what is missing, and no form", async () => {
  const { user } = await open({ "GET /admin/servers/interfaces": [] });
  await user.click(await screen.findByRole("button", { name: "Создать код" }));
  const dialog = within(await screen.findByRole("dialog"));
  await dialog.findByText(/Нет ни одного интерфейса/);
  expect(dialog.queryByRole("button", { name: "Создать код" })).toBeNull();
});

test("a change sends only the differences, with what was seen of them", async () => {
  const { user, asked } = await open({ "PUT /admin/invite-codes/{id}": code() });
  await menu(user, "Изменить");
  const dialog = within(await screen.findByRole("dialog", { name: "Изменить код K7MRHW" }));
  const uses = await dialog.findByLabelText("Сколько человек может прийти");
  await user.clear(uses);
  await user.type(uses, "2");
  expect(dialog.getByText(/Код уже использован 2\sраза:/)).toBeTruthy();
  await user.clear(uses);
  await user.type(uses, "9");
  await user.click(dialog.getByRole("radio", { name: "До даты" }));
  await user.type(dialog.getByLabelText("До конца дня"), "2099-05-31");
  await user.click(dialog.getByRole("button", { name: "Сохранить" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(asked("PUT /admin/invite-codes/{id}")[0]?.body).toEqual({
    maxUses: 9,
    subscriptionEndDate: "2099-05-31",
    expected: { maxUses: 5, subscriptionDays: 30, subscriptionEndDate: null },
  });
});

test("saving over another's change shows the current values, keeps the typed ones, and then allows saving", async () => {
  const { user, asked, say } = await open({
    "PUT /admin/invite-codes/{id}": refused(409, "invite.changed_meanwhile", "изменил", { fields: ["maxUses"] }),
    "GET /admin/invite-codes/{id}": code({ maxUses: 7 }),
  });
  await menu(user, "Изменить");
  const dialog = within(await screen.findByRole("dialog"));
  const uses = await dialog.findByLabelText("Сколько человек может прийти");
  await user.clear(uses);
  await user.type(uses, "9");
  await user.click(dialog.getByRole("button", { name: "Сохранить" }));
  await dialog.findByText("Пока вы редактировали, код изменил другой сотрудник");
  expect(dialog.getByText("Использовано: 2 из 7")).toBeTruthy();
  expect((uses as HTMLInputElement).value).toBe("9");
  say({ "PUT /admin/invite-codes/{id}": code({ maxUses: 9 }) });
  await user.click(dialog.getByRole("button", { name: "Сохранить" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(asked("PUT /admin/invite-codes/{id}").at(-1)?.body).toEqual({ maxUses: 9, expected: { maxUses: 7 } });
});

test("deactivating a code needs a confirmation, and is permanent", async () => {
  const { user, asked } = await open({
    "PUT /admin/invite-codes/{id}/deactivate": code({ state: "deactivated", isActive: false, is_active: 0 }),
  });
  await menu(user, "Деактивировать");
  const ask = within(await screen.findByRole("dialog", { name: "Деактивировать код K7MRHW?" }));
  expect(ask.getByText(/Вернуть код будет нельзя/)).toBeTruthy();
  expect(asked("PUT /admin/invite-codes/{id}/deactivate")).toHaveLength(0);
  await user.click(ask.getByRole("button", { name: "Деактивировать" }));
  await screen.findByText("Код K7MRHW деактивирован");
});

test("a moderator only reads: no code is created, changed or deactivated", async () => {
  const { user } = await open({}, "/admin/invites", moderator);
  await screen.findByRole("link", { name: "K7MRHW" });
  expect(screen.getByText("Только просмотр")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Создать код" })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Действия: K7MRHW" }));
  expect((await screen.findAllByRole("menuitem")).map((item) => item.textContent)).toEqual([
    "Скопировать код",
    "Скопировать ссылку",
  ]);
});

test("a moderator for whom an admin has switched it on creates codes, and changes none", async () => {
  const { user, asked } = await open(
    { "GET /admin/rights": { actions: ["invites.see", "invites.create"] }, "POST /admin/invite-codes": code() },
    "/admin/invites",
    moderator,
  );
  await user.click(await screen.findByRole("button", { name: "Создать код" }));
  expect(screen.queryByText("Только просмотр")).toBeNull();
  const dialog = within(await screen.findByRole("dialog", { name: "Новый инвайт-код" }));
  await user.click(await dialog.findByLabelText(/Interface 1/));
  await user.click(dialog.getByRole("button", { name: "Создать код" }));
  await screen.findByRole("dialog", { name: "Код создан" });
  expect(asked("POST /admin/invite-codes")).toHaveLength(1);
  await user.click(screen.getByRole("button", { name: "Готово" }));
  await user.click(screen.getByRole("button", { name: "Действия: K7MRHW" }));
  expect((await screen.findAllByRole("menuitem")).map((item) => item.textContent)).toEqual([
    "Скопировать код",
    "Скопировать ссылку",
  ]);
  await user.keyboard("{Escape}{Control>}k{/Control}");
  expect(await screen.findByRole("option", { name: /Создать инвайт-код/ })).toBeTruthy();
  expect(screen.queryByRole("option", { name: /Добавить участника/ })).toBeNull();
});

test("a code's page shows who joined with it and what became of them", async () => {
  const newcomer = (n: number, name: string, about: object) => ({
    id: uuid(900 + n),
    username: `came_${n}`,
    displayName: name,
    joinedAt: inDays(-2),
    isActive: true,
    entitlement: { allowed: true, reason: "subscription" as const, until: inDays(9) },
    ...about,
  });
  await open(
    {
      "GET /admin/invite-codes/{id}/members": [
        newcomer(1, "Нина", {}),
        newcomer(2, "Олег", { entitlement: { allowed: false, reason: "expired", until: inDays(-1) } }),
      ],
    },
    `/admin/invites/${uuid(800)}`,
  );
  const list = within(await screen.findByRole("region", { name: /Кто пришёл по коду/ }));
  expect((await list.findByRole("link", { name: "Нина" })).getAttribute("href")).toBe("/admin/users/came_1");
  expect(list.getByText(/^подписка до/)).toBeTruthy();
  expect(list.getByText("подписка истекла")).toBeTruthy();
  expect(screen.getByText("K 7 M R H W")).toBeTruthy();
});

test("members who joined with a leaked code are blocked together on its page", async () => {
  const newcomer = (n: number) => ({
    id: uuid(500 + n),
    username: `came_${n}`,
    displayName: `Чужой ${n}`,
    joinedAt: inDays(-2),
    isActive: true,
    entitlement: { allowed: true, reason: "subscription" as const, until: inDays(9) },
  });
  const { user, asked } = await open(
    {
      "GET /admin/invite-codes/{id}/members": [newcomer(1), newcomer(2), newcomer(3)],
      "POST /admin/users/bulk": { changed: [uuid(501), uuid(503)], refused: [] },
    },
    `/admin/invites/${uuid(800)}`,
  );
  await user.click(await screen.findByRole("checkbox", { name: "Выбрать всех на странице" }));
  await user.click(screen.getByRole("checkbox", { name: "Выбрать: Чужой 2" }));
  await user.click(await screen.findByRole("button", { name: "Заблокировать" }));
  await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Заблокировать" }));
  await waitFor(() => expect(asked("POST /admin/users/bulk")).toHaveLength(1));
  expect(asked("POST /admin/users/bulk")[0]?.body).toMatchObject({ ids: [uuid(501), uuid(503)], action: "block" });
});

test("an unknown code shows an error and a way back", async () => {
  await open(
    { "GET /admin/invite-codes/{id}": refused(404, "invite.not_found", "Код приглашения не найден.") },
    `/admin/invites/${uuid(1)}`,
  );
  await screen.findByRole("heading", { level: 1, name: "Код не найден" });
  expect(screen.getByRole("link", { name: "К списку" })).toBeTruthy();
});

test("the palette finds a whole code and opens its page, and creates a new one", async () => {
  const found = { members: [], configs: [], servers: [], interfaces: [], tickets: [] };
  const code = { id: uuid(800), code: "K7MRHW", state: "active" as const };
  const { user, address } = await open({ "GET /admin/search": { ...found, codes: [code] } });
  await screen.findByRole("link", { name: "K7MRHW" });
  await user.keyboard("{Control>}[KeyK]{/Control}");
  const palette = within(await screen.findByRole("dialog", { name: "Поиск" }));
  await user.type(palette.getByRole("combobox"), "K7MRHW");
  const option = await palette.findByRole("option", { name: /K7MRHW/ });
  expect(option.textContent).toContain("действует");
  await user.click(option);
  await waitFor(() => expect(address()).toBe(`/admin/invites/${uuid(800)}`));
  await user.keyboard("{Control>}[KeyK]{/Control}");
  await user.type(await screen.findByRole("combobox"), "инвайт-код");
  await user.click(await screen.findByRole("option", { name: "Создать инвайт-код" }));
  await screen.findByRole("dialog", { name: "Новый инвайт-код" });
});

const family = {
  id: uuid(900),
  name: "Семья",
  services: [],
  interfaceId: wg1,
  configLimit: 6,
  quotaBytes: null,
  quotaAtEnd: "cut" as const,
  quotaSlowMbit: 5,
  speedMbit: null,
  isDefault: false,
};

test("a template chosen for a code is stored with it, says what it gives, and ticks its interface", async () => {
  const { user, asked } = await open({
    "GET /admin/templates": [family],
    "POST /admin/invite-codes": code({ template: { id: family.id, name: "Семья" } }),
  });
  await user.click(await screen.findByRole("button", { name: "Создать код" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Новый инвайт-код" }));
  const field = await dialog.findByLabelText<HTMLSelectElement>("Шаблон");
  expect(field.selectedOptions[0]?.textContent).toBe("По настройкам клуба");
  await user.selectOptions(field, "Семья");
  expect(plain(dialog.getByText(/6.конфигов/).textContent)).toBe("6 конфигов");
  expect(dialog.getByRole<HTMLInputElement>("checkbox", { name: "Хельсинки: Interface 2" }).checked).toBe(true);
  await user.click(dialog.getByRole("button", { name: "Создать код" }));
  await screen.findByRole("dialog", { name: "Код создан" });
  expect(asked("POST /admin/invite-codes")[0]?.body).toMatchObject({ interfaces: [wg1], templateId: family.id });
});

test("the list, the code's page and its form show its template, which can be removed", async () => {
  const withTemplate = code({ template: { id: family.id, name: "Семья" } });
  const { user, asked } = await open({
    "GET /admin/templates": [family, { ...family, id: uuid(901), name: "Обычный", interfaceId: null, isDefault: true }],
    "GET /admin/invite-codes": [withTemplate],
    "GET /admin/invite-codes/{id}": withTemplate,
    "PUT /admin/invite-codes/{id}": code(),
  });
  expect(await screen.findByRole("cell", { name: /30.дней\s*Семья/ })).toBeTruthy();
  await user.click(screen.getByRole("link", { name: "K7MRHW" }));
  await screen.findByRole("heading", { name: "Кто пришёл по коду" });
  expect(screen.getByText("Семья")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Изменить" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Изменить код K7MRHW" }));
  await user.selectOptions(await dialog.findByLabelText("Шаблон"), "По умолчанию: Обычный");
  await user.click(dialog.getByRole("button", { name: "Сохранить" }));
  await waitFor(() =>
    expect(asked("PUT /admin/invite-codes/{id}")[0]?.body).toEqual({
      templateId: null,
      expected: { templateId: family.id },
    }),
  );
});
