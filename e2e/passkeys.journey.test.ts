import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ensureBuilt } from "../scripts/build.mjs";
import { openBrowser, type Visitor, visit } from "./browser.ts";
import { acceptCharter } from "./charter.ts";
import { expectGuest, PATIENCE, sendSignIn } from "./enter.ts";
import { setUpSecondFactor } from "./enter-staff.ts";
import { type Panel, startPanel } from "./panel.ts";

/**
 * An admin's passkey in a real browser, with its own virtual authenticator: added in the settings, signs in and passes the second
 * factor, is refused when its count goes back, and is removed.
 */
const ADMIN = { username: "olga", password: "correct horse battery" };
let panel: Panel;
let browser: Browser;
let olga: Visitor;
let place = "";
beforeAll(async () => {
  await ensureBuilt();
  const { username: ADMIN_USERNAME, password: ADMIN_PASSWORD } = ADMIN;
  [panel, browser] = await Promise.all([startPanel({ ADMIN_USERNAME, ADMIN_PASSWORD }), openBrowser()]);
  // Passkeys belong to a name, never to an address.
  place = panel.url.replace("127.0.0.1", "localhost");
  olga = await visit(browser, { screen: "phone", baseURL: place });
});
afterAll(async () => {
  await browser?.close();
  await panel?.remove();
});

/** A phone's own authenticator, whose person is always recognized; answers whoever asks. */
async function withAuthenticator(page: Page) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    keys: async () => (await cdp.send("WebAuthn.getCredentials", { authenticatorId })).credentials,
    /** As a copy of the device from before would. */
    async turnBack() {
      for (const credential of await this.keys()) {
        await cdp.send("WebAuthn.removeCredential", { authenticatorId, credentialId: credential.credentialId });
        await cdp.send("WebAuthn.addCredential", { authenticatorId, credential: { ...credential, signCount: 1 } });
      }
    },
    recognizes: (isUserVerified: boolean) => cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified }),
  };
}

const byPasskey = (page: Page) => page.getByRole("button", { name: "По отпечатку или лицу" });
const atHome = (page: Page) => page.getByRole("heading", { name: /Здравствуйте/ }).waitFor(PATIENCE);
async function leave(page: Page) {
  // An open page would ask once more, without its session.
  await page.goto("/health");
  await page.context().clearCookies({ name: "krug_session" });
  await page.goto("/login");
  await byPasskey(page).waitFor(PATIENCE);
}
async function settings(page: Page) {
  await page.goto("/dashboard");
  await page.getByRole("button", { name: "Настройки" }).click(PATIENCE);
  return page.getByRole("region", { name: "Вход по отпечатку или лицу" });
}

test("a passkey is added, signs in, passes the second factor, is refused as a copy, and is removed", async () => {
  const { page } = olga;
  const device = await withAuthenticator(page);
  expectGuest(olga);
  await page.goto("/login");

  // Nobody has one yet: the browser says so, and the page names the way out.
  await byPasskey(page).click(PATIENCE);
  await page.getByText(/Войдите паролем/).waitFor(PATIENCE);
  await sendSignIn(page, ADMIN.username, ADMIN.password);
  await acceptCharter(page, PATIENCE);
  await atHome(page);
  await page.goto("/admin/users");
  await setUpSecondFactor(page);

  const part = await settings(page);
  await part.getByText("Ключей доступа пока нет.").waitFor(PATIENCE);
  await part.getByRole("button", { name: "Добавить ключ доступа" }).click();
  const adding = page.getByRole("dialog", { name: "Новый ключ доступа" });
  await adding.getByLabel("Название").fill("Телефон Ольги");
  await adding.getByLabel("Пароль", { exact: true }).fill(ADMIN.password);
  await adding.getByRole("button", { name: "Продолжить" }).click();
  await part.getByText("Телефон Ольги").waitFor(PATIENCE);
  expect(await device.keys()).toMatchObject([{ rpId: "localhost", isResidentCredential: true }]);

  await leave(page);
  await byPasskey(page).click();
  await atHome(page);
  await page.goto("/admin/users");
  const entry = page.getByRole("dialog", { name: "Двухфакторная аутентификация" });
  await entry.getByRole("button", { name: "Подтвердить отпечатком или лицом" }).click(PATIENCE);
  await page.getByRole("heading", { level: 1, name: "Пользователи" }).waitFor(PATIENCE);

  // A person whom the device does not recognize, and a copy from before.
  await leave(page);
  await device.recognizes(false);
  await byPasskey(page).click();
  await page.getByText(/Войдите паролем/).waitFor(PATIENCE);
  await device.recognizes(true);
  await device.turnBack();
  olga.expectProblem(/auth\/passkey.*403|403 \(Forbidden\).*auth\/passkey/);
  await byPasskey(page).click();
  await page.getByText(/Похоже, у этого ключа доступа есть копия/).waitFor(PATIENCE);

  await sendSignIn(page, ADMIN.username, ADMIN.password);
  await atHome(page);
  const list = await settings(page);
  await list.getByRole("button", { name: "Удалить: Телефон Ольги" }).click(PATIENCE);
  const removing = page.getByRole("dialog", { name: "Удалить ключ доступа Телефон Ольги?" });
  await removing.getByLabel("Пароль", { exact: true }).fill(ADMIN.password);
  await removing.getByRole("button", { name: "Удалить", exact: true }).click();
  await list.getByText("Ключей доступа пока нет.").waitFor(PATIENCE);

  await leave(page);
  olga.expectProblem(/auth\/passkey.*401|401 \(Unauthorized\).*auth\/passkey/);
  await byPasskey(page).click();
  await page.getByText(/Панель не приняла этот ключ доступа/).waitFor(PATIENCE);
  expect(olga.problems()).toEqual([]);
});

test("under an address without a name, no page offers passkeys", async () => {
  const guest = await visit(browser, { screen: "desktop", baseURL: panel.url });
  expectGuest(guest);
  await guest.page.goto("/login");
  await guest.page.getByRole("button", { name: "Войти" }).waitFor(PATIENCE);
  expect(await byPasskey(guest.page).count()).toBe(0);
});
