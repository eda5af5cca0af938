import { screen, waitFor, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { screens } from "../../../testing/open-page.tsx";
import { type Heard, paged, refused } from "../../../testing/panel.ts";
import { onNarrowDesk } from "../../../testing/phone.ts";
import { inDays } from "../../../testing/samples.ts";
import { savedFiles } from "../../../testing/saved-files.ts";
import { listed } from "../../../testing/staff.ts";
import { anna, boris, openUsers } from "../../../testing/users.ts";

screens();

test("a row shows the member, their state, configs and traffic", async () => {
  const member = {
    ...anna,
    lastHandshake: Date.now() - 60_000,
    monthBytes: 33.1 * 2 ** 30,
    // In UTC and east of it this is already the next day, but the club's day counts.
    subscriptionEnd: "2027-01-03T23:59:59.000-05:00",
    role: "moderator" as const,
  };
  await openUsers({ "GET /users": [member] });
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
] as const)("what needs attention comes first: %s", async (state, about) => {
  await openUsers({ "GET /users": [{ ...anna, ...about }] });
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
  await openUsers({ "GET /users": [{ ...anna, ...about }] });
  await screen.findByText(words);
});

test("text in the address that looks like a number or code is searched literally", async () => {
  const { address } = await openUsers({}, "/admin/users?q=007&after=%221%22");
  expect(((await screen.findByRole("searchbox")) as HTMLInputElement).value).toBe("007");
  expect(Object.fromEntries(new URL(address(), "http://x").searchParams)).toMatchObject({ q: "007", after: '"1"' });
});

test("the panel searches, filters and sorts, and the address holds all three", async () => {
  const { user, address, last } = await openUsers();
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

test("a link restores the view", async () => {
  const { last } = await openUsers(
    {},
    "/admin/users?q=123&state=active&sort=lastHandshake&order=desc&hide=role,createdAt",
  );
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

test("pages turn forward and back, and another filter starts at the first", async () => {
  const many = [1, 2, 3, 4, 5].map((n) => listed(n));
  const { user, address, last } = await openUsers({
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

test("another page begins at its top, and a filter leaves the list where it is", async () => {
  const { user } = await openUsers({
    "GET /users": ({ query }: Heard) =>
      query.get("cursor") ? paged([listed(2)], { total: 2 }) : paged([listed(1)], { total: 2, next: "2" }),
  });
  const next = within(await screen.findByRole("navigation", { name: "Страницы списка" })).getByText("Дальше");
  const scrolled = vi.fn();
  vi.stubGlobal("scrollTo", scrolled);
  await user.click(screen.getByRole("radio", { name: /Активные/ }));
  await waitFor(() => expect(screen.getByRole("radio", { name: /Активные/ })).toHaveProperty("checked", true));
  expect(scrolled).not.toHaveBeenCalled();
  await user.click(next);
  await screen.findByText("Участник 2");
  await waitFor(() => expect(scrolled).toHaveBeenCalled());
});

test("pages can be opened by number, also the first and the last; the selection survives", async () => {
  const { user, address, last } = await openUsers({
    "GET /users": ({ query }: Heard) => {
      const skip = Number(query.get("skip") ?? 0);
      return paged([listed(skip + 1), listed(skip + 2)], { total: 201, next: skip < 150 ? "on" : null });
    },
  });
  await user.click(await screen.findByRole("checkbox", { name: "Выбрать: Участник 1" }));
  const nav = () => within(screen.getByRole("navigation", { name: "Страницы списка" }));
  expect(nav().getByText("из 4"), "the 201st member is on the fourth page").toBeTruthy();
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

test("columns can be chosen, and the address holds the choice", async () => {
  const { user, address } = await openUsers();
  await screen.findByText("Анна");
  expect(screen.queryByRole("columnheader", { name: "В клубе с" })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Столбцы" }));
  await user.click(await screen.findByRole("menuitemcheckbox", { name: "Роль" }));
  await waitFor(() => expect(screen.queryByRole("columnheader", { name: "Роль" })).toBeNull());
  await user.click(screen.getByRole("menuitemcheckbox", { name: "В клубе с" }));
  await screen.findByRole("columnheader", { name: "В клубе с" });
  expect(address()).toBe("/admin/users?hide=groups%2Crole");
});

test("a narrow window next to the menu shows the columns that fit and the sorted one; others can be added", async () => {
  onNarrowDesk();
  const { user } = await openUsers({ "GET /users": [anna] }, "/admin/users?sort=monthBytes");
  await screen.findByText("Анна");
  const isShown = (name: string) => screen.queryByRole("columnheader", { name }) !== null;
  expect(["Трафик, 30 дней", "Последняя связь"].map(isShown)).toEqual([true, false]);
  await user.click(screen.getByRole("button", { name: "Столбцы" }));
  await user.click(await screen.findByRole("menuitemcheckbox", { name: "Последняя связь" }));
  await screen.findByRole("columnheader", { name: "Последняя связь" });
});

test("an empty result says what to do; a failed request says so and can be retried", async () => {
  const { user, say } = await openUsers({ "GET /users": [] }, "/admin/users?q=zzz");
  await user.click(await screen.findByRole("button", { name: "Показать всех" }));
  expect((screen.getByRole("searchbox") as HTMLInputElement).value).toBe("");
  say({ "GET /users": refused(500, "internal") });
  await user.click(await screen.findByRole("button", { name: /^Обновить/ }));
  await screen.findByText("Ошибка при загрузке пользователей");
  say({ "GET /users": [anna] });
  await user.click(screen.getByRole("button", { name: "Повторить" }));
  await screen.findByText("Анна");
});

test("the whole list is exported page by page, once for a double press, and no name becomes a formula", async () => {
  const { user, asked } = await openUsers({ "GET /users": [{ ...anna, displayName: "=1+1" }] });
  await screen.findByText("=1+1");
  const files = savedFiles();
  const clock = vi.spyOn(performance, "now").mockReturnValue(5_000);
  const press = async () => {
    await user.click(screen.getByRole("button", { name: "CSV" }));
    await waitFor(() => expect(screen.getByRole("button", { name: "CSV" }).ariaDisabled).toBeNull());
  };
  await press();
  await waitFor(() => expect(files).toHaveLength(1));
  await press();
  clock.mockReturnValue(6_000);
  await press();
  await waitFor(() => expect(files.length).toBeGreaterThan(1));
  clock.mockRestore();
  expect(files).toHaveLength(2);
  const text = await files[0]?.text();
  expect(text).toContain("Участник;Роль;Состояние;Подписка;Конфиги");
  expect(text).toContain("'=1+1;Участник;");
  expect(asked("GET /users").at(-1)?.query.get("limit")).toBe("1000");
});

test("used-up traffic is shown differently from no subscription", async () => {
  const entitlement = { allowed: false, reason: "quota" as const, until: inDays(7) };
  await openUsers({ "GET /users": [{ ...anna, subscriptionEnd: inDays(30), entitlement }, boris] });
  const row = (await screen.findByRole("link", { name: /Анна/ })).closest("tr") as HTMLElement;
  expect(within(row).getByText("Трафик израсходован")).toBeTruthy();
});

test("the panel applies filters, the address holds them, and the counts follow", async () => {
  const { user, address, last } = await openUsers();
  await user.selectOptions(await screen.findByRole("combobox", { name: "Подписка" }), "Кончится за 7 дней");
  await user.selectOptions(screen.getByRole("combobox", { name: "Устройства" }), "Сейчас на связи");
  await waitFor(() => expect(last("GET /users")?.query.get("devices")).toBe("online"));
  expect(last("GET /users")?.query.get("ends")).toBe("soon");
  await waitFor(() => expect(last("GET /admin/users/counts")?.query.get("devices")).toBe("online"));
  expect(address()).toBe("/admin/users?ends=soon&devices=online");
  await user.selectOptions(screen.getByRole("combobox", { name: "Подписка" }), "Любая подписка");
  await waitFor(() => expect(address()).toBe("/admin/users?devices=online"));
});
