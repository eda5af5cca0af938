import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { openPage, screens } from "../../../testing/open-page.tsx";
import { type Panel, panel, refused } from "../../../testing/panel.ts";
import { inDays, member, uuid, wgInterface } from "../../../testing/samples.ts";
import { savedFiles } from "../../../testing/saved-files.ts";
import { useOwnAccount } from "./account-words.ts";

screens();

const words = useOwnAccount.ru;
const session = (n: number, device: string | null, current = false) => ({
  id: uuid(300 + n),
  current,
  createdAt: inDays(-n),
  lastSeenAt: new Date(Date.now() - n * 3_600_000).toISOString(),
  device,
});
const phone = session(1, "Safari, iPhone");
const laptop = session(2, "Chrome, Windows", true);

async function open(says: Panel = {}, me = member()) {
  const club = panel({
    "GET /auth/me": me,
    "GET /vpn/configs": [],
    "GET /vpn/available-interfaces": [wgInterface()],
    "GET /auth/sessions": [phone, laptop],
    ...says,
  });
  const page = openPage("/dashboard");
  await page.user.click(await screen.findByRole("button", { name: "Настройки" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Настройки" }));
  return { ...club, ...page, dialog };
}

test("every session is listed with its device and times, the current one first and without a button to end it", async () => {
  const { dialog } = await open();
  await dialog.findByText("Safari, iPhone");
  const list = within(dialog.getByRole("region", { name: "Активные входы" })).getAllByRole("listitem");
  expect(list.map((row) => row.textContent?.replace(/\s/g, " "))).toEqual([
    expect.stringMatching(/^Chrome, Windows этот вход ?Вход (\d+ \S+|вчера)$/),
    expect.stringMatching(/^Safari, iPhoneВход вчера, заходили час назадЗавершить$/),
  ]);
});

test("a session without a name gets one, and long lists expand on demand", async () => {
  const many = [laptop, ...Array.from({ length: 6 }, (_, n) => session(3 + n, null))];
  const { dialog, user } = await open({ "GET /auth/sessions": many });
  expect(await dialog.findAllByText(words.sessions.unknown)).toHaveLength(4);
  await user.click(dialog.getByRole("button", { name: /^Показать ещё 2\sвхода$/ }));
  expect(dialog.getAllByText(words.sessions.unknown)).toHaveLength(6);
});

test("ending a session needs a confirmation, and the focus stays in the list", async () => {
  const { dialog, user, heard, say } = await open({ "DELETE /auth/sessions/{id}": undefined });
  await user.click(await dialog.findByRole("button", { name: /^Завершить вход: Safari, iPhone/ }));
  const ask = within(await screen.findByRole("dialog", { name: "Завершить вход: Safari, iPhone?" }));
  say({ "GET /auth/sessions": [laptop] });
  await user.click(ask.getByRole("button", { name: "Завершить" }));
  await waitFor(() => expect(dialog.queryByText("Safari, iPhone")).toBeNull());
  expect(heard.filter(({ path }) => path === `/auth/sessions/${phone.id}`)).toHaveLength(1);
  await waitFor(() => expect(document.activeElement?.textContent).toBe("Активные входы"));
});

test("a session that had already ended disappears all the same", async () => {
  const { dialog, user, say } = await open({ "DELETE /auth/sessions/{id}": refused(404, "session.not_found", "нет") });
  await user.click(await dialog.findByRole("button", { name: /^Завершить вход: Safari/ }));
  say({ "GET /auth/sessions": [laptop] });
  await user.click(await screen.findByRole("button", { name: "Завершить" }));
  await waitFor(() => expect(dialog.queryByText("Safari, iPhone")).toBeNull());
});

test("one call ends all others; Escape closes the question and leaves the settings open", async () => {
  const { dialog, user, asked, say } = await open({ "DELETE /auth/sessions": undefined });
  const all = await dialog.findByRole("button", { name: "Завершить все другие входы" });
  await user.click(all);
  await screen.findByRole("dialog", { name: "Завершить все другие входы?" });
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog", { name: "Завершить все другие входы?" })).toBeNull());
  expect(screen.getByRole("dialog", { name: "Настройки" })).toBeTruthy();
  expect(asked("DELETE /auth/sessions")).toHaveLength(0);
  say({ "GET /auth/sessions": [laptop] });
  await user.click(all);
  await user.click(await screen.findByRole("button", { name: "Завершить" }));
  expect(await dialog.findByText(words.sessions.only)).toBeTruthy();
  expect(asked("DELETE /auth/sessions")).toHaveLength(1);
});

test("if a session could not be ended, it stays and the reason is shown", async () => {
  const { dialog, user } = await open({ "DELETE /auth/sessions/{id}": refused(500, "unexpected") });
  await user.click(await dialog.findByRole("button", { name: /^Завершить вход: Safari/ }));
  await user.click(await screen.findByRole("button", { name: "Завершить" }));
  expect(await screen.findByText(words.sessions.endFailed)).toBeTruthy();
  expect(dialog.getByText("Safari, iPhone")).toBeTruthy();
});

test("sessions that could not be loaded say so and can be retried", async () => {
  const { dialog, user, say } = await open({ "GET /auth/sessions": refused(500, "unexpected", "Ошибка") });
  await dialog.findByText(words.sessions.failed);
  say({ "GET /auth/sessions": [laptop] });
  await user.click(dialog.getByRole("button", { name: "Повторить" }));
  expect(await dialog.findByText("Chrome, Windows")).toBeTruthy();
});

test("a member's own data is saved as a file; a refusal is shown in the server's words", async () => {
  const saved: string[] = [];
  const click = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  savedFiles();
  const { dialog, user, say } = await open({ "GET /users/me/export": () => ({ fileName: null, content: "{}" }) });
  await user.click(dialog.getByRole("button", { name: "Скачать мои данные" }));
  await waitFor(() => expect(saved).toEqual(["krug-marina_l.json"]));
  say({ "GET /users/me/export": refused(429, "request.too_many", "Слишком много запросов. Попробуйте через 40 с.") });
  await user.click(await dialog.findByRole("button", { name: "Скачать мои данные" }));
  expect(await dialog.findByText("Слишком много запросов. Попробуйте через 40 с.")).toBeTruthy();
  expect(saved).toHaveLength(1);
  click.mockRestore();
});

const fill = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label, { selector: "input" }), { target: { value } });
const fillPassword = (current: string, fresh: string, confirm: string) => {
  fill("Текущий пароль", current);
  fill("Новый пароль", fresh);
  fill("Повторите новый пароль", confirm);
};
const CHECK = "Пожалуйста, проверьте правильность заполнения всех полей";

test.each([
  ["nothing", ["", "", ""], CHECK],
  ["a short password", ["old password", "12345", "12345"], "Пароль должен быть не менее 6 символов"],
  ["another confirmation", ["old password", "new password", "new passwort"], "Пароли не совпадают"],
  ["the same password", ["old password", "old password", "old password"], "Новый пароль должен отличаться от текущего"],
])("a password change with %s is refused before it is sent", async (_, [current, fresh, confirm], words) => {
  const { user, dialog, asked } = await open();
  fillPassword(current ?? "", fresh ?? "", confirm ?? "");
  await user.click(dialog.getByRole("button", { name: "Сменить пароль" }));
  expect(await dialog.findByText(words)).toBeTruthy();
  expect(dialog.getByText(CHECK).closest('[role="alert"]')).toBeTruthy();
  expect(document.activeElement?.getAttribute("aria-invalid")).toBe("true");
  expect(asked("POST /users/change-password")).toEqual([]);
});

test.each([
  ["staff's password is", { role: "moderator" }],
  ["that of somebody who is to be staff is", { pendingRole: "admin" }],
] as const)("%s from 10 characters on", async (_, about) => {
  const { user, dialog } = await open({}, member(about));
  fillPassword("old password", "123456789", "123456789");
  await user.click(dialog.getByRole("button", { name: "Сменить пароль" }));
  expect(await dialog.findByText("Пароль должен быть не менее 10 символов")).toBeTruthy();
});

test.each([
  ["Слишком много попыток входа. Попробуйте через 30 с.", "Слишком много попыток входа. Попробуйте через 30 с."],
  ["", "Неверный текущий пароль"],
])("a refused change shows the server's words, else ours, and focuses the wrong password", async (message, shown) => {
  const { user, dialog } = await open({
    "POST /users/change-password": refused(400, "password.wrong_current", message),
  });
  fillPassword("old password", "new password", "new password");
  await user.click(dialog.getByRole("button", { name: "Сменить пароль" }));
  expect(await dialog.findByText(shown)).toBeTruthy();
  expect(document.activeElement).toBe(dialog.getByLabelText("Текущий пароль"));
});

test("a panel that does not answer is not said to have found the password wrong", async () => {
  const { user, dialog } = await open({ "POST /users/change-password": "silence" });
  fillPassword("old password", "new password", "new password");
  await user.click(dialog.getByRole("button", { name: "Сменить пароль" }));
  expect(await dialog.findByText(/^Панель клуба не отвечает/)).toBeTruthy();
});

test("a password change is confirmed, and the dialog closes by itself after two seconds", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  try {
    const { user, dialog, asked } = await open({ "POST /users/change-password": { success: true } });
    fillPassword("old password", "new password", "new password");
    await user.click(dialog.getByRole("button", { name: "Сменить пароль" }));
    expect(await dialog.findByText(/^Пароль изменён/)).toBeTruthy();
    expect(asked("POST /users/change-password")[0]?.body).toEqual({
      username: "marina_l",
      currentPassword: "old password",
      newPassword: "new password",
    });
    await vi.advanceTimersByTimeAsync(1_500);
    expect(screen.queryByRole("dialog", { name: "Настройки" })).toBeTruthy();
    await vi.advanceTimersByTimeAsync(1_500);
    await waitFor(() => expect(screen.queryByRole("dialog", { name: "Настройки" })).toBeNull());
  } finally {
    vi.useRealTimers();
  }
});
