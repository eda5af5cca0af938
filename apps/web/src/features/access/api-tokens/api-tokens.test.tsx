import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { openPage, screens } from "../../../testing/open-page.tsx";
import { type Panel, panel, refused } from "../../../testing/panel.ts";
import { inDays, member, uuid, wgInterface } from "../../../testing/samples.ts";

screens();

const TOKEN = `krug_${"A".repeat(43)}`;
const router = {
  id: uuid(501),
  name: "Роутер",
  scopes: ["configs:read" as const, "configs:files" as const],
  createdAt: inDays(-3),
  expiresAt: inDays(87),
  lastUsedAt: null,
};

async function open(says: Panel = {}, me = member()) {
  const club = panel({
    "GET /auth/me": me,
    "GET /vpn/configs": [],
    "GET /vpn/available-interfaces": [wgInterface()],
    "GET /auth/sessions": [],
    "GET /api-tokens": [router],
    "POST /auth/confirm-password": undefined,
    ...says,
  });
  const page = openPage("/dashboard");
  await page.user.click(await screen.findByRole("button", { name: "Настройки" }));
  const part = within(await screen.findByRole("region", { name: "API-токены" }));
  return { ...club, ...page, part };
}

type Opened = Awaited<ReturnType<typeof open>>;

async function fillForm({ user, part }: Opened) {
  await user.click(part.getByRole("button", { name: "Создать токен" }));
  const form = within(await screen.findByRole("dialog", { name: "Новый API-токен" }));
  await user.type(form.getByLabelText("Название"), " Отчёт ");
  await user.click(form.getByLabelText("30 дней"));
  await user.click(form.getByLabelText("Устройства и трафик: читать"));
  await user.type(form.getByLabelText("Ваш пароль", { selector: "input" }), "secret");
  return form;
}

test("every token is listed with its rights, its end and its last use", async () => {
  const { part } = await open();
  const row = await part.findByRole("listitem");
  const said = row.textContent?.replace(/\s/g, " ");
  expect(said).toMatch(/^Роутердо .+, ещё не использован/);
  expect(said).toContain("Устройства и трафик: читать · Файлы устройств с закрытыми ключами: скачивать");
  expect(part.getByRole("link", { name: "Все вызовы API" }).getAttribute("href")).toBe("/api/docs");
});

test("a member without tokens sees one folded line, below everything that members need", async () => {
  const { part } = await open({ "GET /api-tokens": [] });
  const parts = within(screen.getByRole("dialog", { name: "Настройки" })).getAllByRole("region");
  expect(parts.at(-1)?.getAttribute("aria-labelledby")).toBe("api-tokens");
  const fold = (await part.findByText("Токенов нет.")).closest("details");
  expect(fold?.open).toBe(false);
});

test("a member with a token sees it at once", async () => {
  const { part } = await open();
  expect((await part.findByRole("listitem")).closest("details")?.open).toBe(true);
});

test("a new token takes a name, a time, rights and the password, and its text is shown until the person has saved it", async () => {
  const opened = await open({ "GET /api-tokens": [], "POST /api-tokens": { ...router, name: "Отчёт", token: TOKEN } });
  const { user, asked } = opened;
  const form = await fillForm(opened);
  await user.click(form.getByRole("button", { name: "Создать" }));
  const shown = within(await screen.findByRole("dialog", { name: "Токен создан" }));
  expect(asked("POST /auth/confirm-password").map(({ body }) => body)).toEqual([{ password: "secret" }]);
  expect(asked("POST /api-tokens").map(({ body }) => body)).toEqual([
    { name: "Отчёт", scopes: ["configs:read"], days: 30 },
  ]);
  expect(shown.getByText(TOKEN).closest("[translate=no]"), "a translated page takes no token for a word").toBeTruthy();
  await user.click(shown.getByRole("button", { name: "Скопировать" }));
  expect(await navigator.clipboard.readText()).toBe(TOKEN);
  expect((await shown.findByRole("status")).textContent).toBe("Скопировано");
  await user.keyboard("{Escape}");
  expect(shown.getByText(TOKEN)).toBeTruthy();
  await user.click(shown.getByRole("button", { name: "Готово, токен сохранён" }));
  await waitFor(() => expect(screen.queryByText(TOKEN)).toBeNull());
});

test("missing fields are named, and nothing is sent", async () => {
  const { user, part, heard } = await open();
  await user.click(part.getByRole("button", { name: "Создать токен" }));
  const form = within(await screen.findByRole("dialog", { name: "Новый API-токен" }));
  await user.click(form.getByRole("button", { name: "Создать" }));
  for (const problem of ["Введите название", "Выберите хотя бы одно право", "Введите пароль"])
    expect(await form.findByText(problem)).toBeTruthy();
  expect(heard.filter(({ key }) => key.startsWith("POST"))).toEqual([]);
});

test.each([
  ["user", 13],
  ["admin", 23],
] as const)("in the role %s %i rights are offered", async (role, count) => {
  const { user, part } = await open({}, member({ role }));
  await user.click(part.getByRole("button", { name: "Создать токен" }));
  const form = within(await screen.findByRole("dialog", { name: "Новый API-токен" }));
  expect(form.getAllByRole("checkbox")).toHaveLength(count);
});

test("staff whose check has expired give a code in the same form; a wrong one is reported", async () => {
  let codes = 0;
  const opened = await open(
    {
      "POST /api-tokens": () =>
        codes < 2
          ? refused(403, "auth.two_factor_required", "Подтвердите вход кодом двухфакторной аутентификации.")
          : { ...router, token: TOKEN },
      "POST /totp/{id}/verify": () => ({ valid: ++codes === 2, retryAfter: 0, token: null }),
    },
    member({ role: "admin" }),
  );
  const { user } = opened;
  const form = await fillForm(opened);
  const create = form.getByRole("button", { name: "Создать" });
  await user.click(create);
  await user.type(await form.findByLabelText("Код двухфакторной аутентификации"), "111111");
  await user.click(create);
  expect(await form.findByText("Неверный код")).toBeTruthy();
  await user.type(form.getByLabelText("Код двухфакторной аутентификации"), "222222");
  await user.click(create);
  expect(await screen.findByText(TOKEN)).toBeTruthy();
});

test("a wrong password is reported in the server's words, and no token is created", async () => {
  const opened = await open({
    "POST /auth/confirm-password": refused(400, "password.wrong_current", "Неверный текущий пароль."),
  });
  const form = await fillForm(opened);
  await opened.user.click(form.getByRole("button", { name: "Создать" }));
  expect(await form.findByText("Неверный текущий пароль.")).toBeTruthy();
  expect(opened.asked("POST /api-tokens")).toEqual([]);
});

test("revoking a token needs a confirmation, and the focus stays in the list", async () => {
  const { user, part, heard, say } = await open({ "DELETE /api-tokens/{id}": undefined });
  await user.click(await part.findByRole("button", { name: "Отозвать токен: Роутер" }));
  const ask = within(await screen.findByRole("dialog", { name: "Отозвать токен «Роутер»?" }));
  say({ "GET /api-tokens": [] });
  await user.click(ask.getByRole("button", { name: "Отозвать" }));
  expect(await part.findByText("Токенов нет.")).toBeTruthy();
  expect(heard.filter(({ path }) => path === `/api-tokens/${router.id}`)).toHaveLength(1);
  await waitFor(() => expect(document.activeElement?.textContent).toBe("API-токены"));
});
