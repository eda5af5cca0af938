import { DIAGNOSIS_CAUSES } from "@krug/domain/diagnosis";
import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { Providers } from "../../../app/providers.tsx";
import { useDevices } from "../../../lib/i18n/devices.ts";
import { ru } from "../../../lib/i18n/ru.ts";
import { makeQueryClient } from "../../../lib/query-client.ts";
import { openPage, screens } from "../../../testing/open-page.tsx";
import { type Panel, panel, refused } from "../../../testing/panel.ts";
import { config, member, uuid, wgInterface } from "../../../testing/samples.ts";
import { DiagnosisDialog } from "./diagnosis-dialog.tsx";
import type { Config, Diagnosis } from "./queries.ts";

screens();

const words = useDevices.ru.diagnosis;
const CHECKED_AT = "2026-11-21T11:20:05.000Z";
const diagnosis = (about: Partial<Diagnosis> = {}): Diagnosis => ({
  cause: "switched_off",
  checkedAt: CHECKED_AT,
  entitlement: { allowed: true, reason: "subscription", until: "2026-12-12T20:59:59.000Z" },
  serverName: "Хельсинки",
  serverAwaySince: null,
  tunnel: null,
  applied: true,
  fileOutdated: false,
  lastHandshake: Date.parse(CHECKED_AT) - 3 * 3_600_000,
  receivedLately: 0,
  sentLately: 592,
  restExit: null,
  restExitServer: null,
  exits: [],
  clockAhead: 800,
  ...about,
});

/** The dialog by itself, as its card opens it. */
function open(seen: Panel["GET /vpn/configs/{id}/diagnosis"], about: Partial<Config> = {}) {
  const club = panel({ "GET /vpn/configs/{id}/diagnosis": seen });
  const onAskSupport = vi.fn();
  const onClose = vi.fn();
  const onReplaceKey = vi.fn();
  const onPay = vi.fn();
  const ignore = () => {};
  const queryClient = makeQueryClient({ signedOut: ignore, underMaintenance: ignore });
  const show = () =>
    render(
      <Providers queryClient={queryClient} spoken={{ language: "ru", text: ru }} env="test">
        <DiagnosisDialog
          config={config(about)}
          onClose={onClose}
          onAskSupport={onAskSupport}
          onReplaceKey={onReplaceKey}
          onPay={onPay}
        />
      </Providers>,
    );
  return { ...club, queryClient, onAskSupport, onReplaceKey, onPay, show, user: userEvent.setup() };
}
const factOf = async (name: string) =>
  (await screen.findByText(name)).nextElementSibling?.textContent?.replace(/\s/g, " ");

test("a card asks why its device does not work, and sends the panel this browser's time", async () => {
  const club = panel({
    "GET /auth/me": member(),
    "GET /vpn/configs": [config()],
    "GET /vpn/available-interfaces": [wgInterface()],
    "GET /vpn/configs/{id}/diagnosis": diagnosis(),
  });
  const { user } = openPage("/dashboard");
  await user.click(await screen.findByRole("button", { name: "Не работает? iphone-marina" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Не работает iphone-marina?" }));
  await dialog.findByText("Устройство сейчас не подключено");
  expect(dialog.getByText("Включите туннель в приложении WireGuard.")).toBeTruthy();
  const said = Number(club.asked("GET /vpn/configs/{id}/diagnosis")[0]?.query.get("clock"));
  expect(Math.abs(said - Date.now())).toBeLessThan(60_000);
  // What the club sees goes to support, as a draft.
  await user.click(dialog.getByRole("button", { name: "Написать в поддержку" }));
  const support = within(await screen.findByRole("dialog", { name: "Поддержка" }));
  await waitFor(() => expect(support.getByRole<HTMLTextAreaElement>("textbox").value).toMatch(/iphone-marina/));
  await waitFor(() => expect(screen.queryByRole("dialog", { name: "Не работает iphone-marina?" })).toBeNull());
});

test.each(DIAGNOSIS_CAUSES)("the cause %s is shown with what to do now", async (cause) => {
  open(diagnosis({ cause })).show();
  const shown = (said: string) => said.replaceAll("\u00a0", " ");
  expect((await screen.findByText(shown(words.causes[cause].title))).closest('[role="status"]')).toBeTruthy();
  for (const step of words.causes[cause].steps) expect(screen.getByText(shown(step))).toBeTruthy();
});

test("a member who never connected finds the app and the file there", async () => {
  const { show } = open(diagnosis({ cause: "never_connected" }), { deviceType: "phone" });
  const { unmount } = show();
  await screen.findByText(words.causes.never_connected.title);
  expect(screen.getAllByRole("link", { name: /^Скачать WireGuard для (iOS|Android)$/ })).toHaveLength(2);
  expect(screen.getByRole("button", { name: "Скачать конфиг" })).toBeTruthy();
  unmount();
  // A file that the panel does not have is not offered.
  open(diagnosis({ cause: "never_connected" }), { keyOrigin: "browser" }).show();
  await screen.findByText(words.causes.never_connected.title);
  expect(screen.queryByRole("button", { name: "Скачать конфиг" })).toBeNull();
});

test("the panel's own connection is among what the club sees, unless it is unknown", async () => {
  const since = "2026-11-21T10:00:00.000Z";
  const connecting = "Подключение к серверу";
  const { show } = open(diagnosis({ tunnel: { state: "answers", since, fromInside: false } }));
  const { unmount } = show();
  expect(await factOf(connecting)).toMatch(/^получается с \d\d:\d\d$/);
  unmount();
  const inside = open(diagnosis({ tunnel: { state: "answers", since, fromInside: true } })).show();
  expect(await factOf(connecting)).toMatch(/только на самом сервере/);
  inside.unmount();
  const closed = open(
    diagnosis({ cause: "tunnel_down", tunnel: { state: "closed", since, fromInside: false } }),
  ).show();
  expect(await factOf(connecting)).toMatch(/^не получается с /);
  closed.unmount();
  open(diagnosis({ tunnel: { state: "untried", since, fromInside: false } })).show();
  await screen.findByText("Последнее подключение");
  expect(screen.queryByText(connecting)).toBeNull();
});

test("says what becomes of traffic besides the chosen services, where the server decides", async () => {
  open(diagnosis({ restExit: "closed" })).show();
  expect(await factOf("Кроме выбранных сервисов")).toBe("ничего не открывается");
});

test("names the exits of the chosen services, and how they stand", async () => {
  const exits = [
    { server: "Хельсинки", link: "up" as const, services: ["YouTube", "Telegram"] },
    { server: "Рига", link: "stuck" as const, services: [] },
  ];
  open(diagnosis({ restExit: "server", restExitServer: "Рига", exits })).show();
  expect(await factOf("Выход «Хельсинки»")).toBe("отвечает, YouTube, Telegram");
  expect(await factOf("Выход «Рига»")).toBe("без интернета");
});

test("what the club sees is shown next to it", async () => {
  open(diagnosis({ serverAwaySince: "2026-11-21T10:00:00.000Z", fileOutdated: true, clockAhead: -12 * 60_000 })).show();
  expect(await factOf("Подписка")).toMatch(/^действует, до 1[23] декабря$/);
  expect(await factOf("Сервер")).toMatch(/^Хельсинки, не отвечает с \d\d:00$/);
  expect(await factOf("Последнее подключение")).toBe("3 часа назад");
  expect(await factOf("Файл на устройстве")).toBe("устарел");
  expect(await factOf("Часы этого устройства")).toBe("отстают на 12 минут");
  expect(screen.getByText(/^Трафик с \d\d:00$/).nextElementSibling?.textContent).toBe(
    "входящий 0\u00a0B, исходящий 592\u00a0B",
  );
});

test("a server that has been down for days is shown with the day", async () => {
  open(diagnosis({ serverAwaySince: "2026-11-18T10:00:00.000Z" })).show();
  expect(await factOf("Сервер")).toMatch(/^Хельсинки, не отвечает с 18 ноября(?: 2026 г\.)?, \d\d:00$/);
});

test("a device that was never seen, a clock that is right or was not sent, an end that does not exist", async () => {
  const entitlement = { allowed: true, reason: "unlimited", until: null } as const;
  open(diagnosis({ lastHandshake: null, entitlement })).show();
  expect(await factOf("Последнее подключение")).toBe("ни разу");
  expect(await factOf("Подписка")).toBe("безлимитная");
  expect(await factOf("Часы этого устройства")).toBe("идут верно");
});

test("an outdated file can be downloaded at once; if only the device has the key it needs a new key", async () => {
  const { unmount } = open(diagnosis({ cause: "outdated_file" })).show();
  expect(await screen.findByRole("button", { name: "Скачать конфиг" })).toBeTruthy();
  unmount();
  open(diagnosis({ cause: "outdated_file" }), { keyOrigin: "browser" }).show();
  expect(await screen.findByText(/нажмите\s«Заменить ключ»/)).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Скачать конфиг" })).toBeNull();
});

const filled = () =>
  screen
    .getAllByRole("button")
    .filter(({ dataset }) => dataset.variant === "filled")
    .map(({ textContent }) => textContent?.replace(/\s/g, " "));

test.each<[Diagnosis["cause"], string, Partial<Config>?]>([
  ["expired", "Продлить"],
  ["no_subscription", "Написать в поддержку"],
  ["blocked", "Написать в поддержку"],
  ["quota", "Написать в поддержку"],
  ["outdated_file", "Скачать конфиг"],
  ["outdated_file", "Заменить ключ", { keyOrigin: "browser" }],
  ["never_connected", "Скачать конфиг"],
  ["never_connected", "Проверить ещё раз", { keyOrigin: "browser" }],
  ["udp_blocked", "Перейти на AmneziaWG"],
  ["tunnel_blocked", "Проверить ещё раз", { services: [] }],
  ["server_away", "Проверить ещё раз"],
  ["switched_off", "Проверить ещё раз"],
])("the one filled button fixes it: %s, '%s'", async (cause, fix, about) => {
  const { show, say } = open(diagnosis({ cause }), about);
  say(offered());
  show();
  await screen.findByText(words.causes[cause].title);
  await waitFor(() => expect(filled()).toEqual([fix]));
});

test("a member who has to renew gets to the payment from here", async () => {
  const { show, user, onPay } = open(diagnosis({ cause: "expired" }));
  show();
  await user.click(await screen.findByRole("button", { name: "Продлить" }));
  expect(onPay).toHaveBeenCalledOnce();
});

test("a manual check asks again and shows what has changed", async () => {
  const { show, say, user, asked } = open(diagnosis());
  show();
  await screen.findByText("Устройство сейчас не подключено");
  say({ "GET /vpn/configs/{id}/diagnosis": diagnosis({ cause: "all_well" }) });
  await user.click(screen.getByRole("button", { name: "Проверить ещё раз" }));
  expect(await screen.findByText("С нашей стороны всё работает")).toBeTruthy();
  expect(asked("GET /vpn/configs/{id}/diagnosis")).toHaveLength(2);
});

test("while it is open it checks again by itself, and that keeps no session alive", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  try {
    const { show, say, asked } = open(diagnosis());
    show();
    await screen.findByText("Устройство сейчас не подключено");
    say({ "GET /vpn/configs/{id}/diagnosis": diagnosis({ cause: "all_well" }) });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await screen.findByText("С нашей стороны всё работает")).toBeTruthy();
    expect(asked("GET /vpn/configs/{id}/diagnosis").map(({ headers }) => headers.get("x-background"))).toEqual([
      null,
      "1",
    ]);
  } finally {
    vi.useRealTimers();
  }
});

test("a failed check says so and can be repeated, and support can be asked as long as the panel answers", async () => {
  const { show, say, user, onAskSupport } = open(refused(500, "unexpected", "Внутренняя ошибка"));
  show();
  expect((await screen.findByRole("alert")).textContent).toContain("Не получилось проверить устройство");
  await user.click(screen.getByRole("button", { name: "Написать в поддержку" }));
  expect(String(onAskSupport.mock.calls[0]?.[0]).replaceAll("\u00a0", " ")).toBe(
    "Не работает iphone-marina (Телефон). Проверка: Не получилось проверить устройство.",
  );
  say({ "GET /vpn/configs/{id}/diagnosis": "silence" });
  await user.click(screen.getByRole("button", { name: "Проверить ещё раз" }));
  await waitFor(() => expect(screen.queryByRole("button", { name: "Написать в поддержку" })).toBeNull());
  say({ "GET /vpn/configs/{id}/diagnosis": diagnosis() });
  await user.click(screen.getByRole("button", { name: "Проверить ещё раз" }));
  expect(await screen.findByText("Устройство сейчас не подключено")).toBeTruthy();
});

test("without the panel the dialog names the club's other address and contact", async () => {
  const { show, queryClient } = open("silence");
  queryClient.setQueryData(["ways"], { mirrorUrl: "https://mirror.example", supportContact: "@krug_help" });
  show();
  const alert = within(await screen.findByRole("alert"));
  expect(alert.getByRole("link", { name: "mirror.example" })).toBeTruthy();
  expect(alert.getByRole("link", { name: "@krug_help" })).toBeTruthy();
});

test("a device that was deleted meanwhile is reported as gone, and is not checked again", async () => {
  open(refused(404, "config.not_found", "Конфигурация не найдена.")).show();
  expect(await screen.findByText("Этого устройства уже нет: его удалили.")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Проверить ещё раз" })).toBeNull();
});

test("the message to support says what was found, without addresses and keys", async () => {
  const seen = diagnosis({ cause: "udp_blocked", entitlement: { allowed: true, reason: "referral", until: null } });
  const { show, user, onAskSupport } = open(seen);
  show();
  await user.click(await screen.findByRole("button", { name: "Написать в поддержку" }));
  await waitFor(() => expect(onAskSupport).toHaveBeenCalledTimes(1));
  const text = String(onAskSupport.mock.calls[0]?.[0]).replaceAll("\u00a0", " ");
  expect(text.split("\n")[0]).toBe("Не работает iphone-marina (Телефон). Проверка: Похоже, сеть не пропускает VPN.");
  expect(text).toContain("Подписка: бесплатная, по приглашениям");
  expect(text).toContain("Сервер: Хельсинки, отвечает");
  expect(text).toMatch(/Последнее подключение: 21 ноября 2026 г\./);
  expect(text).toContain("исходящий 592 B");
  expect(text).not.toMatch(/\d+\.\d+\.\d+\.\d+|[\w-]{8}-[\w-]{4}-|=/);
});

const hidden = { type: "amneziawg", version: "3.1" } as const;
const offered = (about: Partial<Config> = {}) => ({
  "GET /vpn/available-interfaces": [
    wgInterface(),
    wgInterface({ id: uuid(62), serverId: uuid(71), serverName: "Осло", tunnel: hidden }),
    wgInterface({ id: uuid(61), name: "Скрытый", tunnel: hidden }),
    wgInterface({ id: uuid(63), reason: "full" as const, tunnel: hidden }),
  ],
  "PUT /vpn/configs/{id}": { ...config({ tunnel: hidden, interfaceId: uuid(61), ...about }), template: null },
  "GET /vpn/configs/{id}/qrcode": { config: "[Interface]", name: "iphone-marina" },
  "GET /vpn/configs/{id}/stats": { lastHandshake: null, dataReceived: 0, dataSent: 0, speed: null },
});

test("a device that does not connect is offered the other kind of tunnel on its server, and then its new file", async () => {
  const { show, say, user, asked } = open(diagnosis({ cause: "udp_blocked" }));
  say(offered());
  show();
  await user.click(await screen.findByRole("button", { name: "Перейти на AmneziaWG" }));
  expect(asked("PUT /vpn/configs/{id}").map(({ body }) => body)).toEqual([{ interfaceId: uuid(61) }]);
  expect(await screen.findByText(/Нужно приложение AmneziaWG или AmneziaVPN/)).toBeTruthy();
  expect(screen.getByText("Ждём первое подключение...")).toBeTruthy();
  expect(screen.getByText("Отсканируйте QR код в приложении AmneziaWG")).toBeTruthy();
});

test("if the network seems to block this kind of tunnel, what to try first comes before the other kind", async () => {
  const { show, say } = open(diagnosis({ cause: "tunnel_blocked", lastHandshake: null }));
  say(offered());
  show();
  expect(await screen.findByText("Похоже, сеть блокирует такой туннель")).toBeTruthy();
  const first = screen.getByText(/^Проверьте, что\sтуннель в\sWireGuard включён/);
  const other = await screen.findByRole("button", { name: "Перейти на AmneziaWG" });
  expect(first.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
});

test("if only the browser has the key, the other kind asks for a new one: nothing else makes a whole file", async () => {
  const { show, say, user, onReplaceKey } = open(diagnosis({ cause: "never_connected" }), { keyOrigin: "browser" });
  say(offered({ keyOrigin: "browser" }));
  show();
  await user.click(await screen.findByRole("button", { name: "Перейти на AmneziaWG" }));
  await waitFor(() => expect(onReplaceKey).toHaveBeenCalledOnce());
});

test.each([
  ["the device works", { cause: "all_well" as const }, offered()],
  ["access is blocked", { cause: "blocked" as const }, offered()],
  [
    "the member has no other kind",
    { cause: "udp_blocked" as const },
    { "GET /vpn/available-interfaces": [wgInterface()] },
  ],
])("the other kind of tunnel is not offered if %s", async (_, about, says) => {
  const { show, say, asked } = open(diagnosis(about));
  say(says);
  show();
  await screen.findByText("Что мы видим");
  await waitFor(() => expect(asked("GET /vpn/configs/{id}/diagnosis")).toHaveLength(1));
  expect(screen.queryByRole("button", { name: /Перейти на/ })).toBeNull();
});

test("an AmneziaWG device's diagnosis says to check that app, and offers plain WireGuard", async () => {
  const { show, say } = open(diagnosis({ cause: "switched_off" }), { tunnel: hidden });
  say(offered());
  show();
  expect(
    await screen.findByText(/Включите туннель в\sприложении AmneziaWG\.|Включите туннель в приложении AmneziaWG\./),
  ).toBeTruthy();
  expect(await screen.findByRole("button", { name: "Перейти на WireGuard" })).toBeTruthy();
});

test.each(["never_connected", "tunnel_blocked", "udp_blocked"] as const)(
  "a device of AmneziaWG that does not connect (%s) first shows which version its app needs: an older one fails silently",
  async (cause) => {
    const { show } = open(diagnosis({ cause, lastHandshake: null }), { tunnel: hidden, deviceType: "phone" });
    show();
    const section = await screen.findByRole("region", { name: "Что сделать" });
    expect(within(section).getAllByRole("listitem")[0]?.textContent?.replace(/\s/g, " ")).toContain(
      "Проверьте версию приложения: в слишком старой туннель добавится, но не подключится.",
    );
    expect(await within(section).findByText("AmneziaWG для Android, от 3.1.20260814")).toBeTruthy();
    expect(within(section).getByText("AmneziaVPN для iOS, от 5.0.1.5")).toBeTruthy();
    expect(within(section).queryByText(/Windows/)).toBeNull();
  },
);

test.each([
  ["one of plain WireGuard", "never_connected", {}],
  ["one that connected with this app before", "switched_off", { tunnel: hidden }],
] as const)("%s is not sent to look at versions of apps", async (_, cause, about) => {
  const { show } = open(diagnosis({ cause }), about);
  show();
  await screen.findByText("Что мы видим");
  expect(screen.queryByText(/Проверьте версию/)).toBeNull();
});
