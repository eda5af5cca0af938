import { generateKeyPair } from "@krug/wireguard/keys";
import jsQR from "jsqr";
import sharp from "sharp";
import { describe, expect, test, vi } from "vitest";
import {
  ask,
  club,
  link,
  marina,
  marinaThere,
  openClubWithBot,
  PATIENCE,
  telegram,
} from "../../../../testing/bot-club.ts";
import { configInput } from "../../../../testing/config-input.ts";
import type { Person } from "../../../../testing/start-club.ts";

openClubWithBot();

describe("the file of a device", () => {
  const make = async (who: Person, own: Parameters<typeof configInput>[2]) =>
    (await club.as(who).call("POST /vpn/configs", { body: await configInput(club, who, own) })).body;
  const sent = (count: number) =>
    vi.waitFor(() => {
      const messages = telegram.messagesTo(marinaThere);
      if (messages.length < count) throw new Error(`${messages.length} messages`);
      return messages;
    }, PATIENCE);
  const asksFor = async (name: string) => {
    await ask(marinaThere, "/configs");
    const before = telegram.messagesTo(marinaThere).length;
    telegram.press(marinaThere, name);
    return { question: (await sent(before + 1)).at(-1), before: before + 1 };
  };

  test("is also sent for a button pressed while the bot was down", async () => {
    await link();
    await make(marina, { name: "laptop" });
    await ask(marinaThere, "/configs");
    telegram.refuse("answerCallbackQuery", "editMessageText");
    const before = telegram.messagesTo(marinaThere).length;
    telegram.press(marinaThere, "laptop");
    expect((await sent(before + 1)).at(-1)?.text).toMatch(/^Прислать сюда файл/);
    telegram.press(marinaThere, "Прислать файл");
    const [file, , told] = (await sent(before + 4)).slice(-3);
    expect(file?.file?.name).toBe("laptop.conf");
    expect(told?.text).toMatch(/laptop/);
  });

  test("comes with its QR code after a question, the same as the page gives; without 'yes' nothing comes", async () => {
    await link();
    const { id } = await make(marina, { name: "laptop" });
    const { question, before } = await asksFor("laptop");
    expect(question?.text).toMatch(/^Прислать сюда файл и QR-код устройства «laptop»\?/);
    telegram.press(marinaThere, "Не надо");
    await vi.waitFor(() => expect(question?.text).toBe("Хорошо, файл не отправлен."), PATIENCE);
    expect(telegram.messagesTo(marinaThere)).toHaveLength(before);

    const again = await asksFor("laptop");
    telegram.press(marinaThere, "Прислать файл");
    const [file, picture] = (await sent(again.before + 2)).slice(-2);
    const page = (await club.as(marina).call("GET /vpn/configs/{id}/qrcode", { params: { id } })).body;
    expect(file?.file).toEqual({ name: "laptop.conf", bytes: Buffer.from(page.config) });
    expect(page.config).toContain("PrivateKey = ");
    const { data, info } = await sharp(picture?.file?.bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    expect(jsQR(new Uint8ClampedArray(data), info.width, info.height)?.data).toBe(page.config);
    await vi.waitFor(() => expect(again.question?.text).toMatch(/^Файл устройства «laptop» отправлен\./), PATIENCE);
    expect(again.question?.buttons).toEqual([]);
  });

  test("is not offered if only the browser has the key", async () => {
    await link();
    await make(marina, { name: "laptop", publicKey: generateKeyPair().publicKey });
    expect(await ask(marinaThere, "/configs")).toBe("laptop: ещё не подключался");
    expect(telegram.messagesTo(marinaThere).at(-1)?.buttons).toEqual([]);
  });

  test("is given to its owner only, and not after it was deleted or its owner blocked", async () => {
    await link();
    const boris = await club.member({ username: "boris" });
    const his = await make(boris, { name: "his" });
    const own = await make(marina, { name: "laptop" });
    const filesSent = () => telegram.messagesTo(marinaThere).filter(({ file }) => file !== undefined);
    const gone = "Конфигурация не найдена";
    await ask(marinaThere, "/configs");
    const asked = telegram.messagesTo(marinaThere).length;
    telegram.pressed(marinaThere, `file:${his.id}`);
    expect((await sent(asked + 1)).at(-1)?.text).toContain(gone);

    const { question } = await asksFor("laptop");
    telegram.pressed(marinaThere, `file-yes:${his.id}`);
    await vi.waitFor(() => expect(question?.text).toContain(gone), PATIENCE);

    const deleted = await asksFor("laptop");
    await club.as(marina).call("DELETE /vpn/configs/{id}", { params: { id: own.id } });
    telegram.press(marinaThere, "Прислать файл");
    await vi.waitFor(() => expect(deleted.question?.text).toContain(gone), PATIENCE);

    await make(marina, { name: "second" });
    const blocked = await asksFor("second");
    await club.as(await club.admin()).call("PUT /users/{id}", { params: { id: marina.id }, body: { isActive: false } });
    telegram.press(marinaThere, "Прислать файл");
    await vi.waitFor(() => expect(blocked.question?.text).toMatch(/^Ваш аккаунт заблокирован/), PATIENCE);
    expect(filesSent()).toEqual([]);
  });

  test("is sent again if Telegram did not accept it", async () => {
    await link();
    await make(marina, { name: "laptop" });
    const { before } = await asksFor("laptop");
    telegram.fail((method) => method === "sendDocument");
    telegram.press(marinaThere, "Прислать файл");
    await vi.waitFor(
      () => expect(telegram.calls.filter((call) => call === "sendDocument").length).toBeGreaterThan(0),
      PATIENCE,
    );
    telegram.fail(null);
    const messages = await sent(before + 2);
    expect(messages.slice(before).map(({ file }) => file?.name)).toEqual(["laptop.conf", "laptop.png"]);
  });
});
