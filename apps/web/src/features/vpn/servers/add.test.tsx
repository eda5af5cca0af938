import { whyOf } from "@krug/contract/reasons";
import { reason } from "@krug/domain/reasons";
import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { screens } from "../../../testing/open-page.tsx";
import { type Panel, refused } from "../../../testing/panel.ts";
import { uuid } from "../../../testing/samples.ts";
import { rented, server } from "../../../testing/servers.ts";
import { enter } from "../../../testing/staff.ts";
import { Stream } from "../../../testing/stream.ts";

screens();
beforeEach(() => {
  vi.stubGlobal("EventSource", Stream);
});

const KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIExample krug";
const fresh = {
  isSetupComplete: false,
  tunnelsIn: "docker" as const,
  whySystem: null,
  steps: (["docker", "wireguard", "configure"] as const).map((step) => ({
    step,
    state: "pending" as const,
    failure: null,
    detail: null,
    why: null,
    startedAt: null,
    endedAt: null,
  })),
};
const open = (says: Panel = {}) =>
  enter("/admin/servers", {
    "GET /admin/servers": [],
    "GET /admin/servers/interfaces": [],
    "GET /admin/servers/ssh-key": { publicKey: KEY },
    "GET /admin/servers/{id}/setup": fresh,
    ...says,
  });
type Opened = Awaited<ReturnType<typeof open>>;

async function form(user: Opened["user"]) {
  await user.click(await screen.findByRole("button", { name: "Добавить сервер" }));
  return within(await screen.findByRole("dialog", { name: "Новый сервер" }));
}
async function fill(user: Opened["user"], dialog: Awaited<ReturnType<typeof form>>) {
  await user.type(dialog.getByLabelText("Название"), "Стокгольм");
  await user.type(dialog.getByLabelText("Хост"), "203.0.113.24");
}
const send = (user: Opened["user"]) => user.click(screen.getByRole("button", { name: "Добавить" }));

test("a rented machine is added by its address and password; if it answers, its set-up follows", async () => {
  let answer = (_: unknown) => {};
  const { user, asked } = await open({
    "POST /admin/servers": async () => {
      await new Promise((resolve) => {
        answer = resolve;
      });
      return rented();
    },
  });
  const dialog = await form(user);
  expect(dialog.getByDisplayValue("22")).toBeTruthy();
  expect(dialog.getByDisplayValue("root")).toBeTruthy();
  await fill(user, dialog);
  await user.type(dialog.getByLabelText("Пароль"), "s3cret");
  await user.click(dialog.getByLabelText("Сделать главным"));
  await user.dblClick(screen.getByRole("button", { name: "Добавить" }));
  await dialog.findByText(/Подключаемся к машине/);
  answer(null);
  await screen.findByRole("dialog", { name: "Настройка: Стокгольм" });
  expect(asked("POST /admin/servers")).toHaveLength(1);
  expect(asked("POST /admin/servers")[0]?.body).toEqual({
    name: "Стокгольм",
    credentials: { host: "203.0.113.24", port: 22, username: "root", password: "s3cret" },
    isMain: true,
  });
  expect(asked("POST /admin/servers")[0]?.headers.get("idempotency-key")).toMatch(/^[0-9a-f]{32}$/);
});

test("a machine gets a container by default", async () => {
  const { user, asked } = await open({ "POST /admin/servers": rented() });
  const dialog = await form(user);
  expect(dialog.getByRole<HTMLInputElement>("radio", { name: "В контейнере (Docker)" }).checked).toBe(true);
  await fill(user, dialog);
  await user.type(dialog.getByLabelText("Пароль"), "s3cret");
  await user.click(dialog.getByRole("radio", { name: "Без Docker" }));
  await send(user);
  await screen.findByRole("dialog", { name: "Настройка: Стокгольм" });
  expect(asked("POST /admin/servers")[0]?.body).toMatchObject({ tunnelsIn: "system" });
});

test("a missing or impossible value is reported at its field, and nothing is sent", async () => {
  const { user, asked } = await open();
  const dialog = await form(user);
  await user.clear(dialog.getByLabelText("Порт"));
  await user.type(dialog.getByLabelText("Порт"), "70000");
  await user.clear(dialog.getByLabelText("Пользователь"));
  await user.type(dialog.getByLabelText(/^Отпечаток ключа/), "MD5:00");
  await send(user);
  expect(await dialog.findAllByText("Заполните поле")).toHaveLength(3);
  expect(dialog.getByText("Число от 1 до 65535")).toBeTruthy();
  expect(dialog.getByText(/Введите пароль или выберите/)).toBeTruthy();
  expect(dialog.getByText(/Отпечаток вида SHA256/)).toBeTruthy();
  expect(asked("POST /admin/servers")).toHaveLength(0);
});

test("without a password the panel's key is shown with the command that installs it, and no password is sent", async () => {
  const { user, asked } = await open({ "POST /admin/servers": rented({ problem: "login_refused", status: "error" }) });
  const dialog = await form(user);
  await fill(user, dialog);
  await user.type(dialog.getByLabelText("Пароль"), "s3cret");
  await user.click(dialog.getByLabelText("Без пароля"));
  expect((await dialog.findByLabelText("Команда")).textContent).toBe(
    `mkdir -p ~/.ssh && echo '${KEY}' >> ~/.ssh/authorized_keys`,
  );
  await send(user);
  await screen.findByText("Стокгольм: добавлен, но подключиться не получилось");
  expect(screen.queryByRole("dialog", { name: /^Настройка/ }), "there is nothing to set up yet").toBeNull();
  expect(asked("POST /admin/servers")[0]?.body).toMatchObject({
    credentials: { host: "203.0.113.24", port: 22, username: "root" },
  });
  expect(JSON.stringify(asked("POST /admin/servers")[0]?.body)).not.toContain("s3cret");
});

test.each([
  ["server.exists", "Сервер с таким адресом и портом уже есть: Старый.", "Хост"],
  ["server.fingerprint_differs", "Машина показала другой отпечаток ключа", /^Отпечаток ключа/],
] as const)("a refusal stands at the field that it is about: %s", async (code, message, label) => {
  const { user } = await open({ "POST /admin/servers": refused(409, code, message) });
  const dialog = await form(user);
  await fill(user, dialog);
  await user.type(dialog.getByLabelText("Пароль"), "x");
  await send(user);
  await dialog.findByText(message);
  expect(dialog.getByLabelText(label).getAttribute("aria-invalid")).toBe("true");
});

test("after a lost answer the form stays and sends the same server again; a closed form keeps all but the password", async () => {
  const { user, asked, say } = await open({ "POST /admin/servers": "silence" });
  let dialog = await form(user);
  await fill(user, dialog);
  await user.type(dialog.getByLabelText("Пароль"), "s3cret");
  await send(user);
  await dialog.findByText(/^Не получилось добавить сервер/);
  await user.click(dialog.getByRole("button", { name: "Отмена" }));
  expect(JSON.stringify({ ...sessionStorage })).not.toContain("s3cret");
  dialog = await form(user);
  await user.click(await dialog.findByRole("button", { name: "Продолжить начатое" }));
  expect(dialog.getByDisplayValue("Стокгольм")).toBeTruthy();
  expect((dialog.getByLabelText("Пароль") as HTMLInputElement).value).toBe("");
  await user.type(dialog.getByLabelText("Пароль"), "s3cret");
  await send(user);
  await waitFor(() => expect(asked("POST /admin/servers")).toHaveLength(2));
  await dialog.findByText(/^Не получилось добавить сервер/);
  say({ "POST /admin/servers": rented() });
  await send(user);
  await screen.findByRole("dialog", { name: "Настройка: Стокгольм" });
  const keys = asked("POST /admin/servers").map(({ headers }) => headers.get("idempotency-key"));
  expect(keys[2]).toBe(keys[1]);
});

test("a card shows how its machine is reached and what it is; before set-up it has no interfaces and no numbers", async () => {
  const { asked, user } = await open({ "GET /admin/servers": [rented()] });
  const card = within(await screen.findByRole("listitem", { name: /Стокгольм/ }));
  expect(card.getByText("root@203.0.113.24:22")).toBeTruthy();
  expect(card.getByText("Debian GNU/Linux 12 (bookworm)")).toBeTruthy();
  expect(card.getByText("SHA256:p2QAMX…9oL8")).toBeTruthy();
  expect(card.getByRole("button", { name: "Настроить: Стокгольм" })).toBeTruthy();
  expect(card.queryByText("Интерфейсы")).toBeNull();
  expect(card.queryByText("Показатели ещё не прочитаны")).toBeNull();
  expect(asked("GET /admin/servers/{id}/refresh")).toHaveLength(0);
  await user.click(card.getByRole("button", { name: "Показать целиком" }));
  expect(card.getByText(rented().fingerprint ?? "")).toBeTruthy();
});

test("a failed connection is explained with what to do, and the machine's own words below", async () => {
  await open({
    "GET /admin/servers": [
      rented({
        status: "error",
        problem: "silent",
        why: whyOf(reason("ssh.silent", {}, "Timed out")),
        errorSince: new Date().toISOString(),
      }),
    ],
  });
  await screen.findByText(/Машина молчит. Проверьте/);
  expect(screen.getByText("Timed out")).toBeTruthy();
});

test("a refused login of root says that root may not be allowed in at all; another account's does not", async () => {
  const refused = {
    status: "error",
    problem: "login_refused",
    error: "refused",
    errorSince: rented().createdAt,
  } as const;
  const credentials = { ...rented().credentials!, username: "ops" };
  await open({
    "GET /admin/servers": [rented(refused), rented({ ...refused, id: uuid(75), name: "Осло", credentials })],
  });
  await screen.findByRole("listitem", { name: /Осло/ });
  expect(screen.getAllByText(/Вход для root может быть закрыт/)).toHaveLength(1);
});

test("a machine that cannot be a server says why before its set-up, in its own words", async () => {
  const unfit = { failure: "unsupported_system", detail: "Alpine Linux v3.22" } as const;
  await open({ "GET /admin/servers": [rented({ unfit })] });
  const card = within(await screen.findByRole("listitem", { name: /Стокгольм/ }));
  expect(card.getByText("Эта машина не может стать сервером")).toBeTruthy();
  expect(card.getByText(/Поставьте на машину Debian 12 или 13 либо Ubuntu 22.04, 24.04 или 26.04/)).toBeTruthy();
  expect(card.getByText("Alpine Linux v3.22")).toBeTruthy();
});

test("a password that the machine requires to be changed is changed from its card", async () => {
  const expired = { status: "error", problem: "password_expired", errorSince: rented().createdAt } as const;
  const { user, asked, say } = await open({
    "GET /admin/servers": [
      rented({ ...expired, why: whyOf(reason("ssh.password_expired", {}, "WARNING: Your password has expired.")) }),
    ],
    "POST /admin/servers/{id}/new-password": refused(
      409,
      "server.password_refused",
      "Машина не приняла новый пароль: BAD PASSWORD",
    ),
  });
  const alert = within(await screen.findByRole("alert"));
  expect(alert.getByText("WARNING: Your password has expired.")).toBeTruthy();
  await user.click(alert.getByRole("button", { name: "Сменить пароль" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Сменить пароль: Стокгольм" }));
  expect(dialog.queryByLabelText("Прежний пароль"), "the panel has it").toBeNull();
  const send = () => user.click(dialog.getByRole("button", { name: "Сменить пароль" }));
  await user.type(dialog.getByLabelText("Новый пароль"), "short");
  await send();
  expect(await dialog.findByText("Не короче 8 символов")).toBeTruthy();
  await user.type(dialog.getByLabelText("Новый пароль"), " and longer");
  await send();
  await dialog.findByText(/BAD PASSWORD/);
  say({ "POST /admin/servers/{id}/new-password": rented(), "GET /admin/servers": [rented()] });
  await send();
  await screen.findByText("Стокгольм: пароль сменён");
  expect(asked("POST /admin/servers/{id}/new-password").at(-1)?.body).toEqual({ password: "short and longer" });
});

test("a server that uses a key also asks for the current password", async () => {
  const credentials = { ...rented().credentials!, hasPassword: false };
  await open({
    "GET /admin/servers": [
      rented({ status: "error", problem: "password_expired", errorSince: rented().createdAt, credentials }),
    ],
  }).then(async ({ user }) => user.click(await screen.findByRole("button", { name: "Сменить пароль" })));
  expect(within(await screen.findByRole("dialog")).getByLabelText("Прежний пароль")).toBeTruthy();
});

test("a machine with another key shows both fingerprints, and is trusted again only after a confirmation", async () => {
  const shown = `SHA256:${"n".repeat(43)}`;
  const { user, asked, say } = await open({
    "GET /admin/servers": [
      rented({ status: "error", problem: "host_key_changed", errorSince: rented().createdAt, shownFingerprint: shown }),
    ],
    "POST /admin/servers/{id}/accept-host-key": rented({ fingerprint: shown }),
  });
  const alert = within(await screen.findByRole("alert"));
  expect(alert.getByText(shown)).toBeTruthy();
  expect(alert.getByText(rented().fingerprint ?? "")).toBeTruthy();
  expect(alert.getByText(/Машину могли переустановить, или кто-то встал между/)).toBeTruthy();
  expect(screen.queryByRole("button", { name: /^Настроить/ }), "nothing is done there").toBeNull();
  await user.click(alert.getByRole("button", { name: "Принять новый ключ" }));
  expect(asked("POST /admin/servers/{id}/accept-host-key")).toHaveLength(0);
  say({ "GET /admin/servers": [rented({ fingerprint: shown })] });
  const question = within(await screen.findByRole("dialog"));
  await user.click(question.getByRole("button", { name: "Принять новый ключ" }));
  await screen.findByText("Стокгольм: новый ключ принят");
  expect(asked("POST /admin/servers/{id}/accept-host-key")[0]?.body).toEqual({ fingerprint: shown });
  await screen.findByRole("button", { name: "Настроить: Стокгольм" });
});

test("credentials are edited with the rest, and sent only if they differ; the panel's own host has none", async () => {
  const { user, asked } = await open({
    "GET /admin/servers": [rented(), server()],
    "PUT /admin/servers/{id}": rented(),
  });
  await user.click(await screen.findByRole("button", { name: "Действия: Стокгольм" }));
  await user.click(await screen.findByRole("menuitem", { name: "Изменить" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Изменить: Стокгольм" }));
  await user.clear(dialog.getByLabelText("Порт"));
  await user.type(dialog.getByLabelText("Порт"), "2222");
  await user.click(dialog.getByRole("button", { name: "Сохранить" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(asked("PUT /admin/servers/{id}")[0]?.body).toEqual({
    credentials: { host: "203.0.113.24", port: 2222, username: "root" },
    expected: {
      name: "Стокгольм",
      endpoint: null,
      credentials: { host: "203.0.113.24", port: 22, username: "root" },
    },
  });
  await user.click(await screen.findByRole("button", { name: "Действия: Хельсинки" }));
  await user.click(await screen.findByRole("menuitem", { name: "Изменить" }));
  const own = within(await screen.findByRole("dialog", { name: "Изменить: Хельсинки" }));
  expect(own.queryByLabelText("Порт")).toBeNull();
});

test("an editor of the login is notified that somebody else has changed it meanwhile", async () => {
  const { user, asked, say } = await open({
    "GET /admin/servers": [rented()],
    "PUT /admin/servers/{id}": refused(409, "server.changed_meanwhile", "изменили", { fields: ["credentials"] }),
  });
  await user.click(await screen.findByRole("button", { name: "Действия: Стокгольм" }));
  await user.click(await screen.findByRole("menuitem", { name: "Изменить" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Изменить: Стокгольм" }));
  await user.clear(dialog.getByLabelText("Порт"));
  await user.type(dialog.getByLabelText("Порт"), "2222");
  const theirs = { host: "203.0.113.24", port: 2200, username: "debian", hasPassword: false };
  say({ "GET /admin/servers": [rented({ credentials: theirs })] });
  await user.click(dialog.getByRole("button", { name: "Сохранить" }));
  await dialog.findByText("Вход по SSH: debian@203.0.113.24:2200");
  say({ "PUT /admin/servers/{id}": rented() });
  await user.click(dialog.getByRole("button", { name: "Сохранить" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(asked("PUT /admin/servers/{id}").at(-1)?.body).toMatchObject({
    credentials: { port: 2222 },
    expected: { credentials: { host: "203.0.113.24", port: 2200, username: "debian" } },
  });
});
