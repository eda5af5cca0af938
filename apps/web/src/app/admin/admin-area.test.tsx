import { act, screen, waitFor, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { openPage, screens } from "../../testing/open-page.tsx";
import { panel, refused } from "../../testing/panel.ts";
import { onPhone } from "../../testing/phone.ts";
import { member } from "../../testing/samples.ts";
import { admin, enter, listed, moderator, twoFactorOn, typeCode } from "../../testing/staff.ts";

screens();

const sections = () => screen.findByRole("navigation", { name: "Разделы панели управления" });
const dialog = () => screen.findByRole("dialog", { name: "Двухфакторная аутентификация" });
const gone = () => waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());

test("a guest signs in first and returns to where they were going, filters included", async () => {
  const club = panel({
    "POST /auth/check-role": { isAdminOrModerator: true },
    "POST /auth/login": { token: "t", user: admin },
    "GET /totp/{id}/status": twoFactorOn,
  });
  const page = openPage("/admin/users?state=blocked");
  await page.user.type(await screen.findByLabelText("Имя пользователя"), "chief");
  await page.user.type(screen.getByLabelText("Пароль"), "a long password");
  club.say({ "GET /auth/me": admin });
  await page.user.click(screen.getByRole("button", { name: "Войти" }));
  await dialog();
  expect(page.address()).toBe("/admin/users?state=blocked");
});

test.each(["/admin", "/admin/users", "/admin/system", "/admin/nowhere"])(
  "a member who opens %s is redirected to their dashboard",
  async (address) => {
    panel({ "GET /auth/me": member(), "GET /vpn/configs": [], "GET /vpn/available-interfaces": [] });
    const page = openPage(address);
    await waitFor(() => expect(page.address()).toBe("/dashboard"));
    expect(screen.queryByRole("link", { name: "Панель управления" })).toBeNull();
  },
);

test.each([
  ["/admin", admin],
  ["/admin/nowhere", admin],
  ["/admin/users/marina/more", admin],
  ["/admin/servers", moderator],
  ["/admin/system", moderator],
])("%s redirects staff to the list of members if they may not see it", async (address, me) => {
  panel({ "GET /auth/me": me, "GET /totp/{id}/status": twoFactorOn });
  const page = openPage(address);
  await waitFor(() => expect(page.address()).toBe("/admin/users"));
});

test("staff find the administration's link on the dashboard", async () => {
  panel({ "GET /auth/me": moderator, "GET /vpn/configs": [], "GET /vpn/available-interfaces": [] });
  openPage("/dashboard");
  expect((await screen.findByRole("link", { name: "Панель управления" })).getAttribute("href")).toBe("/admin/users");
});

test("nothing is requested from the panel before the code is right, and each entry asks again", async () => {
  const { asked, user } = await enter("/admin/users", { "GET /users": [listed(1)] });
  expect(await screen.findByText("Участник 1")).toBeTruthy();
  expect(asked("POST /totp/{id}/verify").map(({ body }) => body)).toEqual([{ token: "123456" }]);
  const before = asked("GET /users").length;
  await user.click(within(await sections()).getByRole("link", { name: "Назад в кабинет" }));
  await user.click(await screen.findByRole("link", { name: "Панель управления" }));
  await dialog();
  expect(screen.queryByText("Участник 1")).toBeNull();
  expect(asked("GET /users")).toHaveLength(before);
});

test("the code boxes accept digits only", async () => {
  const club = panel({ "GET /auth/me": admin, "GET /totp/{id}/status": twoFactorOn });
  const page = openPage("/admin/users");
  await typeCode(page.user, "12ab3");
  await page.user.click(screen.getByRole("button", { name: "Подтвердить" }));
  expect((await screen.findByRole("alert")).textContent).toContain("Код должен состоять из 6 цифр");
  expect(club.asked("POST /totp/{id}/verify")).toHaveLength(0);
});

test("a wrong code shows an error and empties the boxes; the third one locks and counts down the panel's seconds", async () => {
  let wrong = 0;
  const club = panel({
    "GET /auth/me": admin,
    "GET /totp/{id}/status": twoFactorOn,
    "POST /totp/{id}/verify": () => ({ valid: false, retryAfter: ++wrong === 3 ? 10 : 0, token: null }),
  });
  const page = openPage("/admin/users");
  for (const n of [1, 2]) {
    await typeCode(page.user);
    await waitFor(() => expect(club.asked("POST /totp/{id}/verify")).toHaveLength(n));
    await screen.findByText("Неверный код подтверждения");
    expect((screen.getByLabelText("Цифра 1 из 6") as HTMLInputElement).value).toBe("");
    expect(document.activeElement).toBe(screen.getByLabelText("Цифра 1 из 6"));
  }
  await typeCode(page.user);
  expect((await screen.findByRole("timer")).textContent).toMatch(
    /Слишком много попыток. Попробуйте через (10|9)\sсекунд/,
  );
  expect(screen.getByRole("button", { name: /^Попробуйте через (10|9|8)\sсекунд/ })).toHaveProperty("disabled", true);
  expect((screen.getByLabelText("Цифра 1 из 6") as HTMLInputElement).readOnly).toBe(true);
  expect(document.activeElement).toBe(screen.getByLabelText("Цифра 1 из 6"));
  vi.useFakeTimers({ now: Date.now() + 11_000, shouldAdvanceTime: true });
  try {
    act(() => vi.advanceTimersByTime(500));
    await waitFor(() => expect(screen.queryByRole("timer")).toBeNull());
    expect(screen.getByRole("button", { name: "Подтвердить" })).toHaveProperty("disabled", false);
  } finally {
    vi.useRealTimers();
  }
});

test("a tab that opens while codes are locked counts down too", async () => {
  panel({ "GET /auth/me": admin, "GET /totp/{id}/status": { ...twoFactorOn, retryAfter: 25 } });
  openPage("/admin/users");
  expect((await screen.findByRole("timer")).textContent).toMatch(/через 2[45]\sсекунд/);
});

test("a recovery code works when the phone is not at hand", async () => {
  const club = panel({
    "GET /auth/me": admin,
    "GET /totp/{id}/status": twoFactorOn,
    "POST /totp/{id}/verify": { valid: true, retryAfter: 0, token: "next" },
    "GET /users": [listed(1)],
    "GET /admin/users/counts": { all: 1, active: 1, blocked: 0 },
  });
  const page = openPage("/admin/users");
  await page.user.click(await screen.findByRole("button", { name: /код восстановления/ }));
  await page.user.type(screen.getByLabelText("Код восстановления"), "4cq4-6zfr{Enter}");
  await screen.findByText("Участник 1");
  expect(club.asked("POST /totp/{id}/verify")[0]?.body).toEqual({ token: "4cq4-6zfr" });
});

test("staff without two-factor set it up and see the recovery codes before anything else", async () => {
  const secret = "WON2ZHDOGXG72UVVO5HP3SZJKIK2FN6M";
  const club = panel({
    "GET /auth/me": admin,
    "GET /totp/{id}/status": {
      ...twoFactorOn,
      enabled: false,
      secret,
      uri: `otpauth://totp/x?secret=${secret}`,
      recoveryCodesLeft: 0,
    },
    "POST /totp/{id}/enable": { success: true, recoveryCodes: ["aaaa-bbbb", "cccc-dddd"], token: "next" },
    "GET /users": [listed(1)],
    "GET /admin/users/counts": { all: 1, active: 1, blocked: 0 },
  });
  const page = openPage("/admin/users");
  const shown = await screen.findByText("WON2 ZHDO GXG7 2UVV O5HP 3SZJ KIK2 FN6M");
  expect(shown.closest("[translate=no]"), "a translated page takes no letter for a word").toBeTruthy();
  await typeCode(page.user);
  const codes = within(await screen.findByRole("dialog", { name: "Сохраните коды восстановления" }));
  expect(codes.getAllByRole("listitem").map((code) => code.textContent)).toEqual(["aaaa-bbbb", "cccc-dddd"]);
  expect(club.asked("POST /totp/{id}/enable")[0]?.body).toEqual({ secret, token: "123456" });
  await page.user.keyboard("{Escape}");
  const kept = screen.getByText("aaaa-bbbb");
  expect(kept.closest("[translate=no]"), "a translated page takes no code for a word").toBeTruthy();
  await page.user.click(codes.getByRole("button", { name: "Коды сохранены, продолжить" }));
  await screen.findByText("Участник 1");
});

test.each([
  ["on a phone the set-up shows the secret first, without a keyboard over it", onPhone, false],
  ["at a desk the set-up waits for the code", () => {}, true],
])("%s", async (_law, look, isFocused) => {
  look();
  panel({
    "GET /auth/me": admin,
    "GET /totp/{id}/status": { ...twoFactorOn, enabled: false, secret: "ABCD", uri: "otpauth://totp/x" },
  });
  openPage("/admin/users");
  const [first] = await within(await dialog()).findAllByRole("textbox");
  await waitFor(() => expect(document.activeElement).not.toBe(document.body));
  expect(document.activeElement === first).toBe(isFocused);
});

test("cancelling the set-up leads to the dashboard", async () => {
  panel({
    "GET /auth/me": admin,
    "GET /totp/{id}/status": { ...twoFactorOn, enabled: false, secret: "ABCD", uri: "otpauth://totp/x" },
    "GET /vpn/configs": [],
    "GET /vpn/available-interfaces": [],
  });
  const page = openPage("/admin/users");
  await page.user.click(await screen.findByRole("button", { name: "Отмена" }));
  await waitFor(() => expect(page.address()).toBe("/dashboard"));
});

test("cancelling the entry leads back to the previous page", async () => {
  panel({
    "GET /auth/me": admin,
    "GET /totp/{id}/status": twoFactorOn,
    "GET /vpn/configs": [],
    "GET /vpn/available-interfaces": [],
  });
  const page = openPage("/dashboard");
  await page.user.click(await screen.findByRole("link", { name: "Панель управления" }));
  await page.user.click(within(await dialog()).getByRole("button", { name: "Отмена" }));
  await waitFor(() => expect(page.address()).toBe("/dashboard"));
});

test("a state that cannot be loaded shows an error and can be retried", async () => {
  const club = panel({ "GET /auth/me": admin, "GET /totp/{id}/status": refused(500, "internal") });
  const page = openPage("/admin/users");
  await screen.findByText("Ошибка при проверке статуса 2FA");
  club.say({ "GET /totp/{id}/status": twoFactorOn });
  await page.user.click(screen.getByRole("button", { name: "Повторить" }));
  await screen.findByText("Введите код из приложения-аутентификатора.");
});

test("when the check has expired, the code is asked for over the screen and the call is repeated", async () => {
  const { user, say, asked } = await enter("/admin/users", { "GET /users": [listed(1)] });
  await screen.findByText("Участник 1");
  let passed = false;
  say({
    "GET /users": () => (passed ? [listed(2)] : refused(403, "auth.two_factor_required", "Подтвердите вход")),
    "POST /totp/{id}/verify": () => {
      passed = true;
      return { valid: true, retryAfter: 0, token: "next" };
    },
  });
  await user.click(screen.getByRole("button", { name: /^Обновить/ }));
  await dialog();
  expect(screen.getByText("Участник 1"), "the screen stays behind it").toBeTruthy();
  const before = asked("GET /users").length;
  await typeCode(user);
  await screen.findByText("Участник 2");
  expect(asked("GET /users")).toHaveLength(before + 1);
  await gone();
});

test("without the code the screen stays and shows why nothing came", async () => {
  const { user, say } = await enter("/admin/users", { "GET /users": [listed(1)] });
  await screen.findByText("Участник 1");
  say({ "GET /users": refused(403, "auth.two_factor_required", "Подтвердите вход кодом.") });
  await user.click(screen.getByRole("button", { name: /^Обновить/ }));
  await user.click(within(await dialog()).getByRole("button", { name: "Отмена" }));
  await screen.findByText("Подтвердите вход кодом.");
  expect(screen.getByText("Участник 1")).toBeTruthy();
});

test("an admin viewing as a moderator sees the note, no changes, and a moderator's answers", async () => {
  const { user, asked } = await enter("/admin/users", { "GET /users": [listed(1)] });
  expect(await screen.findByRole("button", { name: "Добавить" })).toBeTruthy();
  await user.click(screen.getByRole("radio", { name: "Модератор" }));
  await screen.findByText("Просмотр как модератор");
  expect(screen.queryByRole("button", { name: "Добавить" })).toBeNull();
  expect(screen.queryByRole("button", { name: /^Действия/ })).toBeNull();
  await waitFor(() => expect(asked("GET /users").at(-1)?.query.get("as")).toBe("moderator"));
  await user.click(screen.getByRole("radio", { name: "Админ" }));
  await screen.findByRole("button", { name: "Добавить" });
});

test("a moderator has no switch and only reads", async () => {
  await enter("/admin/users", { "GET /users": [listed(1)] }, moderator);
  await screen.findByText("Участник 1");
  expect(screen.queryByRole("radio", { name: "Модератор" })).toBeNull();
  expect(screen.queryByRole("button", { name: "Добавить" })).toBeNull();
  expect(screen.queryByRole("checkbox")).toBeNull();
  expect(screen.getByText("Только просмотр")).toBeTruthy();
});

test("turning off one's own two-factor authentication needs a confirmation and a code", async () => {
  const { user, asked, say } = await enter("/admin/2fa", { "POST /totp/{id}/disable": { success: true } });
  await screen.findByRole("heading", { name: "Двухфакторная аутентификация включена" });
  expect(screen.getByText(/Осталось 10\sкодов восстановления из 10/)).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Отключить 2FA" }));
  const ask = within(await screen.findByRole("dialog", { name: "Отключить двухфакторную аутентификацию?" }));
  // The focus is in the first box, ready for typing.
  await waitFor(() => expect(document.activeElement).toBe(ask.getByLabelText("Цифра 1 из 6")));
  say({ "GET /totp/{id}/status": { ...twoFactorOn, enabled: false, secret: "ABCD", uri: "otpauth://totp/x" } });
  await user.keyboard("654321");
  await screen.findByRole("heading", { name: "Двухфакторная аутентификация выключена" });
  expect(asked("POST /totp/{id}/disable")[0]?.body).toEqual({ token: "654321" });
});

test("a code from the app creates new recovery codes, and two-factor stays on", async () => {
  const { user, asked } = await enter("/admin/2fa", {
    "POST /totp/{id}/recovery-codes": { recoveryCodes: ["aaaa-bbbb", "cccc-dddd"] },
  });
  await user.click(await screen.findByRole("button", { name: "Новые коды восстановления" }));
  const ask = within(await screen.findByRole("dialog", { name: "Новые коды восстановления" }));
  await waitFor(() => expect(document.activeElement).toBe(ask.getByLabelText("Цифра 1 из 6")));
  await user.keyboard("654321");
  const codes = within(await screen.findByRole("dialog", { name: "Сохраните коды восстановления" }));
  expect(codes.getAllByRole("listitem").map((code) => code.textContent)).toEqual(["aaaa-bbbb", "cccc-dddd"]);
  await user.click(codes.getByRole("button", { name: "Коды сохранены, продолжить" }));
  await screen.findByRole("heading", { name: "Двухфакторная аутентификация включена" });
  expect(asked("POST /totp/{id}/recovery-codes")[0]?.body).toEqual({ token: "654321" });
});

/** A panel that requires the password until it is confirmed. */
const passwordWanted = () => {
  let confirmed = false;
  const before =
    <Answer,>(answer: Answer) =>
    () =>
      confirmed ? answer : refused(403, "auth.password_required", "Подтвердите паролем, что это вы.");
  const confirm = ({ body }: { body: unknown }) => {
    confirmed = (body as { password: string }).password === "correct horse";
    return confirmed ? undefined : refused(400, "password.wrong_current", "Неверный текущий пароль");
  };
  return { before, says: { "POST /auth/confirm-password": confirm } };
};
const passwordDialog = () => screen.findByRole("dialog", { name: "Подтвердите, что это вы" });

test("the panel may require the password, and then the typed form continues", async () => {
  const { before, says } = passwordWanted();
  const { user, asked } = await enter("/admin/2fa", { "POST /totp/{id}/disable": before({ success: true }), ...says });
  await user.click(await screen.findByRole("button", { name: "Отключить 2FA" }));
  await screen.findByRole("dialog", { name: "Отключить двухфакторную аутентификацию?" });
  await user.keyboard("654321");
  const ask = within(await passwordDialog());
  await waitFor(() => expect(document.activeElement).toBe(ask.getByLabelText("Пароль")));
  // In jsdom Enter submits only a form with a single field. This one also has the username.
  const go = () => user.click(ask.getByRole("button", { name: "Продолжить" }));
  await go();
  await ask.findByText("Введите пароль");
  await user.type(ask.getByLabelText("Пароль"), "not this one");
  await go();
  await ask.findByText("Неверный текущий пароль");
  await user.clear(ask.getByLabelText("Пароль"));
  await user.type(ask.getByLabelText("Пароль"), "correct horse");
  await go();
  await gone();
  expect(asked("POST /totp/{id}/disable").map(({ body }) => body)).toEqual([{ token: "654321" }, { token: "654321" }]);
});

test("without the password the open dialog stays", async () => {
  const { before, says } = passwordWanted();
  const { user } = await enter("/admin/2fa", { "POST /totp/{id}/disable": before({ success: true }), ...says });
  await user.click(await screen.findByRole("button", { name: "Отключить 2FA" }));
  const name = "Отключить двухфакторную аутентификацию?";
  const below = within(await screen.findByRole("dialog", { name }));
  await user.keyboard("654321");
  await passwordDialog();
  await user.keyboard("{Escape}");
  await below.findByText("Подтвердите паролем, что это вы.");
  await waitFor(() => expect(screen.queryByRole("dialog", { name: "Подтвердите, что это вы" })).toBeNull());
  await user.keyboard("{Escape}");
  await gone();
});

test("after an old sign-in the set-up starts with the password", async () => {
  const { before, says } = passwordWanted();
  const offered = { ...twoFactorOn, enabled: false, secret: "ABCD", uri: "otpauth://totp/x" };
  panel({ "GET /auth/me": admin, "GET /totp/{id}/status": before(offered), ...says });
  const { user } = openPage("/admin/users");
  const ask = within(await passwordDialog());
  await user.type(ask.getByLabelText("Пароль"), "correct horse");
  await user.click(ask.getByRole("button", { name: "Продолжить" }));
  await within(await dialog()).findByText("ABCD");
});

test("the code is not asked for again after another tab has given it", async () => {
  const { user, say, asked } = await enter("/admin/users", { "GET /users": [listed(1)] });
  await screen.findByText("Участник 1");
  let tries = 0;
  say({
    "GET /totp/{id}/status": { ...twoFactorOn, elevated: true },
    "GET /users": () => (++tries > 1 ? [listed(2)] : refused(403, "auth.two_factor_required", "Подтвердите вход")),
  });
  await user.click(screen.getByRole("button", { name: /^Обновить/ }));
  await screen.findByText("Участник 2");
  expect(asked("POST /totp/{id}/verify")).toHaveLength(1);
});

test("without the phone a recovery code turns two-factor off", async () => {
  const { user, asked } = await enter("/admin/2fa", { "POST /totp/{id}/disable": { success: true } });
  await user.click(await screen.findByRole("button", { name: "Отключить 2FA" }));
  const ask = within(await screen.findByRole("dialog", { name: "Отключить двухфакторную аутентификацию?" }));
  await user.click(ask.getByRole("button", { name: "Нет телефона под рукой? Ввести код восстановления" }));
  await user.type(ask.getByLabelText("Код восстановления"), "abcd-efgh");
  await user.click(ask.getByRole("button", { name: "Отключить 2FA" }));
  await waitFor(() => expect(asked("POST /totp/{id}/disable")[0]?.body).toEqual({ token: "abcd-efgh" }));
});
