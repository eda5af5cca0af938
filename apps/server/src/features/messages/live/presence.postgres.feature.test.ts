import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { botWorks, linkTelegram, withBot } from "../../../../testing/link-telegram.ts";
import { listen } from "../../../../testing/listen.ts";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";
import { DOUBLE_TOKEN, startTelegramDouble, type TelegramDouble } from "../../../../testing/telegram-double.ts";

/* Whoever reads at one panel gets no Telegram message about what another panel writes (decisions, section 8). */
const PATIENCE = { timeout: 20_000, interval: 20 };
const there = { id: 801, first_name: "Анна", language_code: "ru" };

let telegram: TelegramDouble;
let club: Club;
let other: Awaited<ReturnType<Club["otherPanel"]>>;
let admin: Person;
let anna: Person;
beforeAll(async () => {
  telegram = await startTelegramDouble();
  club = await startClub({ environment: withBot(telegram, DOUBLE_TOKEN) });
  await botWorks(club);
  other = await club.otherPanel();
  admin = await club.admin();
  anna = await club.member();
  await linkTelegram(club, telegram, anna, there);
});
afterAll(async () => {
  await other.stop();
  await club.stop();
  await telegram.close();
});

const answer = (content: string) =>
  club
    .as(admin)
    .call("POST /admin/support/conversations/{userId}/messages", { params: { userId: anna.id }, body: { content } });
const told = async () => (await club.as(anna).call("GET /inbox")).body.length;
const pageAt = async (origin: string) => {
  const page = await listen(`${origin}/api/events`, { token: anna.token });
  onTestFinished(() => page.leave());
  return page;
};
const knows = (panel: { app: Club["app"] }, isLooking: boolean) =>
  vi.waitFor(() => expect(panel.app.parts.live.isLooking(anna.id)).toBe(isLooking), PATIENCE);

test("a page open at the other panel is known until it is closed there", async () => {
  const page = await pageAt(other.origin);
  await knows(club, true);
  expect((await answer("Добрый день")).status).toBe(201);
  expect(await told()).toBe(0);
  // Two pages of one member: one is enough.
  const second = await pageAt(other.origin);
  second.leave();
  page.leave();
  await knows(club, false);
  await answer("Вы ещё здесь?");
  expect(await told()).toBe(1);
  await vi.waitFor(() => expect(telegram.messagesTo(there).at(-1)?.text).toMatch(/поддержк/i), PATIENCE);
});

test("a panel that starts later asks who is present", async () => {
  await pageAt(other.origin);
  await knows(club, true);
  const third = await club.panelAt({});
  onTestFinished(() => third.stop());
  expect(third.app.parts.live.isLooking(anna.id)).toBe(false);
  third.app.parts.live.start();
  await knows(third, true);
});
