import type { Api } from "@krug/contract/api";
import { type RefusalCode, refusalText, statusOf } from "@krug/contract/refusals";
import type { Page } from "playwright-core";
import type { Stage } from "./stage.ts";
import { type StagedAnswer, stageAnswer } from "./staged.ts";

type Call = keyof Api & string;

const BROKEN = "Внутренняя ошибка. Уже записали, номер запроса req-1.";

type Asked<K extends Call> = { params?: Record<string, string>; query?: Api[K]["query"] };

/** The panel's answer to the page's person. Like a browser it retries if a kept-alive connection was just being closed. */
export async function read<K extends Call & `GET ${string}`>(
  page: Page,
  key: K,
  { params = {}, query = {} }: Asked<K> = {},
): Promise<Api[K]["answer"]> {
  const path = key.slice("GET ".length).replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? "");
  const answer = await page.request.get(`/api${path}`, { params: query as Record<string, string>, maxRetries: 1 });
  return (await answer.json()) as Api[K]["answer"];
}

/** Replaces the panel's answer to everyone. */
export function say<K extends Call>(page: Page, key: K, answer: Api[K]["answer"]) {
  return intercept(page, key, { status: 200, json: answer });
}

export function refuse({ page, language }: Stage, key: Call, code: RefusalCode) {
  const json = { error: { code, message: refusalText(code, language) } };
  return intercept(page, key, { status: statusOf(code), json });
}

/** The panel answers with an internal error. */
export const fail = (page: Page, key: Call) =>
  intercept(page, key, { status: 500, json: { error: { code: "internal", message: BROKEN } } });

export function intercept(page: Page, key: Call, answer: StagedAnswer): Promise<void> {
  const [called = "GET", place = ""] = key.split(" ");
  const address = new RegExp(`^/api${place.replace(/\{\w+\}/g, "[^/]+")}$`);
  return stageAnswer(page, { answers: (method, path) => method === called && address.test(path), answer });
}

/** The panel no longer answers at all. */
export const silence = (page: Page): Promise<void> =>
  stageAnswer(page, { answers: (_, path) => path.startsWith("/api/"), answer: "silence" });

type Telegram = Api["GET /auth/telegram/status"]["answer"];

/** A club whose bot works and is required, and the member's link with it. */
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
