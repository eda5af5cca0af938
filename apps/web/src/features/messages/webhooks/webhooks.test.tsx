import { screen, waitFor, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { screens } from "../../../testing/open-page.tsx";
import { type Panel, refused } from "../../../testing/panel.ts";
import { inDays, uuid } from "../../../testing/samples.ts";
import { enter, moderator } from "../../../testing/staff.ts";
import type { Delivery, Webhook } from "./queries.ts";

screens();

const SECRET = `whsec_${"A".repeat(43)}=`;
const bot: Webhook = {
  id: uuid(801),
  url: "https://bot.example/krug",
  description: "Бот",
  events: ["member.joined", "payment.paid"],
  enabled: true,
  offBecause: null,
  createdAt: inDays(-9),
  failingSince: null,
  formerSecretUntil: null,
  waiting: 0,
  failed: 0,
};
const delivery: Delivery = {
  id: uuid(811),
  event: "payment.paid",
  at: inDays(-1),
  state: "failed",
  attempts: 10,
  lastAt: inDays(-1),
  status: null,
  problem: "no answer in time",
  durationMs: 10_002,
  nextAt: null,
};

const open = (says: Panel = {}) =>
  enter("/admin/webhooks", { "GET /admin/webhooks": [bot], "POST /auth/confirm-password": undefined, ...says });

const menu = async ({ user }: Awaited<ReturnType<typeof open>>, item: string) => {
  await user.click(await screen.findByRole("button", { name: "Действия: Бот" }));
  await user.click(await screen.findByRole("menuitem", { name: item }));
};

test("an empty club reads what webhooks are for", async () => {
  await open({ "GET /admin/webhooks": [] });
  expect(await screen.findByRole("heading", { name: "Вебхуков нет" })).toBeTruthy();
});

test("moderators have no such screen", async () => {
  const { asked } = await enter("/admin/webhooks", { "GET /admin/webhooks": [bot] }, moderator);
  await screen.findAllByRole("link");
  expect(screen.queryByRole("link", { name: "Вебхуки" })).toBeNull();
  expect(asked("GET /admin/webhooks")).toEqual([]);
});

test.each<[string, Partial<Webhook>, RegExp]>([
  ["works", {}, /^Работает · 2\sсобытия$/],
  [
    "fails",
    { failingSince: inDays(-1), waiting: 3, failed: 1 },
    /^Не принимает с .* · ждут отправки: 3 · не доставлено: 1$/,
  ],
  ["was switched off by its receiver", { enabled: false, offBecause: "gone" }, /^Выключен: получатель ответил/],
  ["came out of a backup", { enabled: false, offBecause: "restored" }, /^Выключен: панель восстановлена/],
  ["is off", { enabled: false }, /^Выключен ·/],
])("one that %s says so", async (_, about, said) => {
  await open({ "GET /admin/webhooks": [{ ...bot, ...about }] });
  const row = within(await screen.findByRole("region", { name: "Список вебхуков" })).getByRole("listitem");
  expect(within(row).getByText(said)).toBeTruthy();
  expect(within(row).getByText("https://bot.example/krug")).toBeTruthy();
});

test("a new one takes an address, events and the password, and its secret is shown until the admin has saved it", async () => {
  const opened = await open({ "GET /admin/webhooks": [], "POST /admin/webhooks": { ...bot, secret: SECRET } });
  const { user, asked } = opened;
  await user.click(await screen.findByRole("button", { name: "Добавить вебхук" }));
  const form = within(await screen.findByRole("dialog", { name: "Новый вебхук" }));
  await user.click(form.getByRole("button", { name: "Добавить" }));
  for (const problem of [
    "Введите адрес, который начинается с https://",
    "Выберите хотя бы одно событие",
    "Введите пароль",
  ])
    expect(await form.findByText(problem)).toBeTruthy();
  expect(asked("POST /admin/webhooks")).toEqual([]);
  await user.type(form.getByLabelText("Адрес"), " https://bot.example/krug");
  await user.click(form.getByLabelText("Вступил участник"));
  await user.type(form.getByLabelText("Ваш пароль", { selector: "input" }), "secret");
  await user.click(form.getByRole("button", { name: "Добавить" }));
  const shown = within(await screen.findByRole("dialog", { name: "Секрет вебхука" }));
  expect(asked("POST /auth/confirm-password").map(({ body }) => body)).toEqual([{ password: "secret" }]);
  expect(asked("POST /admin/webhooks").map(({ body }) => body)).toEqual([
    { url: "https://bot.example/krug", description: "", events: ["member.joined"] },
  ]);
  await user.keyboard("{Escape}");
  expect(shown.getByText(SECRET)).toBeTruthy();
  await user.click(shown.getByRole("button", { name: "Готово, секрет сохранён" }));
  await waitFor(() => expect(screen.queryByText(SECRET)).toBeNull());
});

test("an address that the panel refuses is reported at its field, and nothing that was entered is lost", async () => {
  const said = "Такого имени нет, или оно ведёт во внутреннюю сеть.";
  const opened = await open({
    "PUT /admin/webhooks/{id}": refused(400, "webhook.address_refused", said, { field: "url" }),
  });
  const { user, asked } = opened;
  await menu(opened, "Изменить");
  const form = within(await screen.findByRole("dialog", { name: "Вебхук" }));
  await user.click(form.getByLabelText("Включён"));
  await user.type(form.getByLabelText("Ваш пароль", { selector: "input" }), "secret");
  await user.click(form.getByRole("button", { name: "Сохранить" }));
  expect(await form.findAllByText(said)).toHaveLength(1);
  expect(form.getByLabelText<HTMLInputElement>("Адрес").value).toBe("https://bot.example/krug");
  expect(asked("PUT /admin/webhooks/{id}").map(({ body }) => body)).toEqual([
    { enabled: false, expected: { enabled: true } },
  ]);
});

test("a change sends only the differences and what was seen; somebody else's change is shown before it is replaced", async () => {
  const opened = await open({ "PUT /admin/webhooks/{id}": refused(409, "webhook.changed_meanwhile") });
  const { user, asked, say } = opened;
  await menu(opened, "Изменить");
  const form = within(await screen.findByRole("dialog", { name: "Вебхук" }));
  const description = form.getByLabelText<HTMLInputElement>("Описание");
  await user.clear(description);
  await user.type(description, "Бот клуба");
  await user.type(form.getByLabelText("Ваш пароль", { selector: "input" }), "secret");
  const theirs: Webhook = { ...bot, description: "Касса", events: ["payment.paid"] };
  say({ "GET /admin/webhooks": [theirs] });
  const shown = vi.spyOn(Element.prototype, "scrollIntoView");
  await user.click(form.getByRole("button", { name: "Сохранить" }));
  await form.findByText("Пока вы редактировали, вебхук изменил другой администратор");
  const broughtUp = () =>
    shown.mock.contexts.filter((each) => (each as Element).textContent?.includes("вебхук изменил"));
  await waitFor(() => expect(broughtUp(), "the words stand above the fields, the button below").toHaveLength(1));
  expect(form.getByText("Описание: Касса")).toBeTruthy();
  expect(form.getByText("События: Платёж получен")).toBeTruthy();
  expect(description.value, "what was typed stays").toBe("Бот клуба");
  expect(form.getByLabelText<HTMLInputElement>("Вступил участник").checked, "what was not touched follows").toBe(false);
  say({ "PUT /admin/webhooks/{id}": theirs });
  await user.click(form.getByRole("button", { name: "Сохранить" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(asked("PUT /admin/webhooks/{id}").map(({ body }) => body)).toEqual([
    { description: "Бот клуба", expected: { description: "Бот" } },
    { description: "Бот клуба", expected: { description: "Касса" } },
  ]);
});

test("a secret is replaced with a day for the former one, unless the admin says otherwise", async () => {
  const opened = await open({ "POST /admin/webhooks/{id}/secret": { ...bot, secret: SECRET } });
  const { user, asked } = opened;
  await menu(opened, "Заменить секрет");
  const form = within(await screen.findByRole("dialog", { name: "Новый секрет" }));
  expect(form.getByLabelText<HTMLInputElement>("Прежний подписывает ещё сутки").checked).toBe(true);
  await user.click(form.getByLabelText("Прежний подписывает ещё сутки"));
  await user.type(form.getByLabelText("Ваш пароль", { selector: "input" }), "secret");
  await user.click(form.getByRole("button", { name: "Заменить" }));
  expect(await screen.findByText(SECRET)).toBeTruthy();
  expect(asked("POST /admin/webhooks/{id}/secret").map(({ body }) => body)).toEqual([{ keepFormer: false }]);
});

test("a test event opens the log, which says why it failed, shows what was sent, and sends it again", async () => {
  const test = {
    ...delivery,
    id: uuid(812),
    event: "webhook.test" as const,
    state: "waiting" as const,
    attempts: 0,
    problem: null,
    durationMs: null,
  };
  const body = '{"id":"1","type":"payment.paid"}';
  const opened = await open({
    "POST /admin/webhooks/{id}/test": test,
    "GET /admin/webhooks/{id}/deliveries": ({ query }) =>
      query.get("show") === "failed" ? [delivery] : [test, delivery],
    "GET /admin/webhooks/{id}/deliveries/{deliveryId}": { ...delivery, body },
    "POST /admin/webhooks/{id}/deliveries/{deliveryId}/redeliver": { ...delivery, state: "waiting" },
  });
  const { user, asked } = opened;
  await menu(opened, "Отправить проверочное событие");
  const log = within(await screen.findByRole("dialog", { name: "Журнал отправок: Бот" }));
  await waitFor(() => expect(log.getAllByRole("listitem")).toHaveLength(2));
  expect(log.getByText(/^Не доставлено · не ответил за 10 секунд · 10\sпопыток · 10002 мс$/)).toBeTruthy();
  await user.click(log.getByLabelText("Не дошли"));
  await waitFor(() => expect(log.getAllByRole("listitem")).toHaveLength(1));
  await user.click(log.getByRole("button", { name: "Что отправлено" }));
  expect((await log.findByText(/"type": "payment.paid"/)).tagName).toBe("PRE");
  await user.click(log.getByRole("button", { name: /^Отправить ещё раз: Платёж получен/ }));
  await waitFor(() =>
    expect(asked("POST /admin/webhooks/{id}/deliveries/{deliveryId}/redeliver").map(({ path }) => path)).toEqual([
      `/admin/webhooks/${bot.id}/deliveries/${delivery.id}/redeliver`,
    ]),
  );
});

test("deleting one needs a confirmation that says what is lost", async () => {
  const opened = await open({ "DELETE /admin/webhooks/{id}": undefined });
  const { user, asked } = opened;
  await menu(opened, "Удалить");
  const dialog = within(await screen.findByRole("dialog", { name: "Удалить вебхук «Бот»?" }));
  expect(asked("DELETE /admin/webhooks/{id}")).toEqual([]);
  await user.click(dialog.getByRole("button", { name: "Удалить" }));
  await waitFor(() => expect(asked("DELETE /admin/webhooks/{id}")).toHaveLength(1));
});
