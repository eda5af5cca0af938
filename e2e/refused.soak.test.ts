import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { type Visitor, visit } from "./browser.ts";
import { browser, club, openClub } from "./club-in-browser.ts";
import { enter, PATIENCE, sendSignIn } from "./enter.ts";
import { seen } from "./seen.ts";
import { wholeForm } from "./whole-form.ts";

/** Members who may not create: the page and the server give the reason in the specification's words and say whom to ask. */
const EXPIRED = "У вас истекла подписка. Для создания конфигурации необходима активная подписка.";
const LIMIT = "Достигнут лимит конфигураций";
const BLOCKED = "Ваш аккаунт заблокирован. Пожалуйста, свяжитесь с администрацией.";

openClub();

async function signedIn(username: string, name: string): Promise<Visitor> {
  const visitor = await visit(browser, { screen: "phone", baseURL: club.url });
  onTestFinished(() => visitor.context.close());
  await enter(visitor, username, name);
  return visitor;
}

/** The same creation, bypassing the page's own checks. */
const createAnyway = (page: Page) =>
  page.evaluate(async () => {
    const ask = async (path: string, init?: RequestInit) => (await fetch(`/api${path}`, init)).json();
    const [[service], [dns], [place]] = await Promise.all([
      ask("/services"),
      ask("/dns"),
      ask("/vpn/available-interfaces"),
    ]);
    const body = {
      name: "one-more",
      deviceType: "computer",
      services: [service.id],
      dns: dns.id,
      interfaceId: place.id,
    };
    const headers = { "content-type": "application/json", "accept-language": "ru" };
    const answer = await ask("/vpn/configs", { method: "POST", headers, body: JSON.stringify(body) });
    return answer.error?.message ?? "created";
  });

const creationsOffered = (page: Page) => page.getByRole("button", { name: "Создать конфиг" }).count();

test("expired: the reason, a payment button, and no button that would fail", async () => {
  const visitor = await signedIn("oleg", "Олег");
  const { page } = visitor;
  await page.getByText(EXPIRED).waitFor(PATIENCE);
  // Oleg has no devices.
  expect(await page.getByText("Конфиги сохранены").count()).toBe(0);
  expect(await creationsOffered(page)).toBe(0);
  await seen(page, "expired");
  await page.getByRole("button", { name: "Как оплатить" }).click();
  await page.getByRole("button", { name: "Я оплатил" }).waitFor(PATIENCE);
  await seen(page, "expired, and how to pay");
  await page.keyboard.press("Escape");
  visitor.expectProblem(/vpn\/configs.*403|403 .*vpn\/configs/);
  expect(await createAnyway(page)).toBe(EXPIRED);
  expect(visitor.problems()).toEqual([]);
});

test("limit reached: the reason, and what to do about it", async () => {
  const visitor = await signedIn("vera", "Вера");
  const { page } = visitor;
  await page.getByText(LIMIT).waitFor(PATIENCE);
  await page.getByText(/Удалите ненужное устройство или попросите администратора увеличить лимит/).waitFor(PATIENCE);
  expect(await creationsOffered(page)).toBe(0);
  await seen(page, "limit reached");
  visitor.expectProblem(/vpn\/configs.*4\d\d|4\d\d .*vpn\/configs/);
  expect(await createAnyway(page)).toContain(LIMIT);
  expect(visitor.problems()).toEqual([]);
});

test("a limit reached while the dialog is open shows in the dialog", async () => {
  const visitor = await signedIn("marina", "Марина");
  const { page } = visitor;
  await page.getByRole("button", { name: "Создать конфиг" }).filter({ visible: true }).first().tap();
  const dialog = page.getByRole("dialog");
  await (await wholeForm(page, PATIENCE)).fill("tablet");
  await dialog.getByRole("checkbox").first().check();
  await club.asAdmin("PUT /users/{id}", `/users/${await findMember("marina")}`, { vpn_config_limit: 3 });
  visitor.expectProblem(/vpn\/configs.*4\d\d|4\d\d .*vpn\/configs/);
  await dialog.getByRole("button", { name: "Создать конфиг" }).tap();
  await dialog.getByText(LIMIT).waitFor(PATIENCE);
  await seen(page, "limit reached in the dialog");
  expect(visitor.problems()).toEqual([]);
});

test("blocked while signed in: the session ends, and the sign-in says why and whom to ask", async () => {
  const visitor = await signedIn("vera", "Вера");
  const { page } = visitor;
  visitor.expectProblem(/401|403/);
  await club.asAdmin("PUT /users/{id}", `/users/${await findMember("vera")}`, { is_active: 0 });
  await page.waitForURL("**/login?to=%2Fdashboard", PATIENCE);
  await sendSignIn(page, "vera");
  const reason = page.getByRole("alert").filter({ hasText: BLOCKED });
  await reason.getByRole("link", { name: "@krug_help" }).waitFor(PATIENCE);
  await seen(page, "blocked");
  expect(visitor.problems()).toEqual([]);
});

async function findMember(username: string): Promise<string> {
  const found = (await club.asAdmin("GET /users", "/users?limit=100")).find((member) => member.username === username);
  if (!found) throw new Error(`the sample club has no ${username}`);
  return found.id;
}
