import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { openPage, screens } from "../../../testing/open-page.tsx";
import { type Panel, panel } from "../../../testing/panel.ts";
import { inDays, member, uuid } from "../../../testing/samples.ts";
import { enter, listed } from "../../../testing/staff.ts";
import type { Notice } from "./queries.ts";

screens();

const common = (n: number, readAt: string | null = null) => ({ id: uuid(900 + n), createdAt: inDays(-n), readAt });
const notices: Notice[] = [
  { ...common(1), kind: "subscription_ends", params: { days: 3, endsAt: "2026-12-04T20:59:59Z" } },
  { ...common(2), kind: "config_deleted", params: { names: ["phone"] } },
  { ...common(3), kind: "config_deleted", params: { names: ["one", "two"] } },
  { ...common(4, inDays(-3)), kind: "payment_recorded", params: { period: "2026-11", until: "2026-12-21T20:59:59Z" } },
  { ...common(5, inDays(-3)), kind: "staff_message", params: { text: "Загляните\nв чат" } },
  { ...common(6, inDays(-3)), kind: "support_reply", params: { ticketId: null } },
  { ...common(7, inDays(-3)), kind: "maintenance_began", params: { since: inDays(-7) } },
  { ...common(8, inDays(-3)), kind: "maintenance_ended", params: { since: inDays(-8), until: inDays(-8) } },
  { ...common(10, inDays(-3)), kind: "joining_limited", params: { by: "code", codeId: uuid(1) } },
  { ...common(17, inDays(-3)), kind: "codes_guessed", params: { wrongCodes: 50 } },
  {
    ...common(11, inDays(-3)),
    kind: "addresses_low",
    params: { interface: "Семья", server: "Этот сервер", free: 20 },
  },
  { ...common(12, inDays(-3)), kind: "server_gone", params: { server: "Хельсинки", since: inDays(-7) } },
  { ...common(13, inDays(-3)), kind: "server_back", params: { server: "Осло", since: inDays(-8), until: inDays(-8) } },
  {
    ...common(14, inDays(-3)),
    kind: "referral_ends",
    params: { days: 3, endsAt: "2026-12-04T20:59:59Z", friend: "Антон" },
  },
  {
    ...common(16, inDays(-3)),
    kind: "daily_digest",
    params: {
      day: "2026-11-20",
      joined: 3,
      payments: 2,
      received: [{ amount: "600.50", currency: "RUB" }],
      ended: 0,
      devices: 140,
      bytes: 3_000_000,
      ending: 4,
      claims: 0,
      conversations: 2,
      tickets: 0,
      servers: ["Осло", "Рига"],
    },
  },
  { ...common(15, inDays(-3)), kind: "referral_ended", params: { endedAt: inDays(-9) } },
  { ...common(9, inDays(-3)), kind: "subscription_ended", params: { endedAt: inDays(-9) } },
];

const open = async (says: Panel = {}) => {
  const club = panel({
    "GET /auth/me": member(),
    "GET /vpn/configs": [],
    "GET /vpn/available-interfaces": [],
    "GET /users/{id}/invited": [],
    "GET /inbox/unread": { unread: 3 },
    "GET /inbox": notices,
    "POST /inbox/read": { unread: 0 },
    ...says,
  });
  const page = openPage("/dashboard");
  await page.user.click(await screen.findByRole("button", { name: "Уведомления, новых: 3" }));
  return { ...club, ...page, sheet: within(await screen.findByRole("dialog", { name: "Уведомления" })) };
};

test("each notice is in the reader's words, and new ones are marked", async () => {
  const { sheet } = await open();
  for (const words of [
    "Подписка скоро закончится",
    "Бесплатная подписка скоро закончится",
    /^У друга \(Антон\) подписка до/,
    "Бесплатная подписка закончилась",
    "Конфиг phone удалён",
    "Сервер «Хельсинки» не отвечает",
    "Сервер «Осло» снова отвечает",
    /^Удалено: 2\sконфига$/,
    "Платёж за ноябрь 2026 получен",
    "Поддержка ответила",
    "Начались технические работы",
    "Технические работы закончились",
    "Подписка закончилась",
    "Достигнут суточный предел регистраций по одному коду",
    "Семья: осталось свободных адресов: 20",
  ])
    await sheet.findByText(words);
  const digest = (await sheet.findByText(/^Сводка за/)).closest("li");
  expect(digest?.textContent?.replaceAll(/\s/g, " ")).toContain(
    "Устройств на связи: 140, трафик: 2,9 MB Новых участников: 3 Платежей: 2, получено 600,50 ₽ Закончится за три дня: 4 Ждут ответа поддержки: 2 Не отвечают серверы: Осло, Рига",
  );
  expect(sheet.getByText(/Загляните/)).toBeTruthy();
  expect(sheet.getAllByText("новое")).toHaveLength(3);
});

test("shown notices count as seen: the panel is notified once, and the bell is quiet", async () => {
  const { sheet, user, asked } = await open();
  await sheet.findByText("Подписка скоро закончится");
  await waitFor(() =>
    expect(asked("POST /inbox/read").map(({ body }) => body)).toEqual([{ ids: [1, 2, 3].map((n) => uuid(900 + n)) }]),
  );
  await user.keyboard("{Escape}");
  await screen.findByRole("button", { name: "Уведомления" });
  expect(asked("POST /inbox/read")).toHaveLength(1);
});

test("a notice of support's answer links to it", async () => {
  const { sheet, user } = await open({
    "GET /support/messages": [],
    "GET /support/tickets": [],
    "POST /support/read": { unread: 0, chat: 0 },
  });
  await user.click(await sheet.findByRole("button", { name: "Открыть поддержку" }));
  await screen.findByRole("dialog", { name: "Поддержка" });
});

test("a notice leads to what it is about: an invitation, payment, a page of the administration area", async () => {
  const { sheet, user, say } = await open({
    "GET /inbox": [
      { ...common(1), kind: "friend_connected", params: { friend: "Антон" } },
      { ...common(2), kind: "server_gone", params: { server: "Хельсинки", since: inDays(-7) } },
      { ...common(3), kind: "subscription_ended", params: { endedAt: inDays(-9) } },
    ],
  });
  const page = await sheet.findByRole("link", { name: "Открыть страницу" });
  expect(page.getAttribute("href")).toBe("/admin/system");
  sheet.getByRole("button", { name: "Открыть оплату" });
  say({ "GET /users/{id}/active-invite": { expiresAt: null } });
  await user.click(sheet.getByRole("button", { name: "Пригласить друзей" }));
  await screen.findByRole("dialog", { name: "Пригласить друга" });
});

test("more new notices than fit are all marked as seen with one press", async () => {
  const { sheet, user, say, asked } = await open({ "POST /inbox/read": { unread: 280 } });
  say({ "POST /inbox/read": { unread: 280 }, "GET /inbox/unread": { unread: 280 } });
  const all = await sheet.findByRole("button", { name: "Отметить все прочитанными: ещё 280" });
  say({ "POST /inbox/read": { unread: 0 } });
  await user.click(all);
  await waitFor(() => expect(sheet.queryByRole("button", { name: /Отметить все/ })).toBeNull());
  expect(asked("POST /inbox/read").at(-1)?.body).toEqual({});
});

test("an empty inbox says what will appear there", async () => {
  const { sheet } = await open({ "GET /inbox": [] });
  await sheet.findByText("Пока ничего нового.");
});

test("an admin writes to a member in their own words, neither empty nor too long", async () => {
  const anna = listed(1, { displayName: "Анна", username: "anna" });
  const { user, asked } = await enter("/admin/users", {
    "GET /users": [anna],
    "POST /telegram/notify/{userId}": { success: true },
  });
  await user.click(await screen.findByRole("button", { name: "Действия: Анна" }));
  await user.click(await screen.findByRole("menuitem", { name: "Написать участнику" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Сообщение: Анна" }));
  await user.click(dialog.getByRole("button", { name: "Отправить" }));
  await dialog.findByText("Напишите текст сообщения");
  await user.click(dialog.getByLabelText("Текст сообщения"));
  await user.paste("x".repeat(1_001));
  await dialog.findByText("Не больше 1000 символов");
  await user.clear(dialog.getByLabelText("Текст сообщения"));
  await user.type(dialog.getByLabelText("Текст сообщения"), "Загляните в чат ");
  await user.click(dialog.getByRole("button", { name: "Отправить" }));
  await waitFor(() =>
    expect(asked("POST /telegram/notify/{userId}").map(({ body }) => body)).toEqual([{ message: "Загляните в чат" }]),
  );
  expect(asked("POST /telegram/notify/{userId}")[0]?.path).toBe(`/telegram/notify/${anna.id}`);
});
