import { generateKeyPair } from "@krug/wireguard/keys";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { type Visitor, visit } from "./browser.ts";
import { browser, club, openClub } from "./club-in-browser.ts";
import { enter, PATIENCE } from "./enter.ts";
import { setUpSecondFactor } from "./enter-staff.ts";
import { seen } from "./seen.ts";

/** An admin on a desktop manages the machine, its interfaces and the catalogue; a moderator on a phone reads. */
let admin: Visitor;
let moderator: Visitor;
openClub();

const section = async (page: Page, title: string) => {
  await page.getByRole("link", { name: title, exact: true }).click(PATIENCE);
  await page.getByRole("heading", { level: 1, name: title }).waitFor(PATIENCE);
};
const act = async (page: Page, name: string, action: string) => {
  await page.getByRole("button", { name: `Действия: ${name}`, exact: true }).click(PATIENCE);
  await page.getByRole("menuitem", { name: action }).click(PATIENCE);
};
const row = (page: Page, name: string) => page.getByRole("row", { name: new RegExp(name) });

test("an admin sees the machine's state and changes the address devices connect to", async () => {
  admin = await visit(browser, { screen: "desktop", baseURL: club.url });
  await enter(admin, "admin", "Администратор");
  const { page } = admin;
  await page.getByRole("link", { name: "Панель управления" }).click();
  await setUpSecondFactor(page);
  await section(page, "Серверы");
  await page.getByText("Процессор").waitFor(PATIENCE);
  await seen(page, "the servers");
  await act(page, "Хельсинки", "Изменить");
  const dialog = page.getByRole("dialog", { name: "Изменить: Хельсинки" });
  await dialog.getByLabel("Адрес подключения").fill("vpn.krug.example");
  await dialog.getByText(/Файл устареет на \d+/).waitFor(PATIENCE);
  await seen(page, "the change of a server");
  await dialog.getByRole("button", { name: "Сохранить" }).click();
  await page.getByText("vpn.krug.example").waitFor(PATIENCE);
});

test("the admin creates an interface, renames it in place, assigns it, changes its port and deletes it", async () => {
  const { page } = admin;
  await section(page, "WG Интерфейсы");
  await page.getByRole("button", { name: "Создать интерфейс" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Создать" }).click();
  await row(page, "Interface 3").getByText("Работает").waitFor(PATIENCE);
  await act(page, "Interface 3", "Переименовать");
  await page.getByLabel("Новое название: Interface 3").fill("Гости");
  await page.getByRole("button", { name: "Сохранить название" }).click();
  await row(page, "Гости").waitFor(PATIENCE);

  await act(page, "Гости", "Назначить участнику");
  const assigning = page.getByRole("dialog", { name: "Кому назначен: Гости" });
  await assigning.getByRole("combobox", { name: "Участник" }).fill("timur");
  await assigning.getByRole("option", { name: /Тимур/ }).first().click(PATIENCE);
  await assigning.getByRole("button", { name: "Назначить" }).click();
  await assigning.getByText("Тимур: назначено").waitFor(PATIENCE);
  await seen(page, "whom it is assigned to");
  await assigning.getByRole("button", { name: "Готово" }).click();
  await row(page, "Гости").getByText("1 участнику").waitFor(PATIENCE);

  await act(page, "Гости", "Изменить");
  const editing = page.getByRole("dialog", { name: "Изменить: Гости" });
  await editing.getByLabel("Порт UDP").fill("51820");
  admin.expectProblem(/409/);
  await editing.getByRole("button", { name: "Сохранить" }).click();
  await editing.getByText("Порт 51820 на сервере уже занят.").waitFor(PATIENCE);
  await editing.getByLabel("Порт UDP").fill("4500");
  await editing.getByRole("button", { name: "Сохранить" }).click();
  await row(page, "Гости").getByText("4500").waitFor(PATIENCE);
  await seen(page, "the interfaces");

  await act(page, "Гости", "Удалить");
  await page.getByRole("dialog").getByRole("button", { name: "Удалить" }).click();
  await row(page, "Гости").waitFor({ state: "detached", ...PATIENCE });
  // Deleting one with configs requires typing its name.
  await act(page, "Interface 1", "Удалить");
  const losing = page.getByRole("dialog", { name: "Удалить: Interface 1?" });
  expect(await losing.getByRole("button", { name: "Удалить навсегда" }).isDisabled()).toBe(true);
  await losing.getByRole("button", { name: "Отмена" }).click();
});

test("the admin adds a service, sees which address is wrong and whom a change affects; a member then sees what to do", async () => {
  const { page } = admin;
  await section(page, "Настройки WG");
  await page.getByRole("button", { name: "Добавить сервис" }).click();
  const adding = page.getByRole("dialog", { name: "Новый сервис" });
  await adding.getByLabel("Название").fill("Почта");
  await adding.getByLabel("IP-адреса и сети через запятую").fill("142.251.0.0/16, 300.1.1.1");
  await adding.getByRole("button", { name: "Сохранить" }).click();
  await adding.getByText("«300.1.1.1» — не IP-адрес и не сеть").waitFor(PATIENCE);
  await seen(page, "a wrong address");
  await adding.getByLabel("IP-адреса и сети через запятую").fill("142.251.0.0/16, 30.1.1.1");
  await adding.getByRole("button", { name: "Сохранить" }).click();
  await row(page, "Почта").waitFor(PATIENCE);
  await act(page, "Почта", "Удалить");
  await page.getByRole("dialog").getByRole("button", { name: "Удалить" }).click();
  await row(page, "Почта").waitFor({ state: "detached", ...PATIENCE });

  await act(page, "Весь трафик", "Изменить");
  const editing = page.getByRole("dialog", { name: "Изменить: Весь трафик" });
  await editing.getByLabel("IP-адреса и сети через запятую").fill("0.0.0.0/1, 128.0.0.0/1, ::/0");
  await editing.getByText(/Файл устареет на \d+/).waitFor(PATIENCE);
  await editing.getByRole("button", { name: "Сохранить" }).click();
  await row(page, "Весь трафик").getByText("128.0.0.0/1").waitFor(PATIENCE);
  await seen(page, "services and DNS entries");
  const marina = await visit(browser, { screen: "phone", baseURL: club.url });
  await enter(marina, "marina", "Марина");
  await marina.page
    .getByText(/скачайте.*заново/i)
    .first()
    .waitFor(PATIENCE);
  expect(marina.problems()).toEqual([]);
  await marina.context.close();
});

test("the admin rents a machine, sets it up and moves all devices there; a member is notified and finds the file outdated", async () => {
  const { page } = admin;
  club.rent("203.0.113.24");
  await section(page, "Серверы");
  await page.getByRole("button", { name: "Добавить сервер" }).click(PATIENCE);
  const form = page.getByRole("dialog", { name: "Новый сервер" });
  await form.getByLabel("Название").fill("Стокгольм", PATIENCE);
  await form.getByLabel("Хост").fill("203.0.113.24");
  await form.getByLabel("Пароль", { exact: true }).fill("right");
  await form.getByRole("button", { name: "Добавить" }).click();
  const wizard = page.getByRole("dialog", { name: "Настройка: Стокгольм" });
  for (const step of [1, 2, 3]) await wizard.getByRole("button", { name: `Начать шаг ${step}` }).click(PATIENCE);
  await wizard.waitFor({ state: "detached", ...PATIENCE });

  await act(page, "Хельсинки", "Перенести устройства");
  const moving = page.getByRole("dialog", { name: "Перенести с сервера: Хельсинки" });
  await moving.getByText("Главным станет выбранный сервер.", { exact: false }).waitFor(PATIENCE);
  await moving.getByRole("button", { name: "Перенести" }).click();
  await page.getByText(/^Перенесено на «Стокгольм»: \d+$/).waitFor(PATIENCE);
  await page.getByText("Не принимает новых конфигов").waitFor(PATIENCE);
  await seen(page, "a server that was emptied");

  const vera = await visit(browser, { screen: "phone", baseURL: club.url });
  await enter(vera, "vera", "Вера");
  await vera.page
    .getByText(/скачайте.*заново/i)
    .first()
    .waitFor(PATIENCE);
  await vera.page.getByRole("button", { name: /^Уведомления/ }).click(PATIENCE);
  await vera.page.getByText("Конфигу pixel-vera нужен новый файл").first().waitFor(PATIENCE);
  expect(vera.problems()).toEqual([]);
  await vera.context.close();
  await page.getByRole("button", { name: "Принимать снова: Хельсинки" }).click();
  await page.getByText("Не принимает новых конфигов").waitFor({ state: "detached", ...PATIENCE });
});

test("the admin imports another program's interface; its member sees a device that works, and gets a file after choosing services", async () => {
  const { page } = admin;
  const [server, device] = [generateKeyPair(), generateKeyPair()];
  const file = `[Interface]\nPrivateKey = ${server.privateKey}\nAddress = 10.77.0.1/24\nListenPort = 51999\n\n# vera\n[Peer]\nPublicKey = ${device.publicKey}\nAllowedIPs = 10.77.0.5/32\n`;
  await section(page, "WG Интерфейсы");
  await page.getByRole("button", { name: "Создать интерфейс" }).click();
  await page.getByRole("button", { name: /^Перенести из/ }).click(PATIENCE);
  const dialog = page.getByRole("dialog", { name: "Перенести интерфейс" });
  await dialog
    .locator('input[type="file"]')
    .setInputFiles({ name: "wg0.conf", mimeType: "text/plain", buffer: Buffer.from(file) });
  const vera = dialog.getByRole("region", { name: "vera" });
  await vera.getByLabel("Имя конфига").fill("old-laptop", PATIENCE);
  await dialog.getByLabel("Название (можно не указывать)").fill("Старый");
  await seen(page, "devices that move in");
  await dialog.getByRole("button", { name: "Перенести: 1" }).click();
  await row(page, "Старый").getByText("Работает").waitFor(PATIENCE);

  const member = await visit(browser, { screen: "phone", baseURL: club.url });
  await enter(member, "vera", "Вера");
  const card = member.page.getByRole("article", { name: "old-laptop" });
  await card.getByText(/^Настроено раньше/).waitFor(PATIENCE);
  await seen(member.page, "a device that moved in");
  await card.getByRole("button", { name: "Выбрать сервисы" }).click();
  const choice = member.page.getByRole("dialog", { name: /old-laptop/ });
  await choice.getByRole("checkbox").first().check(PATIENCE);
  await choice.getByRole("button", { name: "Сохранить" }).click();
  await member.page.getByText(/^Сохранено\. Ключ есть только/).waitFor(PATIENCE);
  await member.page.keyboard.press("Escape");
  await card.getByRole("button", { name: "Заменить ключ: old-laptop" }).waitFor(PATIENCE);
  expect(member.problems()).toEqual([]);
  await member.context.close();
});

test("a moderator on a phone reads interfaces and services, sees no servers and can change nothing", async () => {
  moderator = await visit(browser, { screen: "phone", baseURL: club.url });
  await enter(moderator, "moderator", "Модератор");
  const { page } = moderator;
  await page.getByRole("link", { name: "Панель управления" }).click();
  await setUpSecondFactor(page);
  await page.getByRole("button", { name: "Открыть разделы" }).click(PATIENCE);
  const sections = page.getByRole("dialog", { name: "Разделы панели управления" });
  expect(await sections.getByRole("link", { name: "Серверы" }).count()).toBe(0);
  await sections.getByRole("link", { name: "WG Интерфейсы" }).click(PATIENCE);
  await page.getByText("10.8.1.0/24").waitFor(PATIENCE);
  expect(await page.getByRole("button", { name: "Создать интерфейс" }).count()).toBe(0);
  await seen(page, "the interfaces on a phone");
  await page.getByRole("button", { name: "Открыть разделы" }).click(PATIENCE);
  await sections.getByRole("link", { name: "Настройки WG" }).click(PATIENCE);
  await page.getByText("Cloudflare").waitFor(PATIENCE);
  expect(await page.getByRole("button", { name: /Добавить|Действия/ }).count()).toBe(0);
  await seen(page, "services on a phone");
  expect([...admin.problems(), ...moderator.problems()]).toEqual([]);
});
