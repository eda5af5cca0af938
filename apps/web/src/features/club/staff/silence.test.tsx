import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { checkConnection } from "../../../lib/connection.ts";
import { screens } from "../../../testing/open-page.tsx";
import { enter, listed, moderator } from "../../../testing/staff.ts";

screens();

const meta = document.createElement("meta");
meta.name = "sample-data";
meta.content = "on";
afterEach(() => {
  meta.remove();
  vi.restoreAllMocks();
});

test("a silent panel leaves the known data, with its time, and replaces the buttons with the reason; when it is back, all is as before", async () => {
  const { user, say } = await enter("/admin/users", { "GET /users": [listed(1)] });
  await screen.findByText("Участник 1");
  expect(screen.getByRole("button", { name: "Добавить" })).toBeTruthy();
  say({ "GET /users": "silence", "GET /health": "silence" });
  await user.click(screen.getByRole("button", { name: /^Обновить/ }));
  expect(await screen.findByText(/Панель не отвечает с \d\d:\d\d/)).toBeTruthy();
  expect(screen.getByText(/Показаны данные от \d\d:\d\d/)).toBeTruthy();
  expect(screen.getByText("Участник 1")).toBeTruthy();
  // A short interruption removes nothing: the buttons disappear once the check has failed too.
  expect(screen.getByRole("button", { name: "Добавить" })).toBeTruthy();
  await checkConnection();
  await waitFor(() => expect(screen.queryByRole("button", { name: "Добавить" })).toBeNull());
  expect(screen.getByTitle("Панель не отвечает: изменения пока недоступны.")).toBeTruthy();
  say({ "GET /users": [listed(2)], "GET /health": { status: "ok" } as never });
  await checkConnection();
  await user.click(await screen.findByRole("button", { name: "Добавить" }));
  await screen.findByRole("dialog", { name: "Новый участник" });
  expect(screen.queryByText(/Панель не отвечает/)).toBeNull();
}, 60_000);

test("a device that was connected is no longer shown as connected", async () => {
  const { user, say } = await enter("/admin/users", { "GET /users": [listed(1, { lastHandshake: Date.now() })] });
  await screen.findByText("На связи");
  expect(screen.getByText("сейчас")).toBeTruthy();
  say({ "GET /users": "silence", "GET /health": "silence" });
  await user.click(screen.getByRole("button", { name: /^Обновить/ }));
  await waitFor(() => expect(screen.queryByText("На связи")).toBeNull());
  expect(screen.queryByText("сейчас")).toBeNull();
}, 60_000);

test("the page does not claim to show data if only lesser parts were loaded, or nothing", async () => {
  const says = { "GET /admin/audit": [], "GET /admin/audit/staff": [moderator] };
  const { user, say } = await enter("/admin/audit", says);
  await screen.findByText(moderator.displayName);

  say({ "GET /health": "silence" });
  await checkConnection();
  await screen.findByText(/Показаны данные от \d\d:\d\d/);
  await user.selectOptions(screen.getByLabelText("Действие"), "Участники: всё");
  await screen.findByText(/Часть данных не загрузилась, остальное от \d\d:\d\d/);
  expect(screen.queryByText(/Показаны данные/)).toBeNull();
  await user.click(screen.getByRole("link", { name: "Платежи" }));
  await screen.findByText(/Показать пока нечего/);
  expect(screen.queryByText(/Показаны данные|Часть данных/)).toBeNull();
}, 60_000);

test("a screen that shows what the frame has read too says how old that is", async () => {
  const { user, say } = await enter("/admin/users", { "GET /users": [listed(1)] });
  await screen.findByText("Участник 1");
  await user.click(screen.getByRole("link", { name: "Двухфакторная аутентификация" }));
  await screen.findByText("Двухфакторная аутентификация включена");
  say({ "GET /health": "silence" });
  await checkConnection();
  expect(await screen.findByText(/Показаны данные от \d\d:\d\d/)).toBeTruthy();
  expect(screen.queryByText(/Показать пока нечего/)).toBeNull();
  expect(screen.queryByRole("button", { name: "Отключить 2FA" })).toBeNull();
}, 60_000);

test("typed text survives a silence of the panel", async () => {
  const { user, say } = await enter("/admin/users?add=member", { "GET /users": [listed(1)] });
  const name = await screen.findByLabelText("Логин");
  await user.type(name, "boris");
  say({ "GET /users": "silence", "GET /health": "silence", "POST /users": "silence" });
  await user.click(screen.getByRole("button", { name: "Добавить участника" }));
  await checkConnection();
  expect((screen.getByLabelText("Логин") as HTMLInputElement).value).toBe("boris");
}, 60_000);

test("with SAMPLE_DATA=on samples are shown instead, under a banner that says so, and the club's data returns with the panel", async () => {
  document.head.append(meta);
  vi.spyOn(console, "warn").mockImplementation(() => {});
  const { user, say } = await enter("/admin/users", { "GET /users": [listed(1)] });
  await screen.findByText("Участник 1");
  say({ "GET /users": "silence", "GET /health": "silence", "GET /admin/users/counts": "silence" });
  await user.click(screen.getByRole("button", { name: /^Обновить/ }));
  expect(await screen.findByText("Пример: Анна")).toBeTruthy();
  // An answer that was on its way may still report for a moment that the panel is up.
  expect(await screen.findByText("Это примеры, а не данные клуба")).toBeTruthy();
  await waitFor(() => expect(screen.queryByText("Участник 1")).toBeNull());
  say({
    "GET /users": [listed(1)],
    "GET /health": { status: "ok" } as never,
    "GET /admin/users/counts": { all: 1, active: 1, blocked: 0 },
  });
  await checkConnection();
  await screen.findByText("Участник 1");
  expect(screen.queryByText("Пример: Анна")).toBeNull();
  expect(screen.queryByText("Это примеры, а не данные клуба")).toBeNull();
}, 60_000);

test("no club count is shown over samples, and a change is one of the samples", async () => {
  document.head.append(meta);
  vi.spyOn(console, "warn").mockImplementation(() => {});
  const { user, say } = await enter("/admin/invites", {
    "GET /admin/invite-codes": [],
    "GET /admin/invite-codes/counts": { all: 4242, active: 4242, expired: 0, used: 0, deactivated: 0 },
    "GET /admin/servers/interfaces": [],
  });
  await screen.findAllByText("4242");
  expect(screen.getByRole("button", { name: "Создать код" })).toBeTruthy();
  say({
    "GET /admin/invite-codes": "silence",
    "GET /admin/invite-codes/counts": "silence",
    "GET /admin/servers/interfaces": "silence",
    "GET /admin/support/waiting": "silence",
    "GET /auth/me": "silence",
    "GET /health": "silence",
  });
  await user.click(screen.getByRole("button", { name: /^Обновить/ }));
  await screen.findByText("SAMP1E");
  await waitFor(() => expect(screen.queryAllByText("4242")).toEqual([]));
  await user.click(screen.getByRole("button", { name: "Действия: SAMP1E" }));
  await user.click(await screen.findByRole("menuitem", { name: "Деактивировать" }));
  await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Деактивировать" }));
  await waitFor(() => expect(screen.getAllByText("Деактивирован")).toHaveLength(2));
}, 60_000);

test("one silent call among answered ones is retried now and then, and the others are not repeated", async () => {
  document.head.append(meta);
  vi.spyOn(console, "warn").mockImplementation(() => {});
  const { user, say, asked } = await enter("/admin/invites", {
    "GET /admin/invite-codes": [],
    "GET /admin/invite-codes/counts": { all: 0, active: 0, expired: 0, used: 0, deactivated: 0 },
    "GET /admin/servers/interfaces": [],
  });
  await screen.findByRole("button", { name: "Создать код" });
  say({ "GET /admin/invite-codes": "silence" });
  await user.click(screen.getByRole("button", { name: /^Обновить/ }));
  await screen.findByText("SAMP1E");
  const answered = asked("GET /admin/support/waiting").length;
  const silent = asked("GET /admin/invite-codes").length;
  await new Promise((resolve) => setTimeout(resolve, 12_000));
  expect(asked("GET /admin/support/waiting").length - answered).toBeLessThanOrEqual(1);
  expect(asked("GET /admin/invite-codes").length - silent).toBeLessThanOrEqual(4);
  expect(asked("GET /admin/invite-codes").length - silent).toBeGreaterThanOrEqual(1);
}, 60_000);
