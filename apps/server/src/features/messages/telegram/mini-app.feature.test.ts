import { beforeEach, describe, expect, test, vi } from "vitest";
import { askBot, clubWithBot } from "../../../../testing/link-telegram.ts";
import { initDataOf } from "../../../../testing/mini-app.ts";
import type { Answer, Club, Person } from "../../../../testing/start-club.ts";
import type { TelegramDouble, TelegramPerson } from "../../../../testing/telegram-double.ts";

const MINUTE_MS = 60_000;
const PATIENCE = { timeout: 20_000, interval: 20 };
const ORIGIN = "https://club.example";
const HTTPS = { PUBLIC_URL: ORIGIN, TRUSTED_PROXIES: "127.0.0.1" };
const AT_CLUB = { "x-forwarded-host": "club.example", "x-forwarded-proto": "https" };
const IN_PAGE = { ...AT_CLUB, origin: ORIGIN, "sec-fetch-site": "same-origin" };
const marinaThere: TelegramPerson = { id: 501, first_name: "Марина", username: "marina_k", language_code: "ru" };
const glebThere: TelegramPerson = { id: 502, first_name: "Глеб", language_code: "ru" };

let club: Club;
let telegram: TelegramDouble;
let marina: Person;
beforeEach(async () => {
  ({ club, telegram } = await clubWithBot(HTTPS, { localServer: "off" }));
  marina = await linked(marinaThere, "marina");
});

const linked = ({ id, username }: TelegramPerson, name: string, more: Parameters<Club["member"]>[0] = {}) =>
  club.member({
    username: name,
    ...more,
    row: { telegram_id: String(id), telegram_name: `@${username}`, ...more?.row },
  });
const now = () => club.clock.now().getTime();
let openings = 0;
const opening = (who: TelegramPerson, aheadMs = 0) =>
  initDataOf(who, { at: now() + aheadMs, fields: { query_id: String(++openings) } });
/** A call as the Mini App's page sends it. */
const ask = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  club.guest.send(method, `/tg/api${path}`, body, { ...IN_PAGE, ...headers });
const open = (initData: string, headers = {}) => ask("POST", "/auth/telegram/app", { initData }, headers);
interface Opened {
  signedIn: { token: string; user: { id: string } } | null;
  toLink: { ticket: string; account: string } | null;
}
const openedBy = ({ body }: Answer) => body as Opened;
const cookieOf = ({ headers }: Answer) => (headers.getSetCookie().at(-1) ?? "").split(";", 1)[0] ?? "";
/** The page of somebody who has opened the Mini App. */
const enter = async (who: TelegramPerson) => {
  const answer = await open(opening(who));
  expect(answer.status).toBe(200);
  const cookie = cookieOf(answer);
  return {
    cookie,
    ...openedBy(answer),
    ask: (method: string, path: string, body?: unknown, headers = {}) =>
      ask(method, path, body, { cookie, ...headers }),
  };
};
const signedOut = async (cookie: string) =>
  (await ask("GET", "/auth/me", undefined, { cookie })).code === "auth.required";

/** On another panel. */
async function statusElsewhere(initData: string): Promise<number> {
  const other = await club.otherPanel();
  const answer = await fetch(`${other.origin}/tg/api/auth/telegram/app`, {
    method: "POST",
    headers: { ...IN_PAGE, "content-type": "application/json" },
    body: JSON.stringify({ initData }),
  });
  await other.stop();
  return answer.status;
}

describe("opening", () => {
  test("signs in the member of that account by a cookie that counts in Telegram's frame, and only there", async () => {
    const answer = await open(opening(marinaThere), {
      "user-agent": "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)",
    });
    const { signedIn, toLink } = openedBy(answer);
    expect([signedIn?.user.id, toLink]).toEqual([marina.id, null]);
    const token = signedIn?.token ?? "";
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        new RegExp(
          `^__Host-krug_tg_session=${token}; Path=/; HttpOnly; SameSite=None; Partitioned; Max-Age=\\d+; Secure$`,
        ),
      ),
    ]);
    const cookie = cookieOf(answer);
    expect((await ask("GET", "/auth/me", undefined, { cookie })).body).toMatchObject({ id: marina.id });
    const usual = (header: string) => club.guest.send("GET", "/api/auth/me", undefined, { ...IN_PAGE, cookie: header });
    expect((await usual(cookie)).code).toBe("auth.required");
    const ordinary = cookie.replace("krug_tg_session", "krug_session");
    expect((await usual(ordinary)).status).toBe(200);
    expect((await ask("GET", "/auth/me", undefined, { cookie: ordinary })).code).toBe("auth.required");
    expect((await ask("GET", "/auth/sessions", undefined, { cookie })).body).toContainEqual(
      expect.objectContaining({ current: true, device: "Telegram, iPhone" }),
    );
  });

  test("counts once, on whichever panel, for five minutes, and a minute before its time", async () => {
    const initData = opening(marinaThere);
    expect((await open(initData)).status).toBe(200);
    expect((await open(initData)).code).toBe("telegram.open_again");
    // Panels share a database on PostgreSQL.
    if (club.database.engine !== "sqlite") expect(await statusElsewhere(initData)).toBe(401);
    for (const [ageMs, status] of [
      [5 * MINUTE_MS, 200],
      [5 * MINUTE_MS + 1_000, 401],
      [-MINUTE_MS, 200],
      [-MINUTE_MS - 1_000, 401],
    ] as const)
      expect((await open(opening(marinaThere, -ageMs))).status, `${ageMs}`).toBe(status);
    club.clock.advance(61 * MINUTE_MS);
    await club.app.parts.telegram.forgetOld();
    expect((await club.allRows()).get("telegram_openings")).toEqual([]);
  });

  test("of two at once one signs in", async () => {
    const initData = opening(marinaThere);
    const codes = (await Promise.all([open(initData), open(initData)])).map(({ status }) => status);
    expect(codes.sort()).toEqual([200, 401]);
  });

  test("what Telegram did not sign for this bot signs nobody in, and is stored nowhere", async () => {
    for (const initData of [
      initDataOf(marinaThere, { at: now(), token: "654321:another" }),
      opening(glebThere).replace("502", "501"),
      "user=%7B%22id%22%3A501%7D",
    ])
      expect((await open(initData)).code).toBe("telegram.open_again");
    expect((await club.allRows()).get("telegram_openings")).toEqual([]);
    expect((await open("")).code).toBe("request.invalid");
    expect((await open("x".repeat(4_097))).code).toBe("request.invalid");
  });

  test("blocked members and maintenance are refused as at any sign-in, and staff enter their area by their code", async () => {
    await linked(glebThere, "gleb", { row: { is_active: 0 } });
    expect((await open(opening(glebThere))).code).toBe("member.blocked");
    const chief = await club.admin({
      username: "vera",
      row: { telegram_id: "503", telegram_name: "@vera" },
      elevated: false,
    });
    await club.transact((tx) => club.app.parts.maintenance.set(tx, true, null));
    expect((await open(opening(marinaThere))).code).toBe("maintenance.on");
    const page = await enter({ id: 503, first_name: "Вера" });
    expect(page.signedIn?.user.id).toBe(chief.id);
    expect((await page.ask("GET", "/admin/telegram")).code).toBe("auth.two_factor_required");
    // Its session never had the password.
    expect((await page.ask("POST", "/passkeys/options")).code).toBe("auth.password_required");
  });

  test("another account in the same Telegram takes the earlier one's place", async () => {
    const gleb = await linked(glebThere, "gleb");
    const first = await enter(marinaThere);
    const answer = await open(opening(glebThere), { cookie: first.cookie });
    expect(openedBy(answer).signedIn?.user.id).toBe(gleb.id);
    expect(await signedOut(first.cookie)).toBe(true);
    const stranger = await open(opening({ id: 504, first_name: "Кто" }), { cookie: cookieOf(answer) });
    expect(stranger.headers.getSetCookie()[0]).toMatch(
      /^__Host-krug_tg_session=; .*SameSite=None; Partitioned; Max-Age=0/,
    );
    expect(await signedOut(cookieOf(answer))).toBe(true);
  });

  test("unlinking Telegram ends what was opened in it, and nothing else", async () => {
    const page = await enter(marinaThere);
    await vi.waitFor(() => expect(telegram.calls).toContain("getUpdates"), PATIENCE);
    await askBot(telegram, marinaThere, "/unlink");
    telegram.press(marinaThere, "Отвязать");
    await vi.waitFor(async () => expect(await signedOut(page.cookie)).toBe(true), PATIENCE);
    expect((await club.as(marina).send("GET", "/api/auth/me", undefined, AT_CLUB)).status).toBe(200);
  });
});

describe("what another site causes", () => {
  test("changes nothing and reads nothing, although the browser sends the cookie", async () => {
    const { cookie } = await enter(marinaThere);
    const from = (headers: Record<string, string>, method = "GET", path = "/auth/me", body?: unknown) =>
      club.guest.send(method, `/tg/api${path}`, body, { ...AT_CLUB, cookie, ...headers });
    for (const site of ["cross-site", "same-site", "none"])
      expect((await from({ "sec-fetch-site": site })).code, site).toBe("auth.required");
    for (const headers of [
      { origin: "https://web.telegram.org", "sec-fetch-site": "cross-site" },
      { origin: "null" },
      { "sec-fetch-site": "cross-site" },
      {},
    ]) {
      const forged = await from(headers as Record<string, string>, "POST", "/auth/logout");
      expect([403, 401]).toContain(forged.status);
    }
    expect(await signedOut(cookie)).toBe(false);
    const signIn = await club.guest.send(
      "POST",
      "/tg/api/auth/telegram/app",
      { initData: opening(glebThere) },
      { ...AT_CLUB, origin: "https://evil.example" },
    );
    expect(signIn.code).toBe("request.foreign_origin");
  });
});

describe("linking by one press", () => {
  const signIn = async (ticketOf: TelegramPerson, who: Person) => {
    const { toLink, signedIn } = await enter(ticketOf);
    expect(signedIn).toBeNull();
    const { username, password } = who;
    const cookie =
      (await ask("POST", "/auth/login", { username, password })).headers.getSetCookie()[0]?.split(";")[0] ?? "";
    expect(cookie).toMatch(/^__Host-krug_tg_session=/);
    const link = (ticket = toLink?.ticket) => ask("POST", "/auth/telegram/app/link", { ticket }, { cookie });
    return { ...toLink, link, cookie: { cookie } };
  };

  test("whoever opened it unlinked signs in once by password, presses, and is signed in the next time", async () => {
    const gleb = await club.member({ username: "gleb" });
    const page = await signIn(glebThere, gleb);
    expect(page.account).toBe("Глеб");
    expect((await page.link()).body).toEqual({ telegramConnected: true });
    expect((await page.link()).body, "pressed twice").toEqual({ telegramConnected: true });
    expect((await ask("GET", "/auth/telegram/status", undefined, page.cookie)).body).toMatchObject({
      telegramConnected: true,
      account: "Глеб",
    });
    expect((await enter(glebThere)).signedIn?.user.id).toBe(gleb.id);
  });

  test("a ticket counts for half an hour, as it was given, and only with a fresh password", async () => {
    const gleb = await club.member({ username: "gleb" });
    const page = await signIn(glebThere, gleb);
    const [body = "", seal = ""] = (page.ticket ?? "").split(".");
    const other = Buffer.from(Buffer.from(body, "base64url").toString().replace("502", "501")).toString("base64url");
    for (const forged of [`${other}.${seal}`, `${body}.`, body, ".", "x.y"])
      expect((await page.link(forged)).code, forged).toBe("telegram.open_again");
    club.clock.advance(10 * MINUTE_MS + 1_000);
    expect((await page.link()).code).toBe("auth.password_required");
    await ask("POST", "/auth/confirm-password", { password: gleb.password }, page.cookie);
    club.clock.advance(20 * MINUTE_MS);
    await ask("POST", "/auth/confirm-password", { password: gleb.password }, page.cookie);
    expect((await page.link()).code).toBe("telegram.open_again");
  });

  test("one account links one member", async () => {
    const gleb = await club.member({ username: "gleb" });
    const page = await signIn(glebThere, gleb);
    const again = await signIn(glebThere, await club.member({ username: "boris" }));
    await page.link();
    expect((await again.link()).code).toBe("telegram.account_taken");
    const hers = await signIn({ id: 505, first_name: "Другая" }, marina);
    expect((await hers.link()).code).toBe("telegram.already_linked");
  });
});

describe("the bot", () => {
  test("has the club on its own button, and under what leads into the club", async () => {
    const web_app = { url: `${ORIGIN}/tg` };
    await vi.waitFor(() => expect(telegram.menuButton()).toEqual({ type: "web_app", text: "Круг", web_app }), PATIENCE);
    for (const [who, text] of [
      [glebThere, "/start"],
      [glebThere, "/status"],
      [marinaThere, "/start"],
      [marinaThere, "/help"],
    ] as const) {
      await askBot(telegram, who, text);
      expect(telegram.messagesTo(who).at(-1)?.buttons, text).toEqual([{ text: "Открыть кабинет", web_app }]);
    }
  });

  test("has neither without an https address, and nothing can be opened", async () => {
    const { club, telegram } = await clubWithBot({}, { localServer: "off" });
    await vi.waitFor(() => expect(telegram.menuButton()).toEqual({ type: "commands" }), PATIENCE);
    await askBot(telegram, glebThere, "/start");
    expect(telegram.messagesTo(glebThere).at(-1)?.buttons).toEqual([]);
    const initData = initDataOf(marinaThere, { at: club.clock.now().getTime() });
    expect((await club.guest.call("POST /auth/telegram/app", { body: { initData } })).code).toBe("telegram.open_again");
    expect((await club.guest.send("POST", "/tg/api/auth/telegram/app", { initData })).code).toBe("request.not_found");
  });
});
