import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { checkConnection } from "../../../lib/connection.ts";
import { screens } from "../../../testing/open-page.tsx";
import { uuid } from "../../../testing/samples.ts";
import { enter, listed, moderator } from "../../../testing/staff.ts";

screens();

const quiet = { servers: [], exits: [], backupLateSince: null, maintenanceSince: null, claims: 0, conversations: 0 };
const since = new Date().toISOString();
const trouble = {
  servers: [{ id: uuid(40), name: "Хельсинки", since }],
  exits: [{ id: uuid(41), name: "Рига → Хельсинки", since }],
  backupLateSince: since,
  maintenanceSince: since,
  claims: 12,
  conversations: 7,
};
const button = () => screen.findByRole("button", { name: /^Требует внимания/ });
const lines = async () => within(await screen.findByRole("menu")).getAllByRole("menuitem");

test.each(["/admin/users", "/admin/2fa", "/admin/audit", "/admin/payments"])(
  "%s shows in its head what needs staff now, the gravest first, with links",
  async (address) => {
    const { user, ...page } = await enter(address, { "GET /admin/alarms": trouble });
    expect((await button()).getAttribute("aria-label")).toMatch(
      /^Требует внимания: 6. Хельсинки: не\sотвечает с\s\d\d:\d\d$/,
    );
    await user.click(await button());
    expect((await lines()).map((line) => line.textContent?.replace(/\s/g, " ").replace(/ с \d\d:\d\d$/, ""))).toEqual([
      "Хельсинки: не отвечает",
      "Рига → Хельсинки: не отвечает",
      "Нет свежей резервной копии",
      "Идут техработы",
      "12 оплат ждут решения",
      "7 чатов ждут ответа",
    ]);
    await user.click(screen.getByRole("menuitem", { name: /^Хельсинки/ }));
    await waitFor(() => expect(page.address()).toBe("/admin/servers"));
  },
);

test("of many servers that do not answer four are named, and the claims stay in sight", async () => {
  const servers = Array.from({ length: 300 }, (_, n) => ({ id: uuid(500 + n), name: `Рига ${n}`, since }));
  const { user } = await enter("/admin/users", { "GET /admin/alarms": { ...trouble, servers, exits: [] } });
  await user.click(await button());
  const shown = (await lines()).map((line) => line.textContent?.replace(/\s/g, " "));
  expect(shown).toHaveLength(9);
  expect(shown.slice(3, 5)).toEqual([expect.stringMatching(/^Рига 3: не отвечает/), "Ещё 296 серверов не отвечают"]);
  expect(shown).toContain("12 оплат ждут решения");
});

test("new failures are announced to screen readers; if all is well there is nothing", async () => {
  const { say, user } = await enter("/admin/users", { "GET /users": [listed(1)] });
  await screen.findByText("Участник 1");
  expect(screen.queryByRole("button", { name: /^Требует внимания/ })).toBeNull();
  say({ "GET /admin/alarms": { ...quiet, servers: trouble.servers, claims: 1 } });
  await user.click(screen.getByRole("radio", { name: "Модератор" }));
  await button();
  const spoken = screen.getAllByRole("status").map((status) => status.textContent);
  expect(spoken).toContainEqual(expect.stringMatching(/^Хельсинки: не\sотвечает с\s\d\d:\d\d$/));
});

test("while the panel is silent that stands first, and goes when it is back", async () => {
  const page = await enter("/admin/users", { "GET /admin/alarms": { ...quiet, claims: 2 } });
  await button();
  page.say({ "GET /health": "silence", "GET /admin/alarms": "silence" });
  await checkConnection();
  await screen.findByRole("button", { name: /^Требует внимания: 2. Нет связи с\sпанелью с\s\d\d:\d\d$/ });
  await page.user.click(await button());
  expect((await lines()).map((line) => line.textContent?.replace(/\s/g, " "))).toEqual([
    expect.stringMatching(/^Нет связи с панелью с \d\d:\d\d$/),
    "2 оплаты ждут решения",
  ]);
  page.say({ "GET /health": { status: "ok" } as never, "GET /admin/alarms": { ...quiet, claims: 2 } });
  await checkConnection();
  await screen.findByRole("button", { name: /^Требует внимания: 1. 2\sоплаты ждут решения$/, hidden: true });
});

test("a moderator sees what an admin must fix, and gets only links that they may open", async () => {
  const { user } = await enter("/admin/users", { "GET /admin/alarms": trouble }, moderator);
  await user.click(await button());
  const links = (await lines()).filter((line) => line.hasAttribute("href"));
  expect(links.map((link) => link.getAttribute("href"))).toEqual(["/admin/payments", "/admin/support"]);
});

test("the sections show how many claims wait and how many servers do not answer", async () => {
  await enter("/admin/users", { "GET /admin/alarms": trouble });
  const nav = within(await screen.findByRole("navigation", { name: "Разделы панели управления" }));
  await nav.findByRole("link", { name: /^Платежи.*12\sоплат ждут решения$/ });
  await nav.findByRole("link", { name: /^Серверы.*не\sотвечают: 1$/ });
});
