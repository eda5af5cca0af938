import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { request } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import type { Browser, BrowserContext, Frame, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { initDataOf } from "../apps/server/testing/mini-app.ts";
import { SAMPLE_PASSWORD } from "../apps/server/testing/sample-club.ts";
import { startSamplePanel } from "../apps/server/testing/sample-panel.ts";
import {
  DOUBLE_TOKEN,
  startTelegramDouble,
  type TelegramDouble,
  type TelegramPerson,
} from "../apps/server/testing/telegram-double.ts";
import { ensureBuilt } from "../scripts/build.mjs";
import { ROOT } from "../scripts/command.mjs";
import { openBrowser } from "./browser.ts";
import { acceptCharter } from "./charter.ts";
import { PATIENCE } from "./enter.ts";
import { seen } from "./seen.ts";

/**
 * A member and the club inside Telegram: in the frame of its web version, and in the webviews of its Android and iOS programs. Doubles
 * of the Bot API and of what is around the page replace Telegram; names and https are real for the browser.
 */
const CLUB = "https://club.example";
const WEB = "https://web.telegram.org";
const AT_CLUB = { "x-forwarded-host": "club.example", "x-forwarded-proto": "https" };
const marinaThere: TelegramPerson = { id: 501, first_name: "Марина", username: "marina_k", language_code: "ru" };
const DARK = { bg_color: "#17212b", text_color: "#ffffff" };
const LIGHT = { bg_color: "#ffffff", text_color: "#000000" };
const UA = {
  android:
    "Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/UQ1A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/130.0.0.0 Mobile Safari/537.36 Telegram-Android/11.5 (Google Pixel 8; Android 14; SDK 34; HIGH)",
  ios: "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148",
  desktop:
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36 TelegramDesktop/5.8",
};

let telegram: TelegramDouble;
let panel: Awaited<ReturnType<typeof startSamplePanel>>;
let dataDir: string;
let front: Awaited<ReturnType<typeof startFront>>;
let browser: Browser;
let logged = "";
beforeAll(async () => {
  await ensureBuilt();
  telegram = await startTelegramDouble();
  dataDir = await mkdtemp(join(tmpdir(), "krug-mini-app-"));
  panel = await startSamplePanel({
    environment: {
      PORT: "0",
      PUBLIC_URL: CLUB,
      TRUSTED_PROXIES: "127.0.0.1",
      TELEGRAM_BOT_TOKEN: DOUBLE_TOKEN,
      TELEGRAM_API_ROOT: telegram.apiRoot,
      LOG_LEVEL: "trace",
    },
    dataDir,
    webFolder: join(ROOT, "apps", "web", "dist"),
    logTo: { write: (line) => (logged += line) },
  });
  await sql`update members set accepted_rules_at = null where username = 'marina'`.execute(panel.app.parts.db);
  front = await startFront(panel.url);
  browser = await openBrowser({ names: ["club.example", "web.telegram.org"], port: front.port });
});
afterAll(async () => {
  await browser?.close();
  await front?.close();
  await panel?.app.stop();
  await telegram?.close();
  await rm(dataDir, { recursive: true, force: true });
});

/** The proxy in front of the panel, and Telegram's web version, which frames what its hash names and records what that says. */
async function startFront(panelUrl: string) {
  const PEM = readFileSync(new URL("geo-double.pem", import.meta.url), "utf8");
  const around = `<!doctype html><meta name="viewport" content="width=device-width, initial-scale=1"><title>Telegram Web</title>
    <style>body{margin:0}iframe{border:0;width:100vw;height:100vh;display:block}</style><iframe></iframe><script>
    said = []; frame = document.querySelector("iframe");
    addEventListener("message", ({ origin, data }) => said.push([origin, ...Object.values(JSON.parse(data))]));
    tell = (eventType, eventData) => frame.contentWindow.postMessage(JSON.stringify({ eventType, eventData }), "${CLUB}");
    frame.src = decodeURIComponent(location.hash.slice(1));</script>`;
  const server = createServer({ key: PEM, cert: PEM }, (asked, answer) => {
    if (asked.headers.host === "web.telegram.org")
      return void answer.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(around);
    const headers = { ...asked.headers, "x-forwarded-proto": "https", "x-forwarded-for": "203.0.113.7" };
    const onward = request(`${panelUrl}${asked.url}`, { method: asked.method, headers }, (came) => {
      answer.writeHead(came.statusCode ?? 502, came.headers);
      came.pipe(answer);
    });
    onward.on("error", () => answer.destroy());
    answer.on("close", () => onward.destroy());
    asked.pipe(onward);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

const newContext = (userAgent?: string): Promise<BrowserContext> =>
  browser.newContext({
    ...(userAgent && { userAgent }),
    viewport: { width: 360, height: 740 },
    isMobile: true,
    hasTouch: true,
    locale: "ru-RU",
    ignoreHTTPSErrors: true,
  });
/** What Telegram opens. */
const address = (initData: string, theme: object = DARK, tgWebAppVersion = "8.0") =>
  `${CLUB}/tg#${new URLSearchParams({
    tgWebAppData: initData,
    tgWebAppVersion,
    tgWebAppPlatform: "android",
    tgWebAppThemeParams: JSON.stringify(theme),
  })}`;
let openings = 0;
const opening = () => initDataOf(marinaThere, { at: Date.now(), fields: { query_id: String(++openings) } });

/** Telegram's own program around the page. */
async function inProgram(userAgent: string, url: string) {
  const page = await (await newContext(userAgent)).newPage();
  await page.addInitScript(`said = [];
    window.TelegramWebviewProxy = { postEvent: (event, data) => said.push([event, JSON.parse(data)]) };`);
  await page.goto(url);
  return {
    page,
    said: (event: string) =>
      page.evaluate<unknown[], string>(
        (name) =>
          (window as never as { said: [string, unknown][] }).said.filter(([is]) => is === name).map(([, data]) => data),
        event,
      ),
    tell: (event: string, data?: object) =>
      page.evaluate(
        ([name, told]) =>
          (
            window as never as { Telegram: { WebView: { receiveEvent(...a: unknown[]): void } } }
          ).Telegram.WebView.receiveEvent(name, told),
        [event, data] as const,
      ),
  };
}
const atHome = (page: Page | Frame) => page.getByRole("heading", { name: /Здравствуйте/ }).waitFor(PATIENCE);
const framed = async (page: Page) => {
  const frame = await (await page.waitForSelector("iframe")).contentFrame();
  if (frame === null) throw new Error("there is no frame");
  return frame;
};

test("only the Mini App's pages may be framed, and only by Telegram's web version", async () => {
  const policyOf = async (path: string) => {
    const { headers } = await fetch(`${panel.url}${path}`, { headers: AT_CLUB });
    return [
      /frame-ancestors ([^;]+)/.exec(headers.get("content-security-policy") ?? "")?.[1],
      headers.get("x-frame-options"),
    ];
  };
  for (const path of ["/tg", "/tg/dashboard", "/tg/admin/users"])
    expect(await policyOf(path), path).toEqual([WEB, null]);
  for (const path of ["/", "/dashboard", "/login", "/tgx", "/tg.html", "/api/auth/me", "/tg/api/auth/me"])
    expect(await policyOf(path), path).toEqual(["'none'", "SAMEORIGIN"]);
});

test("in Telegram's frame a member signs in once, links by one press, and is signed in at the next opening", async () => {
  const context = await newContext();
  const page = await context.newPage();
  await page.goto(`${WEB}/#${encodeURIComponent(address(opening()))}`);
  let frame = await framed(page);
  await frame.getByLabel("Имя пользователя").fill("marina", PATIENCE);
  await frame.getByLabel("Пароль", { exact: true }).fill(SAMPLE_PASSWORD);
  await frame.getByRole("button", { name: "Войти", exact: true }).click();
  await acceptCharter(frame as never, PATIENCE);
  await frame.getByRole("dialog", { name: "Привязать этот Telegram?" }).getByText("@marina_k").waitFor(PATIENCE);
  await frame.getByRole("button", { name: "Привязать", exact: true }).click();
  await frame.getByText("Telegram привязан").waitFor(PATIENCE);

  const cookies = (await context.cookies()).filter(({ name }) => name.includes("session"));
  expect(cookies.map(({ name, sameSite, secure, httpOnly }) => ({ name, sameSite, secure, httpOnly }))).toEqual([
    { name: "__Host-krug_tg_session", sameSite: "None", secure: true, httpOnly: true },
  ]);
  await page.goto("about:blank");
  await page.goto(`${WEB}/#${encodeURIComponent(address(opening(), LIGHT))}`);
  frame = await framed(page);
  await atHome(frame);
  expect(frame.url()).toBe(`${CLUB}/tg/dashboard`);
  expect(await frame.locator("html").getAttribute("data-mantine-color-scheme")).toBe("light");
  await page.evaluate("tell('reload_iframe')");
  await atHome(await framed(page));
  const said = await page.evaluate<[string, string][]>("said");
  expect(said.every(([origin]) => origin === CLUB)).toBe(true);
  expect(said.map(([, event]) => event)).toEqual(
    expect.arrayContaining(["iframe_ready", "web_app_ready", "web_app_expand", "web_app_set_header_color"]),
  );
  await context.close();
});

test("in Telegram's Android program theme, edges and Back are Telegram's, pictures open in the page, and other files in the browser", async () => {
  const { page, said, tell } = await inProgram(UA.android, address(opening()));
  await atHome(page);
  expect(await page.evaluate("history.length")).toBe(2);
  expect(page.url()).toBe(`${CLUB}/tg/dashboard`);
  const scheme = page.locator("html");
  expect(await scheme.getAttribute("data-mantine-color-scheme")).toBe("dark");
  expect((await said("web_app_set_header_color")).at(-1)).toEqual({ color: "#0c1915" });
  await tell("theme_changed", { theme_params: LIGHT });
  await page.locator('html[data-mantine-color-scheme="light"]').waitFor({ state: "attached", ...PATIENCE });
  await expect.poll(() => said("web_app_set_header_color").then((all) => all.at(-1))).toEqual({ color: "#ebf0ea" });
  await seen(page, "light in Telegram");

  await tell("safe_area_changed", { top: 24, bottom: 34, left: 0, right: 0 });
  await tell("content_safe_area_changed", { top: 40, bottom: 0, left: 0, right: 0 });
  expect(await page.evaluate("getComputedStyle(document.body).paddingTop")).toBe("64px");
  expect(await page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--k-safe')")).toBe("34px");

  expect(await said("web_app_setup_back_button")).toEqual([]);
  await page.getByRole("button", { name: "Настройки" }).click();
  await page.getByRole("dialog", { name: "Настройки" }).waitFor(PATIENCE);
  await expect.poll(() => said("web_app_setup_back_button")).toEqual([{ is_visible: true }]);
  await tell("back_button_pressed");
  await page.getByRole("dialog", { name: "Настройки" }).waitFor({ state: "hidden", ...PATIENCE });
  await expect.poll(() => said("web_app_setup_back_button")).toEqual([{ is_visible: true }, { is_visible: false }]);

  // Nothing may lead to a tab: it would be in a browser where nobody is signed in.
  await page.getByRole("button", { name: /^Поддержка/ }).click();
  await page.locator("input[type=file]").setInputFiles("apps/server/testing/sample-receipt.png");
  await page.getByRole("button", { name: "Отправить" }).click();
  await page.getByRole("link", { name: "Открыть изображение 1" }).click(PATIENCE);
  const picture = page.getByRole("dialog", { name: "Изображение 1" }).getByRole("img", { name: "Изображение 1" });
  const width = () => picture.evaluate((one) => (one as HTMLImageElement).naturalWidth);
  await expect.poll(width, PATIENCE).toBeGreaterThan(0);
  await seen(page, "a picture in Telegram");
  await page.reload();
  await atHome(page);
  await page.getByRole("button", { name: "Настройки" }).click();
  await page.getByRole("button", { name: "Скачать мои данные" }).click(PATIENCE);
  await page.getByText("Эта страница открыта в браузере").waitFor(PATIENCE);
  expect(await said("web_app_open_link")).toEqual([{ url: `${CLUB}/dashboard` }]);
  await page.context().close();
});

test("in Telegram's iOS program a used opening signs nobody in, and the page says what to do", async () => {
  const used = opening();
  const first = await inProgram(UA.ios, address(used));
  await atHome(first.page);
  await first.page.context().close();
  const { page, said } = await inProgram(UA.ios, address(used));
  await page.getByText("Закройте это окно и откройте клуб в боте ещё раз.").waitFor(PATIENCE);
  await seen(page, "an opening that was used");
  await page.getByRole("button", { name: "Закрыть" }).click();
  expect(await said("web_app_close")).toEqual([{}]);
  await page.getByRole("button", { name: "Открыть в браузере" }).click();
  expect(await said("web_app_open_link")).toEqual([{ url: CLUB }]);
  await page.context().close();
});

describe("a device's file", () => {
  const NAME = "iphone-marina";
  const fetched = (url: unknown) => fetch(`${panel.url}${new URL(String(url)).pathname}`, { headers: AT_CLUB });
  const stale = () => sql`update configs set is_stale = 1 where name = ${NAME}`.execute(panel.app.parts.db);
  const again = (page: Page | Frame) => page.getByRole("button", { name: `Скачать заново: ${NAME}` });
  const once = (page: Page | Frame) => page.getByRole("button", { name: `Скачать: ${NAME}` });

  const asked = "web_app_request_file_download";
  interface Wish {
    url: string;
    file_name: string;
  }

  test("is downloaded by Telegram, counts once the person agreed and it was sent, and comes before the QR code", async () => {
    await stale();
    const { page, said, tell } = await inProgram(UA.android, address(opening()));
    await again(page).click(PATIENCE);
    await expect.poll(() => said(asked), PATIENCE).toHaveLength(1);
    const [{ url, file_name }] = (await said(asked)) as [Wish];
    expect(url).toMatch(/^https:\/\/club\.example\/api\/vpn\/files\/[\w-]{43}$/);
    expect(file_name).toBe(`${NAME}.conf`);
    // Telegram may look at the file before it asks.
    await fetched(url);
    await tell("file_download_requested", { status: "cancelled" });
    await again(page).and(page.locator(":not([data-busy])")).waitFor(PATIENCE);

    await again(page).click(PATIENCE);
    await expect.poll(() => said(asked), PATIENCE).toHaveLength(2);
    await tell("file_download_requested", { status: "downloading" });
    const last = ((await said(asked)) as Wish[])[1];
    expect(await (await fetched(last?.url)).text()).toMatch(/^\[Interface\]/);
    await once(page).waitFor(PATIENCE);
    const card = page.getByRole("article", { name: NAME }).getByRole("button", { name: /^(Скачать|QR-код)/ });
    expect(await card.evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")))).toEqual([
      `Скачать: ${NAME}`,
      `QR-код: ${NAME}`,
    ]);
    await page.context().close();
  });

  test("is downloaded by Telegram's program for computers", async () => {
    await stale();
    const { page, said, tell } = await inProgram(UA.desktop, address(opening()));
    await again(page).click(PATIENCE);
    await expect.poll(() => said(asked), PATIENCE).toHaveLength(1);
    await tell("file_download_requested", { status: "downloading" });
    await fetched(((await said(asked)) as [Wish])[0].url);
    await once(page).waitFor(PATIENCE);
    await page.context().close();
  });

  test("is opened in the browser by a Telegram that downloads none, by a link that gives it once", async () => {
    await stale();
    const { page, said } = await inProgram(UA.ios, address(opening(), DARK, "7.10"));
    await again(page).click(PATIENCE);
    await expect.poll(() => said("web_app_open_link"), PATIENCE).toHaveLength(1);
    const [{ url }] = (await said("web_app_open_link")) as [{ url: string }];
    const there = await page.context().newPage();
    const [download] = await Promise.all([
      there.waitForEvent("download", PATIENCE),
      there.goto(url).catch((error: Error) => expect(error.message).toMatch(/download|ERR_ABORTED/i)),
    ]);
    expect(download.suggestedFilename()).toBe(`${NAME}.conf`);
    await once(page).waitFor(PATIENCE);
    expect((await fetched(url)).status).toBe(400);
    await page.context().close();
  });

  test("is fetched by Telegram's web version from its own page", async () => {
    await stale();
    const page = await (await newContext()).newPage();
    await page.goto(`${WEB}/#${encodeURIComponent(address(opening()))}`);
    const frame = await framed(page);
    await again(frame).click(PATIENCE);
    const wish = "said.find(([, event]) => event === 'web_app_request_file_download')";
    await page.waitForFunction(wish, undefined, PATIENCE);
    await page.evaluate("tell('file_download_requested', { status: 'downloading' })");
    const text = await page.evaluate<string>(`fetch(${wish}[2].url).then((answer) => answer.text())`);
    expect(text).toMatch(/^\[Interface\]/);
    await once(frame).waitFor(PATIENCE);
    await page.context().close();
  });
});

test("outside Telegram the address leads to the club's own page, and nothing of an opening is logged", async () => {
  const page = await (await newContext()).newPage();
  await page.goto(`${CLUB}/tg`);
  await page.waitForURL(`${CLUB}/`, PATIENCE);
  expect(logged).toMatch(/listening|request/i);
  expect(logged).not.toMatch(/query_id|auth_date|marina_k|vpn\/files\/[\w-]{43}/);
  await page.context().close();
});
