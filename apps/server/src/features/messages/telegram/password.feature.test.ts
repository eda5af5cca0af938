import { describe, expect, test, vi } from "vitest";
import { askBot, botWorks, clubWithBot } from "../../../../testing/link-telegram.ts";

const PATIENCE = { timeout: 20_000, interval: 20 };
const veraThere = { id: 501, first_name: "Вера", language_code: "ru" };

describe("a member who forgot the password", () => {
  const asksIn = async (address: string | null, isStaff = false) => {
    const { club, telegram } = await clubWithBot(address === null ? {} : { PUBLIC_URL: address });
    await botWorks(club);
    const member = await (isStaff ? club.moderator() : club.member({ username: "vera" }));
    await club.transact((tx) =>
      club.app.parts.members.linkMessenger(tx, member.id, { telegramId: "501", name: "vera", language: "ru" }),
    );
    return { club, telegram, member, ask: () => askBot(telegram, veraThere, "/password") };
  };

  test("gets a link from the bot after a question; only the newest works, once", async () => {
    const { club, telegram, member, ask } = await asksIn("http://club.example");
    expect(await ask()).toMatch(/^Прислать ссылку/);
    const links: string[] = [];
    for (const _ of [1, 2]) {
      await ask();
      telegram.press(veraThere, "Прислать");
      links.push(
        await vi.waitFor(() => {
          const text = telegram.messagesTo(veraThere).at(-1)?.text ?? "";
          const link = /http:\/\/club\.example\/password#user=\w+&token=(\S+)/.exec(text)?.[1];
          if (link === undefined) throw new Error("no link yet");
          return link;
        }, PATIENCE),
      );
    }
    const set = (token = "") =>
      club.as(member).call("POST /auth/set-password", { body: { token, password: "a new Password 1" } });
    expect((await set(links[0])).code).toBe("auth.link_invalid");
    expect((await set(links[1])).status).toBe(200);
    expect((await set(links[1])).code).toBe("auth.link_invalid");
  });

  test.each([
    ["without an address of the panel", null, false],
    ["as staff", "http://club.example", true],
  ])("must ask the administrator %s", async (_, address, isStaff) => {
    const { ask } = await asksIn(address, isStaff);
    expect(await ask()).toMatch(/только администратор клуба/);
  });
});
