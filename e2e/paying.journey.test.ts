import { join } from "node:path";
import type { Api } from "@krug/contract/api";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { MemberTables } from "../apps/server/src/features/members/members/table.ts";
import { openSqlite } from "../apps/server/src/platform/database/sqlite.ts";
import { tokenInLink } from "../apps/server/testing/link-token.ts";
import { codeNow } from "../lab/time-code.ts";
import { openBrowser, type Visitor, visit } from "./browser.ts";
import { acceptCharter } from "./charter.ts";
import { type Panel, startPanel } from "./panel.ts";
import { seen } from "./seen.ts";

/** An expired subscription is renewed: the member sees what to pay, claims to have paid, and staff confirm. */
let panel: Panel;
let browser: Browser;
let oleg: Visitor;
beforeAll(async () => {
  [panel, browser] = await Promise.all([startPanel(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await panel?.remove();
});

const PATIENCE = { timeout: 60_000 };
const PASSWORD = "a phrase of one's own";
const DAY_MS = 86_400_000;

/** The admin uses the API here: the screens have their own journey. */
async function ask<Key extends keyof Api & string>(key: Key, token: string | null, body?: unknown) {
  const [method, path] = key.split(" ");
  const response = await fetch(`${panel.url}/api${path}`, {
    method: method ?? "GET",
    headers: {
      "content-type": "application/json",
      ...(token === null ? { origin: panel.url } : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${key}: ${response.status} ${await response.text()}`);
  return (response.status === 204 ? undefined : await response.json()) as Api[Key]["answer"];
}

let admin = "";
let memberId = "";

test("an admin sets the price of a month, and adds a member whose subscription then ends", async () => {
  const token = tokenInLink(panel.setupLink());
  const made = await ask("POST /auth/setup", null, { token, username: "olga", password: PASSWORD });
  admin = made.token;
  const { secret } = await ask(`GET /totp/${made.user.id}/status` as "GET /totp/{id}/status", admin);
  const proof = { secret, token: codeNow(secret ?? "") };
  admin = (await ask(`POST /totp/${made.user.id}/enable` as "POST /totp/{id}/enable", admin, proof)).token;
  await ask("PUT /admin/payments/settings", admin, {
    price: "300",
    details: "Карта: 2200 1234 5678 9012\nили https://pay.example/club",
  });
  const { user, link } = await ask("POST /users", admin, { username: "oleg", subscription_end: "2999-01-01" });
  memberId = user.id;
  const setPassword = { token: tokenInLink(link), password: PASSWORD };
  await ask("POST /auth/set-password", null, setPassword);
  await letEnd(memberId);
});

/** Only time ends a subscription. */
async function letEnd(id: string) {
  const database = await openSqlite(join(panel.dataDir, "krug.db"));
  await database.db
    .withTables<MemberTables>()
    .updateTable("members")
    .set({ subscription_end: Date.now() - 3 * DAY_MS })
    .where("id", "=", id)
    .execute();
  await database.close();
}

test("on his phone he sees what to pay and how, and reports the payment, with a photo of the receipt", async () => {
  oleg = await visit(browser, { screen: "phone", baseURL: panel.url });
  oleg.expectProblem(/auth\/me.*401|401 \(Unauthorized\).*auth\/me/);
  const { page } = oleg;
  await page.goto("/login");
  await page.getByLabel("Имя пользователя").fill("oleg");
  await page.getByLabel("Пароль", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Войти" }).tap();
  await acceptCharter(page, PATIENCE);
  await page.getByText("У вас истекла подписка.", { exact: false }).waitFor(PATIENCE);
  await page.getByRole("button", { name: "Как оплатить" }).tap();
  const sheet = page.getByRole("dialog", { name: "Оплата" });
  await sheet.getByText("300").waitFor(PATIENCE);
  await seen(page, "what to pay and how");
  const photograph = await page.evaluate(drawPhotograph);
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name: "IMG_2041.PNG", mimeType: "image/png", buffer: Buffer.from(photograph, "base64") });
  await sheet.getByAltText("Ваш чек").waitFor(PATIENCE);
  await seen(page, "a receipt is attached");
  await sheet.getByRole("button", { name: "Я оплатил" }).tap();
  await sheet.getByText("Ждём подтверждения оплаты").waitFor(PATIENCE);
  const kept = sheet.getByAltText("Открыть чек");
  await kept.waitFor(PATIENCE);
  await expect.poll(() => kept.evaluate((picture: HTMLImageElement) => picture.naturalWidth), PATIENCE).toBe(1600);
  await seen(page, "waiting for confirmation");
});

/** As large as a phone's photograph: noise, which no format compresses. Runs in the page. */
function drawPhotograph(): string {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [2400, 1800];
  const pen = canvas.getContext("2d");
  if (pen === null) throw new Error("no canvas");
  const picture = pen.createImageData(2400, 1800);
  for (let at = 0; at < picture.data.length; at++) picture.data[at] = at % 4 === 3 ? 255 : Math.random() * 256;
  pen.putImageData(picture, 0, 0);
  return canvas.toDataURL("image/png").split(",")[1] ?? "";
}

test("staff find him in the queue with his receipt, and confirm with one press", async () => {
  const [claim, ...others] = await ask("GET /admin/payments/claims", admin);
  expect([claim?.userId, claim?.status, others]).toEqual([memberId, "pending", []]);
  const receipt = await fetch(`${panel.url}/api/admin/payments/claims/${claim?.id}/receipt`, {
    headers: { authorization: `Bearer ${admin}` },
  });
  expect(receipt.headers.get("content-type")).toBe("image/jpeg");
  const paid = await ask("PUT /admin/payments/status", admin, {
    userId: memberId,
    status: "paid",
    period: claim?.period,
  });
  expect(paid.status).toBe("paid");
  expect(await ask("GET /admin/payments/claims", admin)).toEqual([]);
});

test("his dashboard shows the new end, and the payment sheet the confirmed month", async () => {
  const { page } = oleg;
  await page.reload();
  await page.getByText(/^Подписка до .*, ещё (2[789]|3[01])\sд/).waitFor(PATIENCE);
  await page.getByRole("button", { name: "Оплата" }).tap();
  const sheet = page.getByRole("dialog", { name: "Оплата" });
  await sheet.getByText("Оплата подтверждена").waitFor(PATIENCE);
  expect(await sheet.getByRole("listitem").count()).toBe(1);
  await seen(page, "a confirmed payment");
  expect(oleg.problems()).toEqual([]);
});
