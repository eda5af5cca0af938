import { act, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { AGENTS, made, openFirst, openForm } from "../../../testing/new-device.ts";
import { screens } from "../../../testing/open-page.tsx";
import type { Panel } from "../../../testing/panel.ts";
import { onPhone } from "../../../testing/phone.ts";
import { uuid, wgInterface } from "../../../testing/samples.ts";
import { savedFiles } from "../../../testing/saved-files.ts";

screens();

/** The page is open on this phone, and every share has this result. */
function onPhoneOf(agent: string, share: () => Promise<void>) {
  onPhone();
  savedFiles();
  vi.spyOn(navigator, "userAgent", "get").mockReturnValue(agent);
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => {});
  Object.assign(navigator, { canShare: () => true, share });
  onTestFinished(() => {
    vi.restoreAllMocks();
    Reflect.deleteProperty(navigator, "canShare");
    Reflect.deleteProperty(navigator, "share");
  });
}

/** Android browsers' answer to a file of this kind. */
const notAllowed = () => Promise.reject(new DOMException("", "NotAllowedError"));

const hidden = { type: "amneziawg", version: "3.1" } as const;

test("after the creation the dialog becomes the device's next step and turns green on the first handshake", async () => {
  const { user, fill, submit, say, asked } = await openForm({ "POST /vpn/configs": made });
  await fill();
  await user.click(submit());
  const next = within(await screen.findByRole("dialog", { name: "pixel" }));
  expect(await next.findByRole("img", { name: "QR код конфигурации pixel" })).toBeTruthy();
  expect(next.getByRole("status").textContent).toContain("Ждём первое подключение...");
  const now = Date.now();
  say({ "GET /vpn/configs/{id}/stats": { lastHandshake: now, dataReceived: 92, dataSent: 148, speed: null } });
  await waitFor(() => expect(next.getByRole("status").textContent).toContain("Подключено"), { timeout: 5000 });
  expect(next.queryByRole("img", { name: /QR/ })).toBeNull();
  expect(next.getByText("Телефон в круге")).toBeTruthy();
  expect(asked("GET /vpn/configs/{id}/stats").every(({ headers }) => headers.get("x-background") === "1")).toBe(true);
  await user.click(next.getByRole("button", { name: "Готово" }));
  expect(screen.queryByRole("dialog")).toBeNull();
});

test.each([
  ["android", "в загрузках", "Импорт из файла или архива", "play.google.com"],
  ["iphone", "на телефоне", "Создать из файла или архива", "apps.apple.com"],
] as const)(
  "on %s first comes the app, then the file, then the screen shows how the app takes it",
  async (phone, where, menu, store) => {
    onPhoneOf(AGENTS[phone], notAllowed);
    const { user, dialog } = await openFirst({
      "GET /vpn/configs/{id}/download": () => ({ fileName: null, content: "[Interface]" }),
    });
    await user.click(dialog.getByRole("button", { name: "Создать конфиг" }));
    const app = await screen.findByRole<HTMLAnchorElement>("link", { name: "Установить WireGuard" });
    expect(app.href).toContain(store);
    expect(app.dataset.variant, "the filled one").toBe("filled");
    const link = /^Скачать WireGuard для/;
    expect(screen.queryByRole("link", { name: link }), "the same once more").toBeNull();
    expect(screen.queryByRole("button", { name: "Открыть в WireGuard" })).toBeNull();
    await user.click(screen.getByRole("button", { name: "Уже установлен" }));
    expect(screen.getByRole("link", { name: link }), "who pressed that by mistake").toBeTruthy();
    await user.click(await screen.findByRole("button", { name: "Открыть в WireGuard" }));
    const told = (await screen.findByText(/^pixel\.conf сохранён/)).closest("[role=status]");
    expect(told?.textContent?.replace(/\s/g, " ")).toContain(where);
    expect(told?.textContent?.replace(/\s/g, " ")).toContain(menu);
    expect(screen.queryByText("Откройте в нём файл конфига"), "the first step is over").toBeNull();
  },
);

test("a browser that cannot hand a file to an app has a button that says so and saves it", async () => {
  onPhoneOf(AGENTS.android, notAllowed);
  Object.assign(navigator, { canShare: () => false });
  const { user, dialog } = await openFirst({
    "GET /vpn/configs/{id}/download": () => ({ fileName: null, content: "[Interface]" }),
  });
  await user.click(dialog.getByRole("button", { name: "Создать конфиг" }));
  await user.click(await screen.findByRole("button", { name: "Уже установлен" }));
  await user.click(screen.getByRole("button", { name: "Скачать файл для WireGuard" }));
  expect(await screen.findByText(/^pixel\.conf сохранён/)).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Открыть в WireGuard" })).toBeNull();
  expect(screen.getByRole("button", { name: "Скачать ещё раз" })).toBeTruthy();
});

describe("on a network that blocks connections, a new device", () => {
  beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true }));
  afterEach(() => void vi.useRealTimers());
  const amnezia = wgInterface({
    id: uuid(61),
    name: "Interface 2",
    tunnel: { type: "amneziawg", version: "2.0" },
  });
  const toScan = async (says: Panel = {}) => {
    const club = await openFirst({
      "GET /vpn/available-interfaces": [wgInterface(), amnezia],
      "PUT /vpn/configs/{id}": { ...made, interfaceId: amnezia.id, tunnel: amnezia.tunnel, template: null },
      "GET /vpn/configs/{id}/qrcode": ({ path }) => ({ config: "[Interface]", name: path }),
      ...says,
    });
    await club.user.click(club.dialog.getByRole("radio", { name: "Телефон" }));
    await club.user.click(club.dialog.getByRole("button", { name: "Создать конфиг" }));
    const sheet = within(await screen.findByRole("dialog", { name: "pixel" }));
    await sheet.findByText("Ждём первое подключение...");
    return { ...club, sheet };
  };
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

  test("is offered another kind of tunnel after a minute, in view and one tap away in the same dialog", async () => {
    const scrolled = vi.fn();
    Element.prototype.scrollIntoView = function scroll() {
      scrolled(this.textContent);
    };
    onTestFinished(() => void Reflect.deleteProperty(Element.prototype, "scrollIntoView"));
    const { user, sheet, asked } = await toScan();
    await pass(50_000);
    expect(sheet.queryByText("Похоже, сеть блокирует")).toBeNull();
    await pass(11_000);
    expect(await sheet.findByText("Похоже, сеть блокирует")).toBeTruthy();
    expect(scrolled).toHaveBeenCalledWith("Попробовать другой способ");
    const codes = asked("GET /vpn/configs/{id}/qrcode").length;
    await user.click(sheet.getByRole("button", { name: "Попробовать другой способ" }));
    expect(await sheet.findByText("Ждём первое подключение...")).toBeTruthy();
    expect(asked("PUT /vpn/configs/{id}").map(({ body }) => body)).toEqual([{ interfaceId: amnezia.id }]);
    expect(sheet.getAllByText(/AmneziaWG/).length).toBeGreaterThan(0);
    await waitFor(() =>
      expect(asked("GET /vpn/configs/{id}/qrcode").length, "the code is a new one").toBeGreaterThan(codes),
    );
  });

  test("is only waited for if the club has no other kind", async () => {
    const { sheet } = await toScan({ "GET /vpn/available-interfaces": [wgInterface()] });
    await pass(61_000);
    expect(sheet.getByText("Ждём первое подключение...")).toBeTruthy();
    expect(sheet.queryByRole("button", { name: "Попробовать другой способ" })).toBeNull();
  });
});

test("a file that no app took, because the choice was closed, still needs a confirmation before it is lost", async () => {
  onPhoneOf(AGENTS.iphone, () => Promise.reject(new DOMException("", "AbortError")));
  const { user, dialog } = await openFirst({
    "POST /vpn/configs": {
      ...made,
      keyOrigin: "browser",
      template: "[Interface]\nPrivateKey = \nAddress = 10.8.0.2/32\n",
    },
  });
  await user.click(dialog.getByRole("button", { name: "Настроить самому" }));
  await user.click(await dialog.findByRole("checkbox", { name: "Ключ создаётся в браузере" }));
  await user.click(dialog.getByRole("button", { name: "Создать конфиг" }));
  await user.click(await screen.findByRole("button", { name: "Открыть в WireGuard" }));
  await user.keyboard("{Escape}");
  expect(await screen.findByRole("dialog", { name: "Закрыть без файла?" })).toBeTruthy();
});

test("the focus follows the form's next step, and then the connection that ends the waiting", async () => {
  let handshake: number | null = null;
  const { user, dialog } = await openFirst({
    "GET /vpn/configs/{id}/stats": () => ({ lastHandshake: handshake, dataReceived: 0, dataSent: 0, speed: null }),
  });
  await user.click(await dialog.findByRole("button", { name: "Создать конфиг" }));
  const sheet = within(await screen.findByRole("dialog", { name: "pixel" }));
  await sheet.findByText("Ждём первое подключение...");
  const place = () => document.activeElement?.textContent ?? "";
  expect(place()).toContain("Отсканируйте QR код");
  expect(place().length, "not the whole page").toBeLessThan(400);
  sheet.getByRole("button", { name: "Скачать конфиг" }).focus();
  handshake = Date.now();
  await sheet.findByText("Подключено", {}, { timeout: 10_000 });
  await waitFor(() => expect(place()).toContain("Можно пользоваться"));
  expect(document.activeElement).not.toBe(document.body);
});

test("an interface whose devices need another app says so before and after, with the versions that work", async () => {
  const { dialog, fill, submit, user } = await openForm({
    "GET /vpn/available-interfaces": [wgInterface(), wgInterface({ id: uuid(61), name: "Скрытый", tunnel: hidden })],
    "POST /vpn/configs": { ...made, tunnel: hidden },
    "GET /vpn/configs/{id}/link": { link: "vpn://AAAB", name: "pixel" },
  });
  const need = /Нужно приложение AmneziaWG или AmneziaVPN/;
  expect(dialog.queryByText(need)).toBeNull();
  await user.selectOptions(dialog.getByLabelText("Интерфейс сервера"), uuid(61));
  expect(dialog.getByText(need)).toBeTruthy();
  await fill();
  await user.click(submit());
  const sheet = within(await screen.findByRole("dialog", { name: "pixel" }));
  expect(await sheet.findByText("Отсканируйте QR код в приложении AmneziaWG")).toBeTruthy();
  expect(sheet.getByRole("link", { name: "AmneziaWG для Android, от 3.1.20260814" })).toBeTruthy();
  expect(sheet.getByRole("link", { name: "AmneziaVPN для iOS, от 5.0.1.5" })).toBeTruthy();
  expect(sheet.queryByRole("link", { name: /WireGuard для/ })).toBeNull();
  expect(sheet.queryByRole("button", { name: "Скопировать ссылку" })).toBeNull();
  await user.click(sheet.getByRole("button", { name: "Получить ссылку" }));
  expect(await sheet.findByRole("button", { name: "Скопировать ссылку" })).toBeTruthy();
});
