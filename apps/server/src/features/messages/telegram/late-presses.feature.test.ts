import { expect, test, vi } from "vitest";
import {
  ask,
  club,
  link,
  marinaThere,
  openClubWithBot,
  PATIENCE,
  strangerThere,
  telegram,
} from "../../../../testing/bot-club.ts";

openClubWithBot();

/** Every button that the bot makes or made, also of an earlier version or for what is gone. `unlink:yes` last: it unlinks. */
const BUTTONS = [
  "unlink:no",
  "password:yes",
  "password:no",
  "file:gone",
  "file-yes:gone",
  "file-no",
  "lost-yes",
  "lost-no",
  "lost-kept",
  "lost-cut:gone:A",
  "lost-cut:gone",
  "staff-cancel",
  "claim-yes:gone:2026-11",
  "claim-yes:gone",
  "claim-no:gone",
  "decline:gone",
  "claim-receipt:gone",
  "claim-yes-and-more",
  "of an earlier version",
  // What no button holds: an app can be changed to send anything.
  "file:\0",
  "file-yes:\0a",
  "lost-cut:\0:\0",
  "claim-yes:\0:2026-11",
  "reply:gone::1",
  "due",
  "__proto__:gone",
  "unlink:yes",
];
const made = (calls: readonly string[], method: string) => calls.filter((call) => call === method).length;

test("every press stops the button's spinner, a member's and a stranger's, also of a button nobody knows", async () => {
  await link();
  await ask(strangerThere, "/help");
  for (const there of [marinaThere, strangerThere])
    for (const data of BUTTONS) {
      const before = telegram.calls.length;
      telegram.pressed(there, data);
      await vi.waitFor(() => {
        const calls = telegram.calls.slice(before);
        expect([data, telegram.unread(), made(calls, "answerCallbackQuery")]).toEqual([data, 0, 1]);
      }, PATIENCE);
    }
});

test("a press of a button nobody knows is answered also after Telegram stopped waiting, and leaves its message", async () => {
  await link();
  const linked = telegram.messagesTo(marinaThere).at(-1);
  const text = linked?.text;
  telegram.refuse("answerCallbackQuery");
  telegram.pressed(marinaThere, "lost-cut:gone");
  await vi.waitFor(
    () =>
      expect(telegram.messagesTo(marinaThere).at(-1)?.text).toBe(
        "Эта кнопка больше не действует. Отправьте команду ещё раз.",
      ),
    PATIENCE,
  );
  expect(linked?.text).toBe(text);
  await club.transact((tx) => club.app.parts.maintenance.set(tx, true, null));
  telegram.pressed(marinaThere, "lost-cut:gone");
  // The notice that maintenance began may arrive before or after it.
  await vi.waitFor(
    () =>
      expect(telegram.messagesTo(marinaThere).map(({ text }) => text)).toContainEqual(
        expect.stringMatching(/техническом обслуживании/),
      ),
    PATIENCE,
  );
});
