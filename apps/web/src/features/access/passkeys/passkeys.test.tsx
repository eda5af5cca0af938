import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { openPage, screens } from "../../../testing/open-page.tsx";
import { type Panel, panel, refused } from "../../../testing/panel.ts";
import { member, uuid } from "../../../testing/samples.ts";
import { admin, twoFactorOn } from "../../../testing/staff.ts";

screens();

const bytes = (text: string) => new TextEncoder().encode(text).buffer;
const b64 = (text: string) => Buffer.from(text).toString("base64url");
const device = { get: vi.fn(), create: vi.fn() };
/** The browser's own refusal. */
const refusal = (name: string) => Object.assign(new Error("The operation is not allowed."), { name });

beforeEach(() => {
  device.get.mockReset().mockResolvedValue({
    id: "AAAA",
    rawId: bytes("key"),
    type: "public-key",
    getClientExtensionResults: () => ({}),
    response: {
      clientDataJSON: bytes("client"),
      authenticatorData: bytes("data"),
      signature: bytes("signed"),
      userHandle: bytes("me"),
    },
  });
  device.create.mockReset().mockResolvedValue({
    id: "AAAA",
    rawId: bytes("key"),
    type: "public-key",
    getClientExtensionResults: () => ({}),
    response: { clientDataJSON: bytes("client"), attestationObject: bytes("made"), getTransports: () => ["internal"] },
  });
  vi.stubGlobal("PublicKeyCredential", () => {});
  Object.defineProperty(navigator, "credentials", { configurable: true, value: device });
  onTestFinished(() => {
    vi.unstubAllGlobals();
    delete document.documentElement.dataset.passkeys;
  });
});

const asked = {
  rpId: "localhost",
  challenge: b64("challenge"),
  timeout: 300_000,
  allowCredentials: [],
  userVerification: "required" as const,
};
const toAdd = {
  rp: { id: "localhost", name: "Круг" },
  user: { id: b64("me"), name: "marina_l", displayName: "Марина" },
  challenge: b64("challenge"),
  pubKeyCredParams: [{ type: "public-key" as const, alg: -7 }],
  timeout: 300_000,
  excludeCredentials: [],
  authenticatorSelection: {
    residentKey: "required" as const,
    requireResidentKey: true as const,
    userVerification: "required" as const,
  },
  attestation: "none" as const,
};
const signed = {
  id: "AAAA",
  clientDataJSON: b64("client"),
  authenticatorData: b64("data"),
  signature: b64("signed"),
  userHandle: b64("me"),
};
const phone = {
  id: uuid(900),
  name: "Chrome, Android",
  host: "localhost",
  createdAt: new Date(Date.now() - 86_400_000 * 40).toISOString(),
  lastUsedAt: null,
};
const entered = { "GET /vpn/configs": [], "GET /vpn/available-interfaces": [] };

test("one press signs in, without a name or a password", async () => {
  const club = panel({
    ...entered,
    "POST /auth/passkey/options": asked,
    "POST /auth/passkey": { token: "t", user: member() },
  });
  const { user, address } = openPage("/login");
  await user.click(await screen.findByRole("button", { name: "По отпечатку или лицу" }));
  await waitFor(() => expect(address()).toBe("/dashboard"), { timeout: 5_000 });
  expect(club.asked("POST /auth/passkey")[0]?.body).toEqual(signed);
  expect(club.asked("POST /auth/login")).toEqual([]);
});

test("who cancels, or has none, reads what to do; a refusal of the panel reads as the panel says it", async () => {
  const club = panel({ "POST /auth/passkey/options": asked });
  const { user } = openPage("/login");
  const press = async () => user.click(await screen.findByRole("button", { name: "По отпечатку или лицу" }));
  device.get.mockRejectedValueOnce(refusal("NotAllowedError"));
  await press();
  expect((await screen.findByRole("alert")).textContent).toMatch(/Войдите паролем; ключ добавляется в\sнастройках/);
  expect(club.asked("POST /auth/passkey")).toEqual([]);
  club.say({ "POST /auth/passkey": refused(401, "passkey.not_accepted", "Панель не приняла этот ключ доступа.") });
  await press();
  expect(await screen.findByText("Панель не приняла этот ключ доступа.")).toBeTruthy();
});

async function settings(says: Panel = {}) {
  const club = panel({ "GET /auth/me": member(), ...entered, "GET /auth/sessions": [], ...says });
  const page = openPage("/dashboard");
  await page.user.click(await screen.findByRole("button", { name: "Настройки" }));
  const part = within(await screen.findByRole("region", { name: "Вход по отпечатку или лицу" }));
  return { ...club, ...page, part };
}

test("the settings say what a passkey is, and adding one takes the password", async () => {
  const { part, user, say, heard } = await settings({
    "POST /auth/confirm-password": undefined,
    "POST /passkeys/options": toAdd,
    "POST /passkeys": phone,
  });
  await part.findByText("Ключей доступа пока нет.");
  await user.click(part.getByRole("button", { name: "Добавить ключ доступа" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Новый ключ доступа" }));
  await user.click(dialog.getByRole("button", { name: "Продолжить" }));
  expect(await dialog.findByText("Введите пароль")).toBeTruthy();
  await user.type(dialog.getByLabelText("Пароль"), "secret-pass");
  say({ "GET /passkeys": { host: "localhost", passkeys: [phone] } });
  await user.click(dialog.getByRole("button", { name: "Продолжить" }));
  expect(await part.findByText("Chrome, Android")).toBeTruthy();
  expect(part.getByText(/^Добавлен .+, входа ещё не было$/)).toBeTruthy();
  const sent = heard.filter(({ key }) => key.startsWith("POST /"));
  expect(sent.map(({ key }) => key)).toEqual([
    "POST /auth/confirm-password",
    "POST /passkeys/options",
    "POST /passkeys",
  ]);
  expect(sent[2]?.body).toEqual({
    id: "AAAA",
    clientDataJSON: b64("client"),
    attestationObject: b64("made"),
    transports: ["internal"],
  });
});

test("a device that did not recognize the person adds nothing, and one that has a passkey says so", async () => {
  const {
    part,
    user,
    asked: said,
  } = await settings({
    "POST /auth/confirm-password": undefined,
    "POST /passkeys/options": toAdd,
  });
  await user.click(await part.findByRole("button", { name: "Добавить ключ доступа" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Новый ключ доступа" }));
  await user.type(dialog.getByLabelText("Пароль"), "secret-pass");
  device.create.mockRejectedValueOnce(refusal("NotAllowedError"));
  await user.click(dialog.getByRole("button", { name: "Продолжить" }));
  expect(await dialog.findByText(/^Ключ доступа не добавлен/)).toBeTruthy();
  device.create.mockRejectedValueOnce(refusal("InvalidStateError"));
  await user.click(dialog.getByRole("button", { name: "Продолжить" }));
  expect(await dialog.findByText("На этом устройстве уже есть ваш ключ доступа.")).toBeTruthy();
  expect(said("POST /passkeys")).toEqual([]);
});

test("a passkey is renamed, and removed with the password; the focus stays in the list", async () => {
  const {
    part,
    user,
    say,
    asked: said,
  } = await settings({
    "GET /passkeys": { host: "localhost", passkeys: [phone] },
    "POST /auth/confirm-password": undefined,
    "PUT /passkeys/{id}": { ...phone, name: "Телефон" },
    "DELETE /passkeys/{id}": undefined,
  });
  await user.click(await part.findByRole("button", { name: "Переименовать: Chrome, Android" }));
  const renaming = within(await screen.findByRole("dialog", { name: "Название ключа доступа" }));
  await user.clear(renaming.getByLabelText("Название"));
  await user.type(renaming.getByLabelText("Название"), "Телефон");
  say({ "GET /passkeys": { host: "localhost", passkeys: [{ ...phone, name: "Телефон" }] } });
  await user.click(renaming.getByRole("button", { name: "Сохранить" }));
  expect(said("PUT /passkeys/{id}")[0]?.body).toEqual({ name: "Телефон" });

  await user.click(await part.findByRole("button", { name: "Удалить: Телефон" }));
  const removing = within(await screen.findByRole("dialog", { name: "Удалить ключ доступа Телефон?" }));
  await user.type(removing.getByLabelText("Пароль"), "secret-pass");
  say({ "GET /passkeys": { host: "localhost", passkeys: [] } });
  await user.click(removing.getByRole("button", { name: "Удалить" }));
  expect(await part.findByText("Ключей доступа пока нет.")).toBeTruthy();
  expect(said("DELETE /passkeys/{id}")).toHaveLength(1);
  await waitFor(() => expect(document.activeElement?.textContent).toBe("Вход по отпечатку или лицу"));
});

test("nothing is offered where it cannot work, and the settings say why", async () => {
  const elsewhere = { ...phone, host: "mirror.example" };
  const { part } = await settings({ "GET /passkeys": { host: null, passkeys: [elsewhere] } });
  expect(await part.findByText(/нужны https и имя вместо IP-адреса/)).toBeTruthy();
  expect(part.getByText("Работает только по адресу mirror.example")).toBeTruthy();
  expect(part.queryByRole("button", { name: "Добавить ключ доступа" })).toBeNull();
});

test("at another address of the panel, the settings name the one where passkeys are added", async () => {
  const { part } = await settings({ "GET /passkeys": { host: "club.example", passkeys: [] } });
  expect(await part.findByText("Ключ доступа добавляется по адресу club.example.")).toBeTruthy();
});

test("staff with a passkey can pass the second factor by it; the code stays", async () => {
  const club = panel({
    "GET /auth/me": admin,
    "GET /totp/{id}/status": { ...twoFactorOn, byPasskey: true },
    "POST /passkeys/entry/options": asked,
    "POST /passkeys/entry": { token: "next" },
    "GET /users": [],
    "GET /admin/users/counts": { all: 0, active: 0, blocked: 0 },
  });
  const { user } = openPage("/admin/users");
  const dialog = within(await screen.findByRole("dialog", { name: "Двухфакторная аутентификация" }));
  expect(await dialog.findByLabelText("Цифра 1 из 6")).toBeTruthy();
  const press = async () => user.click(await dialog.findByRole("button", { name: "Подтвердить отпечатком или лицом" }));
  device.get.mockRejectedValueOnce(refusal("NotAllowedError"));
  await press();
  expect(await dialog.findByText(/Введите код/, { selector: "[role=alert] *, [role=alert]" })).toBeTruthy();
  await press();
  await screen.findByRole("heading", { level: 1, name: "Пользователи" });
  expect(club.asked("POST /passkeys/entry")[0]?.body).toEqual(signed);
  expect(club.asked("POST /totp/{id}/verify")).toEqual([]);
});

test("staff without a passkey here see only the code", async () => {
  panel({ "GET /auth/me": admin, "GET /totp/{id}/status": twoFactorOn });
  openPage("/admin/users");
  await screen.findByLabelText("Цифра 1 из 6");
  expect(screen.queryByRole("button", { name: "Подтвердить отпечатком или лицом" })).toBeNull();
});
