import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { screens } from "../../../testing/open-page.tsx";
import { type Panel, refused } from "../../../testing/panel.ts";
import { config, uuid } from "../../../testing/samples.ts";
import { savedFiles } from "../../../testing/saved-files.ts";
import { expectNothingWellInSilence } from "../../../testing/silent-panel.ts";
import { admin, enter, moderator } from "../../../testing/staff.ts";
import type { Breakdown, Now, Traffic } from "./queries.ts";

screens();

const GB = 2 ** 30;
const now: Now = {
  configs: 641,
  online: 47,
  newInWeek: 9,
  pending: 2,
  servers: [
    { id: uuid(70), name: "Хельсинки", online: 47, pending: 0, status: "connected", unreachableSince: null },
    {
      id: uuid(71),
      name: "Франкфурт",
      online: 0,
      pending: 2,
      status: "error",
      unreachableSince: "2026-11-21T11:20:00Z",
    },
  ],
};
const traffic: Traffic = {
  zone: "Europe/Moscow",
  from: "2026-11-20T15:00",
  to: "2026-11-20T16:00",
  step: "hour",
  received: 3 * GB,
  sent: GB,
  steps: [
    { at: "2026-11-20T15:00", received: GB, sent: 0 },
    { at: "2026-11-20T16:00", received: 2 * GB, sent: GB },
  ],
};
const used = { configs: 1, received: 2 * GB, sent: GB };
const place = { serverId: uuid(70), serverName: "Хельсинки" };
const breakdown: Breakdown = {
  ...traffic,
  members: [{ member: { id: uuid(5), username: "anton", displayName: "Антон" }, ...used }],
  services: [{ id: uuid(6), name: "YouTube", ...used }],
  interfaces: [
    { id: uuid(7), name: "Interface 1", ...place, ...used },
    { id: uuid(8), name: "Interface 2", ...place, configs: 2, received: GB, sent: 0 },
  ],
  devices: [{ deviceType: "phone", ...used }],
};
const staff = {
  owner: { id: uuid(5), username: "anton", displayName: "Антон" },
  interfaceName: "Interface 1",
  address: "10.8.0.2",
  addressV6: null,
  movingFrom: null,
};
const stats = { lastHandshake: Date.now() - 60_000, dataReceived: 1, dataSent: 1 };

const open = (says: Panel = {}, address = "/admin/vpn", me = admin) =>
  enter(
    address,
    {
      "GET /admin/statistics/now": now,
      "GET /admin/statistics/traffic": traffic,
      "GET /admin/statistics/breakdown": breakdown,
      "GET /vpn/configs": [{ ...config({ name: "anton-mac", stats }), staff }],
      ...says,
    },
    me,
  );
const panelOf = async (name: string | RegExp) =>
  within((await screen.findByRole("heading", { name })).closest("section") as HTMLElement);
const plain = (text: string | null | undefined) => text?.replace(/\s/g, " ");

test("the current figures and the span's come first, each with its label", async () => {
  await open();
  const tiles = await waitFor(() => {
    const found = screen.getByLabelText("Сейчас");
    expect(found.getAttribute("aria-busy")).toBe("false");
    return found;
  });
  const texts = [...tiles.querySelectorAll("div")].map((tile) => plain(tile.textContent));
  expect(texts).toEqual([
    "На связи47из 641 конфига",
    "Получено3,0 GBза 24 часа, отправлено 1,0 GB",
    "Новые конфиги9за 7 дней",
    "Ждут применения2сервер не отвечает",
  ]);
});

test("the chart has a table behind it: every step, and the sum", async () => {
  const { user } = await open();
  const chart = await panelOf("Трафик по часам");
  expect(chart.queryByRole("table")).toBeNull();
  await user.click(chart.getByRole("button", { name: "Показать таблицей" }));
  const rows = chart.getAllByRole("row").map((row) => plain([...row.children].map((c) => c.textContent).join("|")));
  expect(rows).toEqual([
    "Час|получено|отправлено",
    "Всего|3,0 GB|1,0 GB",
    "20 ноября, 16:00|2,0 GB|1,0 GB",
    "20 ноября, 15:00|1,0 GB|0 B",
  ]);
});

test("connected members are named, with a link to the whole list", async () => {
  await open();
  const online = await panelOf("Сейчас на связи");
  expect((await online.findByRole("link", { name: "Антон" })).getAttribute("href")).toBe("/admin/users/anton");
  expect(online.getByText("anton-mac")).toBeTruthy();
  expect(online.getByRole("link", { name: "Все 47" }).getAttribute("href")).toBe("/admin/configs?filter=online");
});

test("interfaces add up to their server, and a service's figure is explained", async () => {
  await open();
  expect(plain((await panelOf("Серверы")).getByRole("listitem").textContent)).toBe(
    "Хельсинки4,0 GB3 конфига, получено 3,0 GB, отправлено 1,0 GB",
  );
  expect((await panelOf("Сервисы")).getByText(/учтён в каждом из них/)).toBeTruthy();
  expect((await panelOf("Состояние серверов")).getByText(/^не.отвечает, .* назад$/)).toBeTruthy();
});

test("another span is requested and is in the address; days are requested when both are valid", async () => {
  const { user, address, asked } = await open();
  const lastQuery = () => Object.fromEntries(asked("GET /admin/statistics/traffic").at(-1)?.query ?? []);
  await user.click(await screen.findByRole("radio", { name: "Год" }));
  await waitFor(() => expect(lastQuery()).toEqual({ span: "year" }));
  expect(address()).toBe("/admin/vpn?span=year");
  await user.click(screen.getByRole("radio", { name: "Период" }));
  await user.click(screen.getByRole("button", { name: "Показать" }));
  expect(screen.getByText("Укажите обе даты")).toBeTruthy();
  await user.type(screen.getByLabelText("С какого дня"), "2026-11-05");
  await user.type(screen.getByLabelText("По какой день"), "2026-11-01");
  await user.click(screen.getByRole("button", { name: "Показать" }));
  expect(screen.getByText("Первый день позже последнего")).toBeTruthy();
  await user.clear(screen.getByLabelText("По какой день"));
  await user.type(screen.getByLabelText("По какой день"), "2026-11-09");
  await user.click(screen.getByRole("button", { name: "Показать" }));
  await waitFor(() => expect(lastQuery()).toEqual({ from: "2026-11-05", to: "2026-11-09" }));
  expect(await screen.findByRole("heading", { name: /^Больше всех с 5\sноября по 9\sноября$/ })).toBeTruthy();
});

test("every query of a moderator says that they are one", async () => {
  const { heard } = await open({}, "/admin/vpn", moderator);
  await screen.findByRole("heading", { name: "Устройства" });
  const about = heard.filter(({ key }) => key.includes("/admin/statistics/") || key === "GET /vpn/configs");
  expect(about.length).toBeGreaterThanOrEqual(4);
  expect(about.map(({ query }) => query.get("as"))).toEqual(about.map(() => "moderator"));
});

test("a file has all who used the span, not only those shown", async () => {
  const { user, asked } = await open();
  savedFiles();
  await user.click(await screen.findByRole("button", { name: "Скачать CSV: Больше всех за 24 часа" }));
  await waitFor(() => expect(asked("GET /admin/statistics/breakdown").at(-1)?.query.get("limit")).toBe("1000"));
});

test("failed loads are reported in the specification's words, and can be retried", async () => {
  const { user, say } = await open({ "GET /admin/statistics/traffic": refused(500, "internal", "Внутренняя ошибка.") });
  await screen.findByText("Ошибка при загрузке данных. Пожалуйста, попробуйте позже.", {}, { timeout: 15_000 });
  say({ "GET /admin/statistics/traffic": traffic });
  await user.click(screen.getByRole("button", { name: "Повторить" }));
  await screen.findByRole("heading", { name: "Трафик по часам" });
}, 30_000);

test("while the panel is silent, no server is shown as connected", async () => {
  await open();
  await screen.findByRole("region", { name: "Состояние серверов" });
  await expectNothingWellInSilence();
});
