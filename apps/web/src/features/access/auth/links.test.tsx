import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { openPage, screens } from "../../../testing/open-page.tsx";
import { panel, refused } from "../../../testing/panel.ts";
import { member } from "../../../testing/samples.ts";

screens();

test("the link's key creates the first administrator and signs them in", async () => {
  const { asked } = panel({
    "POST /auth/setup": { token: "t", user: member({ displayName: "boss" }) },
    "GET /vpn/configs": [],
    "GET /vpn/available-interfaces": [],
  });
  const { user } = openPage("/setup#token=one-time");
  await user.type(await screen.findByLabelText("Имя пользователя"), "boss");
  await user.type(screen.getByLabelText("Пароль"), "long-enough-1");
  await user.type(screen.getByLabelText("Повторите пароль"), "long-enough-1");
  await user.click(screen.getByRole("button", { name: "Создать администратора" }));
  expect(await screen.findByRole("heading", { name: "Здравствуйте, boss" })).toBeTruthy();
  expect(asked("POST /auth/setup").map(({ body }) => body)).toEqual([
    { token: "one-time", username: "boss", password: "long-enough-1" },
  ]);
});

test("an administrator's password has at least ten characters", async () => {
  const { asked } = panel({});
  const { user } = openPage("/setup#token=one-time");
  await user.type(await screen.findByLabelText("Имя пользователя"), "boss");
  await user.type(screen.getByLabelText("Пароль"), "123456789");
  await user.type(screen.getByLabelText("Повторите пароль"), "123456789");
  await user.click(screen.getByRole("button", { name: "Создать администратора" }));
  expect(screen.getByText("Пароль должен быть не менее 10 символов")).toBeTruthy();
  expect(asked("POST /auth/setup")).toHaveLength(0);
});

test("a used link says so and what to do", async () => {
  panel({
    "POST /auth/set-password": refused(400, "auth.link_invalid", "Ссылка недействительна или уже использована."),
  });
  const { user } = openPage("/password#user=marina_l&token=old");
  await user.type(await screen.findByLabelText("Пароль"), "secret-pass");
  await user.type(screen.getByLabelText("Повторите пароль"), "secret-pass");
  await user.click(screen.getByRole("button", { name: "Сохранить пароль" }));
  expect(await screen.findByText("Ссылка недействительна или уже использована.")).toBeTruthy();
  expect(screen.getByText(/Попросите администратора прислать новую/)).toBeTruthy();
});

test("after setting a new password comes the sign-in", async () => {
  panel({ "POST /auth/set-password": { username: "marina_l" } });
  const { user, address } = openPage("/password#user=marina_l&token=fresh");
  await user.type(await screen.findByLabelText("Пароль"), "secret-pass");
  await user.type(screen.getByLabelText("Повторите пароль"), "secret-pass");
  await user.click(screen.getByRole("button", { name: "Сохранить пароль" }));
  expect(await screen.findByText("Новый пароль сохранён. Войдите с ним.")).toBeTruthy();
  await user.click(screen.getByRole("link", { name: "Войти" }));
  await waitFor(() => expect(address()).toBe("/login"));
});

test.each(["/setup", "/password"])("%s without a key asks for the whole link", async (address) => {
  panel({});
  openPage(address);
  expect(await screen.findByText(/В адресе нет ключа/)).toBeTruthy();
});

test.each([
  ["/setup?token=one-time", "/setup#token=one-time"],
  ["/password?token=one-time", "/password#token=one-time"],
])("an older link, %s, still works, and its key leaves the query at once", async (before, now) => {
  const { heard } = panel({});
  const { address } = openPage(before);
  await screen.findByLabelText("Пароль");
  expect(address()).toBe(now);
  expect(heard.filter(({ path, query }) => `${path}?${query}`.includes("one-time"))).toEqual([]);
});
