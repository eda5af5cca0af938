import { act, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { openPage, screens } from "../../../testing/open-page.tsx";
import { panel, refused } from "../../../testing/panel.ts";
import { member } from "../../../testing/samples.ts";

screens();

async function signIn(user: ReturnType<typeof openPage>["user"]) {
  await user.type(await screen.findByLabelText("Имя пользователя"), "marina_l");
  await user.type(screen.getByLabelText("Пароль"), "secret-pass");
  await user.click(screen.getByRole("button", { name: "Войти" }));
}
const signedIn = { "GET /vpn/configs": [], "GET /vpn/available-interfaces": [] };

test("a wrong password is refused in the server's words, and can be corrected", async () => {
  panel({ "POST /auth/login": refused(401, "auth.wrong_credentials", "Неверное имя пользователя или пароль.") });
  const { user } = openPage("/login");
  await signIn(user);
  expect(await screen.findByText("Неверное имя пользователя или пароль.")).toBeTruthy();
  expect(screen.getByRole("alert").textContent).toContain("Неверное имя пользователя или пароль.");
  expect(screen.getByRole("button", { name: "Войти" })).toBeTruthy();
});

test("a refusal without a message gets ours", async () => {
  panel({ "POST /auth/login": refused(500, "unexpected") });
  const { user } = openPage("/login");
  await signIn(user);
  expect(await screen.findByText("Ошибка при входе в систему")).toBeTruthy();
});

test("when no answer comes, the page says that the panel is silent", async () => {
  panel({ "POST /auth/login": "silence" });
  const { user } = openPage("/login");
  await signIn(user);
  expect(await screen.findByText(/Ошибка при входе в систему\. Панель клуба не отвечает/)).toBeTruthy();
});

test("a member who is not active is refused even if the server let them in", async () => {
  panel({ "POST /auth/login": { token: "t", user: member({ isActive: false }) } });
  const { user, address } = openPage("/login");
  await signIn(user);
  expect(await screen.findByText("Ваш аккаунт заблокирован. Пожалуйста, свяжитесь с администрацией.")).toBeTruthy();
  expect(address()).toBe("/login");
});

test("whoever is told that they are blocked reads there whom to ask", async () => {
  panel({
    "GET /security/gate": { enabled: false, services: [], blockedCountries: [], supportContact: "@krug_help" },
    "POST /auth/login": refused(403, "member.blocked", "Ваш аккаунт заблокирован."),
  });
  const { user } = openPage("/login");
  await signIn(user);
  await screen.findByText("Ваш аккаунт заблокирован.");
  expect(within(screen.getByRole("alert")).getByRole("link", { name: "@krug_help" })).toBeTruthy();
});

test("under maintenance only staff may sign in, and nobody else's password is even sent to the login", async () => {
  const { asked } = panel({
    "GET /maintenance": { enabled: true, since: null },
    "POST /auth/check-role": { isAdminOrModerator: false },
    "POST /auth/login": { token: "t", user: member() },
  });
  const { user } = openPage("/login");
  const words = "Система находится на техническом обслуживании. Попробуйте позже.";
  await screen.findByText(words);
  await signIn(user);
  await waitFor(() => expect(screen.getByRole("alert").textContent).toContain(words));
  expect(asked("POST /auth/check-role")).toHaveLength(1);
  expect(asked("POST /auth/login")).toHaveLength(0);
});

test("both fields are required, and nothing is sent without them", async () => {
  const { asked } = panel({ "POST /auth/login": { token: "t", user: member() } });
  const { user } = openPage("/login");
  await user.click(await screen.findByRole("button", { name: "Войти" }));
  expect(screen.getByText("Введите имя пользователя")).toBeTruthy();
  expect(screen.getByText("Введите пароль")).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByLabelText("Имя пользователя"));
  expect(asked("POST /auth/login")).toHaveLength(0);
});

test("while signing in the button says so, and pressing it again sends nothing", async () => {
  const { asked } = panel({ "POST /auth/login": () => new Promise(() => {}) });
  const { user } = openPage("/login");
  await signIn(user);
  await user.click(await screen.findByRole("button", { name: "Вход..." }));
  expect(asked("POST /auth/login")).toHaveLength(1);
});

test("a person who had to sign in first arrives where they were going", async () => {
  panel({ "POST /auth/login": { token: "t", user: member() }, ...signedIn });
  const { user, address } = openPage("/dashboard");
  await waitFor(() => expect(address()).toBe("/login?to=%2Fdashboard"));
  await signIn(user);
  expect(await screen.findByRole("heading", { name: "Здравствуйте, Марина" })).toBeTruthy();
  expect(address()).toBe("/dashboard");
});

test.each(["/login", "/register"])("a member who opens %s is redirected to their devices", async (door) => {
  panel({ "GET /auth/me": member(), ...signedIn });
  const { address } = openPage(door);
  await waitFor(() => expect(address()).toBe("/dashboard"));
});

test("the return address cannot lead outside the application", async () => {
  panel({ "GET /auth/me": member(), ...signedIn });
  const { address } = openPage("/login?to=//evil.example/dashboard");
  await waitFor(() => expect(address()).toBe("/dashboard"));
});

test("two presses within a moment are one sign-in, and its success can be read before the page moves on", async () => {
  const { asked } = panel({ ...signedIn, "POST /auth/login": { token: "t", user: member() } });
  const { user, address } = openPage("/login");
  await user.type(await screen.findByLabelText("Имя пользователя"), "marina_l");
  await user.type(screen.getByLabelText("Пароль"), "secret-pass");
  const form = screen.getByRole("button", { name: "Войти" }).closest("form") as HTMLFormElement;
  act(() => {
    form.requestSubmit();
    form.requestSubmit();
  });
  expect(await screen.findByText("Успешный вход! Перенаправление...")).toBeTruthy();
  expect(address()).toBe("/login");
  await waitFor(() => expect(address()).toBe("/dashboard"));
  expect(asked("POST /auth/login")).toHaveLength(1);
});

test("an error's text follows a switch of the language", async () => {
  panel({
    "POST /auth/login": refused(401, "auth.wrong_credentials", {
      ru: "Неверное имя пользователя или пароль.",
      en: "Wrong username or password.",
    }),
  });
  const { user } = openPage("/login");
  await user.click(await screen.findByRole("button", { name: "Войти" }));
  expect(await screen.findByText("Введите имя пользователя")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "English" }));
  expect(await screen.findByText("Enter your username")).toBeTruthy();
  await user.type(screen.getByLabelText("Username"), "marina_l");
  await user.type(screen.getByLabelText("Password"), "secret-pass");
  await user.click(screen.getByRole("button", { name: "Sign in" }));
  expect(await screen.findByText("Wrong username or password.")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Русский" }));
  expect(await screen.findByText("Неверное имя пользователя или пароль.")).toBeTruthy();
});

test("somebody who lost the phone reports it on the sign-in page, and gets the same answer for any name", async () => {
  const { asked, say } = panel({
    "POST /auth/lost-device": refused(429, "request.too_many", "Попробуйте через 4 секунды."),
  });
  const { user } = openPage("/login");
  await user.type(await screen.findByLabelText("Имя пользователя"), " marina_l ");
  await user.click(screen.getByRole("button", { name: "Потеряли телефон?" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Потерян телефон" }));
  const login = await dialog.findByLabelText<HTMLInputElement>("Имя пользователя");
  expect(login.value).toBe("marina_l");
  await user.clear(login);
  await user.click(dialog.getByRole("button", { name: "Сообщить" }));
  expect(dialog.getByText("Введите имя пользователя")).toBeTruthy();
  expect(asked("POST /auth/lost-device")).toHaveLength(0);

  await user.type(login, "nobody");
  await user.click(dialog.getByRole("checkbox", { name: /Telegram тоже недоступен/ }));
  await user.click(dialog.getByRole("button", { name: "Сообщить" }));
  expect(await dialog.findByText("Попробуйте через 4 секунды.")).toBeTruthy();
  say({ "POST /auth/lost-device": undefined });
  await user.click(dialog.getByRole("button", { name: "Сообщить" }));
  expect((await screen.findByRole("dialog", { name: "Запрос принят" })).textContent).toContain(
    "Если такой участник есть",
  );
  expect(asked("POST /auth/lost-device").at(-1)?.body).toEqual({ username: "nobody", withoutMessenger: true });
});
