import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { openPage, reopenPage, screens } from "../../../testing/open-page.tsx";
import { panel, refused } from "../../../testing/panel.ts";
import { member } from "../../../testing/samples.ts";

screens();

const box = (index: number) => screen.findByLabelText<HTMLInputElement>(`Знак ${index} из 6`);
async function code(): Promise<string> {
  const boxes = await Promise.all([1, 2, 3, 4, 5, 6].map(box));
  return boxes.map(({ value }) => value).join("");
}
const accountStep = () => screen.findByRole("heading", { name: "Ваш аккаунт" }, { timeout: 4000 });

test("six characters check themselves, and 1.5 s after they are accepted comes the account", async () => {
  const { asked } = panel({ "POST /auth/check-invite": { valid: true } });
  const { user } = openPage("/register");
  await user.type(await box(1), "k7mphw");
  expect(asked("POST /auth/check-invite").map(({ body }) => body)).toEqual([{ code: "K7MPHW" }]);
  expect(await screen.findByText("Код приглашения принят!")).toBeTruthy();
  expect(screen.queryByRole("heading", { name: "Ваш аккаунт" })).toBeNull();
  await accountStep();
});

test("five characters check nothing", async () => {
  const { asked } = panel({ "POST /auth/check-invite": { valid: true } });
  const { user } = openPage("/register");
  await user.type(await box(1), "k7mph");
  expect(await code()).toBe("K7MPH");
  expect(asked("POST /auth/check-invite")).toHaveLength(0);
});

test.each([
  ["K7MPHW", "K7MPHW"],
  [" k7m-phw ", "K7MPHW"],
  ["Твой код: K7MPHW, заходи", "K7MPHW"],
  ["https://myclub.example/register#code=K7MPHW", "K7MPHW"],
  ["Invite code: K7MPHW", "K7MPHW"],
  ["Код приглашения: «к7мрнw»", "K7MPHW"],
])("a pasted code is accepted whole: %s", async (pasted, taken) => {
  const { asked } = panel({ "POST /auth/check-invite": { valid: true } });
  const { user } = openPage("/register");
  await user.click(await box(1));
  await user.paste(pasted);
  await waitFor(() => expect(asked("POST /auth/check-invite").map(({ body }) => body)).toEqual([{ code: taken }]));
});

test("characters that a phone's keyboard types from the clipboard are treated like a paste", async () => {
  const { asked } = panel({ "POST /auth/check-invite": { valid: true } });
  openPage("/register");
  fireEvent.change(await box(1), { target: { value: "Invite code: K7MPHW" } });
  await waitFor(() => expect(asked("POST /auth/check-invite").map(({ body }) => body)).toEqual([{ code: "K7MPHW" }]));
});

test("letters typed in the Russian layout count as the Latin ones they look like", async () => {
  panel({});
  const { user } = openPage("/register");
  await user.type(await box(1), "кмрн");
  expect(await code()).toBe("KMPH");
});

test.each(["i", "ж"])(
  "a character that no code has, as %s, is refused when typed and costs no attempt",
  async (typed) => {
    const { asked } = panel({ "POST /auth/check-invite": { valid: true } });
    const { user } = openPage("/register");
    await user.type(await box(1), "k0o1l7");
    expect(await code()).toBe("K7");
    await user.type(await box(3), typed);
    expect(await screen.findByText(/В коде только латинские буквы и цифры, кроме 0, 1, O, I и L\./)).toBeTruthy();
    expect(await code()).toBe("K7");
    expect(asked("POST /auth/check-invite")).toHaveLength(0);
  },
);

test("backspace in an empty box moves back", async () => {
  panel({});
  const { user } = openPage("/register");
  await user.type(await box(1), "k7");
  expect(document.activeElement).toBe(await box(3));
  await user.keyboard("{Backspace}");
  expect(document.activeElement).toBe(await box(2));
});

test("Tab leaves the boxes, also while they are empty", async () => {
  panel({});
  const { user } = openPage("/register");
  await user.click(await box(1));
  await user.tab();
  expect(document.activeElement).toBe(screen.getByRole("link", { name: "Войти" }));
  await user.tab({ shift: true });
  await user.keyboard("k7");
  await user.tab({ shift: true });
  await user.tab({ shift: true });
  expect(document.activeElement).toBe(await box(1));
});

test("a wrong code empties the boxes and shows an error", async () => {
  panel({ "POST /auth/check-invite": refused(400, "invite.wrong_code", "Неверный код приглашения") });
  const { user } = openPage("/register");
  await user.type(await box(1), "k7mphw");
  expect(await screen.findByText("Неверный код приглашения")).toBeTruthy();
  expect(await code()).toBe("");
});

test("a refusal without a message gets ours", async () => {
  panel({ "POST /auth/check-invite": { valid: false } });
  const { user } = openPage("/register");
  await user.type(await box(1), "k7mphw");
  expect(await screen.findByText("Неверный код приглашения")).toBeTruthy();
});

test("a failed check is distinguished from a wrong code", async () => {
  panel({ "POST /auth/check-invite": refused(500, "unexpected") });
  const { user } = openPage("/register");
  await user.type(await box(1), "k7mphw");
  expect(await screen.findByText("Ошибка при проверке кода приглашения")).toBeTruthy();
});

test("during a ban the seconds count down and no code is sent", async () => {
  const { asked } = panel({ "GET /auth/invite-attempts": { count: 5, bannedUntil: Date.now() + 60_500 } });
  openPage("/register");
  const left = () =>
    Number(/^Попробуйте через (\d+)\sсекунд[уы]?$/.exec(screen.getByRole("timer").textContent ?? "")?.[1]);
  await screen.findByRole("timer");
  const first = left();
  expect(first).toBeGreaterThan(50);
  expect((await box(1)).disabled).toBe(true);
  await waitFor(() => expect(left()).toBeLessThan(first), { timeout: 5000 });
  expect(asked("POST /auth/check-invite")).toHaveLength(0);
});

test("the ban ends by itself, and the boxes come back", async () => {
  panel({ "GET /auth/invite-attempts": { count: 5, bannedUntil: Date.now() + 900 } });
  openPage("/register");
  await screen.findByText(/^Попробуйте через 1\sсекунду$/);
  await waitFor(async () => expect((await box(1)).disabled).toBe(false), { timeout: 3000 });
});

/** As public/before-paint.js stores it from an invitation link. */
const bring = (code: string) => sessionStorage.setItem("krug.invite", code);

test("the code of an invitation link fills the boxes and checks itself", async () => {
  bring("k7mphw");
  const { asked } = panel({ "POST /auth/check-invite": { valid: true } });
  openPage("/register");
  await accountStep();
  expect(asked("POST /auth/check-invite").map(({ body }) => body)).toEqual([{ code: "K7MPHW" }]);
});

test("a spent code of a link is reported once, and the boxes are free for another", async () => {
  bring("K7MPHW");
  const { asked } = panel({ "POST /auth/check-invite": refused(400, "invite.wrong_code", "Неверный код приглашения") });
  openPage("/register");
  expect(await screen.findByText("Неверный код приглашения")).toBeTruthy();
  expect(
    screen.getByText(/^Код K7MPHW мог истечь или уже использован\. Код живёт 12 часов .* попросите друга/),
  ).toBeTruthy();
  expect(await code()).toBe("");
  cleanup();
  openPage("/register");
  await box(1);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(asked("POST /auth/check-invite")).toHaveLength(1);
});

test("a truncated link costs no attempt", async () => {
  bring("K7MP");
  const { asked } = panel({});
  openPage("/register");
  expect(await screen.findByText("Неверный код приглашения")).toBeTruthy();
  expect(screen.getByText(/^Ссылка пришла не целиком\./)).toBeTruthy();
  expect(asked("POST /auth/check-invite")).toHaveLength(0);
});

test("during a ban the code of a link waits, and is sent when the ban is over", async () => {
  bring("K7MPHW");
  const { asked } = panel({
    "GET /auth/invite-attempts": { count: 5, bannedUntil: Date.now() + 1500 },
    "POST /auth/check-invite": { valid: true },
  });
  openPage("/register");
  await screen.findByRole("timer");
  expect(asked("POST /auth/check-invite")).toHaveLength(0);
  await waitFor(() => expect(asked("POST /auth/check-invite")).toHaveLength(1), { timeout: 4000 });
});

test("after maintenance the code of a link is still there", async () => {
  bring("K7MPHW");
  const { say } = panel({
    "GET /maintenance": { enabled: true, since: null },
    "POST /auth/check-invite": refused(503, "maintenance.on"),
  });
  openPage("/register");
  await screen.findByRole("heading", { name: "Регистрация недоступна" });
  cleanup();
  say({ "GET /maintenance": { enabled: false, since: null }, "POST /auth/check-invite": { valid: true } });
  openPage("/register");
  await accountStep();
});

test("under maintenance registration is closed and shows the way back", async () => {
  panel({ "GET /maintenance": { enabled: true, since: null } });
  const { user, address } = openPage("/register");
  expect(await screen.findByRole("heading", { name: "Регистрация недоступна" })).toBeTruthy();
  await user.click(screen.getByRole("link", { name: "Вернуться ко входу" }));
  await waitFor(() => expect(address()).toBe("/login"));
});

async function toAccount(says: Parameters<typeof panel>[0]) {
  const club = panel({ "POST /auth/check-invite": { valid: true }, ...says });
  const { user, address } = openPage("/register");
  await user.type(await box(1), "k7mphw");
  await accountStep();
  const fill = async (username: string, password: string, repeat: string) => {
    await user.type(screen.getByLabelText("Имя пользователя"), username);
    await user.type(screen.getByLabelText("Пароль"), password);
    await user.type(screen.getByLabelText("Повторите пароль"), repeat);
    await user.click(screen.getByRole("button", { name: "Создать аккаунт" }));
  };
  return { ...club, user, address, fill };
}

test("passwords must match and have at least six characters", async () => {
  const { fill, asked } = await toAccount({});
  await fill("marina_l", "12345", "54321");
  expect(screen.getByText("Пароль должен быть не менее 6 символов")).toBeTruthy();
  expect(screen.getByText("Пароли не совпадают")).toBeTruthy();
  expect(asked("POST /auth/register")).toHaveLength(0);
});

test("the accepted code creates an account and signs it in", async () => {
  const { fill, asked } = await toAccount({
    "POST /auth/register": { token: "t", user: member() },
    "GET /vpn/configs": [],
    "GET /vpn/available-interfaces": [],
  });
  await fill("marina_l", "secret-pass", "secret-pass");
  expect(await screen.findByRole("heading", { name: "Здравствуйте, Марина" })).toBeTruthy();
  expect(asked("POST /auth/register").map(({ body }) => body)).toEqual([
    { username: "marina_l", password: "secret-pass", inviteCode: "K7MPHW" },
  ]);
});

test("a registration without a token is not a registration", async () => {
  const { fill } = await toAccount({ "POST /auth/register": { token: "", user: member() } });
  await fill("marina_l", "secret-pass", "secret-pass");
  expect(await screen.findByText("Ошибка при регистрации: токен не получен")).toBeTruthy();
});

test("a taken name is reported at its field, which is focused, until the name is changed", async () => {
  const taken = "Имя пользователя уже занято";
  const { fill, user } = await toAccount({
    "POST /auth/register": refused(409, "member.username_taken", taken),
  });
  await fill("marina_l", "secret-pass", "secret-pass");
  const name = screen.getByLabelText("Имя пользователя");
  await waitFor(() => expect(document.activeElement).toBe(name));
  expect(name.getAttribute("aria-invalid")).toBe("true");
  expect(screen.getAllByText(taken)).toHaveLength(1);
  await user.click(screen.getByLabelText("Пароль"));
  expect(screen.getByText(taken), "leaving the field changes nothing").toBeTruthy();
  await user.type(name, "2");
  expect(screen.queryByText(taken)).toBeNull();
});

test("a too common password is reported at the password", async () => {
  const { fill } = await toAccount({
    "POST /auth/register": refused(400, "password.common", "Такой пароль слишком частый"),
  });
  await fill("marina_l", "qwerty", "qwerty");
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText("Пароль")));
  expect(screen.getByText("Такой пароль слишком частый")).toBeTruthy();
});

test("an error of no field scrolls into view, goes after a change, and returns with the next refusal", async () => {
  const shown = vi.spyOn(Element.prototype, "scrollIntoView");
  const { fill, user } = await toAccount({
    "POST /auth/register": refused(429, "auth.too_many_attempts", "Слишком часто"),
  });
  await fill("marina_l", "secret-pass", "secret-pass");
  const alert = await screen.findByText("Слишком часто");
  expect(shown.mock.contexts.some((place) => (place as Element).contains(alert))).toBe(true);
  await user.type(screen.getByLabelText("Имя пользователя"), "2");
  expect(screen.queryByText("Слишком часто")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Создать аккаунт" }));
  expect(await screen.findByText("Слишком часто")).toBeTruthy();
});

test("if the code was used up meanwhile, another can be entered", async () => {
  const { fill, user } = await toAccount({
    "POST /auth/register": refused(400, "invite.wrong_code", "Неверный код приглашения"),
  });
  await fill("marina_l", "secret-pass", "secret-pass");
  expect(await screen.findByText("Неверный код приглашения")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Ввести другой код" }));
  expect(await code()).toBe("");
  expect(sessionStorage.getItem("krug.invite")).toBeNull();
});

test("Back from the account leads to the code, which can be used again without knowing it", async () => {
  const { asked } = await toAccount({});
  history.back();
  expect(await code()).toBe("K7MPHW");
  await userEvent.click(screen.getByRole("button", { name: "Продолжить с этим кодом" }));
  await accountStep();
  expect(asked("POST /auth/check-invite").at(-1)?.body).toEqual({ code: "K7MPHW" });
});

test("a reload at the second step, as phones do it, keeps the code and the name; Back leads to the first", async () => {
  const { asked } = panel({ "POST /auth/check-invite": { valid: true } });
  const { user } = openPage("/register");
  await user.type(await box(1), "k7mphw");
  await accountStep();
  await user.type(screen.getByLabelText("Имя пользователя"), "marina");
  await user.type(screen.getByLabelText("Пароль"), "a phrase of one's own");
  reopenPage("/register");
  await accountStep();
  expect(screen.getByLabelText<HTMLInputElement>("Имя пользователя").value).toBe("marina");
  expect(screen.getByLabelText<HTMLInputElement>("Пароль").value, "a password is kept nowhere").toBe("");
  expect(asked("POST /auth/check-invite")).toHaveLength(1);
  await waitFor(() => expect(history.state?.layers).toBe(1));
  history.back();
  await waitFor(async () => expect(await code()).toBe("K7MPHW"));
  reopenPage("/register");
  await waitFor(async () => expect(await code()).toBe("K7MPHW"));
  expect(screen.getByRole("button", { name: "Продолжить с этим кодом" })).toBeTruthy();
});

test("a reload amid the code, as after a look into the messenger, goes on where it was", async () => {
  const { asked } = panel({ "POST /auth/check-invite": { valid: true } });
  const { user } = openPage("/register");
  await user.type(await box(1), "k7m");
  const again = reopenPage("/register");
  await waitFor(async () => expect(await code()).toBe("K7M"));
  await waitFor(async () => expect(document.activeElement).toBe(await box(4)));
  await again.user.keyboard("phw");
  await accountStep();
  expect(asked("POST /auth/check-invite").map(({ body }) => body)).toEqual([{ code: "K7MPHW" }]);
  history.back();
  expect(await code(), "accepted, so it is the step's").toBe("K7MPHW");
});

test("another invitation opened in the same tab starts over", async () => {
  const { asked } = panel({ "POST /auth/check-invite": { valid: true } });
  const { user } = openPage("/register");
  await user.type(await box(1), "k7mphw");
  await accountStep();
  bring("ABC234");
  reopenPage("/register");
  await waitFor(() =>
    expect(asked("POST /auth/check-invite").map(({ body }) => body)).toEqual([{ code: "K7MPHW" }, { code: "ABC234" }]),
  );
});
