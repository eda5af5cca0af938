import type { Api } from "@krug/contract/api";
import { type RefusalCode, refusals, refusalText } from "@krug/contract/refusals";
import type { Page } from "playwright-core";
import type { Stage } from "./stage.ts";

type Call = keyof Api & string;

const BROKEN = "Внутренняя ошибка. Уже записали, номер запроса req-1.";

/** Whoever asks for it gets this answer in place of the panel's. */
export function say<K extends Call>(page: Page, key: K, answer: Api[K]["answer"]) {
  return intercept(page, key, { status: 200, json: answer });
}

export function refuse({ page, language }: Stage, key: Call, code: RefusalCode) {
  const json = { error: { code, message: refusalText(code, language) } };
  return intercept(page, key, { status: refusals[code].status, json });
}

/** The panel answers that something broke. */
export const fail = (page: Page, key: Call) =>
  intercept(page, key, { status: 500, json: { error: { code: "internal", message: BROKEN } } });

/** The page comes without the panel's first answers and asks for them, so that it hears what is said here. */
export const asksItself = (page: Page) =>
  page.route(
    (url) => !/^\/(api|assets)\//.test(url.pathname),
    async (route) => {
      if (route.request().resourceType() !== "document") return route.fallback();
      const response = await route.fetch();
      const html = (await response.text()).replace(/<script[^>]*id="first-answers">.*?<\/script>/, "");
      return route.fulfill({ response, body: html });
    },
  );

export async function intercept(
  page: Page,
  key: Call,
  answer: { status: number; json: unknown } | "never" | "silence",
) {
  const [method = "GET", path = ""] = key.split(" ");
  await asksItself(page);
  const address = new RegExp(`^/api${path.replace(/\{\w+\}/g, "[^/]+")}$`);
  await page.route(
    (url) => address.test(url.pathname),
    (route) => {
      if (route.request().method() !== method) return route.fallback();
      if (answer === "never") return;
      if (answer === "silence") return route.abort();
      return route.fulfill(answer);
    },
  );
}

export async function silence(page: Page) {
  await asksItself(page);
  await page.route(
    (url) => url.pathname.startsWith("/api/"),
    (route) => route.abort(),
  );
}

type Telegram = Api["GET /auth/telegram/status"]["answer"];

/** A club whose bot is there and needed, and how one stands with it. */
export const bot = (page: Page, about: Partial<Telegram> = {}) =>
  say(page, "GET /auth/telegram/status", {
    telegramConnected: false,
    enabled: true,
    required: true,
    botName: "krug_club_bot",
    account: null,
    botBlocked: false,
    ...about,
  });
