import { expect, onTestFinished, vi } from "vitest";
import { type Club, type Person, startClub } from "./start-club.ts";
import { DOUBLE_TOKEN, startTelegramDouble, type TelegramDouble, type TelegramPerson } from "./telegram-double.ts";

const PATIENCE = { timeout: 20_000, interval: 20 };

export const withBot = ({ apiRoot }: TelegramDouble, token: string) => ({
  TELEGRAM_BOT_TOKEN: token,
  TELEGRAM_API_ROOT: apiRoot,
});

/** A club and its bot, until the test ends. */
export async function clubWithBot(
  environment: Record<string, string> = {},
  options: Omit<NonNullable<Parameters<typeof startClub>[0]>, "environment"> = {},
): Promise<{ club: Club; telegram: TelegramDouble }> {
  const telegram = await startTelegramDouble();
  const club = await startClub({ ...options, environment: { ...environment, ...withBot(telegram, DOUBLE_TOKEN) } });
  onTestFinished(async () => {
    await club.stop();
    await telegram.close();
  });
  return { club, telegram };
}

/** Waits until the club's bot works. */
export const botWorks = (club: Club): Promise<void> =>
  vi.waitFor(async () => {
    const member = await club.member();
    expect((await club.as(member).call("GET /auth/telegram/status")).body.enabled).toBe(true);
  }, PATIENCE);

/** The bot's answer to this. */
export async function askBot(telegram: TelegramDouble, person: TelegramPerson, text: string): Promise<string> {
  const before = telegram.messagesTo(person).length;
  telegram.say(person, text);
  return vi.waitFor(() => {
    const answer = telegram.messagesTo(person)[before]?.text;
    if (answer === undefined) throw new Error(`no answer to ${text}`);
    return answer;
  }, PATIENCE);
}

/** Confirms the password if the test's clock has passed its ten minutes. */
export async function codeFor(club: Club, who: Person): Promise<string> {
  const page = club.as(who);
  const ask = () =>
    page.call("POST /auth/telegram/generate-code", {
      body: { userId: who.id },
      headers: { "accept-language": "ru" },
    });
  const answer = await ask();
  if (answer.code !== "auth.password_required") return answer.body.telegramCode;
  await page.call("POST /auth/confirm-password", { body: { password: who.password } });
  return (await ask()).body.telegramCode;
}

export async function linkTelegram(
  club: Club,
  telegram: TelegramDouble,
  who: Person,
  person: TelegramPerson,
): Promise<void> {
  expect(await askBot(telegram, person, `/start ${await codeFor(club, who)}`)).toContain(who.username);
}
