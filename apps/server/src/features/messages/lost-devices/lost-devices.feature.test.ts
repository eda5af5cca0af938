import { DAY_MS } from "@krug/domain/moment";
import { parseConfig } from "@krug/wireguard/config-text";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { auditOf } from "../../../../testing/audit-of.ts";
import { configInput } from "../../../../testing/config-input.ts";
import { botWorks, linkTelegram, withBot } from "../../../../testing/link-telegram.ts";
import { tokenInLink } from "../../../../testing/link-token.ts";
import { addPasskey, makeAuthenticator, PASSKEY_PLACE, signInByPasskey } from "../../../../testing/passkey-double.ts";
import { inAnotherBrowser } from "../../../../testing/second-factor.ts";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";
import {
  DOUBLE_TOKEN,
  startTelegramDouble,
  type TelegramDouble,
  type TelegramPerson,
} from "../../../../testing/telegram-double.ts";

const PATIENCE = { timeout: 20_000, interval: 20 };
const veraThere: TelegramPerson = { id: 601, first_name: "Вера", language_code: "ru" };

let telegram: TelegramDouble;
let club: Club;
let admin: Person;
let vera: Person;
beforeEach(async () => {
  telegram = await startTelegramDouble();
  club = await startClub({ environment: withBot(telegram, DOUBLE_TOKEN) });
  await botWorks(club);
  admin = await club.admin();
  vera = await club.member({ username: "vera", configLimit: -1 });
});
afterEach(async () => {
  await club.stop();
  await telegram.close();
});

const device = async (name: string, deviceType: "phone" | "computer" = "phone", owner = vera) =>
  (await club.as(owner).call("POST /vpn/configs", { body: await configInput(club, owner, { name, deviceType }) })).body;
const withTelegram = () => linkTelegram(club, telegram, vera, veraThere);
const report = async (username: string, input: { withoutMessenger?: boolean } = {}) => {
  const answer = await club.guest.call("POST /auth/lost-device", {
    body: { username, ...input },
    headers: { "accept-language": "ru" },
  });
  await club.app.jobs.drain();
  return answer;
};
const said = () => telegram.messagesTo(veraThere);
const questions = () => said().filter(({ text }) => text.startsWith("Ваше устройство потеряно?"));
const asked = () => vi.waitFor(() => expect(questions()).toHaveLength(1), PATIENCE);
/** The bot's answer to a press replaces the question. */
const answered = (pattern: RegExp) =>
  vi.waitFor(() => {
    const message = said().find(({ text }) => pattern.test(text));
    return message ?? Promise.reject(new Error(`nothing like ${pattern} among ${said().map(({ text }) => text)}`));
  }, PATIENCE);
/** Sends a later message through the bot: any earlier one has arrived by then. */
const botIsIdle = async () => {
  const before = said().length;
  telegram.say(veraThere, "/help");
  await vi.waitFor(() => expect(said().length).toBeGreaterThan(before), PATIENCE);
};
const files = () => said().flatMap(({ file }) => (file?.name.endsWith(".conf") ? [file] : []));
const secrets = () => club.host.peers().map(({ presharedKey }) => presharedKey);
const ticketsOf = async () => (await club.as(admin).call("GET /admin/support/tickets")).body;
const cut = (configId: string, ticketId: string, by = admin) =>
  club.as(by).call("POST /admin/support/tickets/{id}/lost-device", { params: { id: ticketId }, body: { configId } });
const signIn = () =>
  club.guest.call("POST /auth/login", { body: { username: vera.username, password: vera.password } });
const isSignedIn = async () => (await club.as(vera).call("GET /auth/me")).status === 200;

describe("a member who confirms in Telegram", () => {
  test("has the old key cut, gets the file of a new one, and is signed out everywhere", async () => {
    const { id } = await device("phone");
    await withTelegram();
    const before = secrets();
    expect(await report("vera")).toMatchObject({ status: 204, body: undefined });
    await asked();
    // The report itself cuts nothing, and does not involve staff.
    expect(secrets()).toEqual(before);
    expect(await ticketsOf()).toEqual([]);

    telegram.press(veraThere, "Да, устройство потеряно");
    await answered(/Старый ключ устройства «phone» отключён/);
    const [file] = files();
    const { peer } = parseConfig(String(file?.bytes));
    expect(secrets()).toEqual([peer.presharedKey]);
    expect(secrets()).not.toEqual(before);
    expect(await isSignedIn()).toBe(false);
    expect(await auditOf(club, id)).toMatchObject([{ action: "config.lost", actorId: null }]);
  });

  test("loses the passkeys too: whoever has the device may know its PIN", async () => {
    await club.stop();
    club = await startClub({ environment: { ...withBot(telegram, DOUBLE_TOKEN), PUBLIC_URL: PASSKEY_PLACE.origin } });
    await botWorks(club);
    vera = await club.member({ username: "vera", configLimit: -1 });
    await device("phone");
    await withTelegram();
    const authenticator = makeAuthenticator(PASSKEY_PLACE);
    expect((await addPasskey(club, vera, authenticator)).status).toBe(201);
    await report("vera");
    await asked();
    telegram.press(veraThere, "Да, устройство потеряно");
    await answered(/Старый ключ устройства «phone» отключён/);
    expect((await signInByPasskey(club.guest, authenticator)).code).toBe("passkey.not_accepted");
    const back = await inAnotherBrowser(club, vera);
    const notices = (await club.as(back).call("GET /inbox")).body;
    expect(notices.find(({ kind }) => kind === "passkeys_reset")?.params).toEqual({ by: "lost_device" });
  });

  test("is asked which of two devices it was, phones first; the other one keeps working", async () => {
    await withTelegram();
    await device("laptop", "computer");
    await device("phone");
    const fileOfLaptop = secrets()[0];
    await report("vera");
    await asked();
    telegram.press(veraThere, "Да, устройство потеряно");
    const { buttons } = await answered(/^Какое устройство потеряно/);
    expect(buttons.map(({ text }) => text)).toEqual(["phone", "laptop", "Ничего не отключать"]);
    expect(await isSignedIn()).toBe(true);
    const press = buttons[0]?.callback_data ?? "";
    // The same button again, under another message.
    telegram.say(veraThere, "/lost");
    await vi.waitFor(() => expect(said().at(-1)?.buttons).toHaveLength(3), PATIENCE);

    telegram.pressed(veraThere, press);
    await answered(/Старый ключ устройства «phone» отключён/);
    expect(secrets()).toContain(fileOfLaptop);
    const afterOne = secrets();
    // Pressing again is no second cut, and the file is the same.
    telegram.pressed(veraThere, press);
    await vi.waitFor(() => expect(files()).toHaveLength(2), PATIENCE);
    expect(secrets()).toEqual(afterOne);
    expect(files()[1]?.bytes).toEqual(files()[0]?.bytes);
  });

  test("can do so without a report, by /lost; a button of somebody else's device cuts nothing", async () => {
    await device("phone");
    const boris = await club.member({ configLimit: -1 });
    const his = await device("his", "phone", boris);
    await withTelegram();
    const before = secrets();
    telegram.say(veraThere, "/lost");
    await answered(/^Какое устройство потеряно/);
    telegram.pressed(veraThere, `lost-cut:${his.id}:A`);
    await answered(/не найдена/);
    expect(secrets()).toEqual(before);
    telegram.say(veraThere, "/lost");
    await answered(/^Какое устройство потеряно/);
    telegram.press(veraThere, "phone");
    await answered(/Старый ключ устройства «phone» отключён/);
    expect(secrets()).not.toEqual(before);
  });

  test("or says that it was a stranger: nothing is cut, and nobody disturbs them again for 30 days", async () => {
    await device("phone");
    await withTelegram();
    const before = secrets();
    await report("vera", { withoutMessenger: true });
    await asked();
    telegram.press(veraThere, "Это не я");
    await answered(/ничего не отключено/);
    expect(await ticketsOf()).toMatchObject([{ lostDevice: "declined" }]);

    await report("VERA");
    await report("vera", { withoutMessenger: true });
    await botIsIdle();
    expect(questions()).toHaveLength(0); // the one there was became the answer
    expect(await ticketsOf()).toHaveLength(1);
    expect([secrets(), await isSignedIn()]).toEqual([before, true]);

    club.clock.advance(30 * DAY_MS);
    await report("vera");
    await asked();
  });
});

describe("without Telegram", () => {
  test("staff get one ticket; its button cuts the old key and gives a link that opens once", async () => {
    const phone = await device("phone");
    const before = secrets();
    await report("vera");
    await report("vera", { withoutMessenger: true });
    const [ticket, ...more] = await ticketsOf();
    if (ticket === undefined) return expect.unreachable("no ticket");
    expect(more).toEqual([]);
    expect(ticket).toMatchObject({
      username: "vera",
      subject: "Потеряно устройство",
      lostDevice: "asked",
      lostCut: null,
      priority: "high",
    });
    expect(secrets()).toEqual(before);

    const made = await cut(phone.id, ticket.id);
    expect(made.status).toBe(200);
    expect(secrets()).not.toEqual(before);
    expect(await isSignedIn()).toBe(false);
    const afterCut = secrets();
    // Two staff members at once, or a lost link: another link, and the key stays.
    const again = await cut(phone.id, ticket.id);
    expect(secrets()).toEqual(afterCut);
    const open = (link: string | null) =>
      club.guest.call("POST /vpn/open-link", { body: { token: tokenInLink(link ?? "") } });
    expect((await open(made.body.link)).code).toBe("auth.link_invalid");
    const opened = await open(again.body.link);
    expect(secrets()).toEqual([parseConfig(opened.body.config).peer.presharedKey]);
    expect((await open(again.body.link)).code).toBe("auth.link_invalid");

    expect(await ticketsOf()).toMatchObject([{ lostDevice: "cut", lostCut: [{ id: phone.id, name: phone.name }] }]);
    const acts = (await auditOf(club, phone.id)).map(({ actorId, action }) => `${action} ${actorId}`).sort();
    expect(acts).toEqual(["config.link_opened null", `config.lost ${admin.id}`, `config.lost ${admin.id}`]);
    const { body: signedIn } = await signIn();
    const { body: inbox } = await club.withToken(signedIn.token).call("GET /inbox");
    expect(inbox.map(({ kind }) => kind).sort()).toEqual(["lost_device_cut", "lost_device_reported"]);
  });

  test("a member who lost Telegram too asks staff, and the bot still notifies them; the ticket names the cut devices", async () => {
    await withTelegram();
    const devices = [await device("phone"), await device("laptop", "computer")];
    await report("vera");
    expect(await ticketsOf()).toEqual([]);
    await report("vera", { withoutMessenger: true });
    await asked();
    expect(await ticketsOf()).toMatchObject([{ lostDevice: "asked" }]);
    const [ticket] = await ticketsOf();
    for (const { id } of devices) expect((await cut(id, ticket?.id ?? "")).status).toBe(200);
    expect((await ticketsOf())[0]?.lostCut).toEqual(devices.map(({ id, name }) => ({ id, name })));
  });

  test("only such a ticket has the button, for its member's devices, and not once closed", async () => {
    const phone = await device("phone");
    const plain = (
      await club.as(vera).call("POST /support/tickets", { body: { subject: "Счёт", description: "Не приходит" } })
    ).body;
    expect((await cut(phone.id, plain.id)).code).toBe("support.ticket_not_found");
    await report("vera");
    const ticket = (await ticketsOf()).find(({ lostDevice }) => lostDevice !== null);
    if (ticket === undefined) return expect.unreachable("no ticket");
    const boris = await club.member({ configLimit: -1 });
    const his = await device("his", "phone", boris);
    expect((await cut(his.id, ticket.id)).code).toBe("config.not_found");
    const before = secrets();
    await club
      .as(admin)
      .call("PUT /admin/support/tickets/{id}", { params: { id: ticket.id }, body: { status: "closed" } });
    expect((await cut(phone.id, ticket.id)).code).toBe("support.ticket_closed");
    expect(secrets()).toEqual(before);
  });

  test("moderators need the right to send password links, and never cut staff's devices", async () => {
    const phone = await device("phone");
    const moderator = await club.moderator({ configLimit: -1 });
    await report("vera");
    await report(moderator.username);
    const about = async (who: Person) => (await ticketsOf()).find(({ userId }) => userId === who.id)?.id ?? "";
    expect((await cut(phone.id, await about(vera), moderator)).code).toBe("auth.forbidden");
    await club.as(admin).call("PUT /admin/settings", { body: { moderatorMayPasswordLinks: true } });
    expect((await cut(phone.id, await about(moderator), moderator)).code).toBe("auth.forbidden");
    expect((await cut(phone.id, await about(vera), moderator)).status).toBe(200);
  });
});

describe("a stranger", () => {
  test("gets the same answer for every login, and learns nothing about its member", async () => {
    await withTelegram();
    const blocked = await club.member({ username: "blocked" });
    await club.as(admin).call("PUT /users/{id}", { params: { id: blocked.id }, body: { isActive: false } });
    const seen = [];
    for (const username of ["vera", "nobody-at-all", "blocked", ""]) {
      const { status, body, headers } = await report(username);
      seen.push({ status, body, length: headers.get("content-length"), cookie: headers.get("set-cookie") });
    }
    expect(new Set(seen.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await ticketsOf()).toEqual([]);
  });

  test("waits after five reports from one address, as after wrong passwords, and can still sign in", async () => {
    const answers = [];
    for (let count = 0; count < 7; count++) answers.push((await report(`nobody-${count}`)).code);
    expect(answers).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
      "request.too_many",
      "request.too_many",
    ]);
    expect((await signIn()).status).toBe(200);
    club.clock.advance(1_000);
    expect((await report("nobody-8")).status).toBe(204);
    expect((await report("nobody-9")).code).toBe("request.too_many");
  });

  test("who sends the same report ten times at once disturbs once", async () => {
    await withTelegram();
    await club.transact(async (tx) => {
      for (let count = 0; count < 3; count++)
        await club.app.parts.auth.countLostDevice(tx, `192.0.2.${count}` as never);
    });
    await Promise.all(
      Array.from({ length: 10 }, () =>
        club.guest.call("POST /auth/lost-device", { body: { username: "vera", withoutMessenger: true } }),
      ),
    );
    await club.app.jobs.drain();
    await asked();
    await botIsIdle();
    expect(questions()).toHaveLength(1);
    expect(await ticketsOf()).toHaveLength(1);
  });
});

test("deleting a member deletes their report, and old reports are deleted", async () => {
  const rows = async () => (await club.allRows()).get("lost_devices") ?? [];
  const boris = await club.member({ username: "boris" });
  await report("vera");
  await report("boris");
  expect(await rows()).toHaveLength(2);
  await club.as(admin).call("DELETE /users/{id}", { params: { id: boris.id } });
  expect(await rows()).toHaveLength(1);
  club.clock.advance(30 * DAY_MS);
  await club.app.parts.lostDevices.forgetOld();
  expect(await rows()).toEqual([]);
});
