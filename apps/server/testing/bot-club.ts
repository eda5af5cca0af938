import { beforeEach, expect } from "vitest";
import * as bot from "./link-telegram.ts";
import type { Club, Person } from "./start-club.ts";
import { DOUBLE_TOKEN, type TelegramDouble, type TelegramPerson } from "./telegram-double.ts";

export const MINUTE_MS = 60_000;
export const PATIENCE = { timeout: 20_000, interval: 20 };
export const RU = { "accept-language": "ru" };
export const marinaThere: TelegramPerson = { id: 501, first_name: "Марина", username: "marina_k", language_code: "ru" };
export const strangerThere: TelegramPerson = { id: 502, first_name: "Глеб", language_code: "ru" };

export let telegram: TelegramDouble;
export let club: Club;
export let marina: Person;
/** Each test of this file gets a club with a bot that works, and a member who may link it. */
export function openClubWithBot(): void {
  beforeEach(async () => {
    ({ club, telegram } = await bot.clubWithBot());
    marina = await club.member({ username: "marina" });
    await bot.botWorks(club);
  });
}

export const withBot = (token = DOUBLE_TOKEN) => bot.withBot(telegram, token);
export const ask = (person: TelegramPerson, text: string) => bot.askBot(telegram, person, text);
export const generate = (who: Person) =>
  club.as(who).call("POST /auth/telegram/generate-code", { body: { userId: who.id }, headers: RU });
export const codeFor = (who: Person) => bot.codeFor(club, who);
export const statusOf = async (who: Person) => (await club.as(who).call("GET /auth/telegram/status")).body;
export const isConnected = async (who: Person) => (await statusOf(who)).telegramConnected;
export const link = async (who = marina, person = marinaThere) => {
  await bot.linkTelegram(club, telegram, who, person);
  expect(await isConnected(who)).toBe(true);
};
