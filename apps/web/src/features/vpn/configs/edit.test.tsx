import { writeConfig } from "@krug/wireguard/config-text";
import type { PrivateKey, PublicKey } from "@krug/wireguard/key-text";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { openPage, screens } from "../../../testing/open-page.tsx";
import { type Panel, panel, refused } from "../../../testing/panel.ts";
import { cloudflare, config, inDays, member, service, uuid, wgInterface } from "../../../testing/samples.ts";
import type { Config } from "./queries.ts";

screens();

const quad9 = { id: uuid(51), name: "Quad9", ips: ["9.9.9.9"] };
const saved = (about: Partial<Config> = {}) => ({ ...config(about), template: null });

async function open(about: Partial<Config> = {}, says: Panel = {}) {
  const one = config({ name: "laptop", deviceType: "computer", ...about });
  const club = panel({
    "GET /auth/me": member(),
    "GET /vpn/configs": [one],
    "GET /services": [service(0, "YouTube", 38), service(1, "Instagram", 90)],
    "GET /dns": [cloudflare, quad9],
    "GET /vpn/available-interfaces": [wgInterface()],
    ...says,
  });
  const page = openPage("/dashboard");
  await page.user.click(await screen.findByRole("button", { name: "Изменить: laptop" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Изменить laptop" }));
  await dialog.findByLabelText("Имя");
  const save = () => page.user.click(dialog.getByRole("button", { name: "Сохранить" }));
  return { ...club, ...page, dialog, save };
}

test("a new name is sent by itself, appears on the card at once, and needs no new file", async () => {
  const { user, dialog, save, asked, say } = await open();
  const renamed = saved({ name: "work", deviceType: "computer" });
  say({ "PUT /vpn/configs/{id}": renamed, "GET /vpn/configs": [renamed] });
  await user.clear(dialog.getByLabelText("Имя"));
  await user.type(dialog.getByLabelText("Имя"), "work");
  await save();
  expect(await screen.findByRole("article", { name: "work" })).toBeTruthy();
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(asked("PUT /vpn/configs/{id}").map(({ body }) => body)).toEqual([{ name: "work" }]);
});

test("an end is set and taken back by one press; one that staff set stays", async () => {
  const until = saved({ name: "laptop", deviceType: "computer" });
  const { user, dialog, save, asked } = await open({}, { "PUT /vpn/configs/{id}": until });
  fireEvent.change(dialog.getByLabelText("Работает до"), { target: { value: "2026-12-05" } });
  await save();
  await user.click(await screen.findByRole("button", { name: "Отменить" }));
  await screen.findByText("laptop: прежний срок");
  expect(asked("PUT /vpn/configs/{id}").map(({ body }) => body)).toEqual([{ until: "2026-12-05" }, { until: null }]);
});

const file = writeConfig({
  privateKey: `${"a".repeat(42)}E=` as PrivateKey,
  addresses: ["10.8.0.7/32"],
  dns: ["1.1.1.1"],
  mtu: null,
  peer: {
    publicKey: `${"b".repeat(42)}E=` as PublicKey,
    presharedKey: null,
    allowedIps: ["203.0.113.0/24"],
    endpoint: { host: "vpn.example.org", port: 51820 },
    persistentKeepalive: 25,
  },
});

test("a router's commands are there to copy, from the same file", async () => {
  const says = { "GET /vpn/configs/{id}/qrcode": { config: file, name: "laptop" } };
  const { user, dialog } = await open({}, says);
  await user.click(await dialog.findByRole("button", { name: "Роутер или Linux" }));
  const shown = async () => (await dialog.findByLabelText<HTMLTextAreaElement>("Команды")).value;
  expect(await shown()).toContain("interface Wireguard9 wireguard peer");
  await user.selectOptions(dialog.getByLabelText("Куда настроить"), "OpenWrt");
  expect(await shown()).toContain("uci set network.krug_laptop.proto='wireguard'");
  dialog.getByRole("button", { name: "Скопировать команды" });
});

test("MikroTik says that it has no AmneziaWG", async () => {
  const { user, dialog } = await open({ tunnel: { type: "amneziawg", version: "2.0" } });
  await user.click(await dialog.findByRole("button", { name: "Роутер или Linux" }));
  await user.selectOptions(await dialog.findByLabelText("Куда настроить"), "MikroTik");
  await dialog.findByText(/^MikroTik не\sподдерживает эту версию AmneziaWG/);
});

test("an open dialog and what was typed outlive a list that cannot be had for a while", async () => {
  const { user, dialog, save, say, asked } = await open();
  const name = () => screen.getByLabelText("Имя", { selector: "[role=dialog] input" }) as HTMLInputElement;
  await user.clear(name());
  await user.type(name(), "work");
  say({ "GET /vpn/configs": refused(500, "internal") });
  fireEvent.click(screen.getByRole("button", { name: /Обновить список/, hidden: true }));
  await screen.findByText("Ошибка при загрузке конфигураций");
  expect(name().value).toBe("work");
  say({ "GET /vpn/configs": [config({ name: "laptop", deviceType: "computer" })] });
  fireEvent.click(screen.getByRole("button", { name: "Повторить", hidden: true }));
  await screen.findByRole("article", { name: "laptop", hidden: true });
  expect(dialog.getByLabelText("Имя")).toBe(name());
  say({ "PUT /vpn/configs/{id}": saved({ name: "work", deviceType: "computer" }) });
  await save();
  await waitFor(() => expect(asked("PUT /vpn/configs/{id}").map(({ body }) => body)).toEqual([{ name: "work" }]));
});

test("Escape does not lose a change: the dialog asks; unchanged it just closes", async () => {
  const { user, dialog } = await open();
  const ask = () => screen.findByRole("dialog", { name: "Закрыть без сохранения?" });
  const edit = () => screen.queryByRole("dialog", { name: "Изменить laptop" });
  await user.clear(dialog.getByLabelText("Имя"));
  await user.type(dialog.getByLabelText("Имя"), "work");
  await user.keyboard("{Escape}");
  await user.click(within(await ask()).getByRole("button", { name: "Отмена" }));
  expect((dialog.getByLabelText("Имя") as HTMLInputElement).value).toBe("work");
  await user.keyboard("{Escape}");
  await user.click(within(await ask()).getByRole("button", { name: "Не сохранять" }));
  await waitFor(() => expect(edit()).toBeNull());
  await user.click(screen.getByRole("button", { name: "Изменить: laptop" }));
  await waitFor(() => expect(edit()).not.toBeNull());
  await user.keyboard("{Escape}");
  await waitFor(() => expect(edit()).toBeNull());
});

test("other services and DNS lead to the new file, with what to do on the device", async () => {
  const { user, dialog, save, asked } = await open(
    {},
    { "PUT /vpn/configs/{id}": saved({ name: "office", deviceType: "computer", needsDownload: true }) },
  );
  await user.click(dialog.getByRole("checkbox", { name: /Instagram/ }));
  await user.selectOptions(dialog.getByLabelText("DNS"), "Quad9");
  await user.clear(dialog.getByLabelText("Имя"));
  await user.type(dialog.getByLabelText("Имя"), "office");
  await save();
  const next = within(await screen.findByRole("dialog", { name: "Обновите файл на устройстве" }));
  expect(next.getByText("Удалите в WireGuard туннель laptop"), "the name that the device knows").toBeTruthy();
  expect(next.getByRole("button", { name: "Скачать конфиг" })).toBeTruthy();
  expect(asked("PUT /vpn/configs/{id}").map(({ body }) => body)).toEqual([
    { name: "office", services: [uuid(30), uuid(31)], dns: quad9.id },
  ]);
});

test("a phone is shown the new code", async () => {
  const phone = { name: "laptop", deviceType: "phone" as const, needsDownload: true };
  const { user, dialog, save } = await open(
    { deviceType: "phone" },
    {
      "PUT /vpn/configs/{id}": saved(phone),
      "GET /vpn/configs/{id}/qrcode": { config: "[Interface]", name: "laptop" },
    },
  );
  await user.selectOptions(dialog.getByLabelText("DNS"), "Quad9");
  await save();
  expect(await screen.findByRole("img", { name: "QR код конфигурации laptop" })).toBeTruthy();
});

test("if only the device has the key, the lines to change by hand are shown, and a button for a new key", async () => {
  const own = { name: "laptop", deviceType: "computer" as const, keyOrigin: "browser" as const };
  const template = "[Interface]\nPrivateKey = \nDNS = 9.9.9.9\n\n[Peer]\nAllowedIPs = 9.9.9.9/32, 10.0.0.0/24\n";
  const { user, dialog, save } = await open(own, { "PUT /vpn/configs/{id}": { ...config(own), template } });
  await user.selectOptions(dialog.getByLabelText("DNS"), "Quad9");
  await save();
  const next = within(await screen.findByRole("dialog", { name: "Обновите файл на устройстве" }));
  expect(next.getByLabelText<HTMLTextAreaElement>("DNS").value).toBe("9.9.9.9");
  expect(next.getByLabelText<HTMLTextAreaElement>("AllowedIPs").value).toBe("9.9.9.9/32, 10.0.0.0/24");
  expect(next.queryByRole("button", { name: "Скачать конфиг" })).toBeNull();
  await user.click(next.getAllByRole("button", { name: "Скопировать" })[1] as HTMLElement);
  expect(await navigator.clipboard.readText()).toBe("9.9.9.9/32, 10.0.0.0/24");
  await user.click(next.getByRole("button", { name: "Заменить ключ" }));
  expect(await screen.findByRole("dialog", { name: "Заменить ключ для laptop?" })).toBeTruthy();
});

const riga = wgInterface({ id: uuid(61), name: "Interface 2", serverName: "Рига", isPreferred: false });
const moving = {
  until: inDays(1),
  interfaceId: uuid(60),
  interfaceName: "Interface 1",
  serverName: "Хельсинки",
};

test("a device moves to another server: only that is sent, and the new file's sheet says how long the old one works", async () => {
  const { user, dialog, save, asked } = await open(
    {},
    {
      "GET /vpn/available-interfaces": [wgInterface(), riga],
      "PUT /vpn/configs/{id}": saved({ name: "laptop", interfaceId: riga.id, needsDownload: true, moving }),
    },
  );
  expect(dialog.queryByText(/Устройство переедет/)).toBeNull();
  await user.selectOptions(dialog.getByLabelText("Интерфейс сервера"), riga.id);
  expect(dialog.getByText(/Устройство переедет/)).toBeTruthy();
  await save();
  const next = within(await screen.findByRole("dialog", { name: "Обновите файл на устройстве" }));
  expect(next.getByText(/не дольше чем до \d\d:\d\d \d{1,2} [а-я]+/)).toBeTruthy();
  expect(asked("PUT /vpn/configs/{id}").map(({ body }) => body)).toEqual([{ interfaceId: riga.id }]);
});

test("servers are offered only if there is another one", async () => {
  const { dialog } = await open();
  await dialog.findByLabelText("DNS");
  expect(dialog.queryByLabelText("Интерфейс сервера")).toBeNull();
});

test("a device whose server is no longer offered stays there until another one is chosen", async () => {
  const { dialog, save, asked } = await open({}, { "GET /vpn/available-interfaces": [riga] });
  const field = dialog.getByLabelText<HTMLSelectElement>("Интерфейс сервера");
  expect(field.selectedOptions[0]?.text).toBe("Хельсинки");
  await save();
  expect(asked("PUT /vpn/configs/{id}")).toEqual([]);
});

test("a full server says so in the form, and nothing is lost", async () => {
  const { user, dialog, save } = await open(
    {},
    {
      "GET /vpn/available-interfaces": [wgInterface(), riga],
      "PUT /vpn/configs/{id}": refused(409, "interface.full", "На этом интерфейсе не осталось свободных адресов."),
    },
  );
  await user.selectOptions(dialog.getByLabelText("Интерфейс сервера"), riga.id);
  await save();
  await dialog.findByText("На этом интерфейсе не осталось свободных адресов.");
  expect(dialog.getByLabelText<HTMLSelectElement>("Интерфейс сервера").value).toBe(riga.id);
});

test("if only the device has the key, a move shows all lines of the other server", async () => {
  const own = { name: "laptop", deviceType: "computer" as const, keyOrigin: "browser" as const };
  const template =
    "[Interface]\nAddress = 10.8.1.2/32\nDNS = 1.1.1.1\n\n[Peer]\nPublicKey = server\nPresharedKey = secret\n" +
    "AllowedIPs = 1.1.1.1/32\nEndpoint = riga.example:51821\nPersistentKeepalive = 25\n";
  const { user, dialog, save } = await open(own, {
    "GET /vpn/available-interfaces": [wgInterface(), riga],
    "PUT /vpn/configs/{id}": { ...config({ ...own, interfaceId: riga.id, moving }), template },
  });
  await user.selectOptions(dialog.getByLabelText("Интерфейс сервера"), riga.id);
  await save();
  const next = within(await screen.findByRole("dialog", { name: "Обновите файл на устройстве" }));
  const lines = next.getAllByRole<HTMLTextAreaElement>("textbox").map(({ value }) => value);
  expect(lines).toEqual(["10.8.1.2/32", "1.1.1.1", "server", "secret", "1.1.1.1/32", "riga.example:51821"]);
  expect(next.getByText(/не дольше чем до/)).toBeTruthy();
});

test("a taken name is reported at the name, a phone's 120 addresses at the service, and nothing is lost", async () => {
  const { user, dialog, save, asked } = await open(
    { deviceType: "phone" },
    { "PUT /vpn/configs/{id}": refused(409, "config.name_taken", "У вас уже есть конфигурация с таким именем.") },
  );
  expect(dialog.getByRole<HTMLInputElement>("checkbox", { name: /Instagram/ }).disabled).toBe(true);
  await user.type(dialog.getByLabelText("Имя"), "2");
  await save();
  await dialog.findByText("У вас уже есть конфигурация с таким именем.");
  expect(dialog.getByLabelText<HTMLInputElement>("Имя").value).toBe("laptop2");
  expect(asked("PUT /vpn/configs/{id}")).toHaveLength(1);
});

test("saving without a change sends nothing", async () => {
  const { save, asked } = await open();
  await save();
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(asked("PUT /vpn/configs/{id}")).toHaveLength(0);
});

const hidden = { type: "amneziawg", version: "3.1" } as const;
const other = wgInterface({ id: uuid(61), name: "Скрытый", tunnel: hidden });

test("moved to an interface of another kind, the device gets the steps for its new app", async () => {
  const moved = saved({ name: "laptop", deviceType: "computer", interfaceId: uuid(61), tunnel: hidden });
  const { user, dialog, save } = await open(
    {},
    {
      "GET /vpn/available-interfaces": [wgInterface(), other],
      "PUT /vpn/configs/{id}": { ...moved, needsDownload: true },
      "GET /vpn/configs/{id}/stats": { lastHandshake: null, dataReceived: 0, dataSent: 0, speed: null },
    },
  );
  await user.selectOptions(dialog.getByLabelText("Интерфейс сервера"), uuid(61));
  expect(dialog.getByText(/Нужно приложение AmneziaWG/)).toBeTruthy();
  await save();
  const sheet = within(await screen.findByRole("dialog", { name: "laptop" }));
  expect(await sheet.findByText("Установите AmneziaWG или AmneziaVPN")).toBeTruthy();
  expect(sheet.getByText("Ждём первое подключение...")).toBeTruthy();
});

test("if only the browser has the key, such a move asks for a new one: lines to copy would not do", async () => {
  const moved = saved({ name: "laptop", keyOrigin: "browser", interfaceId: uuid(61), tunnel: hidden });
  const { user, dialog, save } = await open(
    { keyOrigin: "browser" },
    {
      "GET /vpn/available-interfaces": [wgInterface(), other],
      "PUT /vpn/configs/{id}": { ...moved, template: "[Interface]\nJc = 4\n" },
    },
  );
  await user.selectOptions(dialog.getByLabelText("Интерфейс сервера"), uuid(61));
  await save();
  expect(await screen.findByRole("dialog", { name: "Заменить ключ для laptop?" })).toBeTruthy();
});
