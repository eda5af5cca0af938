import type { Api } from "@krug/contract/api";
import type { StaffAction } from "@krug/domain/staff-actions";
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { screens } from "../../testing/open-page.tsx";
import { type Heard, type Panel, paged, refused } from "../../testing/panel.ts";
import { inDays, uuid } from "../../testing/samples.ts";
import { admin, enter, fileOf, listed, moderator } from "../../testing/staff.ts";

screens();

const anna = listed(1, { displayName: "Анна", username: "anna", vpnConfigLimit: 3, configCount: 2 });
const boris = listed(2, { displayName: "Борис", username: "boris" });
const counts = { all: 312, active: 297, blocked: 15 };

const clubSettings = (about: Partial<Api["GET /admin/settings"]["answer"]>) => ({
  graceHours: 0,
  quietFrom: 23,
  quietUntil: 8,
  ownCodesPerMonth: 10,
  joinsPerAddressPerDay: 40,
  joinsPerCodePerDay: 60,
  newMemberConfigLimit: 3,
  newMemberQuotaBytes: null,
  newMemberQuotaAtEnd: "cut" as const,
  clubTimeZone: "Europe/Moscow",
  moderatorMayInvites: false,
  moderatorMayInterfaces: false,
  moderatorMayPasswordLinks: false,
  fixedBy: { clubTimeZone: null },
  ...about,
});

const open = async (says: Panel = {}, address = "/admin/users", me = admin) => {
  const page = await enter(address, { "GET /users": [anna, boris], "GET /admin/users/counts": counts, ...says }, me);
  const last = (key: Parameters<typeof page.asked>[0]) => page.asked(key).at(-1);
  return { ...page, last };
};
const menu = async (user: Awaited<ReturnType<typeof open>>["user"], name: string, item: string) => {
  await user.click(await screen.findByRole("button", { name: `Действия: ${name}` }));
  await user.click(await screen.findByRole("menuitem", { name: item }));
};

test("a row says who it is, how he stands, what he has and what he used", async () => {
  const member = {
    ...anna,
    lastHandshake: Date.now() - 60_000,
    monthBytes: 33.1 * 2 ** 30,
    // The next day already where this test runs in UTC or east of it: the day is the club's.
    subscriptionEnd: "2027-01-03T23:59:59.000-05:00",
    role: "moderator" as const,
  };
  await open({ "GET /users": [member] });
  const row = (await screen.findByRole("link", { name: /Анна/ })).closest("tr") as HTMLElement;
  const words = [...row.querySelectorAll("td")].map((cell) => cell.textContent?.replace(/\s/g, " "));
  expect(words.slice(1, -1)).toEqual([
    "Аннаanna",
    "Модератор",
    "На связи",
    "До 03.01.2027",
    "2 из 3",
    "сейчас",
    "33,1 GB",
  ]);
});

test.each([
  ["Заблокирован", { isActive: false }],
  ["Без доступа", { entitlement: { allowed: false, reason: "expired", until: inDays(-1) } }],
  ["Не подключался", { lastHandshake: null }],
  ["Активен", { lastHandshake: Date.now() - 86_400_000 }],
] as const)("what needs attention is said first: %s", async (state, about) => {
  await open({ "GET /users": [{ ...anna, ...about }] });
  await screen.findByText(state);
});

test.each([
  ["Безлимитная", { isUnlimited: true }],
  ["Истекла", { subscriptionEnd: inDays(-2), entitlement: { allowed: false, reason: "expired", until: inDays(-2) } }],
  ["Не активна", { subscriptionEnd: null, entitlement: { allowed: false, reason: "none", until: null } }],
  [
    "По приглашениям",
    { isByReferral: true, subscriptionEnd: null, entitlement: { allowed: true, reason: "referral", until: null } },
  ],
  [
    "По приглашениям",
    {
      isByReferral: true,
      subscriptionEnd: inDays(-40),
      entitlement: { allowed: false, reason: "quota", until: inDays(9) },
    },
  ],
  ["Не активна", { subscriptionEnd: null, entitlement: { allowed: false, reason: "quota", until: inDays(9) } }],
] as const)("a subscription reads: %s", async (words, about) => {
  await open({ "GET /users": [{ ...anna, ...about }] });
  await screen.findByText(words);
});

test("what looks like a number or like code is looked for as it stands in the address", async () => {
  const { address } = await open({}, "/admin/users?q=007&after=%221%22");
  expect(((await screen.findByRole("searchbox")) as HTMLInputElement).value).toBe("007");
  expect(Object.fromEntries(new URL(address(), "http://x").searchParams)).toMatchObject({ q: "007", after: '"1"' });
});

test("search, filter and sorting are asked of the panel and stand in the address", async () => {
  const { user, address, last } = await open();
  await user.type(await screen.findByRole("searchbox", { name: "Имя или логин" }), "анн");
  await waitFor(() => expect(last("GET /users")?.query.get("q")).toBe("анн"));
  await user.click(screen.getByRole("radio", { name: /Заблокированные/ }));
  await waitFor(() => expect(last("GET /users")?.query.get("state")).toBe("blocked"));
  await user.click(screen.getByRole("button", { name: "Трафик, 30 дней" }));
  await waitFor(() => expect(last("GET /users")?.query.get("order")).toBe("desc"));
  expect(last("GET /users")?.query.get("sort")).toBe("monthBytes");
  expect(Object.fromEntries(new URL(address(), "http://x").searchParams)).toEqual({
    q: "анн",
    state: "blocked",
    sort: "monthBytes",
    order: "desc",
  });
  expect(screen.getByRole("columnheader", { name: "Трафик, 30 дней" }).getAttribute("aria-sort")).toBe("descending");
});

test("a link shows the same view", async () => {
  const { last } = await open({}, "/admin/users?q=123&state=active&sort=lastHandshake&order=desc&hide=role,createdAt");
  await screen.findByText("Анна");
  expect(Object.fromEntries(last("GET /users")?.query ?? [])).toMatchObject({
    q: "123",
    state: "active",
    sort: "lastHandshake",
    order: "desc",
  });
  expect(screen.queryByRole("columnheader", { name: "Роль" })).toBeNull();
  expect((screen.getByRole("searchbox") as HTMLInputElement).value).toBe("123");
});

test("pages go on and back, and another filter begins at the first", async () => {
  const many = [1, 2, 3, 4, 5].map((n) => listed(n));
  const { user, address, last } = await open({
    "GET /users": ({ query }: Heard) => {
      const start = Number(query.get("cursor") ?? 0);
      return paged(many.slice(start, start + 2), { total: 5, next: start + 2 < 5 ? String(start + 2) : null });
    },
  });
  const pagesNav = within(await screen.findByRole("navigation", { name: "Страницы списка" }));
  expect(screen.getByText("1–2 из 5")).toBeTruthy();
  expect(pagesNav.getByRole("button", { name: "Назад" })).toHaveProperty("disabled", true);
  await user.click(pagesNav.getByRole("button", { name: "Дальше" }));
  await screen.findByText("Участник 3");
  expect(address()).toBe("/admin/users?after=2&page=2");
  await user.click(pagesNav.getByRole("button", { name: "Дальше" }));
  await screen.findByText("Участник 5");
  expect(pagesNav.getByRole("button", { name: "Дальше" })).toHaveProperty("disabled", true);
  await user.click(pagesNav.getByRole("button", { name: "Назад" }));
  await screen.findByText("Участник 3");
  await user.click(screen.getByRole("radio", { name: /Активные/ }));
  await waitFor(() => expect(address()).toBe("/admin/users?state=active"));
  expect(last("GET /users")?.query.get("cursor")).toBeNull();
});

test("any page is gone to by its number, and both ends at once; a selection stays while pages turn", async () => {
  const { user, address, last } = await open({
    "GET /users": ({ query }: Heard) => {
      const skip = Number(query.get("skip") ?? 0);
      return paged([listed(skip + 1), listed(skip + 2)], { total: 201, next: skip < 150 ? "on" : null });
    },
  });
  await user.click(await screen.findByRole("checkbox", { name: "Выбрать: Участник 1" }));
  const nav = () => within(screen.getByRole("navigation", { name: "Страницы списка" }));
  expect(nav().getByText("из 4"), "the 201st stands on the fourth").toBeTruthy();
  const number = nav().getByRole("textbox", { name: "Номер страницы" });
  await user.clear(number);
  await user.type(number, "3{Enter}");
  await screen.findByText("Участник 101");
  expect(address()).toBe("/admin/users?page=3");
  expect(Object.fromEntries(last("GET /users")?.query ?? [])).toMatchObject({ skip: "100", spare: "5" });
  await user.click(screen.getByRole("checkbox", { name: "Выбрать: Участник 102" }));
  expect(screen.getByText("Выбрано 2")).toBeTruthy();
  await user.click(nav().getByRole("button", { name: "Последняя страница" }));
  await screen.findByText("Участник 151");
  await user.click(nav().getByRole("button", { name: "Назад" }));
  await screen.findByText("Участник 101");
  await user.click(nav().getByRole("button", { name: "Первая страница" }));
  const first = await screen.findByRole("checkbox", { name: "Выбрать: Участник 1" });
  expect((first as HTMLInputElement).checked).toBe(true);
  expect(screen.getByText("Выбрано 2")).toBeTruthy();
});

test("columns are chosen, and the choice stands in the address", async () => {
  const { user, address } = await open();
  await screen.findByText("Анна");
  expect(screen.queryByRole("columnheader", { name: "В клубе с" })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Столбцы" }));
  await user.click(await screen.findByRole("menuitemcheckbox", { name: "Роль" }));
  await waitFor(() => expect(screen.queryByRole("columnheader", { name: "Роль" })).toBeNull());
  await user.click(screen.getByRole("menuitemcheckbox", { name: "В клубе с" }));
  await screen.findByRole("columnheader", { name: "В клубе с" });
  expect(address()).toBe("/admin/users?hide=role");
});

test("nobody found says what to do; what failed says so and is asked again", async () => {
  const { user, say } = await open({ "GET /users": [] }, "/admin/users?q=zzz");
  await user.click(await screen.findByRole("button", { name: "Показать всех" }));
  expect((screen.getByRole("searchbox") as HTMLInputElement).value).toBe("");
  say({ "GET /users": refused(500, "internal") });
  await user.click(await screen.findByRole("button", { name: /^Обновить/ }));
  await screen.findByText("Ошибка при загрузке пользователей");
  say({ "GET /users": [anna] });
  await user.click(screen.getByRole("button", { name: "Повторить" }));
  await screen.findByText("Анна");
});

test("the whole list becomes a file, page by page, and no name becomes a formula", async () => {
  const { user, asked } = await open({ "GET /users": [{ ...anna, displayName: "=1+1" }] });
  await screen.findByText("=1+1");
  const files: Blob[] = [];
  URL.createObjectURL = (file: Blob) => {
    files.push(file);
    return "blob:x";
  };
  URL.revokeObjectURL = () => {};
  await user.click(screen.getByRole("button", { name: "CSV" }));
  await waitFor(() => expect(files).toHaveLength(1));
  const text = await files[0]?.text();
  expect(text).toContain("Участник;Роль;Состояние;Подписка;Конфиги");
  expect(text).toContain("'=1+1;Участник;");
  expect(asked("GET /users").at(-1)?.query.get("limit")).toBe("1000");
});

test("a new member comes with a link for his password", async () => {
  const { user, asked } = await open({
    "POST /users": { user: boris, link: "https://club.example/password?token=abc", expiresAt: inDays(1) },
  });
  await user.click(await screen.findByRole("button", { name: "Добавить" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Новый участник" }));
  await user.click(dialog.getByRole("button", { name: "Добавить участника" }));
  expect(asked("POST /users"), "a login is needed").toHaveLength(0);
  await user.type(dialog.getByLabelText("Логин"), "boris");
  await user.click(dialog.getByRole("radio", { name: "До даты" }));
  await user.type(dialog.getByLabelText("Действует до конца дня"), "2030-05-31");
  await user.click(dialog.getByRole("button", { name: "Добавить участника" }));
  const done = within(await screen.findByRole("dialog", { name: "Борис в клубе" }));
  expect(done.getByText("https://club.example/password?token=abc")).toBeTruthy();
  expect(asked("POST /users")[0]?.body).toEqual({
    username: "boris",
    role: "user",
    subscriptionEnd: "2030-05-31",
  });
});

test("the form for a new member shows the limit that the settings give, and sends another only where one was typed", async () => {
  const { user, asked } = await open({
    "GET /admin/settings": clubSettings({ newMemberConfigLimit: 7 }),
    "POST /users": refused(409, "member.username_taken", "Имя пользователя уже занято."),
  });
  await user.click(await screen.findByRole("button", { name: "Добавить" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Новый участник" }));
  const limit = dialog.getByLabelText("Сколько конфигов можно создать") as HTMLInputElement;
  await waitFor(() => expect(limit.value).toBe("7"));
  await user.type(dialog.getByLabelText("Логин"), "boris");
  await user.click(dialog.getByRole("button", { name: "Добавить участника" }));
  await dialog.findByText("Имя пользователя уже занято.");
  await user.clear(limit);
  await user.click(dialog.getByRole("button", { name: "Добавить участника" }));
  await dialog.findByText("Укажите целое число от 0 до 10 000");
  await user.type(limit, "2");
  await user.click(dialog.getByRole("button", { name: "Добавить участника" }));
  await waitFor(() => expect(asked("POST /users")).toHaveLength(2));
  expect(asked("POST /users").map(({ body }) => (body as { vpnConfigLimit?: number }).vpnConfigLimit)).toEqual([
    undefined,
    2,
  ]);
});

test("a club without a limit for newcomers says so in the form", async () => {
  const { user } = await open({ "GET /admin/settings": clubSettings({ newMemberConfigLimit: -1 }) });
  await user.click(await screen.findByRole("button", { name: "Добавить" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Новый участник" }));
  await waitFor(() => expect((dialog.getByLabelText("Без ограничения") as HTMLInputElement).checked).toBe(true));
});

test("a moderator sends links for passwords where that is switched on, and none to staff", async () => {
  const chief = listed(3, { displayName: "Глава", role: "admin" });
  const rights = { actions: ["members.see", "members.send_password_link"] as StaffAction[] };
  const { user } = await open({ "GET /users": [anna, chief], "GET /admin/rights": rights }, "/admin/users", moderator);
  await user.click(await screen.findByRole("button", { name: "Действия: Анна" }));
  expect((await screen.findAllByRole("menuitem")).map((item) => item.textContent)).toEqual(["Ссылка для пароля"]);
  expect(screen.queryByRole("button", { name: "Действия: Глава" })).toBeNull();
  await user.click(screen.getByRole("menuitem", { name: "Ссылка для пароля" }));
  await screen.findByRole("dialog", { name: "Ссылка для пароля: Анна" });
});

test("a login that is taken is said at the login", async () => {
  const { user } = await open({ "POST /users": refused(409, "member.username_taken", "Имя пользователя уже занято.") });
  await user.click(await screen.findByRole("button", { name: "Добавить" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Новый участник" }));
  await user.type(dialog.getByLabelText("Логин"), "boris");
  await user.click(dialog.getByRole("button", { name: "Добавить участника" }));
  const said = await dialog.findByText("Имя пользователя уже занято.");
  expect(dialog.getByLabelText("Логин").getAttribute("aria-describedby")).toContain(said.id);
});

test("an edit sends only what differs, with what was seen of it", async () => {
  const { user, asked } = await open({ "PUT /users/{id}": anna });
  await menu(user, "Анна", "Изменить");
  const dialog = within(await screen.findByRole("dialog", { name: "Изменить: Анна" }));
  await user.clear(dialog.getByLabelText("Имя"));
  await user.click(dialog.getByRole("button", { name: "Сохранить" }));
  await dialog.findByText("Имя не может быть пустым");
  await user.type(dialog.getByLabelText("Имя"), "Анна Л.");
  await user.click(dialog.getByLabelText("Без ограничения"));
  await user.click(dialog.getByRole("radio", { name: "Безлимитная" }));
  await user.click(dialog.getByRole("button", { name: "Сохранить" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(asked("PUT /users/{id}")[0]?.body).toEqual({
    displayName: "Анна Л.",
    vpnConfigLimit: -1,
    isUnlimited: true,
    expected: {
      displayName: "Анна",
      vpnConfigLimit: 3,
      isUnlimited: false,
      subscriptionEnd: anna.subscriptionEnd,
    },
  });
});

test("a subscription that ends loses its date", async () => {
  const { user, asked } = await open({ "PUT /users/{id}": anna });
  await menu(user, "Анна", "Изменить");
  const dialog = within(await screen.findByRole("dialog"));
  await user.click(dialog.getByRole("radio", { name: "Нет" }));
  await user.click(dialog.getByRole("button", { name: "Сохранить" }));
  await waitFor(() => expect(asked("PUT /users/{id}")[0]?.body).toMatchObject({ subscriptionEnd: null }));
});

type Entry = Api["GET /admin/users/{id}"]["answer"]["history"][number];
const entryBy = (displayName: string, action: Entry["action"], after: Record<string, unknown>) => ({
  at: inDays(0),
  action,
  by: { id: uuid(9), username: "second", displayName },
  before: {},
  after,
});

test("a payment that moved the subscription meanwhile is told with who recorded it, not with the last editor", async () => {
  const { user } = await open({
    "PUT /users/{id}": refused(409, "member.changed_meanwhile", "изменились", { fields: ["subscriptionEnd"] }),
    "GET /admin/users/{id}": fileOf(anna, {
      history: [
        entryBy("Кассир", "payment.status_set", { status: "paid", subscription_end: inDays(60) }),
        entryBy("Давний", "member.changed", { config_limit: 3 }),
      ],
    }),
  });
  await menu(user, "Анна", "Изменить");
  const dialog = within(await screen.findByRole("dialog"));
  await user.click(dialog.getByRole("radio", { name: "Безлимитная" }));
  await user.click(dialog.getByRole("button", { name: "Сохранить" }));
  await dialog.findByText(/изменил другой сотрудник: Кассир/);
});

test("who saves over another's change is told who changed what, keeps what he typed, and may then save it", async () => {
  const { user, asked, say } = await open({
    "PUT /users/{id}": refused(409, "member.changed_meanwhile", "изменились", { fields: ["vpnConfigLimit"] }),
    "GET /admin/users/{id}": fileOf(
      { ...anna, vpnConfigLimit: 7 },
      {
        history: [
          entryBy("Третий", "member.changed", { display_name: "Анна" }),
          entryBy("Второй", "member.changed", { config_limit: 7 }),
          entryBy("Первый", "member.changed", { config_limit: 3 }),
        ],
      },
    ),
  });
  await menu(user, "Анна", "Изменить");
  const dialog = within(await screen.findByRole("dialog"));
  const limit = dialog.getByLabelText("Сколько конфигов можно создать");
  await user.clear(limit);
  await user.type(limit, "-1");
  await user.click(dialog.getByRole("button", { name: "Сохранить" }));
  expect(await dialog.findByText("Укажите целое число от 0 до 10 000")).toBeTruthy();
  await user.clear(limit);
  await user.type(limit, "5");
  await user.click(dialog.getByRole("button", { name: "Сохранить" }));
  await dialog.findByText(/изменил другой сотрудник: Второй/);
  expect(dialog.getByText("Сколько конфигов можно создать: 7")).toBeTruthy();
  expect((limit as HTMLInputElement).value).toBe("5");
  say({ "PUT /users/{id}": anna });
  await user.click(dialog.getByRole("button", { name: "Сохранить" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(asked("PUT /users/{id}").map(({ body }) => body)).toEqual([
    { vpnConfigLimit: 5, expected: { vpnConfigLimit: 3 } },
    { vpnConfigLimit: 5, expected: { vpnConfigLimit: 7 } },
  ]);
});

test.each([
  [
    "Ошибка при обновлении роли пользователя",
    async (user, dialog) => user.click(dialog.getByRole("radio", { name: "Админ" })),
  ],
  ["Ошибка при изменении VIP статуса", async (user, dialog) => user.click(dialog.getByLabelText(/^VIP/))],
  ["Ошибка при обновлении имени пользователя", async (user, dialog) => user.type(dialog.getByLabelText("Имя"), "!")],
  [
    "Ошибка при обновлении лимита VPN конфигураций",
    async (user, dialog) => user.click(dialog.getByLabelText("Без ограничения")),
  ],
  ["Ошибка при обновлении подписки", async (user, dialog) => user.click(dialog.getByRole("radio", { name: "Нет" }))],
] as [string, (user: Awaited<ReturnType<typeof open>>["user"], dialog: ReturnType<typeof within>) => Promise<void>][])(
  "a change that fails says which: %s",
  async (words, act) => {
    const { user } = await open({ "PUT /users/{id}": refused(500, "internal") });
    await menu(user, "Анна", "Изменить");
    const dialog = within(await screen.findByRole("dialog"));
    await act(user, dialog);
    await user.click(dialog.getByRole("button", { name: "Сохранить" }));
    await dialog.findByText(words);
  },
);

test("a block asks, takes the configs along unless told, and says what became of it", async () => {
  const { user, asked, say } = await open({ "PUT /users/{id}": refused(500, "internal") });
  await menu(user, "Анна", "Заблокировать");
  const dialog = within(await screen.findByRole("dialog", { name: "Заблокировать: Анна?" }));
  await user.click(dialog.getByRole("button", { name: "Заблокировать" }));
  await dialog.findByText("Ошибка при изменении статуса пользователя");
  say({ "PUT /users/{id}": { ...anna, isActive: false } });
  await user.click(dialog.getByLabelText("Заблокировать и конфиги"));
  await user.click(dialog.getByRole("button", { name: "Заблокировать" }));
  await screen.findByText("Анна: доступ закрыт");
  expect(asked("PUT /users/{id}").map(({ body }) => body)).toEqual([
    { isActive: false, blockConfigs: true, expected: { isActive: true } },
    { isActive: false, blockConfigs: false, expected: { isActive: true } },
  ]);
});

test("whoever is blocked is let in again at once", async () => {
  const { user, asked } = await open({
    "GET /users": [{ ...anna, isActive: false }],
    "PUT /users/{id}": anna,
  });
  await menu(user, "Анна", "Разблокировать");
  await screen.findByText("Анна: доступ открыт");
  expect(asked("PUT /users/{id}")[0]?.body).toEqual({ isActive: true, expected: { isActive: false } });
});

test("nobody blocks or deletes himself by a slip", async () => {
  const { user } = await open({ "GET /users": [{ ...anna, id: admin.id }] });
  await user.click(await screen.findByRole("button", { name: "Действия: Анна" }));
  await screen.findByRole("menuitem", { name: "Изменить" });
  expect(screen.queryByRole("menuitem", { name: "Удалить" })).toBeNull();
  expect(screen.queryByRole("menuitem", { name: "Заблокировать" })).toBeNull();
});

test("a deletion names what is lost and takes the typed login", async () => {
  const { user, asked } = await open({ "DELETE /users/{id}": undefined });
  await menu(user, "Анна", "Удалить");
  const dialog = within(await screen.findByRole("dialog", { name: "Удалить: Анна?" }));
  expect(dialog.getByText(/2\sконфига вместе с ключами/)).toBeTruthy();
  const confirm = dialog.getByRole("button", { name: "Удалить навсегда" });
  await user.type(dialog.getByRole("textbox"), "ann{Enter}");
  expect(confirm).toHaveProperty("disabled", true);
  expect(asked("DELETE /users/{id}")).toHaveLength(0);
  await user.type(dialog.getByRole("textbox"), "a");
  await user.click(confirm);
  await screen.findByText("Анна: удалён из клуба");
  expect(asked("DELETE /users/{id}")[0]?.path).toBe(`/users/${anna.id}`);
});

test("one member's subscription is extended from the menu, and a refusal stays in the question", async () => {
  const { user, asked, say } = await open({
    "POST /admin/users/bulk": { changed: [], refused: [{ id: anna.id, code: "internal", message: "Сейчас нельзя." }] },
  });
  await menu(user, "Анна", "Продлить подписку");
  const dialog = within(await screen.findByRole("dialog", { name: "Продлить подписку: Анна" }));
  await user.click(dialog.getByRole("radio", { name: /^90/ }));
  await user.click(dialog.getByRole("button", { name: "Продлить" }));
  await dialog.findByText("Сейчас нельзя.");
  say({ "POST /admin/users/bulk": { changed: [anna.id], refused: [] } });
  await user.click(dialog.getByRole("button", { name: "Продлить" }));
  await screen.findByText(/^Анна: плюс 90.дней$/);
  const sent = asked("POST /admin/users/bulk");
  expect(sent.map(({ body }) => body)).toEqual(Array(2).fill({ ids: [anna.id], action: "extend", days: 90 }));
});

test("who used up the traffic is told apart from who has no subscription", async () => {
  const entitlement = { allowed: false, reason: "quota" as const, until: inDays(7) };
  await open({ "GET /users": [{ ...anna, subscriptionEnd: inDays(30), entitlement }, boris] });
  const row = (await screen.findByRole("link", { name: /Анна/ })).closest("tr") as HTMLElement;
  expect(within(row).getByText("Трафик израсходован")).toBeTruthy();
});

test("many are chosen and extended at once; who was left out is named with the reason", async () => {
  const { user, asked } = await open({
    "POST /admin/users/bulk": {
      changed: [anna.id],
      refused: [{ id: boris.id, code: "member.unlimited", message: "Подписка безлимитная: продлевать нечего." }],
    },
  });
  await screen.findByText("Анна");
  await user.click(await screen.findByRole("checkbox", { name: "Выбрать всех на странице" }));
  expect(screen.getByText("Выбрано 2")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Продлить подписку" }));
  const dialog = within(await screen.findByRole("dialog", { name: /Продлить подписку: 2\sучастника/ }));
  await user.click(dialog.getByRole("radio", { name: /90\sдней/ }));
  await user.click(dialog.getByRole("button", { name: "Продлить" }));
  const left = within(await screen.findByRole("dialog", { name: /Готово: 1\sучастник. Не\sполучилось: 1\sучастник/ }));
  expect(left.getByRole("listitem").textContent).toBe("БорисПодписка безлимитная: продлевать нечего.");
  expect(asked("POST /admin/users/bulk")[0]?.body).toEqual({ ids: [anna.id, boris.id], action: "extend", days: 90 });
  await user.click(left.getByRole("button", { name: "Закрыть" }));
  await waitFor(() => expect(screen.queryByText("Выбрано 2")).toBeNull());
});

test("many are written to at once, with how many that are before it is sent", async () => {
  const { user, asked } = await open({ "POST /admin/users/bulk": { changed: [anna.id, boris.id], refused: [] } });
  await screen.findByText("Анна");
  await user.click(await screen.findByRole("checkbox", { name: "Выбрать всех на странице" }));
  await user.click(screen.getByRole("button", { name: "Написать" }));
  const dialog = within(await screen.findByRole("dialog", { name: /Сообщение 2\sучастникам/ }));
  const send = dialog.getByRole("button", { name: /Отправить 2\sучастникам/ });
  await user.click(send);
  await dialog.findByText("Напишите текст сообщения");
  expect(asked("POST /admin/users/bulk")).toEqual([]);
  await user.type(dialog.getByLabelText("Текст сообщения"), "Ночью обновление");
  await user.click(send);
  await screen.findByText(/Готово: 2\sучастника/);
  expect(asked("POST /admin/users/bulk")[0]?.body).toEqual({
    ids: [anna.id, boris.id],
    action: "message",
    message: "Ночью обновление",
  });
});

const of102 = { "GET /users": paged([anna, boris], { total: 102, next: "on" }) };
/** Chooses all of them. */
async function chooseAll(user: Awaited<ReturnType<typeof open>>["user"]) {
  await user.click(await screen.findByRole("checkbox", { name: "Выбрать всех на странице" }));
  await user.click(await screen.findByRole("button", { name: "Выбрать все 102, что подходят" }));
}

test("all that match are changed slice by slice, whatever page they are on", async () => {
  const { user, asked } = await open(
    {
      ...of102,
      "POST /admin/users/bulk/matching": ({ body }: Heard) =>
        (body as { after: string | null }).after === null
          ? { changed: 100, refused: [], after: boris.id }
          : {
              changed: 1,
              refused: [{ ...boris, code: "member.unlimited", message: "Продлевать нечего." }],
              after: null,
            },
    },
    "/admin/users?ends=soon&q=a",
  );
  await chooseAll(user);
  screen.getByText("Выбрано 102");
  await user.click(screen.getByRole("button", { name: "Продлить подписку" }));
  const dialog = within(await screen.findByRole("dialog", { name: /^Продлить подписку: 102/ }));
  await user.click(dialog.getByRole("button", { name: "Продлить" }));
  await screen.findByText(/^Готово: 101.*Не получилось: 1/);
  screen.getByText("Продлевать нечего.");
  const change = { matching: { state: "all", q: "a", ends: "soon" }, action: "extend", days: 30 };
  expect(asked("POST /admin/users/bulk/matching").map(({ body }) => body)).toEqual([
    { ...change, after: null },
    { ...change, after: boris.id },
  ]);
});

test("after a slice that failed the question stays open and goes on from there, with what was begun", async () => {
  const { user, asked, say } = await open({
    ...of102,
    "POST /admin/users/bulk/matching": ({ body }: Heard) =>
      (body as { after: string | null }).after === null
        ? { changed: 100, refused: [], after: boris.id }
        : refused(503, "database.uncertain", "Оборвалось."),
  });
  await chooseAll(user);
  await user.click(screen.getByRole("button", { name: "Продлить подписку" }));
  const dialog = within(await screen.findByRole("dialog", { name: /^Продлить подписку: 102/ }));
  await user.click(dialog.getByRole("radio", { name: /90\sдней/ }));
  await user.click(dialog.getByRole("button", { name: "Продлить" }));
  await dialog.findByText(/^Готово: 100\sучастников\. Дальше не получилось/);
  expect(dialog.queryByRole("radio"), "another period would be another change").toBeNull();
  say({ "POST /admin/users/bulk/matching": { changed: 2, refused: [], after: null } });
  await user.click(dialog.getByRole("button", { name: "Продолжить" }));
  await screen.findByText(/^Готово: 102/);
  const sent = asked("POST /admin/users/bulk/matching");
  expect(sent.map(({ body }) => body)).toMatchObject([
    { after: null, days: 90 },
    { after: boris.id, days: 90 },
    { after: boris.id, days: 90 },
  ]);
  expect(sent[2]?.headers.get("idempotency-key")).toBe(sent[1]?.headers.get("idempotency-key"));
  await waitFor(() => expect(screen.queryByText("Выбрано 102")).toBeNull());
});

test("pressed again after a lost answer, the extension is sent with the same key", async () => {
  const { user, asked, say } = await open({
    "POST /admin/users/bulk": refused(503, "database.uncertain", "Оборвалось."),
  });
  await user.click(await screen.findByRole("checkbox", { name: "Выбрать всех на странице" }));
  const press = async () => {
    await user.click(screen.getByRole("button", { name: "Продлить подписку" }));
    const dialog = within(await screen.findByRole("dialog"));
    await user.click(dialog.getByRole("button", { name: "Продлить" }));
    return dialog;
  };
  const dialog = await press();
  await dialog.findByText("Оборвалось.");
  say({ "POST /admin/users/bulk": { changed: [anna.id, boris.id], refused: [] } });
  await user.click(dialog.getByRole("button", { name: "Продлить" }));
  await screen.findByText(/^Готово: 2/);
  const keys = () => asked("POST /admin/users/bulk").map(({ headers }) => headers.get("idempotency-key"));
  expect(keys()[0]).toBeTruthy();
  expect(keys()[1]).toBe(keys()[0]);
});

test("filters are asked of the panel, stand in the address and narrow the counts", async () => {
  const { user, address, last } = await open();
  await user.selectOptions(await screen.findByRole("combobox", { name: "Подписка" }), "Кончится за 7 дней");
  await user.selectOptions(screen.getByRole("combobox", { name: "Устройства" }), "Сейчас на связи");
  await waitFor(() => expect(last("GET /users")?.query.get("devices")).toBe("online"));
  expect(last("GET /users")?.query.get("ends")).toBe("soon");
  await waitFor(() => expect(last("GET /admin/users/counts")?.query.get("devices")).toBe("online"));
  expect(address()).toBe("/admin/users?ends=soon&devices=online");
  await user.selectOptions(screen.getByRole("combobox", { name: "Подписка" }), "Любая подписка");
  await waitFor(() => expect(address()).toBe("/admin/users?devices=online"));
});

test("of those who are chosen the blocked are unblocked at once, and only they", async () => {
  const { user, asked } = await open({
    "GET /users": [anna, { ...boris, isActive: false }],
    "POST /admin/users/bulk": { changed: [boris.id], refused: [] },
  });
  await user.click(await screen.findByRole("checkbox", { name: "Выбрать: Анна" }));
  expect(screen.queryByRole("button", { name: "Разблокировать" })).toBeNull();
  await user.click(screen.getByRole("checkbox", { name: "Выбрать: Борис" }));
  await user.click(screen.getByRole("button", { name: "Разблокировать" }));
  await screen.findByText(/Готово: 1\sучастник/);
  expect(asked("POST /admin/users/bulk")[0]?.body).toEqual({ ids: [boris.id], action: "unblock" });
  await waitFor(() => expect(screen.queryByText("Выбрано 2")).toBeNull());
});

const config = {
  "GET /vpn/configs/{id}": [],
  "GET /users/{id}/invited": [],
} satisfies Panel;

test("a member's page tells who brought him, whom he brought, where he is and what was done to him", async () => {
  const { user, address } = await open(
    {
      ...config,
      "GET /admin/users/{id}": fileOf(anna, {
        invitedBy: { id: uuid(8), username: "marina", displayName: "Марина" },
        joinedBy: "friend",
        sessions: [{ id: uuid(30), createdAt: inDays(-1), lastSeenAt: inDays(0), device: "Chrome, Windows" }],
        history: [
          {
            at: inDays(-1),
            action: "member.changed",
            by: { id: uuid(1), username: "chief", displayName: "Глава" },
            before: { role: "user", config_limit: 3, subscription_end: null },
            after: { role: "moderator", config_limit: -1, subscription_end: "2027-01-03T23:59:59.000-05:00" },
          },
        ],
      }),
      "GET /users/{id}/invited": [
        {
          id: uuid(40),
          displayName: "Вера",
          joinedAt: inDays(-3),
          hasActiveSubscription: false,
          subscriptionUntil: null,
          counts: false,
          reasonWhyNot: "on_trial",
        },
      ],
    },
    "/admin/users/anna",
  );
  await screen.findByRole("heading", { level: 1, name: "Анна" });
  expect(screen.getByRole("link", { name: "Марина" }).getAttribute("href")).toBe("/admin/users/marina");
  await screen.findByText("пробный период");
  const history = within(screen.getByRole("region", { name: "Журнал" })).getByRole("listitem");
  expect(history.textContent?.replace(/\s/g, " ")).toMatch(
    /^Изменён.*роль: участник → модератор.*лимит конфигов: 3 → без ограничения.*подписка до: — → 03\.01\.2027.*Глава/,
  );
  expect(within(screen.getByRole("region", { name: "Активные входы" })).getByText("Chrome, Windows")).toBeTruthy();
  await user.click(screen.getByRole("link", { name: "Назад: Пользователи" }));
  await waitFor(() => expect(address()).toBe("/admin/users"));
});

test("all of a member's sessions end after a question, and a colleague's second factor is reset", async () => {
  const colleague = { ...anna, role: "moderator" as const };
  const { user, asked, say } = await open(
    {
      ...config,
      "GET /admin/users/{id}": fileOf(colleague, {
        twoFactorEnabled: true,
        sessions: [{ id: uuid(30), createdAt: inDays(-1), lastSeenAt: inDays(0), device: null }],
      }),
      "DELETE /admin/users/{id}/sessions": undefined,
      "POST /totp/{id}/disable": { success: true },
    },
    "/admin/users/anna",
  );
  await user.click(await screen.findByRole("button", { name: "Завершить все" }));
  await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Завершить все входы" }));
  await screen.findByText("Все входы завершены");
  await user.click(screen.getByRole("button", { name: "Сбросить 2FA" }));
  say({ "GET /admin/users/{id}": fileOf(colleague) });
  await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Сбросить 2FA" }));
  await screen.findByText("2FA сброшена");
  expect(asked("POST /totp/{id}/disable")[0]?.path).toBe(`/totp/${anna.id}/disable`);
});

test("of whom there is none the page says so and leads back", async () => {
  await open(
    { "GET /admin/users/{id}": refused(404, "member.not_found", "Участник не найден.") },
    "/admin/users/nobody",
  );
  await screen.findByRole("heading", { level: 1, name: "Участник не найден" });
  expect(screen.getByRole("link", { name: "К списку" })).toBeTruthy();
});

test("a moderator reads a member's page and has nothing to press", async () => {
  await open({ ...config, "GET /admin/users/{id}": fileOf(anna) }, "/admin/users/anna", moderator);
  await screen.findByRole("heading", { level: 1, name: "Анна" });
  expect(screen.getByText("Только просмотр")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Изменить" })).toBeNull();
  expect(screen.queryByRole("button", { name: "Завершить все" })).toBeNull();
});

test("the form for a new member shows the limit of the template that is chosen, the default one first", async () => {
  const template = (n: number, name: string, configLimit: number, isDefault = false) => ({
    id: uuid(900 + n),
    name,
    services: [],
    interfaceId: null,
    configLimit,
    quotaBytes: null,
    quotaAtEnd: "cut" as const,
    isDefault,
  });
  const { user, asked } = await open({
    "GET /admin/settings": clubSettings({ newMemberConfigLimit: 7 }),
    "GET /admin/templates": [template(1, "Семья", 6), template(2, "Обычный", 2, true)],
    "POST /users": refused(409, "member.username_taken", "Имя пользователя уже занято."),
  });
  await user.click(await screen.findByRole("button", { name: "Добавить" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Новый участник" }));
  const limit = dialog.getByLabelText("Сколько конфигов можно создать") as HTMLInputElement;
  await waitFor(() => expect(limit.value).toBe("2"));
  await user.selectOptions(await dialog.findByLabelText("Шаблон"), "Семья");
  await waitFor(() => expect(limit.value).toBe("6"));
  await user.type(dialog.getByLabelText("Логин"), "boris");
  await user.click(dialog.getByRole("button", { name: "Добавить участника" }));
  await dialog.findByText("Имя пользователя уже занято.");
  expect(asked("POST /users")[0]?.body).toEqual({ username: "boris", role: "user", templateId: uuid(901) });
});
