import type { Api } from "@krug/contract/api";
import type { StaffAction } from "@krug/domain/staff-actions";
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { clubSettings } from "../../../testing/club-settings.ts";
import { screens } from "../../../testing/open-page.tsx";
import { refused } from "../../../testing/panel.ts";
import { inDays, uuid } from "../../../testing/samples.ts";
import { fileOf, listed, moderator } from "../../../testing/staff.ts";
import { anna, boris, chooseFromMenu, openUsers } from "../../../testing/users.ts";

screens();

test("adding a member shows a link for their password", async () => {
  const { user, asked } = await openUsers({
    "POST /users": { user: boris, link: "https://club.example/password#user=boris&token=abc", expiresAt: inDays(1) },
  });
  await user.click(await screen.findByRole("button", { name: "Добавить" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Новый участник" }));
  await user.click(dialog.getByRole("button", { name: "Добавить участника" }));
  expect(asked("POST /users"), "a login is required").toHaveLength(0);
  await user.type(dialog.getByLabelText("Логин"), "boris");
  await user.click(dialog.getByRole("radio", { name: "До даты" }));
  await user.type(dialog.getByLabelText("Действует до конца дня"), "2030-05-31");
  await user.click(dialog.getByRole("button", { name: "Добавить участника" }));
  const done = within(await screen.findByRole("dialog", { name: "Борис в клубе" }));
  expect(done.getByText("https://club.example/password#user=boris&token=abc")).toBeTruthy();
  expect(asked("POST /users")[0]?.body).toEqual({
    username: "boris",
    role: "user",
    subscriptionEnd: "2030-05-31",
  });
});

test("the form for a new member shows the limit from the settings, and sends a limit only if one was typed", async () => {
  const { user, asked } = await openUsers({
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

test("if new members have no limit, the form says so", async () => {
  const { user } = await openUsers({ "GET /admin/settings": clubSettings({ newMemberConfigLimit: -1 }) });
  await user.click(await screen.findByRole("button", { name: "Добавить" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Новый участник" }));
  await waitFor(() => expect((dialog.getByLabelText("Без ограничения") as HTMLInputElement).checked).toBe(true));
});

test("if switched on, a moderator creates password links for members, but not for staff", async () => {
  const chief = listed(3, { displayName: "Глава", role: "admin" });
  const rights = { actions: ["members.see", "members.send_password_link"] as StaffAction[] };
  const { user } = await openUsers(
    { "GET /users": [anna, chief], "GET /admin/rights": rights },
    "/admin/users",
    moderator,
  );
  await user.click(await screen.findByRole("button", { name: "Действия: Анна" }));
  expect((await screen.findAllByRole("menuitem")).map((item) => item.textContent)).toEqual(["Ссылка для пароля"]);
  expect(screen.queryByRole("button", { name: "Действия: Глава" })).toBeNull();
  await user.click(screen.getByRole("menuitem", { name: "Ссылка для пароля" }));
  await screen.findByRole("dialog", { name: "Ссылка для пароля: Анна" });
});

test("a taken login is reported at its field", async () => {
  const { user } = await openUsers({
    "POST /users": refused(409, "member.username_taken", "Имя пользователя уже занято."),
  });
  await user.click(await screen.findByRole("button", { name: "Добавить" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Новый участник" }));
  await user.type(dialog.getByLabelText("Логин"), "boris");
  await user.click(dialog.getByRole("button", { name: "Добавить участника" }));
  const said = await dialog.findByText("Имя пользователя уже занято.");
  expect(dialog.getByLabelText("Логин").getAttribute("aria-describedby")).toContain(said.id);
});

test("an edit sends only the differences, with the values seen", async () => {
  const { user, asked } = await openUsers({ "PUT /users/{id}": anna });
  await chooseFromMenu(user, "Анна", "Изменить");
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

test("a subscription set to none loses its date", async () => {
  const { user, asked } = await openUsers({ "PUT /users/{id}": anna });
  await chooseFromMenu(user, "Анна", "Изменить");
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

test("if a payment changed the subscription meanwhile, the conflict names who recorded it, not the last editor", async () => {
  const { user } = await openUsers({
    "PUT /users/{id}": refused(409, "member.changed_meanwhile", "изменились", { fields: ["subscriptionEnd"] }),
    "GET /admin/users/{id}": fileOf(anna, {
      history: [
        entryBy("Кассир", "payment.status_set", { status: "paid", subscriptionEnd: inDays(60) }),
        entryBy("Давний", "member.changed", { vpnConfigLimit: 3 }),
      ],
    }),
  });
  await chooseFromMenu(user, "Анна", "Изменить");
  const dialog = within(await screen.findByRole("dialog"));
  await user.click(dialog.getByRole("radio", { name: "Безлимитная" }));
  await user.click(dialog.getByRole("button", { name: "Сохранить" }));
  await dialog.findByText(/изменил другой сотрудник: Кассир/);
});

test("a conflict shows who changed what, keeps the typed values, and lets the admin save them", async () => {
  const { user, asked, say } = await openUsers({
    "PUT /users/{id}": refused(409, "member.changed_meanwhile", "изменились", { fields: ["vpnConfigLimit"] }),
    "GET /admin/users/{id}": fileOf(
      { ...anna, vpnConfigLimit: 7 },
      {
        history: [
          entryBy("Третий", "member.changed", { displayName: "Анна" }),
          entryBy("Второй", "member.changed", { vpnConfigLimit: 7 }),
          entryBy("Первый", "member.changed", { vpnConfigLimit: 3 }),
        ],
      },
    ),
  });
  await chooseFromMenu(user, "Анна", "Изменить");
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
] as [
  string,
  (user: Awaited<ReturnType<typeof openUsers>>["user"], dialog: ReturnType<typeof within>) => Promise<void>,
][])("a failed change says which: %s", async (words, act) => {
  const { user } = await openUsers({ "PUT /users/{id}": refused(500, "internal") });
  await chooseFromMenu(user, "Анна", "Изменить");
  const dialog = within(await screen.findByRole("dialog"));
  await act(user, dialog);
  await user.click(dialog.getByRole("button", { name: "Сохранить" }));
  await dialog.findByText(words);
});

test("the form for a new member shows the limit of the chosen template, by default the default one", async () => {
  const template = (n: number, name: string, configLimit: number, isDefault = false) => ({
    id: uuid(900 + n),
    name,
    services: [],
    interfaceId: null,
    configLimit,
    quotaBytes: null,
    quotaAtEnd: "cut" as const,
    quotaSlowMbit: 5,
    speedMbit: null,
    isDefault,
  });
  const { user, asked } = await openUsers({
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
