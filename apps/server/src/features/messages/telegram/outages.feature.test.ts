import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import {
  ask,
  club,
  codeFor,
  isConnected,
  MINUTE_MS,
  marina,
  marinaThere,
  openClubWithBot,
  PATIENCE,
  strangerThere,
  telegram,
} from "../../../../testing/bot-club.ts";
import { makeLeases } from "../../../platform/leases.ts";

openClubWithBot();

/** A poll hangs for 25 s, any other call for 35. */
const HANGING_MS = 20_000;

describe("failures around the bot", () => {
  test("a code sent while the panel was down counts when it is back; a message is not lost in the middle", async () => {
    const code = await codeFor(marina);
    await club.app.stop();
    telegram.say(marinaThere, `/start ${code}`);
    await club.restart();
    await vi.waitFor(async () => expect(await isConnected(marina)).toBe(true), PATIENCE);
    // The answer follows the commit.
    await vi.waitFor(() => expect(telegram.messagesTo(marinaThere)).toHaveLength(1), PATIENCE);
  });

  test("stopping does not wait for a hanging poll, and handled updates are confirmed", async () => {
    await ask(strangerThere, "/help");
    // The message may be there before Telegram confirms the answer; without that the answer is given again.
    await vi.waitFor(() => expect(telegram.unread()).toBe(0), PATIENCE);
    const began = Date.now();
    await club.restart();
    expect(Date.now() - began).toBeLessThan(HANGING_MS);
    expect(telegram.unread()).toBe(0);
    await ask(strangerThere, "/help");
    expect(telegram.messagesTo(strangerThere)).toHaveLength(2);
  });

  test("an answer that Telegram did not accept is given again", async () => {
    telegram.fail((method) => method === "sendMessage");
    telegram.say(marinaThere, `/start ${await codeFor(marina)}`);
    await vi.waitFor(async () => expect(await isConnected(marina)).toBe(true), PATIENCE);
    telegram.fail(null);
    await vi.waitFor(
      () => expect(telegram.messagesTo(marinaThere)[0]?.text).toContain("привязан к аккаунту marina"),
      PATIENCE,
    );
  });

  test.each(["unavailable", "slow_down"] as const)(
    "Telegram is %s: staff see it, and it recovers by itself",
    async (kind) => {
      const as = club.as(await club.admin());
      telegram.fail(kind);
      await vi.waitFor(async () => {
        const { body } = await as.call("GET /admin/telegram");
        expect(body).toMatchObject({
          enabled: true,
          reason: "unreachable",
          botName: "krug_club_bot",
          requiredNow: true,
        });
      }, PATIENCE);
      telegram.fail(null);
      await vi.waitFor(async () => expect((await as.call("GET /admin/telegram")).body.reason).toBeNull(), PATIENCE);
      await ask(strangerThere, "/help");
    },
  );

  test("an answer that never comes does not keep the panel from stopping", async () => {
    telegram.fail("silence");
    const began = Date.now();
    await club.restart();
    expect(Date.now() - began).toBeLessThan(HANGING_MS);
    telegram.fail(null);
  });

  test("of panels that share a database one reads; the next takes over when the first is silent", async () => {
    await club.app.parts.telegramBot.stop();
    const other = makeLeases(club.transact, club.clock, "another panel");
    expect(await other.take("telegram", MINUTE_MS)).toBe(true);
    await club.restart();
    const asked = telegram.calls.length;
    telegram.say(strangerThere, "/help");
    await wait(1_000);
    expect(telegram.calls.length).toBe(asked);
    club.clock.advance(MINUTE_MS + 1);
    await vi.waitFor(() => expect(telegram.messagesTo(strangerThere)).toHaveLength(1), PATIENCE);
  });

  test("the menu offers the commands in both languages", async () => {
    await vi.waitFor(() => expect(telegram.commands).toHaveLength(2), PATIENCE);
    expect(telegram.commands).toMatchObject([
      { commands: ["status", "configs", "lost", "password", "unlink", "help"].map((command) => ({ command })) },
      { language_code: "en" },
    ]);
  });
});
