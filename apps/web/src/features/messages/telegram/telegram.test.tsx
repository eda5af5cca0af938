import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, onTestFinished, test, vi } from "vitest";
import { openPage, screens } from "../../../testing/open-page.tsx";
import { type Panel, panel, refused } from "../../../testing/panel.ts";
import { onPhone } from "../../../testing/phone.ts";
import { cloudflare, config, member, service, uuid, wgInterface } from "../../../testing/samples.ts";
import type { TelegramStatus } from "./queries.ts";

screens();

const BIND = "Привяжите Telegram для создания VPN";
const status = (about: Partial<TelegramStatus> = {}): TelegramStatus => ({
  telegramConnected: false,
  enabled: true,
  required: true,
  botName: "krug_club_bot",
  account: null,
  botBlocked: false,
  ...about,
});
const linked = status({ telegramConnected: true, account: "@marina_k" });
const code = (seconds = 600) => ({
  telegramCode: "K7MPHW",
  deepLink: "https://t.me/krug_club_bot?start=K7MPHW",
  botName: "krug_club_bot",
  expiresAt: new Date(Date.now() + seconds * 1000).toISOString(),
});

function open(says: Panel = {}) {
  const club = panel({
    "GET /auth/me": member(),
    "GET /vpn/configs": [config()],
    "GET /vpn/available-interfaces": [wgInterface()],
    "GET /users/{id}/invited": [],
    "GET /services": [service(1, "Всё", 1)],
    "GET /dns": [cloudflare],
    "GET /auth/telegram/status": status(),
    "POST /auth/telegram/generate-code": () => code(),
    ...says,
  });
  return { ...club, ...openPage("/dashboard") };
}
const dialogNamed = async (name: string) => within(await screen.findByRole("dialog", { name }));
async function openSettings(says: Panel = {}) {
  const page = open(says);
  await page.user.click(await screen.findByRole("button", { name: "Настройки" }));
  return { ...page, settings: await dialogNamed("Настройки") };
}
async function openPrompt(says: Panel = {}) {
  const page = open(says);
  await page.user.click(await screen.findByRole("button", { name: "Привязать Telegram" }));
  return { ...page, prompt: await dialogNamed("Привязка Telegram") };
}

test("if it is required and not linked, a banner replaces the create button", async () => {
  open();
  expect(await screen.findByText(BIND)).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Создать конфиг" })).toBeNull();
});

test.each([
  ["not required", status({ required: false })],
  ["linked", linked],
  ["not there at all", status({ enabled: false, required: false, botName: null })],
])("no banner if it is %s", async (_, says) => {
  open({ "GET /auth/telegram/status": says });
  expect((await screen.findAllByRole("button", { name: "Создать конфиг" })).length).toBeGreaterThan(0);
  expect(screen.queryByText(BIND)).toBeNull();
});

test("the first device needs none: the empty page offers both, and the reason", async () => {
  open({ "GET /vpn/configs": [] });
  expect(await screen.findByText(/Первое устройство создаётся и\sтак/)).toBeTruthy();
  expect(screen.getAllByRole("button", { name: "Создать конфиг" }).length).toBeGreaterThan(0);
  expect(screen.getByRole("button", { name: "Привязать Telegram" })).toBeTruthy();
  expect(screen.queryByText(BIND)).toBeNull();
});

test("on a desktop: a QR code, the code in boxes and its remaining time; on a phone Telegram opens first", async () => {
  const { prompt, asked } = await openPrompt();
  expect(await prompt.findByRole("img", { name: "QR-код для бота @krug_club_bot" })).toBeTruthy();
  expect(prompt.getByText("K 7 M P H W")).toBeTruthy();
  expect(prompt.getByRole("timer").textContent).toMatch(/^Код действует ещё (10:00|09:5\d)$/);
  expect(prompt.getByRole("link", { name: "Открыть Telegram" }).getAttribute("href")).toBe(code().deepLink);
  expect(asked("POST /auth/telegram/generate-code")[0]?.body).toEqual({ userId: uuid(1) });
});

test("long after signing in it takes the password, and goes on by itself", async () => {
  const { prompt, say, user, asked } = await openPrompt({
    "POST /auth/telegram/generate-code": refused(403, "auth.password_required", "Подтвердите пароль."),
    "POST /auth/confirm-password": refused(400, "auth.wrong_credentials", "Неверный пароль."),
  });
  const password = await prompt.findByLabelText("Пароль");
  await user.click(prompt.getByRole("button", { name: "Продолжить" }));
  expect(await prompt.findByText("Введите пароль")).toBeTruthy();
  expect(asked("POST /auth/confirm-password")).toEqual([]);
  await user.type(password, "wrong");
  await user.click(prompt.getByRole("button", { name: "Продолжить" }));
  expect(await prompt.findByText("Неверный пароль.")).toBeTruthy();
  say({ "POST /auth/confirm-password": undefined, "POST /auth/telegram/generate-code": () => code() });
  await user.click(prompt.getByRole("button", { name: "Продолжить" }));
  expect(await prompt.findByText("K 7 M P H W")).toBeTruthy();
  expect(asked("POST /auth/confirm-password").at(-1)?.body).toEqual({ password: "wrong" });
});

test("on a phone nothing is scanned", async () => {
  onPhone();
  const { prompt } = await openPrompt();
  expect(await prompt.findByRole("link", { name: "Открыть Telegram" })).toBeTruthy();
  expect(prompt.queryByRole("img")).toBeNull();
});

test("the page changes by itself once the bot has the code, and leads on", async () => {
  const { prompt, say, user } = await openPrompt();
  await prompt.findByText(/Ждём, пока код дойдёт/);
  say({ "GET /auth/telegram/status": linked, "GET /auth/me": member({ telegramConnected: true }) });
  const strip = await prompt.findByText("Telegram подключён");
  expect(strip.closest('[role="status"]')).toBeTruthy();
  await user.click(prompt.getByRole("button", { name: "Создать конфиг" }));
  expect(await screen.findByRole("dialog", { name: "Создание VPN конфига" })).toBeTruthy();
  expect(screen.queryByText(BIND)).toBeNull();
});

/** Time passes by itself and as a test says. */
function withTime() {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  return {
    user: userEvent.setup({ advanceTimers: vi.advanceTimersByTime }),
    pass: (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms)),
  };
}

test("it polls every 5 s for 120 s, then only on demand", async () => {
  const { user, pass } = withTime();
  const { asked } = open();
  await user.click(await screen.findByRole("button", { name: "Привязать Telegram" }));
  const prompt = await dialogNamed("Привязка Telegram");
  await prompt.findByRole("timer");
  const count = () => asked("GET /auth/telegram/status").length;
  const before = count();
  await pass(60_000);
  expect(count() - before).toBeGreaterThanOrEqual(11);
  expect(count() - before).toBeLessThanOrEqual(13);
  await pass(62_000);
  expect(await prompt.findByText("Пока не привязан")).toBeTruthy();
  const stopped = count();
  await pass(30_000);
  expect(count()).toBe(stopped);
  await user.click(prompt.getByRole("button", { name: "Проверить ещё раз" }));
  await waitFor(() => expect(count()).toBe(stopped + 1));
  expect(prompt.getByText(/Ждём, пока код дойдёт/)).toBeTruthy();
});

test("an expired code disappears, and a press gets a new one", async () => {
  const { prompt, say, user } = await openPrompt({ "POST /auth/telegram/generate-code": () => code(2) });
  expect(await prompt.findByText("Этот код больше не действует.")).toBeTruthy();
  expect(prompt.queryByText("K 7 M P H W")).toBeNull();
  say({ "POST /auth/telegram/generate-code": () => ({ ...code(), telegramCode: "ABCDEF" }) });
  await user.click(prompt.getByRole("button", { name: "Получить новый код" }));
  expect(await prompt.findByText("A B C D E F")).toBeTruthy();
});

test("a code that can't be loaded says so and can be retried", async () => {
  const { prompt, say, user } = await openPrompt({
    "POST /auth/telegram/generate-code": refused(503, "telegram.unavailable", "Бот клуба сейчас не отвечает."),
  });
  const alert = (await prompt.findByText("Ошибка при генерации кода для Telegram")).closest('[role="alert"]');
  expect(alert?.textContent).toContain("Бот клуба сейчас не отвечает.");
  say({ "POST /auth/telegram/generate-code": () => code() });
  await user.click(prompt.getByRole("button", { name: "Повторить" }));
  expect(await prompt.findByText("K 7 M P H W")).toBeTruthy();
});

test("a creation refused for lack of Telegram opens the bind prompt, although the page did not know", async () => {
  const { user, say } = open({
    "GET /auth/telegram/status": linked,
    "POST /vpn/configs": refused(403, "telegram.not_linked", BIND),
  });
  await user.click((await screen.findAllByRole("button", { name: "Создать конфиг" }))[0] as HTMLElement);
  const dialog = await dialogNamed("Создание VPN конфига");
  await user.type(await dialog.findByLabelText("Имя"), "laptop");
  say({ "GET /auth/telegram/status": status() });
  await user.click(dialog.getByRole("button", { name: "Создать конфиг" }));
  expect(await (await dialogNamed("Привязка Telegram")).findByText("K 7 M P H W")).toBeTruthy();
});

test("the settings of a club without a bot do not mention it", async () => {
  const { settings } = await openSettings({ "GET /auth/telegram/status": status({ enabled: false, required: false }) });
  expect(settings.getByRole("heading", { name: "Смена пароля" })).toBeTruthy();
  expect(settings.queryByText(/Telegram/)).toBeNull();
});

test("in the settings it is linked in place", async () => {
  const { settings, user, say } = await openSettings();
  expect(await settings.findByText(/Не привязан\. Нужен, чтобы добавлять/)).toBeTruthy();
  await user.click(settings.getByRole("button", { name: "Привязать Telegram" }));
  expect(await settings.findByText("K 7 M P H W")).toBeTruthy();
  say({ "GET /auth/telegram/status": linked });
  expect(await settings.findByText("Telegram подключён")).toBeTruthy();
  expect(settings.getByRole("button", { name: "Отвязать Telegram" })).toBeTruthy();
});

test("a member who has blocked the bot reads what to do", async () => {
  const { settings } = await openSettings({ "GET /auth/telegram/status": status({ botBlocked: true }) });
  expect(await settings.findByText(/Вы заблокировали бота @krug_club_bot/)).toBeTruthy();
});

async function openUnlinking(says: Panel = {}) {
  const page = await openSettings({
    "GET /auth/telegram/status": linked,
    "GET /auth/telegram/unlink-code/{id}": { code: "K7MPHW", expiresAt: code().expiresAt },
    ...says,
  });
  expect(await page.settings.findByText("Привязан: @marina_k")).toBeTruthy();
  await page.user.click(page.settings.getByRole("button", { name: "Отвязать Telegram" }));
  return { ...page, dialog: await dialogNamed("Отвязать Telegram") };
}

test("unlinking: the code and a warning, the code typed, and success that closes by itself", async () => {
  const { dialog, user, say, asked, settings } = await openUnlinking({
    "POST /auth/telegram/unlink": { telegramConnected: false },
  });
  expect(await dialog.findByText("K 7 M P H W")).toBeTruthy();
  expect(dialog.getByText(/VPN на\sваших устройствах продолжит работать/)).toBeTruthy();
  await user.click(dialog.getByRole("button", { name: "Продолжить" }));
  await user.click(dialog.getByLabelText("Знак 1 из 6"));
  await user.keyboard("zzzzzz");
  await user.click(dialog.getByRole("button", { name: "Отвязать" }));
  expect((await dialog.findByText("Неверный код подтверждения")).closest('[role="alert"]')).toBeTruthy();
  expect(document.activeElement).toBe(dialog.getByLabelText("Знак 1 из 6"));
  expect(asked("POST /auth/telegram/unlink")).toEqual([]);
  await user.click(dialog.getByLabelText("Знак 6 из 6"));
  await user.keyboard("{Backspace}{Backspace}{Backspace}{Backspace}{Backspace}{Backspace}k7mphw");
  say({ "GET /auth/telegram/status": status() });
  await user.click(dialog.getByRole("button", { name: "Отвязать" }));
  expect(await dialog.findByText("Telegram отвязан")).toBeTruthy();
  expect(asked("POST /auth/telegram/unlink")[0]?.body).toEqual({ userId: uuid(1), confirmationCode: "K7MPHW" });
  await waitFor(() => expect(screen.queryByRole("dialog", { name: "Отвязать Telegram" })).toBeNull(), {
    timeout: 4000,
  });
  expect(settings.getByRole("button", { name: "Привязать Telegram" })).toBeTruthy();
});

test("unlinking that fails says why, and going back replaces an expired code", async () => {
  const { dialog, user, say } = await openUnlinking({
    "POST /auth/telegram/unlink": refused(409, "telegram.code_expired", "Код больше не действует. Получите новый."),
  });
  await dialog.findByText("K 7 M P H W");
  await user.click(dialog.getByRole("button", { name: "Продолжить" }));
  await user.click(dialog.getByLabelText("Знак 1 из 6"));
  await user.keyboard("K7MPHW");
  await user.click(dialog.getByRole("button", { name: "Отвязать" }));
  expect(await dialog.findByText("Код больше не действует. Получите новый.")).toBeTruthy();
  say({ "GET /auth/telegram/unlink-code/{id}": { code: "ABCDEF", expiresAt: code().expiresAt } });
  await user.click(dialog.getByRole("button", { name: "Назад" }));
  expect(await dialog.findByText("A B C D E F")).toBeTruthy();
});

test("a confirmation code that can't be loaded shows a message and can be retried", async () => {
  const { dialog, user, say } = await openUnlinking({
    "GET /auth/telegram/unlink-code/{id}": refused(500, "internal"),
  });
  expect(await dialog.findByText("Не удалось получить код подтверждения")).toBeTruthy();
  say({ "GET /auth/telegram/unlink-code/{id}": { code: "K7MPHW", expiresAt: code().expiresAt } });
  await user.click(dialog.getByRole("button", { name: "Повторить" }));
  expect(await dialog.findByText("K 7 M P H W")).toBeTruthy();
});
