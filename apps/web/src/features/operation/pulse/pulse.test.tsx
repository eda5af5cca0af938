import type { Api } from "@krug/contract/api";
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { screens } from "../../../testing/open-page.tsx";
import { refused } from "../../../testing/panel.ts";
import { uuid } from "../../../testing/samples.ts";
import { expectNothingWellInSilence } from "../../../testing/silent-panel.ts";
import { enter, moderator } from "../../../testing/staff.ts";

screens();

type Pulse = Api["GET /admin/pulse"]["answer"];

const GB = 1024 ** 3;
const since = new Date().toISOString();
const quiet = { servers: [], exits: [], backupLateSince: null, maintenanceSince: null, claims: 0, conversations: 0 };
const trouble = {
  servers: [{ id: uuid(40), name: "Хельсинки", since }],
  exits: [],
  backupLateSince: since,
  maintenanceSince: since,
  claims: 12,
  conversations: 7,
};
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000 - 60_000).toISOString().replace("Z", "+00:00");
const pulse: Pulse = {
  ending: { count: 7, members: [{ id: uuid(7), username: "anna", displayName: "Анна", subscriptionEnd: inDays(2) }] },
  members: { all: 84, active: 82, joined: 3 },
  devices: { all: 120, online: 41 },
  traffic: {
    zone: "Europe/Moscow",
    received: 9 * GB,
    sent: GB,
    steps: [{ at: "2026-11-27T10:00", received: 9 * GB, sent: GB }],
  },
  revenue: ["2026-06", "2026-07", "2026-08", "2026-09", "2026-10", "2026-11"].map((period, place) => ({
    period,
    cameIn: place < 4 ? [] : [{ amount: String(1000 * place), currency: "RUB" }],
  })),
};
const text = (element: Element) => element.textContent?.replace(/\s/g, " ");
const attention = () => screen.findByRole("list", { name: "Ждёт вас" });

test("what waits and what is wrong has one button each, the gravest first", async () => {
  const page = await enter("/admin/pulse", { "GET /admin/alarms": trouble, "GET /admin/pulse": pulse });
  const buttons = within(await attention()).getAllByRole("link");
  expect(buttons.map((button) => [button.textContent, button.getAttribute("href")])).toEqual([
    ["К серверам", "/admin/servers"],
    ["Скачать", "/admin/system?add=backup"],
    ["Закончить", "/admin/system?set=maintenance"],
    ["Разобрать", "/admin/payments"],
    ["Ответить", "/admin/support"],
  ]);
  await page.user.click(screen.getByRole("link", { name: "Ответить" }));
  await waitFor(() => expect(page.address()).toBe("/admin/support"));
});

test("a moderator sees what an admin must fix, without the buttons that they may not press", async () => {
  await enter("/admin/pulse", { "GET /admin/alarms": trouble, "GET /admin/pulse": pulse }, moderator);
  const list = within(await attention());
  expect(list.getAllByRole("link").map((button) => button.textContent)).toEqual(["Разобрать", "Ответить"]);
  expect(list.getAllByText("Это исправит администратор.")).toHaveLength(3);
});

test("it shows who ends soon and how the club is doing, each figure as the way to its screen", async () => {
  const { asked } = await enter("/admin/pulse", { "GET /admin/pulse": pulse });
  await screen.findByText("Всё спокойно");
  const club = within(await screen.findByRole("region", { name: "Клуб" }));
  expect(club.getAllByRole("link").map((link) => [link.getAttribute("href"), text(link)])).toEqual([
    ["/admin/users", "Участники84+3 за неделю, заблокировано 2"],
    ["/admin/vpn", "Трафик10,0 GBза 24 часа"],
    ["/admin/payments", "Поступления5 000 ₽за ноябрь, октябрь: 4 000 ₽"],
  ]);
  expect(text(club.getByText("41").parentElement as Element)).toBe("41на связииз 120 устройств");
  const ending = within(screen.getByRole("region", { name: "Кончается за 7 дней" }));
  expect(ending.getByRole("link", { name: "Анна" }).getAttribute("href")).toBe("/admin/users/anna");
  expect(ending.getByText(/^ещё/).textContent?.replace(/\s/g, " ")).toContain("ещё 2 дня");
  expect(ending.getByRole("link", { name: /Все/ }).getAttribute("href")).toBe(
    "/admin/users?ends=soon&state=active&sort=subscription",
  );
  expect(asked("GET /admin/pulse")).toHaveLength(1);
  await expectNothingWellInSilence();
});

test("an empty club has a text for each of them", async () => {
  await enter("/admin/pulse");
  for (const said of [
    "Устройств пока нет",
    /^Пока только вы/,
    "За сутки трафика не было",
    "Платежей пока нет",
    "На этой неделе ни у кого.",
  ])
    await screen.findByText(said);
});

test("while the panel is silent nothing is called well, and the last figures stay", async () => {
  const { say, user } = await enter("/admin/pulse", { "GET /admin/alarms": quiet, "GET /admin/pulse": pulse });
  await screen.findByText("Всё спокойно");
  say({ "GET /admin/pulse": "silence", "GET /admin/alarms": "silence", "GET /health": "silence" });
  await user.click(screen.getByRole("radio", { name: "Модератор" }));
  await screen.findByText(/^Панель не\sотвечает с/);
  expect(screen.queryByText("Всё спокойно")).toBeNull();
});

test("figures that cannot be loaded say so, and what waits is shown all the same", async () => {
  const page = await enter("/admin/pulse", {
    "GET /admin/alarms": trouble,
    "GET /admin/pulse": refused(500, "internal", "Сломалось"),
  });
  await screen.findByText("Сломалось");
  await attention();
  page.say({ "GET /admin/pulse": pulse });
  await page.user.click(screen.getByRole("button", { name: "Повторить" }));
  await screen.findByRole("region", { name: "Клуб" });
});
