import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { openPage, screens } from "../../../testing/open-page.tsx";
import { type Panel, panel, refused } from "../../../testing/panel.ts";
import { config, member, uuid, wgInterface } from "../../../testing/samples.ts";
import type { Month } from "./queries.ts";

screens();

const seen = { stats: { lastHandshake: Date.now() - 7_200_000, dataReceived: 10, dataSent: 10 } };
const GB = 2 ** 30;
const month = (days: Month["configs"][number]["days"]): Month => ({
  from: "2026-10-23",
  to: "2026-11-21",
  configs: days.length === 0 ? [] : [{ id: uuid(20), days }],
});

function open(says: Panel) {
  const club = panel({
    "GET /auth/me": member(),
    "GET /vpn/configs": [config(seen)],
    "GET /vpn/available-interfaces": [wgInterface()],
    ...says,
  });
  return { ...club, ...openPage("/dashboard") };
}
const table = () => screen.findByRole("button", { name: /^Показать таблицей: трафик iphone-marina/ });
/** The same once its bars have loaded. */
const tableWithBars = async () => {
  const button = await table();
  await waitFor(() => expect(button.querySelectorAll("g")).toHaveLength(30));
  return button;
};

test("a card has thirty bars, as high as each day's use, and today's differs", async () => {
  open({
    "GET /vpn/traffic": month([
      { day: "2026-11-01", received: 3 * GB, sent: GB },
      { day: "2026-11-21", received: 2 * GB, sent: 0 },
    ]),
  });
  const button = await tableWithBars();
  expect(within(button).getByText("23 октября")).toBeTruthy();
  expect(within(button).getByText("сегодня")).toBeTruthy();
  const titles = [...button.querySelectorAll("title")].map(({ textContent }) => textContent);
  expect(titles).toHaveLength(30);
  expect(titles.at(9)).toBe("1\u00a0ноября: 4,0\u00a0GB");
  expect(titles.at(-1)).toBe("21\u00a0ноября: 2,0\u00a0GB");
  const heights = [...button.querySelectorAll("g")].map((bar) => Number(bar.lastElementChild?.getAttribute("height")));
  expect([heights[9], heights[29]]).toEqual([40, 20]);
  expect(Math.max(...heights.filter((_, place) => place !== 9 && place !== 29))).toBeLessThan(2);
  const looks = [...button.querySelectorAll("g")].map((bar) => bar.lastElementChild?.getAttribute("class"));
  expect(looks.filter((look) => look === looks[29])).toHaveLength(1);
});

test("a day with hardly any use is still visible", async () => {
  open({
    "GET /vpn/traffic": month([
      { day: "2026-11-01", received: 900 * GB, sent: 0 },
      { day: "2026-11-02", received: 1, sent: 0 },
    ]),
  });
  const bars = (await tableWithBars()).querySelectorAll("g");
  expect(Number(bars[10]?.lastElementChild?.getAttribute("height"))).toBeGreaterThanOrEqual(3);
});

test("behind the bars is a table with the same figures, newest day first, and the totals", async () => {
  const { user } = open({
    "GET /vpn/traffic": month([
      { day: "2026-11-20", received: 1.5 * GB, sent: 1024 },
      { day: "2026-11-21", received: GB, sent: 1024 },
    ]),
  });
  await user.click(await table());
  const dialog = within(await screen.findByRole("dialog", { name: "Трафик за 30 дней" }));
  const rows = within(dialog.getByRole("table", { name: "iphone-marina: трафик по дням" })).getAllByRole("row");
  const cells = rows.map((row) => [...row.children].map(({ textContent }) => textContent?.replaceAll("\u00a0", " ")));
  expect(cells).toEqual([
    ["День", "Входящий", "Исходящий"],
    ["Всего", "2,5 GB", "2,0 KB"],
    ["21 ноября", "1,0 GB", "1,0 KB"],
    ["20 ноября", "1,5 GB", "1,0 KB"],
  ]);
});

test.each([
  ["a device that was not used in a month says so", { "GET /vpn/traffic": month([]) }, "За 30 дней трафика не было"],
  [
    "a month that did not come says so, and the card stands",
    { "GET /vpn/traffic": refused(500, "unexpected") },
    "Трафик за месяц не загрузился",
  ],
])("%s", async (_, says, words) => {
  open(says);
  expect(await screen.findByText(words)).toBeTruthy();
  expect(screen.getByText("Был на связи 2 часа назад")).toBeTruthy();
  expect(screen.queryByRole("button", { name: /Показать таблицей/ })).toBeNull();
});

test("a device that never connected says what to do and nothing about its traffic", async () => {
  const { asked } = open({ "GET /vpn/configs": [config()], "GET /vpn/traffic": month([]) });
  expect(await screen.findByText(/и здесь появится трафик/)).toBeTruthy();
  await expect.poll(() => asked("GET /vpn/traffic")).toHaveLength(1);
  expect(screen.queryByText("За 30 дней трафика не было")).toBeNull();
});

test("one request loads all cards' months, and refreshing the list refreshes them", async () => {
  const { user, asked } = open({
    "GET /vpn/configs": [config(seen), config({ ...seen, id: uuid(21), name: "laptop" })],
    "GET /vpn/traffic": month([{ day: "2026-11-21", received: 1, sent: 1 }]),
  });
  await table();
  expect(asked("GET /vpn/traffic").map(({ query }) => query.get("days"))).toEqual(["30"]);
  await user.click(screen.getByRole("button", { name: /Обновить список/ }));
  await expect.poll(() => asked("GET /vpn/traffic")).toHaveLength(2);
});

test("without a device no traffic is requested", async () => {
  const { asked } = open({ "GET /vpn/configs": [] });
  await screen.findByRole("heading", { name: "Пока ни одного устройства" });
  expect(asked("GET /vpn/traffic")).toEqual([]);
});
