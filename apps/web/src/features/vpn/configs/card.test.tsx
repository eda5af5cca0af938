import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "@krug/domain/moment";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { openPage, screens } from "../../../testing/open-page.tsx";
import { type Panel, panel, refused } from "../../../testing/panel.ts";
import { onPhone } from "../../../testing/phone.ts";
import { cloudflare, config, inDays, member, service, uuid, wgInterface } from "../../../testing/samples.ts";
import { savedFiles } from "../../../testing/saved-files.ts";
import type { Config } from "./queries.ts";

screens();

function open(about: Partial<Config>, says: Panel = {}) {
  const club = panel({
    "GET /auth/me": member(),
    "GET /vpn/configs": [config(about)],
    "GET /vpn/available-interfaces": [wgInterface()],
    ...says,
  });
  return { ...club, ...openPage("/dashboard") };
}
const card = async () => within(await screen.findByRole("article", { name: "iphone-marina" }));
const seen = (agoMs: number) => ({
  stats: { lastHandshake: Date.now() - agoMs, dataReceived: 1, dataSent: 1 },
});

test.each([
  // A busy machine needs seconds to draw the first page.
  [SECOND_MS, /^На связи, (только что|\d+ секунд(у|ы)? назад)$/, "on"],
  [40 * SECOND_MS, /^На связи, 4\d секунд(а|ы)? ?назад$/, "on"],
  [MINUTE_MS + 5 * SECOND_MS, /^На связи, минуту назад$/, "on"],
  [5 * MINUTE_MS + 5 * SECOND_MS, /^Был на связи 5 минут назад$/, "idle"],
  [59 * MINUTE_MS, /^Был на связи 59 минут назад$/, "idle"],
  [HOUR_MS, /^Был на связи час назад$/, "idle"],
  [23 * HOUR_MS, /^Был на связи 23 часа назад$/, "idle"],
  [DAY_MS, /^Был на связи 1 день назад$/, "idle"],
  [40 * DAY_MS, /^Был на связи 40 дней назад$/, "idle"],
])(
  "the last connection uses the one unit a person would say, active within five minutes %#",
  async (ago, words, ring) => {
    open(seen(ago));
    const device = await card();
    const state = device.getByText(words);
    expect(device.getByRole("heading").getAttribute("translate"), "its name in the app stays the same").toBe("no");
    expect(state.getAttribute("data-ring")).toBe(ring);
    expect(state.getAttribute("title"), "the whole moment for who hovers").toMatch(/20\d\d/);
  },
);

test.each([
  [0.1, "сегодня"],
  [365 * 2, null],
])("the day of its creation is shown, with the year if it is another one %#", async (agoDays, words) => {
  open({ createdAt: inDays(-agoDays) });
  const year = new Date(Date.now() - agoDays * DAY_MS).getFullYear();
  const expected = words === null ? new RegExp(`^Создан \\d+ \\S+ ${year}`) : /^Создан (сегодня|вчера)$/;
  expect((await card()).getByText(expected)).toBeTruthy();
});

test.each([
  ["at a desk", false, /^Отсканируйте QR-код/, ["QR", "Скачать"]],
  ["on a phone, which can't scan its own screen", true, /^Откройте сохранённый файл/, ["Скачать", "QR"]],
])("how a phone's config gets there: %s", async (_, isPhone, words, order) => {
  if (isPhone) onPhone();
  open({ deviceType: "phone" });
  expect((await card()).getByText(words)).toBeTruthy();
  const names = (await card())
    .getAllByRole("button", { name: /QR|Скачать/ })
    .map((button) => button.getAttribute("aria-label") ?? "");
  expect(names.map((name) => order.find((word) => name.includes(word)))).toEqual(order);
});

test.each([
  [1023, "1023 B"],
  [1024, "1,0 KB"],
  [1.5 * 1024 ** 2, "1,5 MB"],
  [1024 ** 4, "1,0 TB"],
])("%i bytes are shown as %s", async (bytes, words) => {
  open({ stats: { lastHandshake: Date.now(), dataReceived: bytes, dataSent: 0 } });
  const total = (await card()).getByTitle("Входящий трафик");
  expect(total.textContent?.replace(/\s/g, " ")).toBe(`Входящий трафик: ${words}`);
});

test("a lost device's place gets new keys after a confirmation, and the next step is the new file", async () => {
  const { user, asked } = open(seen(HOUR_MS), {
    "POST /vpn/configs/{id}/key": { ...config(), template: null },
    "GET /vpn/configs/{id}/qrcode": { config: "[Interface]", name: "iphone-marina" },
    "GET /vpn/configs/{id}/stats": { lastHandshake: null, dataReceived: 0, dataSent: 0, speed: null },
  });
  await user.click((await card()).getByRole("button", { name: "Заменить ключ: iphone-marina" }));
  const ask = within(await screen.findByRole("dialog", { name: "Заменить ключ для iphone-marina?" }));
  expect(ask.getByText(/Старый файл перестанет работать сразу/)).toBeTruthy();
  expect(asked("POST /vpn/configs/{id}/key")).toEqual([]);
  await user.click(ask.getByRole("button", { name: "Заменить ключ" }));
  expect(await screen.findByText("Ждём первое подключение...")).toBeTruthy();
  expect(asked("POST /vpn/configs/{id}/key")).toHaveLength(1);
});

test("a key that could not be replaced changes nothing and says so", async () => {
  const { user } = open({}, { "POST /vpn/configs/{id}/key": refused(500, "unexpected") });
  await user.click((await card()).getByRole("button", { name: "Заменить ключ: iphone-marina" }));
  await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Заменить ключ" }));
  expect(await screen.findByText("Не получилось заменить ключ")).toBeTruthy();
});

test.each(["panel", "browser"] as const)(
  "after a lost answer the retry has the same keys of the %s, and after a refusal others",
  async (keyOrigin) => {
    const { user, asked, say } = open({ keyOrigin }, { "POST /vpn/configs/{id}/key": refused(500, "unexpected") });
    const press = async () => {
      const before = asked("POST /vpn/configs/{id}/key").length;
      await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Заменить ключ" }));
      await waitFor(() => expect(asked("POST /vpn/configs/{id}/key")).toHaveLength(before + 1));
      await screen.findByText("Не получилось заменить ключ");
    };
    await user.click((await card()).getByRole("button", { name: "Заменить ключ: iphone-marina" }));
    await press();
    say({ "POST /vpn/configs/{id}/key": refused(409, "config.routes_unknown") });
    await press();
    await press();
    const [first, again, other] = asked("POST /vpn/configs/{id}/key").map(({ headers, body }) =>
      JSON.stringify([headers.get("idempotency-key"), body]),
    );
    expect(first).toMatch(keyOrigin === "browser" ? /[0-9a-f]{32}.*publicKey/ : /[0-9a-f]{32}/);
    expect(again).toBe(first);
    expect(other).not.toBe(first);
  },
);

test("after a download the card no longer asks for one", async () => {
  savedFiles();
  const { user, say } = open(
    { needsDownload: true },
    { "GET /vpn/configs/{id}/download": () => ({ fileName: null, content: "[Interface]" }) },
  );
  const device = await card();
  expect(device.getByText("Настройки изменились: скачайте заново")).toBeTruthy();
  say({ "GET /vpn/configs": [config()] });
  await user.click(device.getByRole("button", { name: "Скачать заново: iphone-marina" }));
  await waitFor(() => expect(device.queryByText("Настройки изменились: скачайте заново")).toBeNull());
});

const moving = { until: inDays(1), interfaceId: uuid(61), interfaceName: "Interface 2", serverName: "Рига" };

test("a device that moves shows from where, and until when its old file works", async () => {
  open({ moving });
  expect((await card()).getByText(/^Переезжает с «Рига: Interface 2»: .* до \d\d:\d\d \d{1,2} [а-я]+/)).toBeTruthy();
});

test("while a device is off none of its files works, and the card claims nothing else", async () => {
  open({ moving, state: "off", isBlocked: true });
  const device = await card();
  expect(device.getByText("Заблокирован")).toBeTruthy();
  expect(device.queryByText(/Переезжает/)).toBeNull();
});

test("a device that was off because nobody used it is back by one press, with the file it has", async () => {
  const dormant = { since: inDays(-10), keptUntil: inDays(80) };
  const { user, asked, say } = open(
    { state: "off", dormant },
    { "POST /vpn/configs/{id}/reactivate": config(seen(40 * DAY_MS)) },
  );
  const device = await card();
  expect(device.getByText("Отключён")).toBeTruthy();
  expect(await device.findByText(/^Давно не подключался. .* до \d{1,2} [а-я]+/)).toBeTruthy();
  const button = await device.findByRole("button", { name: "Включить снова: iphone-marina" });
  say({ "GET /vpn/configs": [config(seen(40 * DAY_MS))] });
  await user.click(button);
  await device.findByText("Был на связи 40 дней назад");
  expect(device.queryByRole("button", { name: /Включить снова/ })).toBeNull();
  expect(asked("POST /vpn/configs/{id}/reactivate")).toHaveLength(1);
});

test("a card says until when a guest's device works, and one whose time is over comes back for a week or for good", async () => {
  const soon = {
    dormantFrom: "2026-12-12",
    ends: { at: "2026-12-05T23:59:59.000+03:00", isOver: false, byStaff: false },
  };
  const over = { ...soon.ends, isOver: true };
  const off = { state: "off" as const, dormant: { since: inDays(-1), keptUntil: inDays(89) }, dormantFrom: null };
  const back = { ...config(), template: null };
  const { user, asked, say } = open(soon, { "PUT /vpn/configs/{id}": back });
  const again = () => fireEvent.click(screen.getByRole("button", { name: /Обновить список/ }));
  const device = await card();
  expect(await device.findByText(/^Работает до 5\sдекабря/)).toBeTruthy();
  expect(device.getByText(/выключим 12\sдекабря.*, если не\sпоявится/)).toBeTruthy();
  say({ "GET /vpn/configs": [config({ ...off, ends: { ...over, byStaff: true } })] });
  again();
  expect(await device.findByText("Срок закончился")).toBeTruthy();
  expect(device.getByText(/Срок задал администратор/)).toBeTruthy();
  expect(device.queryByRole("button", { name: /^Включить/ })).toBeNull();
  say({ "GET /vpn/configs": [config({ ...off, ends: over })] });
  again();
  const week = await device.findByRole("button", { name: "Включить на неделю: iphone-marina" });
  expect(device.getByRole("button", { name: "Включить снова: iphone-marina" })).toBeTruthy();
  say({ "GET /vpn/configs": [back] });
  await user.click(week);
  await waitFor(() => expect(device.queryByRole("button", { name: /^Включить/ })).toBeNull());
  const [{ body } = { body: null }] = asked("PUT /vpn/configs/{id}");
  expect(Date.parse((body as { until: string }).until) - Date.now()).toBeGreaterThan(6.9 * DAY_MS);
});

test("a config that grew to too many addresses says that a phone may not open it", async () => {
  open({ overPhoneLimit: true });
  expect((await card()).getByText(/стало больше 120 адресов/)).toBeTruthy();
});

test("a device that can't be restored any more says why", async () => {
  const { user } = open(
    {},
    {
      "DELETE /vpn/configs/{id}": undefined,
      "POST /vpn/configs/{id}/restore": refused(409, "config.restore_too_late", "Прошло больше минуты."),
    },
  );
  await user.click((await card()).getByRole("button", { name: "Удалить: iphone-marina" }));
  await user.click(await screen.findByRole("button", { name: "Удалить" }));
  await user.click(await screen.findByRole("button", { name: "Вернуть" }));
  expect(await screen.findByText("Прошло больше минуты.")).toBeTruthy();
});

test("a restored card appears once, even when the list arrived with it before the answer", async () => {
  let answer = () => {};
  const laptop = config({ id: uuid(21), name: "laptop" });
  const { user, say } = open(
    {},
    {
      "GET /vpn/configs": [config(), laptop],
      "DELETE /vpn/configs/{id}": undefined,
      "POST /vpn/configs/{id}/restore": () =>
        new Promise((resolve) => {
          answer = () => resolve(config());
        }),
    },
  );
  await user.click((await card()).getByRole("button", { name: "Удалить: iphone-marina" }));
  await user.click(await screen.findByRole("button", { name: "Удалить" }));
  await user.click(await screen.findByRole("button", { name: "Вернуть" }));
  say({ "GET /vpn/configs": [config(), laptop, config({ id: uuid(22), name: "tablet" })] });
  await user.click(screen.getByRole("button", { name: /^Обновить список/ }));
  await screen.findByRole("article", { name: "tablet" });
  answer();
  await screen.findByRole("button", { name: "Удалить: iphone-marina" });
  expect(screen.getAllByRole("article", { name: "iphone-marina" })).toHaveLength(1);
});

test.each([
  [
    "Windows",
    "https://www.wireguard.com/install/",
    ["Установите", "Скачать", "Импорт туннелей из файла", "Подключить"],
  ],
  ["macOS", "https://apps.apple.com/app/wireguard/id1451685025", ["App Store", "Скачать", "Импорт", "Подключить"]],
  [
    "iOS",
    "https://apps.apple.com/app/wireguard/id1441195209",
    ["App Store", "QR-код", "Создать из QR-кода", "туннель"],
  ],
  [
    "Android",
    "https://play.google.com/store/apps/details?id=com.wireguard.android",
    ["Google Play", "QR-код", "Сканировать QR-код", "включите"],
  ],
])("the instructions for %s link to the official client in numbered steps", async (system, client, steps) => {
  const { user } = open({});
  const button = await screen.findByRole("button", { name: new RegExp(`^${system}`) });
  await user.click(button);
  const link = await screen.findByRole("link", { name: `Скачать WireGuard для ${system}` });
  expect(link.getAttribute("href")).toBe(client);
  const panelOf = document.getElementById(button.getAttribute("aria-controls") ?? "");
  const said = [...(panelOf?.querySelectorAll("ol > li") ?? [])].map(({ textContent }) => textContent ?? "");
  expect(said).toHaveLength(steps.length);
  for (const [place, words] of steps.entries()) expect(said[place]?.replace(/\s/g, " ")).toContain(words);
});

test("on a phone, which can't scan its own screen, the instructions of both systems use the file", async () => {
  onPhone();
  const { user } = open({});
  for (const [system, words] of [
    ["iOS", "«Создать из файла или архива»"],
    ["Android", "«Импорт из файла или архива»"],
  ] as const) {
    const button = await screen.findByRole("button", { name: new RegExp(`^${system}`) });
    await user.click(button);
    await screen.findByRole("link", { name: `Скачать WireGuard для ${system}` });
    const told = () =>
      document.getElementById(button.getAttribute("aria-controls") ?? "")?.textContent?.replace(/\s/g, " ");
    await waitFor(() => expect(told()).toContain("Настраиваете этот же телефон? На карточке нажмите «Скачать»"));
    expect(told()).toContain(words);
  }
});

test.each(["panel", "browser"] as const)(
  "a device that moved in offers no file before services are chosen, wherever its key is: %s",
  async (keyOrigin) => {
    const { user } = open(
      { services: [], keyOrigin },
      { "GET /services": [service(0, "YouTube", 38)], "GET /dns": [cloudflare] },
    );
    const about = await card();
    about.getByText(/^Настроено раньше/);
    for (const name of [/^Скачать/, /^QR/, /^Заменить ключ/]) expect(about.queryByRole("button", { name })).toBeNull();
    await user.click(about.getByRole("button", { name: "Выбрать сервисы" }));
    const dialog = within(await screen.findByRole("dialog"));
    const name = await dialog.findByLabelText("Имя");
    const save = () => dialog.getByRole("button", { name: "Сохранить" }) as HTMLButtonElement;
    await user.clear(name);
    await user.type(name, "mac");
    expect(save().disabled, "a name may change by itself").toBe(false);
  },
);
