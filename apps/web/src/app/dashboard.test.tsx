import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { openPage, screens } from "../testing/open-page.tsx";
import { type Panel, panel, refused } from "../testing/panel.ts";
import { config, inDays, member, uuid, wgInterface } from "../testing/samples.ts";
import { savedFiles } from "../testing/saved-files.ts";

screens();

const MINUTE_MS = 60_000;
const card = (name: string) => screen.findByRole("article", { name });

function open(says: Panel) {
  const club = panel({
    "GET /auth/me": member(),
    "GET /vpn/configs": [config()],
    "GET /vpn/available-interfaces": [wgInterface()],
    ...says,
  });
  return { ...club, ...openPage("/dashboard") };
}

test("a guest is redirected to the sign-in", async () => {
  panel({});
  const { address } = openPage("/dashboard");
  await waitFor(() => expect(address()).toBe("/login?to=%2Fdashboard"));
});

test("when a session ends, the next call leads to the sign-in", async () => {
  const { say, user, address } = open({});
  await card("iphone-marina");
  say({ "GET /vpn/configs": refused(401, "auth.required", "Войдите, чтобы продолжить.") });
  await user.click(screen.getByRole("button", { name: /Обновить список/ }));
  await waitFor(() => expect(address()).toContain("/login"));
});

test.each([
  [{ stats: { lastHandshake: Date.now() - 2 * MINUTE_MS, dataReceived: 1, dataSent: 1 } }, "На связи, 2 минуты назад"],
  [
    { stats: { lastHandshake: Date.now() - 6 * MINUTE_MS, dataReceived: 1, dataSent: 1 } },
    "Был на связи 6 минут назад",
  ],
  [{}, "Ещё не подключался"],
  [{ state: "pending" as const }, "Ожидает применения"],
  [{ state: "off" as const, isBlocked: true }, "Заблокирован"],
  [{ state: "off" as const }, "Отключён: интерфейс не активен"],
  [{ needsDownload: true }, "Настройки изменились: скачайте заново"],
])("a card describes its state %#", async (about, words) => {
  open({ "GET /vpn/configs": [config(about)] });
  expect(within(await card("iphone-marina")).getByText(words)).toBeTruthy();
});

test("a card names the server that does not answer and says that nothing needs doing", async () => {
  open({
    "GET /vpn/configs": [
      config({ state: "pending", pendingSince: "2026-11-21T11:20:00.000Z", serverName: "Франкфурт" }),
    ],
  });
  expect(
    within(await card("iphone-marina")).getByText(/Франкфурт не отвечает с .*Как вернётся, применим сами\./),
  ).toBeTruthy();
});

test("what has lasted since another day says the day, not only an hour that has come again", async () => {
  const since = new Date();
  since.setDate(since.getDate() - 3);
  since.setHours(14, 2);
  const day = new Intl.DateTimeFormat("ru", { day: "numeric", month: "long" }).format(since);
  const gone = since.toISOString();
  open({
    "GET /vpn/configs": [
      config({ serverName: "Хельсинки", serverAwaySince: gone }),
      config({ id: uuid(2), name: "waits", serverName: "Рига", state: "pending", pendingSince: gone }),
    ],
  });
  const said = (element: HTMLElement) => element.textContent?.replaceAll("\u00a0", " ");
  expect(said(await screen.findByText(/, чиним$/))).toBe(`Хельсинки не отвечает с ${day}, 14:02, чиним`);
  expect(said(await card("iphone-marina"))).toContain(`Хельсинки не отвечает с ${day}, 14:02`);
  expect(said(await card("waits"))).toContain(`Рига не отвечает с ${day}, 14:02`);
});

test("totals are the device's: incoming is what it received, with a decimal comma", async () => {
  const stats = { lastHandshake: Date.now(), dataReceived: 18.4 * 2 ** 30, dataSent: 2 ** 20 };
  open({ "GET /vpn/configs": [config({ stats })] });
  const device = within(await card("iphone-marina"));
  expect(device.getByTitle("Входящий трафик").textContent).toBe("Входящий трафик: 18,4\u00a0GB");
  expect(device.getByTitle("Исходящий трафик").textContent).toBe("Исходящий трафик: 1,0\u00a0MB");
});

test("an invalid date is shown as invalid", async () => {
  open({ "GET /vpn/configs": [config({ createdAt: "whenever" })] });
  expect(within(await card("iphone-marina")).getByText("Создан Неверная дата")).toBeTruthy();
});

test("only a phone has a QR code, and a key made in a browser leaves nothing to download", async () => {
  open({
    "GET /auth/me": member({ vpnConfigLimit: -1 }),
    "GET /vpn/configs": [
      config({ id: uuid(21), name: "laptop", deviceType: "computer" }),
      config({ id: uuid(22), name: "own-key", keyOrigin: "browser" }),
    ],
  });
  const laptop = within(await card("laptop"));
  expect(laptop.queryByRole("button", { name: /QR-код/ })).toBeNull();
  expect(laptop.getByRole("button", { name: "Скачать: laptop" })).toBeTruthy();
  const own = within(await card("own-key"));
  expect(own.queryByRole("button", { name: /QR-код|Скачать/ })).toBeNull();
  expect(own.getByText(/Ключ есть только на устройстве/)).toBeTruthy();
});

test.each([
  [
    member({ isUnlimited: true, entitlement: { allowed: true, reason: "unlimited", until: null } }),
    /^Безлимитная подписка$/,
  ],
  [
    member({ isByReferral: true, entitlement: { allowed: true, reason: "referral", until: null } }),
    /^Подписка: Бессрочно, пока подписка активна у\sтрёх ваших друзей$/,
  ],
  // A used up quota has its own line, whatever the date of an earlier subscription.
  [
    member({
      isByReferral: true,
      subscriptionEnd: inDays(-40),
      entitlement: { allowed: false, reason: "quota", until: inDays(9) },
    }),
    /^Подписка: Бессрочно, пока подписка активна у\sтрёх ваших друзей$/,
  ],
  [
    member({ subscriptionEnd: null, entitlement: { allowed: false, reason: "quota", until: inDays(9) } }),
    /^Подписка: Не активна$/,
  ],
  [
    member({
      subscriptionEnd: "2026-02-01T12:00:00.000Z",
      entitlement: { allowed: false, reason: "expired", until: null },
    }),
    /^Подписка: Истекла 01\.02\.2026$/,
  ],
  [
    member({ subscriptionEnd: null, entitlement: { allowed: false, reason: "none", until: null } }),
    /^Подписка: Не активна$/,
  ],
  [member({ subscriptionEnd: inDays(2.5) }), /^Подписка до .*, ещё 3\sдня$/],
  [member({ subscriptionEnd: inDays(2.999), isTrial: true }), /^Пробный период до .*, ещё 3\sдня$/],
  [member({ subscriptionEnd: inDays(0.2) }), /^Подписка до .*, последний день, ещё 5\sчасов$/],
  [member({ subscriptionEnd: inDays(1) }), /^Подписка до .*, ещё 1\sдень$/],
  // The hours of grace.
  [
    member({ subscriptionEnd: inDays(-0.1), graceUntil: "2031-05-04T11:59:59+03:00" }),
    /^Истекла \d\d\.\d\d\.\d{4}, устройства работают до\s4\sмая\s2031\D*, 11:59$/,
  ],
])("the subscription is described %#", async (me, words) => {
  open({ "GET /auth/me": me });
  const heading = await screen.findByRole("heading", { name: "Здравствуйте, Марина" });
  expect(heading.nextElementSibling?.querySelector("p")?.textContent).toMatch(words);
});

test("without a subscription nothing can be created, and the page says what to do", async () => {
  open({
    "GET /auth/me": member({
      subscriptionEnd: inDays(-3),
      entitlement: { allowed: false, reason: "expired", until: null },
    }),
  });
  await card("iphone-marina");
  expect(
    screen.getByText("У вас истекла подписка. Для создания конфигурации необходима активная подписка."),
  ).toBeTruthy();
  expect(screen.getByRole("button", { name: "Как оплатить" })).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Создать конфиг" })).toBeNull();
});

test("at the limit nobody is asked to link Telegram for a device that would be refused anyway", async () => {
  open({
    "GET /auth/me": member({ vpnConfigLimit: 1 }),
    "GET /auth/telegram/status": {
      telegramConnected: false,
      enabled: true,
      required: true,
      botName: "krug_bot",
      account: null,
      botBlocked: false,
    },
  });
  expect(await screen.findByText("Достигнут лимит конфигураций")).toBeTruthy();
  expect(screen.queryByText("Привяжите Telegram для создания VPN")).toBeNull();
});

test("without a working interface nothing can be created, and the page says whom to ask", async () => {
  open({ "GET /vpn/available-interfaces": [wgInterface({ reason: "inactive" })] });
  expect(await screen.findByText("Нет доступных интерфейсов. Обратитесь к администратору.")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Написать в поддержку" })).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Создать конфиг" })).toBeNull();
});

test("an admin without a usable interface gets a link to the servers' state, a member and a moderator do not", async () => {
  const says = { "GET /vpn/configs": [], "GET /vpn/available-interfaces": [] };
  for (const role of ["user", "moderator"] as const) {
    open({ ...says, "GET /auth/me": member({ role }) });
    await screen.findByText("Нет доступных интерфейсов. Обратитесь к администратору.");
    expect(screen.queryByRole("link", { name: "Посмотреть, что с серверами" })).toBeNull();
    cleanup();
  }
  open({ ...says, "GET /auth/me": member({ role: "admin" }) });
  const door = await screen.findByRole("link", { name: "Посмотреть, что с серверами" });
  expect(door.getAttribute("href")).toBe("/admin/system");
  expect(screen.queryByText(/Обратитесь к администратору/), "that is who reads it").toBeNull();
});

test("ten or more devices can be searched by name; fewer have no search", async () => {
  const many = Array.from({ length: 30 }, (_, at) => config({ id: uuid(400 + at), name: `router-${at + 1}` }));
  const { user, say } = open({ "GET /vpn/configs": many });
  const field = await screen.findByRole("searchbox", { name: "Найти устройство по имени" });
  await user.type(field, "ROUTER-2");
  await waitFor(() => expect(screen.getAllByRole("article")).toHaveLength(11));
  expect(screen.getByText(/^Нашлось: 11\sустройств$/)).toBeTruthy();
  await user.type(field, "x");
  await screen.findByText(/^Устройства с\sтаким именем нет$/);
  say({ "GET /vpn/configs": many.slice(0, 9) });
  await user.click(screen.getByRole("button", { name: /Обновить список/ }));
  await waitFor(() => expect(screen.getAllByRole("article")).toHaveLength(9));
  expect(screen.queryByRole("searchbox")).toBeNull();
});

test.each([
  ["the second device needs is below the working one", 1, Node.DOCUMENT_POSITION_FOLLOWING],
  ["another device needs is above those that there are, not pages below", 2, Node.DOCUMENT_POSITION_PRECEDING],
])("what %s", async (_law, count, where) => {
  const ones = Array.from({ length: count }, (_, at) => config({ id: uuid(400 + at), name: `phone-${at + 1}` }));
  open({
    "GET /vpn/configs": ones,
    "GET /auth/telegram/status": {
      enabled: true,
      required: true,
      telegramConnected: false,
      account: null,
      botName: "krug_club_bot",
      botBlocked: false,
    },
  });
  const works = await card("phone-1");
  const prompt = await screen.findByText("Привяжите Telegram для создания VPN");
  expect(works.compareDocumentPosition(prompt) & where).toBeTruthy();
});

test("at the limit the page says how to get more", async () => {
  open({ "GET /auth/me": member({ vpnConfigLimit: 1 }) });
  expect(await screen.findByText("Достигнут лимит конфигураций")).toBeTruthy();
  expect(screen.getByText("1 из 1")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Создать конфиг" })).toBeNull();
});

test.each([
  [{ vpnConfigLimit: 0 }, "Достигнут лимит конфигураций", /Удалите ненужное устройство/],
  [
    { entitlement: { allowed: false, reason: "expired" as const, until: null }, subscriptionEnd: inDays(-3) },
    "У вас истекла подписка. Для создания конфигурации необходима активная подписка.",
    /Конфиги сохранены/,
  ],
])("without devices no banner speaks of those that there are %#", async (about, title, ofDevices) => {
  open({ "GET /auth/me": member(about), "GET /vpn/configs": [] });
  expect(await screen.findByText(title)).toBeTruthy();
  await screen.findByText("Пока ни одного устройства");
  expect(screen.queryByText(ofDevices)).toBeNull();
});

test("a member who is to become staff sees which password that takes and a link to set it", async () => {
  const { user } = open({ "GET /auth/me": member({ pendingRole: "moderator" }) });
  expect(await screen.findByText("Вас назначили модератором")).toBeTruthy();
  expect(screen.getByText("Задайте пароль от 10 символов, и права начнут действовать.")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Сменить пароль" }));
  expect(await screen.findByLabelText("Новый пароль", { selector: "input" })).toBeTruthy();
});

test("without a subscription nobody is asked to add a device or to link Telegram: only to renew", async () => {
  open({
    "GET /auth/me": member({
      subscriptionEnd: inDays(-3),
      entitlement: { allowed: false, reason: "expired", until: null },
    }),
    "GET /vpn/configs": [],
    "GET /auth/telegram/status": {
      telegramConnected: false,
      enabled: true,
      required: true,
      botName: "krug_bot",
      account: null,
      botBlocked: false,
    },
  });
  await screen.findByRole("heading", { name: "Пока ни одного устройства" });
  expect(await screen.findByText(/^Как только доступ откроется/)).toBeTruthy();
  expect(screen.queryByText("Создайте конфиг")).toBeNull();
  expect(screen.queryByText(/Первое устройство создаётся и/)).toBeNull();
  expect(screen.getByRole("button", { name: "Как оплатить" })).toBeTruthy();
});

test("with no devices the page shows the way to the first one", async () => {
  open({ "GET /vpn/configs": [] });
  expect(await screen.findByRole("heading", { name: "Пока ни одного устройства" })).toBeTruthy();
  expect(screen.getAllByRole("button", { name: "Создать конфиг" }).length).toBeGreaterThan(0);
});

test("when the panel falls silent, cards immediately stop showing who is online", async () => {
  const { say, user } = open({
    "GET /vpn/configs": [config({ stats: { lastHandshake: Date.now() - 60_000, dataReceived: 1, dataSent: 1 } })],
  });
  const shown = within(await card("iphone-marina"));
  shown.getByText(/^На связи, /);
  say({ "GET /health": "silence", "GET /users/{id}/active-invite": "silence" });
  await user.click(screen.getByRole("button", { name: "Пригласить друзей" }));
  expect(await shown.findByText(/^Был на связи /)).toBeTruthy();
});

test("if the file on a device is old, the button for the new one stands out and says so", async () => {
  open({ "GET /vpn/configs": [config({ needsDownload: true }), config({ id: uuid(21), name: "laptop" })] });
  const again = within(await card("iphone-marina")).getByRole("button", { name: "Скачать заново: iphone-marina" });
  expect(again.dataset.variant).toBe("filled");
  expect(within(await card("laptop")).getByRole("button", { name: "Скачать: laptop" }).dataset.variant).toBe("light");
});

test("servers that are down are named in one line, and their cards say so", async () => {
  const serverAwaySince = "2026-11-21T11:20:00.000Z";
  const stats = { lastHandshake: Date.now(), dataReceived: 1, dataSent: 1 };
  open({
    "GET /vpn/configs": [
      config({ serverAwaySince, stats }),
      config({ id: uuid(21), name: "laptop", serverAwaySince, serverId: uuid(71), serverName: "Варшава" }),
      config({ id: uuid(22), name: "tablet", serverId: uuid(72), serverName: "Рига" }),
    ],
  });
  expect(within(await card("iphone-marina")).getByText("Сервер не отвечает")).toBeTruthy();
  expect(await screen.findByText(/^Хельсинки, Варшава не\sотвечают с\s.*\d\d:\d\d, чиним$/)).toBeTruthy();
  expect(within(await card("tablet")).queryByText("Сервер не отвечает")).toBeNull();
});

test("a server that does not answer is named above what the member may not do now", async () => {
  open({
    "GET /auth/me": member({ vpnConfigLimit: 1 }),
    "GET /vpn/configs": [config({ serverAwaySince: "2026-11-21T11:20:00.000Z" })],
  });
  const broken = await screen.findByText(/чиним$/);
  const limit = await screen.findByText("Достигнут лимит конфигураций");
  expect(broken.compareDocumentPosition(limit)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});

test("while the connection is down, from the first moment, the page says how old its cards are", async () => {
  const { say, user } = open({});
  await card("iphone-marina");
  say({ "GET /health": "silence", "GET /users/{id}/active-invite": "silence" });
  await user.click(screen.getByRole("button", { name: "Пригласить друзей" }));
  expect(await screen.findByText(/^Данные на \d\d:\d\d, нет связи$/)).toBeTruthy();
  expect(screen.queryByText("Ошибка при загрузке конфигураций")).toBeNull();
  say({ "GET /health": { status: "ok" } });
  await waitFor(() => expect(screen.queryByText(/нет связи/)).toBeNull(), { timeout: 15_000 });
}, 30_000);

test("over an open sheet the connection's message is in the sheet, clear of its close button", async () => {
  const { say, user } = open({ "GET /auth/sessions": [] });
  await card("iphone-marina");
  await user.click(screen.getByRole("button", { name: "Настройки" }));
  const sheet = within(await screen.findByRole("dialog", { name: "Настройки" }));
  say({ "GET /health": "silence" });
  window.dispatchEvent(new Event("offline"));
  expect(await sheet.findByText(/^Ошибка подключения к API/, {}, { timeout: 15_000 })).toBeTruthy();
}, 30_000);

test("while the panel is silent the page says so, keeps the cards, shows their age, and retries on demand", async () => {
  const { say, user } = open({});
  await card("iphone-marina");
  say({ "GET /vpn/configs": "silence", "GET /health": "silence" });
  await user.click(screen.getByRole("button", { name: /Обновить список/ }));
  const alert = await screen.findByText("Ошибка при загрузке конфигураций");
  expect(alert.closest('[role="alert"]')?.textContent).toMatch(/не\sотвечает с\s\d\d:\d\d.*VPN работает отдельно/);
  expect(screen.getByText(/^Данные на \d\d:\d\d, нет связи$/)).toBeTruthy();
  await card("iphone-marina");
  expect(screen.queryByRole("button", { name: "Создать конфиг" })).toBeNull();
  say({ "GET /vpn/configs": [config()], "GET /health": refused(503, "starting") });
  await user.click(screen.getByRole("button", { name: "Повторить" }));
  await waitFor(() => expect(screen.queryByText(/нет связи/)).toBeNull());
});

test("the last known mirror and support contact are shown while the panel is silent, and only then", async () => {
  const { say, user, asked } = open({
    "GET /security/ways": { mirrorUrl: "https://mirror.example/krug", supportContact: "@krug_help" },
  });
  await card("iphone-marina");
  await waitFor(() => expect(asked("GET /security/ways")).toHaveLength(1));
  expect(screen.queryByRole("link", { name: "mirror.example/krug" })).toBeNull();
  say({ "GET /vpn/configs": "silence", "GET /health": "silence", "GET /security/ways": "silence" });
  await user.click(screen.getByRole("button", { name: /Обновить список/ }));
  const mirror = await screen.findByRole("link", { name: "mirror.example/krug" });
  expect(mirror.getAttribute("href")).toBe("https://mirror.example/krug");
  expect(screen.getByRole("link", { name: "@krug_help" }).getAttribute("href")).toBe("https://t.me/krug_help");
});

test("when the panel can't answer with the list, known facts are in the past tense", async () => {
  const { say, user } = open({});
  await card("iphone-marina");
  say({ "GET /vpn/configs": refused(500, "internal") });
  await user.click(screen.getByRole("button", { name: /Обновить список/ }));
  await screen.findByText("ещё не подключался");
  expect(screen.queryByRole("article")).toBeNull();
  expect(screen.queryByText(/нет связи/)).toBeNull();
});

async function remove({ user }: ReturnType<typeof open>) {
  await user.click(await screen.findByRole("button", { name: "Удалить: iphone-marina" }));
  expect(await screen.findByRole("dialog", { name: "Удалить iphone-marina?" })).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Удалить" }));
}

test("a deleted device can be restored from its place in the list", async () => {
  const club = open({ "DELETE /vpn/configs/{id}": undefined, "POST /vpn/configs/{id}/restore": config() });
  await remove(club);
  expect(await screen.findByText("Конфигурация удалена")).toBeTruthy();
  expect(screen.getByText("0 из 3")).toBeTruthy();
  await club.user.click(screen.getByRole("button", { name: "Вернуть" }));
  expect(await screen.findByRole("button", { name: "Удалить: iphone-marina" })).toBeTruthy();
  expect(screen.getByText("1 из 3")).toBeTruthy();
});

test("the focus goes from the deleted card to the undo button, and from that to the card", async () => {
  const club = open({ "DELETE /vpn/configs/{id}": undefined, "POST /vpn/configs/{id}/restore": config() });
  await remove(club);
  const back = await screen.findByRole("button", { name: "Вернуть" });
  await waitFor(() => expect(document.activeElement).toBe(back));
  await club.user.keyboard("{Enter}");
  const card = (await screen.findByRole("button", { name: "Удалить: iphone-marina" })).closest("article");
  await waitFor(() => expect(card?.contains(document.activeElement)).toBe(true));
});

test("a 500 on deletion counts as deleted until the list shows otherwise", async () => {
  await remove(open({ "DELETE /vpn/configs/{id}": refused(500, "unexpected") }));
  expect(await screen.findByText("Конфигурация удалена")).toBeTruthy();
  expect(screen.getByText(/^Проверяем, отключён ли iphone-marina\./)).toBeTruthy();
  expect(await screen.findByText("Ошибка при удалении конфигурации")).toBeTruthy();
  expect(await card("iphone-marina")).toBeTruthy();
  expect(screen.queryByText("Конфигурация удалена")).toBeNull();
});

test("a device that was restored on another page appears here too", async () => {
  const { user, say } = open({
    "GET /vpn/configs": [config(), config({ id: uuid(21), name: "laptop" })],
    "DELETE /vpn/configs/{id}": undefined,
  });
  await remove({ user } as ReturnType<typeof open>);
  await screen.findByText("Конфигурация удалена");
  say({ "GET /vpn/configs": [config({ id: uuid(21), name: "laptop" }), config()] });
  await user.click(screen.getByRole("button", { name: /Обновить список/ }));
  await waitFor(() => expect(screen.queryByText("Конфигурация удалена")).toBeNull());
  expect(screen.getByRole("button", { name: "Удалить: iphone-marina" })).toBeTruthy();
});

test("a refused deletion leaves the device and says why", async () => {
  await remove(open({ "DELETE /vpn/configs/{id}": refused(503, "unexpected") }));
  expect(await screen.findByText("Ошибка при удалении конфигурации")).toBeTruthy();
  expect(screen.queryByText("Конфигурация удалена")).toBeNull();
});

test("a download is saved under the config's name", async () => {
  const saved: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  savedFiles();
  const { user } = open({ "GET /vpn/configs/{id}/download": () => ({ fileName: null, content: "[Interface]" }) });
  await user.click(await screen.findByRole("button", { name: "Скачать: iphone-marina" }));
  await waitFor(() => expect(saved).toEqual(["iphone-marina.conf"]));
  vi.restoreAllMocks();
});

test("a messenger's own browser, which saves nothing, requests no file, so none counts as given", async () => {
  vi.stubGlobal("TelegramWebview", {});
  const { user, asked } = open({
    "GET /vpn/configs/{id}/download": () => ({ fileName: null, content: "[Interface]" }),
  });
  await user.click(await screen.findByRole("button", { name: "Скачать: iphone-marina" }));
  await screen.findByText(/Откройте страницу в обычном/);
  expect(asked("GET /vpn/configs/{id}/download")).toEqual([]);
  vi.unstubAllGlobals();
});

test("a failed download shows a message that stays", async () => {
  const { user } = open({ "GET /vpn/configs/{id}/download": refused(500, "unexpected") });
  await user.click(await screen.findByRole("button", { name: "Скачать: iphone-marina" }));
  expect(await screen.findByText("Ошибка при скачивании конфигурации")).toBeTruthy();
});

test("the QR dialog shows the code, its hint and the file", async () => {
  const { user } = open({
    "GET /vpn/configs/{id}/qrcode": { config: "[Interface]\nAddress = 10.8.0.2/32", name: "iphone-marina" },
  });
  await user.click(await screen.findByRole("button", { name: "QR-код: iphone-marina" }));
  const dialog = within(await screen.findByRole("dialog", { name: "QR код конфигурации" }));
  expect(await dialog.findByRole("img", { name: "QR код конфигурации iphone-marina" })).toBeTruthy();
  expect(dialog.getByText("Отсканируйте QR код в приложении WireGuard")).toBeTruthy();
  expect(dialog.getByRole("button", { name: "Скачать конфиг" })).toBeTruthy();
});

test("a config too large for any QR code offers the file instead", async () => {
  const { user } = open({ "GET /vpn/configs/{id}/qrcode": { config: "x".repeat(4000), name: "iphone-marina" } });
  await user.click(await screen.findByRole("button", { name: "QR-код: iphone-marina" }));
  expect(await screen.findByText("Не удалось сгенерировать QR-код")).toBeTruthy();
  expect(screen.getByText(/Скачайте файл и откройте его в WireGuard/)).toBeTruthy();
});

test("signing out leads to the sign-in", async () => {
  const { user, address, say } = open({ "POST /auth/logout": undefined });
  await card("iphone-marina");
  say({ "GET /auth/me": refused(401, "auth.required") });
  await user.click(screen.getByRole("button", { name: "Выйти" }));
  await waitFor(() => expect(address()).toBe("/login"));
});

test("the instructions link to the official clients only", async () => {
  const { user } = open({});
  for (const [system, client] of [
    ["Windows", "https://www.wireguard.com/install/"],
    ["Android", "https://play.google.com/store/apps/details?id=com.wireguard.android"],
  ] as const) {
    await user.click(await screen.findByRole("button", { name: new RegExp(system) }));
    expect((await screen.findByRole("link", { name: `Скачать WireGuard для ${system}` })).getAttribute("href")).toBe(
      client,
    );
  }
});
