import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { codeNow } from "../lab/time-code.ts";
import { openBrowser, type Visitor, visit } from "./browser.ts";
import { acceptCharter } from "./charter.ts";
import { type Panel, startPanel } from "./panel.ts";
import { seen } from "./seen.ts";

/** A member writes to support from her phone and an admin answers: images, unseen counts, a panel that stops, a ticket. */
let panel: Panel;
let browser: Browser;
let marina: Visitor;
let olga: Visitor;
let chat: Locator;

const PASSWORD = "a phrase of one's own";
const PATIENCE = { timeout: 60_000 };
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
/** Console errors of a page while its panel is down. */
const SILENCE = /ERR_CONNECTION_RE|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_EMPTY_RESPONSE|ERR_SOCKET|events/;

interface Message {
  sequence: number;
  content: string;
  attachments: string[];
  readAt: string | null;
}

/** A call with the page's own session, as an admin screen makes it. */
const call = <Answer>(page: Page, method: string, path: string, body?: unknown): Promise<Answer> =>
  page.evaluate(
    async ([itsMethod, itsPath, itsBody]) => {
      const answer = await fetch(`/api${itsPath}`, {
        method: itsMethod,
        ...(itsBody === undefined
          ? {}
          : { headers: { "content-type": "application/json" }, body: JSON.stringify(itsBody) }),
      });
      if (!answer.ok) throw new Error(`${itsMethod} ${itsPath}: ${answer.status} ${await answer.text()}`);
      return (answer.headers.get("content-type") ?? "").includes("json")
        ? answer.json()
        : answer.headers.get("content-type");
    },
    [method, path, body] as const,
  ) as Promise<Answer>;

const CONVERSATION = "/admin/support/conversations/marina/messages";
const conversation = () => call<Message[]>(olga.page, "GET", CONVERSATION);
const answers = (content: string, ticketId: string | null = null) =>
  call<Message>(olga.page, "POST", CONVERSATION, { content, ticketId });
const shown = () => chat.locator("article > div:first-of-type p").allTextContents();
const says = async (text: string) => {
  await chat.getByLabel("Сообщение", { exact: true }).fill(text);
  await chat.getByLabel("Сообщение", { exact: true }).press("Enter");
};

beforeAll(async () => {
  [panel, browser] = await Promise.all([
    startPanel({ ADMIN_USERNAME: "olga", ADMIN_PASSWORD: PASSWORD }),
    openBrowser(),
  ]);
  olga = await visit(browser, { screen: "desktop", baseURL: panel.url });
  marina = await visit(browser, { screen: "phone", baseURL: panel.url });
  for (const visitor of [olga, marina]) visitor.expectProblem(/auth\/me.*401|401 \(Unauthorized\).*auth\/me/);
  await olga.page.goto("/login");
  const { user } = await call<{ user: { id: string } }>(olga.page, "POST", "/auth/login", {
    username: "olga",
    password: PASSWORD,
  });
  const { secret } = await call<{ secret: string }>(olga.page, "GET", `/totp/${user.id}/status`);
  await call(olga.page, "POST", `/totp/${user.id}/enable`, { secret, token: codeNow(secret) });
  await call(olga.page, "POST", "/users/accept-rules");
  const { code } = await call<{ code: string }>(olga.page, "POST", "/users/generate-invite", {});
  await marina.page.goto("/login");
  await call(marina.page, "POST", "/auth/register", { username: "marina", password: PASSWORD, inviteCode: code });
  await marina.page.goto("/dashboard");
  await acceptCharter(marina.page, PATIENCE);
});
afterAll(async () => {
  await browser?.close();
  await panel?.remove();
});

test("she opens the chat from the round button and writes; the answer comes by itself", async () => {
  const { page } = marina;
  await page.getByRole("button", { name: "Поддержка" }).tap();
  chat = page.getByRole("dialog", { name: "Поддержка" });
  await chat.getByText("Здесь отвечают люди из клуба").waitFor(PATIENCE);
  await seen(page, "an empty chat");
  await says("Не включается на телевизоре");
  await chat.getByText("отправлено").waitFor(PATIENCE);
  expect((await conversation()).map(({ content }) => content)).toEqual(["Не включается на телевизоре"]);
  await call(olga.page, "POST", "/admin/support/conversations/marina/read", { upTo: 1 });
  await chat.getByText("прочитано").waitFor(PATIENCE);
  await answers("Какая модель?");
  await chat.getByText("Какая модель?").waitFor(PATIENCE);
  await seen(page, "a chat");
});

test("she sends an image that staff can open and a stranger cannot", async () => {
  await chat.locator('input[type="file"]').setInputFiles([
    { name: "tv.png", mimeType: "image/png", buffer: PNG },
    { name: "box.png", mimeType: "image/png", buffer: PNG },
  ]);
  await chat.getByRole("button", { name: "Убрать изображение 2" }).tap();
  await seen(marina.page, "an image to be sent");
  await chat.getByRole("button", { name: "Отправить сообщение" }).tap();
  const image = chat.getByRole("img", { name: "Изображение 1" });
  await chat.getByRole("link", { name: "Открыть изображение 1" }).waitFor(PATIENCE);
  await expect.poll(() => image.evaluate((img) => (img as HTMLImageElement).naturalWidth)).toBe(1);
  const [path = ""] = (await conversation()).at(-1)?.attachments ?? [];
  expect(await call(olga.page, "GET", path.replace(/^\/api/, ""))).toBe("image/png");
  expect((await fetch(panel.url + path)).status).toBe(401);
});

test("an emoji goes to the caret; recent ones are remembered, and holding one for half a second offers skin tones", async () => {
  const { page } = marina;
  const box = chat.getByLabel("Сообщение", { exact: true });
  await box.fill("до после");
  await box.evaluate((area) => (area as HTMLTextAreaElement).setSelectionRange(3, 3));
  await chat.getByRole("button", { name: "Эмодзи" }).tap();
  await chat.getByLabel("Найти эмодзи").fill("ракета");
  await chat.getByRole("gridcell", { name: "ракета" }).tap(PATIENCE);
  expect(await box.inputValue()).toBe("до 🚀после");
  expect(JSON.parse(await page.evaluate(() => localStorage.getItem("epr_suggested") ?? "[]"))).toMatchObject([
    { unified: "1f680" },
  ]);
  await chat.getByLabel("Найти эмодзи").fill("большой палец вверх");
  await chat.getByRole("gridcell", { name: "большой палец вверх" }).first().hover();
  await page.mouse.down();
  await page.waitForTimeout(700);
  await page.mouse.up();
  await expect.poll(() => chat.locator('[class*="variation"] button').count()).toBe(6);
  await box.fill("");
  await chat.getByRole("button", { name: "Эмодзи" }).tap();
});

test("with the chat closed the button counts unseen answers, and clears once she has seen them", async () => {
  const { page } = marina;
  await chat.getByRole("button", { name: "Закрыть" }).tap();
  await answers("Понятно");
  await answers("Поставьте приложение для Android TV");
  await page.getByRole("button", { name: "Поддержка, новых ответов: 2" }).waitFor(PATIENCE);
  await seen(page, "answers that were not seen");
  await page.getByRole("button", { name: "Поддержка, новых ответов: 2" }).tap();
  await expect
    .poll(async () => (await conversation()).filter(({ readAt }) => readAt === null).length, PATIENCE)
    .toBe(1);
  await chat.getByRole("button", { name: "Закрыть" }).tap();
  await page.getByRole("button", { name: "Поддержка", exact: true }).tap();
});

test("a panel that stops midway neither loses nor duplicates a message", async () => {
  for (const visitor of [olga, marina]) visitor.expectProblem(SILENCE);
  for (let n = 1; n <= 10; n++) await answers(`до ${n}`);
  await panel.stop("SIGKILL");
  await says("Вы тут?");
  await chat.getByText("Ошибка при отправке сообщения").waitFor(PATIENCE);
  await seen(marina.page, "a message that was not sent");
  await panel.restart();
  for (let n = 1; n <= 10; n++) await answers(`после ${n}`);
  await chat.getByText("после 10").waitFor(PATIENCE);
  await chat.getByRole("button", { name: "Повторить" }).tap();
  await chat.getByText("Ошибка при отправке сообщения").waitFor({ state: "detached", ...PATIENCE });
  await answers("последнее");
  await chat.getByText("последнее").waitFor(PATIENCE);
  const kept = await conversation();
  expect(kept.map(({ sequence }) => sequence)).toEqual(kept.map((_, index) => index + 1));
  expect(kept.filter(({ content }) => content === "Вы тут?")).toHaveLength(1);
  expect(await shown()).toEqual(kept.map(({ content }) => content).filter((content) => content !== ""));
});

test("she opens a ticket, staff take, answer and close it, and she sees each step", async () => {
  const { page } = marina;
  await chat.getByText("Обращения").tap();
  await chat.getByText("Обращений пока нет").waitFor(PATIENCE);
  await seen(page, "no tickets yet");
  await chat.getByRole("button", { name: "Создать обращение" }).tap();
  await chat.getByLabel("Тема").fill("Счёт за декабрь");
  await chat.getByLabel("Что случилось").fill("Не вижу, куда платить.");
  await chat.getByLabel("Категория").selectOption({ label: "Оплата" });
  await chat.getByText("Высокий").tap();
  await seen(page, "ticket form");
  await chat.getByRole("button", { name: "Отправить", exact: true }).tap();
  await chat.getByRole("heading", { name: "Счёт за декабрь" }).waitFor(PATIENCE);
  await chat.getByText("Не вижу, куда платить.").waitFor(PATIENCE);
  const [ticket] = await call<{ id: string; category: string; priority: string }[]>(
    olga.page,
    "GET",
    "/admin/support/tickets?status=open",
  );
  expect(ticket).toMatchObject({ category: "billing", priority: "high", status: "open", subject: "Счёт за декабрь" });
  const id = ticket?.id ?? "";
  await call(olga.page, "PUT", `/admin/support/tickets/${id}`, { status: "in_progress" });
  await chat.getByText("В работе").waitFor(PATIENCE);
  await answers("Реквизиты появятся на этой странице", id);
  await chat.getByText("Реквизиты появятся на этой странице").waitFor(PATIENCE);
  await seen(page, "the thread of a ticket");
  await call(olga.page, "PUT", `/admin/support/tickets/${id}`, { status: "closed" });
  await chat.getByText("Обращение закрыто.", { exact: false }).waitFor(PATIENCE);
  expect(await chat.getByLabel("Сообщение", { exact: true }).count()).toBe(0);
  await chat.getByRole("button", { name: "К списку обращений" }).tap();
  await chat.getByText("Закрыто, сегодня").waitFor(PATIENCE);
  await seen(page, "a list of tickets");
});

test("her draft is there after a reload, and no request carries it", async () => {
  const { page, context } = marina;
  const begun = "Не открывается. ".repeat(40).trim();
  await chat.getByRole("button", { name: "Создать обращение" }).tap();
  await chat.getByLabel("Что случилось").fill(begun);
  await chat.getByRole("button", { name: "Закрыть" }).tap();
  await page.getByRole("button", { name: "Поддержка", exact: true }).tap();
  await chat.getByLabel("Сообщение", { exact: true }).fill(begun);
  expect((await context.cookies()).map(({ name }) => name).sort()).toEqual(["krug_device", "krug_session"]);
  await page.reload();
  await page.getByRole("button", { name: "Поддержка", exact: true }).tap(PATIENCE);
  await expect.poll(() => chat.getByLabel("Сообщение", { exact: true }).inputValue(), PATIENCE).toBe(begun);
  await chat.getByText("Обращения").tap();
  await chat.getByRole("button", { name: "Создать обращение" }).tap(PATIENCE);
  expect(await chat.getByLabel("Что случилось").inputValue()).toBe(begun);
  expect(marina.problems()).toEqual([]);
  expect(olga.problems()).toEqual([]);
});
