import { whyNotConfigName } from "@krug/domain/config-rules";
import { act, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { openPage, reopenPage, screens } from "../../../testing/open-page.tsx";
import { type Panel, panel, refused } from "../../../testing/panel.ts";
import { onPhone } from "../../../testing/phone.ts";
import { cloudflare, config, member, service, uuid, wgInterface } from "../../../testing/samples.ts";
import { savedFiles } from "../../../testing/saved-files.ts";
import { suggestedName, thisDevice } from "./first-device.ts";

screens();

const made = { ...config({ name: "pixel", id: uuid(99) }), template: null };
const services = [service(0, "YouTube", 38), service(1, "Instagram", 60), service(2, "Netflix", 42)];

async function open(says: Panel = {}) {
  const club = panel({
    "GET /auth/me": member(),
    "GET /vpn/configs": [],
    "GET /services": services,
    "GET /dns": [cloudflare],
    "GET /vpn/available-interfaces": [
      wgInterface({ id: uuid(61), name: "Interface 2", reason: "inactive", isActive: false, isPreferred: false }),
      wgInterface(),
    ],
    "GET /vpn/configs/{id}/qrcode": { config: "[Interface]", name: "pixel" },
    "GET /vpn/configs/{id}/stats": { lastHandshake: null, dataReceived: 0, dataSent: 0, speed: null },
    ...says,
  });
  const page = openPage("/dashboard");
  await page.user.click((await screen.findAllByRole("button", { name: "Создать конфиг" }))[0] as HTMLElement);
  const dialog = within(await screen.findByRole("dialog", { name: "Создание VPN конфига" }));
  await dialog.findByLabelText("Имя");
  const submit = () => dialog.getByRole<HTMLButtonElement>("button", { name: "Создать конфиг" });
  const fill = async (name = "pixel") => {
    await page.user.type(dialog.getByLabelText("Имя"), name);
    await page.user.click(dialog.getByRole("radio", { name: "Телефон" }));
    await page.user.click(dialog.getByRole("checkbox", { name: /YouTube/ }));
  };
  return { ...club, ...page, dialog, submit, fill };
}

test("DNS and the first working interface are preselected, an inactive one can't be chosen and says why", async () => {
  const { dialog } = await open();
  expect(dialog.getByLabelText<HTMLSelectElement>("DNS").value).toBe(cloudflare.id);
  const server = dialog.getByLabelText<HTMLSelectElement>("Интерфейс сервера");
  expect(server.value).toBe(uuid(60));
  expect(within(server).getByRole<HTMLOptionElement>("option", { name: /Интерфейс не активен/ }).disabled).toBe(true);
});

test("a number of addresses is only shown for a part of the internet", async () => {
  const whole = { ...service(7, "Весь трафик", 0), ips: ["0.0.0.0/0", "::/0"], deviceTypes: ["phone" as const] };
  const { dialog, user } = await open({ "GET /services": [whole, ...services] });
  await user.click(dialog.getByRole("radio", { name: "Телефон" }));
  expect(dialog.getByRole("checkbox", { name: "Весь трафик" })).toBeTruthy();
  expect(dialog.getByRole("checkbox", { name: /^YouTube \d+\sадрес/ })).toBeTruthy();
});

test("on a slow connection the name is focused as soon as its form loads, unless somebody has begun with something else", async () => {
  let answer: (lists: typeof services) => void = () => {};
  const slow = { "GET /services": () => new Promise<typeof services>((resolve) => (answer = resolve)) };
  const openSlowly = async () => {
    panel({
      "GET /auth/me": member(),
      "GET /vpn/configs": [config()],
      "GET /dns": [cloudflare],
      "GET /vpn/available-interfaces": [wgInterface()],
      ...slow,
    });
    const { user } = openPage("/dashboard");
    await user.click((await screen.findAllByRole("button", { name: "Создать конфиг" }))[0] as HTMLElement);
    return { user, dialog: within(await screen.findByRole("dialog", { name: "Создание VPN конфига" })) };
  };
  const { dialog, user } = await openSlowly();
  const wayOut = dialog.getByRole("button", { name: "Закрыть" });
  await waitFor(() => expect(document.activeElement).toBe(wayOut));
  answer(services);
  const name = await dialog.findByLabelText("Имя");
  await waitFor(() => expect(document.activeElement).toBe(name));
  await user.tab();
  expect(document.activeElement).not.toBe(name);
});

test("each server shows what the panel knows of it, before and after it is chosen", async () => {
  const { dialog, user } = await open({
    "GET /vpn/available-interfaces": [
      wgInterface({ serverCountry: "FI" }),
      wgInterface({ id: uuid(61), serverName: "Осло", serverState: "busy", isPreferred: false }),
      wgInterface({ id: uuid(62), serverName: "Рига", serverState: "silent", isPreferred: false }),
    ],
  });
  const server = within(dialog.getByLabelText("Интерфейс сервера"));
  expect(server.getAllByRole("option").map(({ textContent }) => textContent)).toEqual([
    "Хельсинки: Interface 1 (отвечает)",
    "Осло: Interface 1 (почти заполнен)",
    "Рига: Interface 1 (не отвечает)",
  ]);
  expect(dialog.getByText("Финляндия, сервер отвечает")).toBeTruthy();
  await user.selectOptions(dialog.getByLabelText("Интерфейс сервера"), uuid(62));
  expect(dialog.getByText(/сервер сейчас не отвечает/)).toBeTruthy();
});

test("the button waits for a name and a service, and says so", async () => {
  const { submit, fill, dialog, user } = await open();
  expect(submit().disabled).toBe(true);
  const why = () => document.getElementById(submit().getAttribute("aria-describedby") ?? "")?.textContent;
  expect(why()).toBe("Осталось указать: имя, сервисы");
  await user.type(dialog.getByLabelText("Имя"), "x");
  expect(why()).toBe("Осталось указать: сервисы");
  await user.clear(dialog.getByLabelText("Имя"));
  await fill();
  expect(submit().disabled).toBe(false);
  expect(dialog.queryByText(/^Осталось указать/)).toBeNull();
});

const openAgain = async (user: ReturnType<typeof openPage>["user"]) => {
  await user.click((await screen.findAllByRole("button", { name: "Создать конфиг" }))[0] as HTMLElement);
  return within(await screen.findByRole("dialog", { name: "Создание VPN конфига" }));
};

test("reopened, the form is reset and offers the draft, also after a reload", async () => {
  const { user, fill, dialog } = await open();
  await fill("tablet");
  await user.click(dialog.getByRole("button", { name: "Закрыть" }));
  let again = await openAgain(user);
  expect((await again.findByLabelText<HTMLInputElement>("Имя")).value).toBe("");
  expect(again.getByRole<HTMLInputElement>("checkbox", { name: /YouTube/ }).checked).toBe(false);
  const page = reopenPage("/dashboard");
  again = await openAgain(page.user);
  await page.user.click(await again.findByRole("button", { name: "Продолжить начатое" }));
  expect(again.getByLabelText<HTMLInputElement>("Имя").value).toBe("tablet");
  expect(again.getByRole<HTMLInputElement>("checkbox", { name: /YouTube/ }).checked).toBe(true);
  expect(again.queryByRole("button", { name: "Продолжить начатое" })).toBeNull();
});

test("a created device is not offered as a draft", async () => {
  const { user, fill, submit } = await open({ "POST /vpn/configs": made });
  await fill();
  await user.click(submit());
  await user.click(
    within(await screen.findByRole("dialog", { name: "pixel" })).getByRole("button", { name: "Закрыть" }),
  );
  const again = await openAgain(user);
  await again.findByLabelText("Имя");
  expect(again.queryByRole("button", { name: "Продолжить начатое" })).toBeNull();
});

test("a name with other characters is reported while it is typed, and is not sent", async () => {
  const { dialog, fill, user, submit, asked } = await open();
  await fill("мой телефон");
  expect(
    dialog.getByText("Имя может содержать только английские буквы, цифры, дефис и подчеркивание без пробелов"),
  ).toBeTruthy();
  await user.click(submit());
  expect(dialog.getByText("Некорректное имя конфигурации")).toBeTruthy();
  expect(asked("POST /vpn/configs")).toHaveLength(0);
});

test("a phone takes 120 addresses: services that would exceed them can't be chosen and say why", async () => {
  const { dialog, user, fill } = await open();
  await fill();
  await user.click(dialog.getByRole("checkbox", { name: /Instagram/ }));
  expect(dialog.getByText("98").parentElement?.textContent).toBe("98 из 120 адресов");
  const netflix = dialog.getByRole<HTMLInputElement>("checkbox", { name: /Netflix/ });
  expect(netflix.disabled).toBe(true);
  expect(dialog.getByText("Превышен лимит IP-адресов для телефона (120). Выберите меньше сервисов.")).toBeTruthy();
  await user.click(dialog.getByRole("checkbox", { name: /Instagram/ }));
  expect(netflix.disabled).toBe(false);
});

test("changing the type of device clears the services", async () => {
  const { dialog, user, fill } = await open();
  await fill();
  await user.click(dialog.getByRole("radio", { name: "Компьютер" }));
  expect(dialog.getByRole<HTMLInputElement>("checkbox", { name: /YouTube/ }).checked).toBe(false);
});

test("the chosen values are sent once, with a key that makes a repetition safe", async () => {
  const { user, fill, submit, asked, dialog } = await open({ "POST /vpn/configs": () => new Promise(() => {}) });
  await fill();
  await user.click(submit());
  await user.click(await dialog.findByRole("button", { name: "Создание..." }));
  const [sent, ...again] = asked("POST /vpn/configs");
  expect(again).toEqual([]);
  expect(sent?.body).toEqual({
    userId: uuid(1),
    name: "pixel",
    deviceType: "phone",
    services: [uuid(30)],
    dns: uuid(50),
    interfaceId: uuid(60),
  });
  expect(sent?.headers.get("idempotency-key")).toMatch(/^[0-9a-f]{32}$/);
});

test("after silence an unchanged request keeps its key, a changed one gets a new one", async () => {
  const { user, fill, submit, asked, dialog, say } = await open({ "POST /vpn/configs": "silence" });
  await fill();
  await user.click(submit());
  await dialog.findByText(/Ошибка при создании конфигурации\. Панель клуба не отвечает/);
  say({ "POST /vpn/configs": refused(500, "unexpected") });
  await user.click(submit());
  await dialog.findByText("Ошибка при создании конфигурации");
  await user.type(dialog.getByLabelText("Имя"), "2");
  await user.click(submit());
  await waitFor(() => expect(asked("POST /vpn/configs")).toHaveLength(3));
  const [first, second, third] = asked("POST /vpn/configs").map(({ headers }) => headers.get("idempotency-key"));
  expect(second).toBe(first);
  expect(third).not.toBe(first);
});

test("a taken name is reported at the name, in the server's words", async () => {
  const { user, fill, submit, dialog } = await open({
    "POST /vpn/configs": refused(409, "config.name_taken", "У вас уже есть конфигурация с таким именем."),
  });
  await fill();
  await user.click(submit());
  await dialog.findByText("У вас уже есть конфигурация с таким именем.");
  expect(dialog.getByLabelText("Имя").getAttribute("aria-invalid")).toBe("true");
});

test("a member who was blocked meanwhile reads why nothing is created", async () => {
  const { user, fill, submit, dialog, asked } = await open({ "GET /auth/me": member({ isActive: false }) });
  await fill();
  await user.click(submit());
  expect(dialog.getByText("Ваш аккаунт заблокирован. Пожалуйста, свяжитесь с администрацией.")).toBeTruthy();
  expect(asked("POST /vpn/configs")).toHaveLength(0);
});

test("after the creation the dialog becomes the device's next step and turns green on the first handshake", async () => {
  const { user, fill, submit, say, asked } = await open({ "POST /vpn/configs": made });
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

test("with a key of the browser only its public half is sent, and the file is offered at once", async () => {
  const template = "[Interface]\nPrivateKey = \nAddress = 10.8.0.2/32\n";
  const { user, fill, submit, asked, dialog } = await open({
    "POST /vpn/configs": { ...made, keyOrigin: "browser", template },
  });
  await fill();
  await user.click(dialog.getByRole("checkbox", { name: "Ключ создаётся в браузере" }));
  await user.click(submit());
  const next = within(await screen.findByRole("dialog", { name: "pixel" }));
  expect(next.getByText(/второй раз показать его нельзя/)).toBeTruthy();
  expect(await next.findByRole("img", { name: "QR код конфигурации pixel" })).toBeTruthy();
  const [sent] = asked("POST /vpn/configs");
  expect(Object.keys(sent?.body as object).filter((name) => /key/i.test(name))).toEqual(["publicKey"]);
  expect(asked("GET /vpn/configs/{id}/qrcode")).toHaveLength(0);
  expect(next.getByRole("link", { name: /WireGuard для Android/ }).getAttribute("href")).toContain("play.google.com");
});

test("after silence a device with a browser's key is requested with the same key, also after a reload", async () => {
  const template = "[Interface]\nPrivateKey = \nAddress = 10.8.0.2/32\n";
  const { user, fill, submit, asked, dialog, say } = await open({ "POST /vpn/configs": "silence" });
  await fill();
  await user.click(dialog.getByRole("checkbox", { name: "Ключ создаётся в браузере" }));
  await user.click(submit());
  await dialog.findByText(/Ошибка при создании конфигурации\. Панель клуба не отвечает/);
  await user.click(submit());
  await waitFor(() => expect(asked("POST /vpn/configs")).toHaveLength(2));
  const page = reopenPage("/dashboard");
  const again = await openAgain(page.user);
  await page.user.click(await again.findByRole("button", { name: "Продолжить начатое" }));
  say({ "POST /vpn/configs": { ...made, keyOrigin: "browser", template } });
  await page.user.click(again.getByRole("button", { name: "Создать конфиг" }));
  await screen.findByRole("dialog", { name: "pixel" });
  const sent = asked("POST /vpn/configs").map(({ headers, body }) =>
    JSON.stringify([headers.get("idempotency-key"), body]),
  );
  expect(sent).toHaveLength(3);
  expect(new Set(sent).size).toBe(1);
  expect(JSON.stringify({ ...sessionStorage }), "the key is in the file now, and nowhere else").not.toContain(
    "privateKey",
  );
});

test.each([refused(429, "request.too_many"), refused(404, "unknown")])(
  "a refusal that did not look at the request keeps the key of a lost answer: %o",
  async (answer) => {
    const { user, fill, submit, asked, dialog, say } = await open({ "POST /vpn/configs": "silence" });
    await fill();
    await user.click(dialog.getByRole("checkbox", { name: "Ключ создаётся в браузере" }));
    for (const said of ["silence", answer, answer] as const) {
      say({ "POST /vpn/configs": said });
      const before = asked("POST /vpn/configs").length;
      await user.click(submit());
      await waitFor(() => expect(asked("POST /vpn/configs")).toHaveLength(before + 1));
      await waitFor(() => expect(submit().textContent).not.toBe("Создание..."));
    }
    const sent = asked("POST /vpn/configs").map(
      ({ headers, body }) => headers.get("idempotency-key") + JSON.stringify(body),
    );
    expect(new Set(sent).size).toBe(1);
  },
);

test("closing asks first while a key exists only in this browser", async () => {
  const template = "[Interface]\nPrivateKey = \nAddress = 10.8.0.2/32\n";
  const { user, fill, submit, dialog } = await open({
    "POST /vpn/configs": { ...made, keyOrigin: "browser", template },
  });
  await fill();
  await user.click(dialog.getByRole("checkbox", { name: "Ключ создаётся в браузере" }));
  await user.click(submit());
  await screen.findByRole("dialog", { name: "pixel" });
  await user.keyboard("{Escape}");
  const question = within(await screen.findByRole("dialog", { name: "Закрыть без файла?" }));
  await user.click(question.getByRole("button", { name: "Отмена" }));
  await waitFor(() => expect(screen.getAllByRole("dialog")).toHaveLength(1));
  await user.keyboard("{Escape}");
  await user.click(await screen.findByRole("button", { name: "Закрыть без файла" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

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

const everything = { ...service(9, "Весь трафик", 0), ips: ["0.0.0.0/0", "::/0"] };

async function openFirst(says: Panel = {}) {
  const club = panel({
    "GET /auth/me": member(),
    "GET /vpn/configs": [],
    "GET /services": [...services, everything],
    "GET /dns": [cloudflare],
    "GET /vpn/available-interfaces": [wgInterface()],
    "GET /vpn/configs/{id}/qrcode": { config: "[Interface]", name: "phone" },
    "GET /vpn/configs/{id}/stats": { lastHandshake: null, dataReceived: 0, dataSent: 0, speed: null },
    "POST /vpn/configs": made,
    ...says,
  });
  const page = openPage("/dashboard");
  await page.user.click((await screen.findAllByRole("button", { name: "Создать конфиг" }))[0] as HTMLElement);
  const dialog = within(await screen.findByRole("dialog", { name: "Создание VPN конфига" }));
  return { ...club, ...page, dialog };
}

test("services that together cover the whole internet are marked so, and one that already says it is not", async () => {
  const half = (n: number, name: string, ...ips: string[]) => ({ ...service(n, name, 0), ips });
  const { user, dialog } = await openFirst({
    "GET /services": [
      half(1, "Левая", "0.0.0.0/1"),
      half(2, "Правая", "128.0.0.0/2", "192.0.0.0/2"),
      half(3, "Весь трафик", "0.0.0.0/0"),
    ],
  });
  await user.click(await dialog.findByRole("button", { name: "Настроить самому" }));
  const choose = async (name: RegExp) => user.click(await dialog.findByRole("checkbox", { name }));
  await user.click(dialog.getByRole("radio", { name: "Телефон" }));
  await choose(/Весь/);
  await choose(/Правая/);
  expect(dialog.queryByText(/^Выбранное вместе — весь интернет/)).toBeNull();
  await choose(/Весь/);
  await choose(/Левая/);
  expect(dialog.getByText(/^Выбранное вместе — весь интернет/)).toBeTruthy();
});

test("a first device needs one press: its name, all traffic, DNS and server are preselected", async () => {
  const { user, dialog, asked } = await openFirst();
  expect(await dialog.findByText("Весь трафик")).toBeTruthy();
  expect(dialog.queryByLabelText("Имя")).toBeNull();
  await user.click(dialog.getByRole("radio", { name: "Телефон" }));
  await user.click(dialog.getByRole("button", { name: "Создать конфиг" }));
  await screen.findByRole("dialog", { name: "pixel" });
  expect(asked("POST /vpn/configs").map(({ body }) => body)).toEqual([
    {
      userId: uuid(1),
      name: "phone",
      deviceType: "phone",
      services: [everything.id],
      dns: cloudflare.id,
      interfaceId: uuid(60),
    },
  ]);
});

test("a member who prefers to choose gets the whole form with everything preselected", async () => {
  const { user, dialog } = await openFirst();
  await user.click(await dialog.findByRole("button", { name: "Настроить самому" }));
  expect(dialog.getByLabelText<HTMLInputElement>("Имя").value).toBe("linux");
  await user.keyboard("laptop");
  expect(dialog.getByLabelText<HTMLInputElement>("Имя").value).toBe("laptop");
  expect(dialog.getByRole<HTMLInputElement>("checkbox", { name: /Весь трафик/ }).checked).toBe(true);
  expect(dialog.getByLabelText<HTMLSelectElement>("Интерфейс сервера").value).toBe(uuid(60));
});

test("a suggested name that is taken after all opens the form at the name", async () => {
  const { user, dialog } = await openFirst({
    "POST /vpn/configs": refused(409, "config.name_taken", "У вас уже есть конфигурация с таким именем."),
  });
  await user.click(await dialog.findByRole("button", { name: "Создать конфиг" }));
  await dialog.findByText("У вас уже есть конфигурация с таким именем.");
  expect(dialog.getByLabelText("Имя").getAttribute("aria-invalid")).toBe("true");
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

test("a second device is preselected like the first one, with its own name", async () => {
  const { user, dialog, asked } = await openFirst({ "GET /vpn/configs": [config({ name: "linux" })] });
  await user.click(await dialog.findByRole("button", { name: "Создать конфиг" }));
  await screen.findByRole("dialog", { name: "pixel" });
  expect(asked("POST /vpn/configs")[0]?.body).toMatchObject({ name: "linux-2", services: [everything.id] });
});

const AGENTS = {
  iphone: "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1",
  ipad: "Mozilla/5.0 (iPad; CPU OS 12_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1",
  android: "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/131.0.0.0 Mobile Safari/537.36",
  windows: "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/131.0.0.0 Safari/537.36",
  mac: "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15",
  linux: "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/131.0.0.0 Safari/537.36",
};

test.each(Object.entries(AGENTS))(
  "this device is suggested the name %s, by the rules for names and never twice",
  (name, agent) => {
    const device = thisDevice(agent);
    expect(suggestedName(device, [], agent)).toBe(name);
    expect(suggestedName(device, [name, `${name}-2`], agent)).toBe(`${name}-3`);
    expect(whyNotConfigName(suggestedName(device, [name], agent))).toBeNull();
    const other = device === "phone" ? "computer" : "phone";
    expect(suggestedName(other, [], agent)).toBe(other);
  },
);

test("lists that can't be loaded are reported, and can be retried", async () => {
  panel({
    "GET /auth/me": member(),
    "GET /vpn/configs": [],
    "GET /services": refused(500, "unexpected"),
    "GET /dns": [cloudflare],
    "GET /vpn/available-interfaces": [wgInterface()],
  });
  const { user } = openPage("/dashboard");
  await user.click((await screen.findAllByRole("button", { name: "Создать конфиг" }))[0] as HTMLElement);
  expect(await screen.findByText("Не получилось загрузить сервисы и серверы")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Повторить" })).toBeTruthy();
});

test("the first device of a member who joined by a template starts with its services", async () => {
  const { user, dialog, asked } = await openFirst({
    "GET /vpn/suggested-services": [services[0]?.id ?? "", uuid(999)],
  });
  expect(await dialog.findByText("YouTube")).toBeTruthy();
  expect(dialog.queryByText("Весь трафик")).toBeNull();
  await user.click(dialog.getByRole("radio", { name: "Телефон" }));
  await user.click(dialog.getByRole("button", { name: "Создать конфиг" }));
  await screen.findByRole("dialog", { name: "pixel" });
  expect(asked("POST /vpn/configs")[0]?.body).toMatchObject({ services: [services[0]?.id] });
});

test("each further device starts with them too, on a phone only if they fit; the ticks can be changed", async () => {
  const ids = services.map(({ id }) => id);
  const { user, dialog } = await openFirst({
    "GET /vpn/configs": [config()],
    "GET /vpn/suggested-services": ids,
  });
  const ticked = () =>
    dialog
      .getAllByRole<HTMLInputElement>("checkbox")
      .filter(({ checked }) => checked)
      .map(({ labels }) => labels?.[0]?.textContent?.split(" ")[0]);
  await user.click(await dialog.findByRole("button", { name: "Настроить самому" }));
  await waitFor(() => expect(ticked()).toEqual(["YouTube", "Instagram", "Netflix"]));
  await user.click(dialog.getByRole("checkbox", { name: /Instagram/ }));
  expect(ticked()).toEqual(["YouTube", "Netflix"]);
  await user.click(dialog.getByRole("radio", { name: "Телефон" }));
  expect(ticked(), "38 + 60 + 42 addresses are too many").toEqual([]);
});

const hidden = { type: "amneziawg", version: "3.1" } as const;

test("an interface whose devices need another app says so before and after, with the versions that work", async () => {
  const { dialog, fill, submit, user } = await open({
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

describe("a long list of services", () => {
  const many = [
    { ...service(0, "YouTube", 3), group: "video" as const, description: "Ролики и трансляции", picture: "▶️" },
    ...Array.from({ length: 12 }, (_, n) => service(n + 1, `Сервис ${n + 1}`, 1)),
    { ...service(20, "Telegram", 2), group: "messengers" as const },
  ];

  test("stands in groups, each service with its picture and sentence", async () => {
    const { dialog } = await open({ "GET /services": many });
    const groups = dialog.getAllByRole("region").map((region) => region.getAttribute("aria-label"));
    expect(groups).toEqual(["Видео", "Мессенджеры", "Другое"]);
    const video = within(dialog.getByRole("region", { name: "Видео" }));
    expect(video.getByRole("checkbox", { name: /^YouTube .* Ролики и трансляции$/ })).toBeTruthy();
  });

  test("is searched by name, group and sentence; Enter does not send the form, and what was chosen stays chosen", async () => {
    const { dialog, user, asked } = await open({ "GET /services": many });
    await user.click(dialog.getByRole("checkbox", { name: /Telegram/ }));
    const search = dialog.getByRole("searchbox", { name: "Найти сервис" });
    await user.type(search, "ролики{Enter}");
    expect(dialog.getAllByRole("checkbox").filter((box) => box.closest("ul"))).toHaveLength(1);
    await user.clear(search);
    await user.type(search, "zzz");
    expect(dialog.getByText("Такого сервиса нет.")).toBeTruthy();
    await user.clear(search);
    expect(dialog.getByRole<HTMLInputElement>("checkbox", { name: /Telegram/ }).checked).toBe(true);
    expect(asked("POST /vpn/configs")).toHaveLength(0);
  });

  test("a short one has neither search nor, of one group, its name", async () => {
    const { dialog } = await open();
    expect(dialog.queryByRole("searchbox")).toBeNull();
    expect(dialog.queryByText("Другое")).toBeNull();
  });
});

test("a member asks for a service that is missing, by the name they looked for, without leaving the form", async () => {
  const many = Array.from({ length: 13 }, (_, n) => service(n, `Сервис ${n}`, 1));
  const { dialog, user, asked } = await open({
    "GET /services": many,
    "POST /support/tickets": { id: uuid(900) } as never,
  });
  await user.type(dialog.getByLabelText("Имя"), "pixel");
  await user.type(dialog.getByRole("searchbox", { name: "Найти сервис" }), "Кинозал");
  await user.click(dialog.getByRole("button", { name: "Нет нужного?" }));
  expect(dialog.getByLabelText<HTMLInputElement>("Какой сервис нужен").value).toBe("Кинозал");
  await user.type(dialog.getByLabelText("Какой сервис нужен"), " онлайн{Enter}");
  await dialog.findByText(/^Попросили добавить: Кинозал онлайн/);
  expect(asked("POST /support/tickets")[0]?.body).toMatchObject({ category: "feature", service: "Кинозал онлайн" });
  expect(asked("POST /vpn/configs")).toHaveLength(0);
  expect(dialog.getByLabelText<HTMLInputElement>("Имя").value).toBe("pixel");
});
