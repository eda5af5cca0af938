import { expect, test, vi } from "vitest";
import { askBot, botWorks, clubWithBot, linkTelegram } from "../../../../testing/link-telegram.ts";

/* While the bot works on a press of the old account's, the member links another on the page. */

const PATIENCE = { timeout: 20_000, interval: 20 };
const oldAccount = { id: 501, first_name: "Вера", language_code: "ru" };

/** The bot has found the old account's member and does nothing more before `goOn`; meanwhile they have linked another. */
async function relinkedMeanwhile(command: string, button: string) {
  const { club, telegram } = await clubWithBot({ PUBLIC_URL: "http://club.example" });
  await botWorks(club);
  const vera = await club.member({ username: "vera" });
  await linkTelegram(club, telegram, vera, oldAccount);
  await askBot(telegram, oldAccount, command);

  const { members } = club.app.parts;
  const { findByTelegramId } = members;
  let goOn = () => {};
  const free = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const find = vi.spyOn(members, "findByTelegramId").mockImplementationOnce(async (...asked) => {
    const found = await findByTelegramId(...asked);
    await free;
    return found;
  });
  telegram.press(oldAccount, button);
  await vi.waitFor(() => expect(find).toHaveBeenCalled(), PATIENCE);
  const { code } = (await club.as(vera).call("GET /auth/telegram/unlink-code/{id}", { params: { id: vera.id } })).body;
  const body = { userId: vera.id, confirmationCode: code };
  expect((await club.as(vera).call("POST /auth/telegram/unlink", { body })).status).toBe(200);
  await club.transact((tx) =>
    members.linkMessenger(tx, vera.id, { telegramId: "502", name: "@vera_new", language: "ru" }),
  );
  const before = telegram.messagesTo(oldAccount).at(-1)?.text;
  goOn();
  const answer = await vi.waitFor(() => {
    const text = telegram.messagesTo(oldAccount).at(-1)?.text ?? "";
    expect(text).not.toBe(before);
    return text;
  }, PATIENCE);
  return { answer, status: (await club.as(vera).call("GET /auth/telegram/status")).body };
}

test("the old account's unlinking leaves the new one linked", async () => {
  const { answer, status } = await relinkedMeanwhile("/unlink", "Отвязать");
  expect(status).toMatchObject({ telegramConnected: true, account: "@vera_new" });
  expect(answer).toMatch(/не привязан/);
});

test("the old account gets no password link", async () => {
  const { answer } = await relinkedMeanwhile("/password", "Прислать");
  expect(answer).toMatch(/не привязан/);
});
