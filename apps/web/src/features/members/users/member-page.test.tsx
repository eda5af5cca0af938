import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { screens } from "../../../testing/open-page.tsx";
import { type Panel, refused } from "../../../testing/panel.ts";
import { config as device, inDays, uuid, wgInterface } from "../../../testing/samples.ts";
import { expectNothingWellInSilence } from "../../../testing/silent-panel.ts";
import { fileOf, moderator } from "../../../testing/staff.ts";
import { anna, openUsers } from "../../../testing/users.ts";

screens();

const config = {
  "GET /vpn/configs/{id}": [],
  "GET /users/{id}/invited": [],
} satisfies Panel;

test("a member's page shows who invited them, whom they invited, their sessions and staff's changes", async () => {
  const { user, address } = await openUsers(
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
            before: { role: "user", vpnConfigLimit: 3, subscriptionEnd: null },
            after: { role: "moderator", vpnConfigLimit: -1, subscriptionEnd: "2027-01-03T23:59:59.000-05:00" },
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
  await screen.findByRole("region", { name: /^Сведения/ });
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

test("after a confirmation all sessions of a member end, and a colleague's second factor is reset", async () => {
  const colleague = { ...anna, role: "moderator" as const };
  const { user, asked, say } = await openUsers(
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

test("who left staff loses all of it after one question, and the admin is reminded of what the panel cannot end", async () => {
  const colleague = { ...anna, role: "moderator" as const };
  const { user, asked } = await openUsers(
    { ...config, "GET /admin/users/{id}": fileOf(colleague), "POST /admin/users/{id}/leave-staff": anna },
    "/admin/users/anna",
  );
  await user.click(await screen.findByRole("button", { name: /^Действия/ }));
  await user.click(await screen.findByRole("menuitem", { name: "Убрать из сотрудников" }));
  const ask = within(await screen.findByRole("dialog", { name: /больше не\sсотрудник$/ }));
  expect(ask.getAllByRole("listitem")).toHaveLength(5);
  expect(asked("POST /admin/users/{id}/leave-staff")).toHaveLength(0);
  await user.click(ask.getByRole("checkbox"));
  await user.click(ask.getByRole("button", { name: "Убрать из сотрудников" }));
  const reminder = within(await screen.findByRole("dialog", { name: /доступ сотрудника закрыт$/ }));
  expect(reminder.getByText(/rotate-key/)).toBeTruthy();
  expect(asked("POST /admin/users/{id}/leave-staff").map(({ body }) => body)).toEqual([{ block: true }]);
});

test("for an unknown member the page says so and links back", async () => {
  await openUsers(
    { "GET /admin/users/{id}": refused(404, "member.not_found", "Участник не найден.") },
    "/admin/users/nobody",
  );
  await screen.findByRole("heading", { level: 1, name: "Участник не найден" });
  expect(screen.getByRole("link", { name: "К списку" })).toBeTruthy();
});

test("a moderator sees a member's page without actions", async () => {
  await openUsers({ ...config, "GET /admin/users/{id}": fileOf(anna) }, "/admin/users/anna", moderator);
  await screen.findByRole("heading", { level: 1, name: "Анна" });
  expect(screen.getByText("Только просмотр")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Изменить" })).toBeNull();
  expect(screen.queryByRole("button", { name: "Завершить все" })).toBeNull();
});

const phone = {
  ...device({ name: "iphone-anna" }),
  staff: {
    owner: { id: anna.id, username: "anna", displayName: "Анна" },
    interfaceName: "Interface 1",
    address: "10.8.0.2",
    addressV6: null,
    movingFrom: null,
  },
};

test("a device is opened and deleted on its owner's page", async () => {
  const { user, asked, address, say } = await openUsers(
    {
      ...config,
      "GET /admin/users/{id}": fileOf(anna),
      "GET /vpn/configs/{id}": [phone],
      "GET /admin/configs/{id}/stats": { ...phone.stats, speed: null },
      "GET /services": [],
      "GET /dns": [],
      "DELETE /vpn/configs/{id}": undefined,
    },
    "/admin/users/anna",
  );
  await user.click(await screen.findByRole("button", { name: "iphone-anna" }));
  const details = within(await screen.findByRole("dialog", { name: "iphone-anna" }));
  expect(details.getByText("10.8.0.2")).toBeTruthy();
  await user.keyboard("{Escape}");
  await user.click(await screen.findByRole("button", { name: "Действия: iphone-anna" }));
  await user.click(await screen.findByRole("menuitem", { name: "Удалить" }));
  say({ "GET /vpn/configs/{id}": [] });
  await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Удалить" }));
  await screen.findByText("Конфигов нет.");
  expect(asked("DELETE /vpn/configs/{id}")[0]?.path).toBe(`/vpn/configs/${phone.id}`);
  expect(address()).toBe("/admin/users/anna");
});

test("a member's page lists the interfaces for configs, with their servers and why some cannot be used", async () => {
  await openUsers(
    {
      ...config,
      "GET /admin/users/{id}": fileOf(anna),
      "GET /vpn/available-interfaces": [
        wgInterface(),
        wgInterface({ id: uuid(61), name: "Interface 2", serverName: "Осло", reason: "full" }),
      ],
    },
    "/admin/users/anna",
  );
  const places = within(await screen.findByRole("region", { name: "Где создаются конфиги" }));
  expect(places.getAllByRole("listitem").map((line) => line.textContent)).toEqual([
    "Хельсинки: Interface 1",
    "Осло: Interface 2нет свободных адресов",
  ]);
  await expectNothingWellInSilence();
});
