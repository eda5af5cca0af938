import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { visit } from "./browser.ts";
import { browser, club, openClub } from "./club-in-browser.ts";
import { enter, PATIENCE } from "./enter.ts";
import { setUpSecondFactor } from "./enter-staff.ts";
import { seen } from "./seen.ts";

/** A list of 100,000 lines, pasted into a service on a phone: what the page adds to the browser's own work. */
const LINES = 100_000;
const LIST = Array.from({ length: LINES }, (_, n) => `5.${n >> 16}.${(n >> 8) & 255}.${n & 255}\n`).join("");
const LONG = { timeout: 120_000 };
openClub();

/** The longest time, in ms, that the page drew nothing while this was done. */
async function stoodStill(page: Page, work: () => Promise<unknown>): Promise<number> {
  await page.evaluate(`(() => {
    window.still = { longest: 0, isOver: false };
    let last = performance.now();
    const draw = (now) => {
      window.still.longest = Math.max(window.still.longest, now - last);
      last = now;
      if (!window.still.isOver) requestAnimationFrame(draw);
    };
    requestAnimationFrame(draw);
  })()`);
  await work();
  return page.evaluate<number>(`new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => {
    window.still.isOver = true;
    resolve(window.still.longest);
  })))`);
}

test("100,000 lines pasted into a service are read off the main thread while the page goes on, and can be saved and edited again", async () => {
  const admin = await visit(browser, { screen: "phone", baseURL: club.url });
  await admin.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await enter(admin, "admin", "Администратор");
  const { page } = admin;
  await page.goto("/admin/wireguard");
  await setUpSecondFactor(page);
  await page.evaluate((list) => navigator.clipboard.writeText(list), LIST);

  // The browser's own work, in a bare field.
  await page.evaluate(`(() => {
    const field = document.createElement("textarea");
    field.id = "bare";
    field.rows = 12;
    document.body.append(field);
    field.focus();
  })()`);
  const bare = await stoodStill(page, () => page.keyboard.press("Control+V"));
  expect(await page.locator("#bare").inputValue()).toHaveLength(LIST.length);
  const bareKey = await stoodStill(page, () => page.keyboard.type("6"));
  await page.locator("#bare").evaluate((field) => field.remove());

  await page.getByRole("button", { name: "Добавить сервис" }).click(PATIENCE);
  const dialog = page.getByRole("dialog", { name: "Новый сервис" });
  const field = dialog.getByLabel("IP-адреса и сети через запятую");
  await field.click(PATIENCE);
  const pasted = await stoodStill(page, () => page.keyboard.press("Control+V"));
  // While it is being read, the rest of the form works.
  const read = await stoodStill(page, async () => {
    await dialog.getByLabel("Название").pressSequentially("Длинный", LONG);
    expect(await dialog.getByText("Укажите хотя бы один адрес").count()).toBe(0);
    await dialog.getByText(/^100\s000\sадресов; сохранится как 6\sсетей/).waitFor(LONG);
  });
  await seen(page, "a long list");
  await field.focus();
  const key = await stoodStill(page, () => page.keyboard.type("6"));
  await page.keyboard.press("Backspace");
  const saved = await stoodStill(page, async () => {
    await dialog.getByRole("button", { name: "Сохранить" }).click(LONG);
    await dialog.waitFor({ state: "detached", ...LONG });
  });
  console.log(JSON.stringify({ bare, pasted, read, bareKey, key, saved }));
  expect(pasted).toBeLessThan(2 * bare + 500);
  for (const ms of [read, key, saved]) expect(ms).toBeLessThan(2 * bareKey + 500);
  expect(admin.problems()).toEqual([]);
});
