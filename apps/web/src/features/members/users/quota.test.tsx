import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { screens } from "../../../testing/open-page.tsx";
import { type Panel, refused } from "../../../testing/panel.ts";
import { admin, enter, fileOf, listed, moderator } from "../../../testing/staff.ts";

screens();

const GB = 1024 ** 3;
const anna = listed(1, { displayName: "Анна", username: "anna", quotaBytes: 50 * GB });
const quota = {
  bytes: 50 * GB,
  used: 12 * GB,
  atEnd: "cut",
  slowMbit: null,
  resetsAt: "2026-12-01T00:00:00.000+03:00",
} as const;
const file = fileOf(anna, { quota });
const open = (says: Panel = {}, me = admin) =>
  enter(
    "/admin/users/anna",
    { "GET /admin/users/{id}": file, "GET /vpn/configs/{id}": [], "GET /users/{id}/invited": [], ...says },
    me,
  );
const fact = async () =>
  (await screen.findByText("Трафик в этом месяце")).nextElementSibling?.textContent?.replace(/\s/g, " ") ?? "";

test("staff see how much of a member's traffic is used; an admin resets the count", async () => {
  const { user, asked, say } = await open({ "PUT /users/{id}": anna });
  expect(await fact()).toContain("12,0 GB из 50,0 GB до 1 декабря");
  await user.click(await screen.findByRole("button", { name: "Обнулить" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Обнулить счётчик трафика: Анна?" }));
  say({ "GET /admin/users/{id}": { ...file, quota: { ...quota, used: 0 } } });
  await user.click(dialog.getByRole("button", { name: "Обнулить" }));
  await waitFor(async () => expect(await fact()).toContain("0 B из 50,0 GB"));
  expect(asked("PUT /users/{id}").map(({ body }) => body)).toEqual([{ resetQuota: true }]);
  expect(screen.queryByRole("button", { name: "Обнулить" })).toBeNull();
});

test("a moderator can only read it", async () => {
  await open({}, moderator);
  expect(await fact()).toContain("12,0 GB из 50,0 GB");
  expect(screen.queryByRole("button", { name: "Обнулить" })).toBeNull();
});

test("an admin sets a quota in gigabytes and what happens at its end; untouched fields are not sent", async () => {
  const { user, asked } = await open({ "PUT /users/{id}": anna });
  await user.click(await screen.findByRole("button", { name: "Изменить" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Изменить: Анна" }));
  const typed = dialog.getByLabelText("Трафик в месяц, ГБ") as HTMLInputElement;
  expect(typed.value).toBe("50");
  const save = () => user.click(dialog.getByRole("button", { name: "Сохранить" }));
  for (const wrong of ["0", "-1", "много", "1,234"]) {
    await user.clear(typed);
    await user.type(typed, wrong);
    await save();
    await dialog.findByText("Укажите число от 0,01 до 1 048 576, не больше двух знаков после запятой");
  }
  await user.clear(typed);
  await user.type(typed, "1,5");
  await user.click(dialog.getByRole("radio", { name: "Замедлить" }));
  const speed = dialog.getByLabelText("Скорость после этого, Мбит/с");
  await user.clear(speed);
  await save();
  await dialog.findByText("Укажите целое число от 1 до 10 000");
  await user.type(speed, "8");
  await save();
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(asked("PUT /users/{id}").map(({ body }) => body)).toEqual([
    {
      quotaBytes: 1.5 * GB,
      quotaAtEnd: "slow",
      quotaSlowMbit: 8,
      expected: { quotaBytes: 50 * GB, quotaAtEnd: "cut", quotaSlowMbit: 5 },
    },
  ]);
});

test("an admin sets a speed limit, and staff see it", async () => {
  const slow = { ...anna, speedMbit: 20 };
  const { user, asked } = await open({ "GET /admin/users/{id}": { ...file, member: slow }, "PUT /users/{id}": slow });
  expect((await screen.findByText("Предел скорости, Мбит/с")).nextElementSibling?.textContent).toBe("20");
  await user.click(await screen.findByRole("button", { name: "Изменить" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Изменить: Анна" }));
  const typed = dialog.getByLabelText("Предел скорости, Мбит/с");
  const save = () => user.click(dialog.getByRole("button", { name: "Сохранить" }));
  await user.clear(typed);
  await user.type(typed, "0");
  await save();
  await dialog.findByText("Укажите целое число от 1 до 10 000");
  await user.clear(typed);
  await user.type(typed, "50");
  await save();
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(asked("PUT /users/{id}").map(({ body }) => body)).toEqual([{ speedMbit: 50, expected: { speedMbit: 20 } }]);
});

test("a quota too small for the form stays unchanged when something else is changed", async () => {
  const tiny = { ...anna, quotaBytes: 10 };
  const { user, asked } = await open({ "GET /admin/users/{id}": { ...file, member: tiny }, "PUT /users/{id}": tiny });
  await user.click(await screen.findByRole("button", { name: "Изменить" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Изменить: Анна" }));
  await user.type(dialog.getByLabelText("Имя"), " К");
  await user.click(dialog.getByRole("button", { name: "Сохранить" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(asked("PUT /users/{id}").map(({ body }) => body)).toEqual([
    { displayName: "Анна К", expected: { displayName: "Анна" } },
  ]);
});

test("the panel checks whether a subscription's day is over, and the form shows it at the field", async () => {
  const past = "Дата окончания подписки не может быть раньше сегодняшней.";
  const { user } = await open({ "PUT /users/{id}": refused(400, "member.subscription_in_past", past) });
  await user.click(await screen.findByRole("button", { name: "Изменить" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Изменить: Анна" }));
  await user.click(dialog.getByRole("radio", { name: "До даты" }));
  const date = dialog.getByLabelText("Действует до конца дня");
  await user.clear(date);
  await user.type(date, "2020-01-01");
  await user.click(dialog.getByRole("button", { name: "Сохранить" }));
  await dialog.findByText(past);
  await waitFor(() => expect(document.activeElement).toBe(date));
});

test("removing the quota sends null", async () => {
  const { user, asked } = await open({ "PUT /users/{id}": { ...anna, quotaBytes: null } });
  await user.click(await screen.findByRole("button", { name: "Изменить" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Изменить: Анна" }));
  await user.click(dialog.getByLabelText("Трафик не ограничен"));
  await user.click(dialog.getByRole("button", { name: "Сохранить" }));
  await waitFor(() =>
    expect(asked("PUT /users/{id}")[0]?.body).toEqual({ quotaBytes: null, expected: { quotaBytes: 50 * GB } }),
  );
});
