import { describe, expect, test, vi } from "vitest";
import { askBot, botWorks, clubWithBot } from "../../../../testing/link-telegram.ts";
import type { Club, Person } from "../../../../testing/start-club.ts";

const PATIENCE = { timeout: 20_000, interval: 20 };
const veraThere = { id: 501, first_name: "Вера", language_code: "ru" };

const linkVera = (club: Club, { id }: Person) =>
  club.transact((tx) =>
    club.app.parts.members.linkMessenger(tx, id, { telegramId: "501", name: "vera", language: "ru" }),
  );

describe("a member who forgot the password", () => {
  const asksIn = async (address: string | null, isStaff = false) => {
    const { club, telegram } = await clubWithBot(address === null ? {} : { PUBLIC_URL: address });
    await botWorks(club);
    const member = await (isStaff ? club.moderator() : club.member({ username: "vera" }));
    await linkVera(club, member);
    return { club, telegram, member, ask: () => askBot(telegram, veraThere, "/password") };
  };

  const getsLinksIn = async (address: string) => {
    const asked = await asksIn(address);
    const { club, telegram, member, ask } = asked;
    /** A new link's token. */
    const getLink = async () => {
      await ask();
      telegram.press(veraThere, "Прислать");
      return vi.waitFor(() => {
        const text = telegram.messagesTo(veraThere).at(-1)?.text ?? "";
        const token = /http:\/\/club\.example\/password#user=\w+&token=(\S+)/.exec(text)?.[1];
        if (token === undefined) throw new Error("no link yet");
        return token;
      }, PATIENCE);
    };
    const set = (token: string) =>
      club.as(member).call("POST /auth/set-password", { body: { token, password: "a new Password 1" } });
    return { ...asked, getLink, set };
  };

  test("gets a link from the bot after a question; only the newest works, once", async () => {
    const { ask, getLink, set } = await getsLinksIn("http://club.example");
    expect(await ask()).toMatch(/^Прислать ссылку/);
    const first = await getLink();
    const second = await getLink();
    expect((await set(first)).code).toBe("auth.link_invalid");
    expect((await set(second)).status).toBe(200);
    expect((await set(second)).code).toBe("auth.link_invalid");
  });

  test("leaves no working link in a chat that is unlinked, by the bot or on the page", async () => {
    const { club, member, telegram, getLink, set } = await getsLinksIn("http://club.example");
    const byBot = await getLink();
    await askBot(telegram, veraThere, "/unlink");
    telegram.press(veraThere, "Отвязать");
    const isLinked = async () => (await club.as(member).call("GET /auth/telegram/status")).body.telegramConnected;
    await vi.waitFor(async () => expect(await isLinked()).toBe(false), PATIENCE);
    expect((await set(byBot)).code).toBe("auth.link_invalid");
    await linkVera(club, member);
    const onPage = await getLink();
    const onPanel = club.as(member);
    const { id } = member;
    const { code } = (await onPanel.call("GET /auth/telegram/unlink-code/{id}", { params: { id } })).body;
    await onPanel.call("POST /auth/telegram/unlink", { body: { userId: id, confirmationCode: code } });
    expect((await set(onPage)).code).toBe("auth.link_invalid");
  });

  test.each([
    ["without an address of the panel", null, false],
    ["as staff", "http://club.example", true],
  ])("must ask the administrator %s", async (_, address, isStaff) => {
    const { ask } = await asksIn(address, isStaff);
    expect(await ask()).toMatch(/только администратор клуба/);
  });
});
