import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { reopenPage, screens } from "../testing/open-page.tsx";
import { inDays, uuid } from "../testing/samples.ts";
import { admin, enter, typeCode } from "../testing/staff.ts";

screens();

const hook = {
  id: uuid(801),
  url: "https://bot.example/krug",
  description: "Бот",
  events: ["member.joined" as const],
  enabled: true,
  offBecause: null,
  createdAt: inDays(-9),
  failingSince: null,
  formerSecretUntil: null,
  waiting: 0,
  failed: 0,
};
const GO_ON = "Продолжить начатое";
const HOOKS = "/admin/webhooks";

const open = () =>
  enter(HOOKS, {
    "GET /admin/webhooks": [hook],
    "POST /auth/confirm-password": undefined,
    "POST /admin/webhooks": { ...hook, secret: `whsec_${"A".repeat(43)}=` },
  });
type User = Awaited<ReturnType<typeof open>>["user"];

const add = async (user: User) => {
  await user.click(await screen.findByRole("button", { name: "Добавить вебхук" }));
  return within(await screen.findByRole("dialog", { name: "Новый вебхук" }));
};
const password = (form: Awaited<ReturnType<typeof add>>) =>
  form.getByLabelText<HTMLInputElement>("Ваш пароль", { selector: "input" });

async function reload() {
  const { user } = reopenPage(HOOKS);
  await typeCode(user);
  return user;
}

test("what was typed into a form is offered after a reload, except the password", async () => {
  const { user } = await open();
  const form = await add(user);
  await user.type(form.getByLabelText("Адрес"), "https://bot.example/second");
  await user.click(form.getByLabelText("Вступил участник"));
  await user.type(password(form), "secret");
  const later = await reload();
  const again = await add(later);
  expect(again.getByLabelText<HTMLInputElement>("Адрес").value).toBe("");
  await later.click(await again.findByRole("button", { name: GO_ON }));
  expect(again.getByLabelText<HTMLInputElement>("Адрес").value).toBe("https://bot.example/second");
  expect(again.getByLabelText<HTMLInputElement>("Вступил участник").checked).toBe(true);
  expect(password(again).value).toBe("");
  expect(again.queryByRole("button", { name: GO_ON })).toBeNull();
});

test("a form of something that exists offers only what was changed: others may have changed the rest since", async () => {
  const { user, say } = await open();
  const edit = async (as: User) => {
    await as.click(await screen.findByRole("button", { name: "Действия: Бот" }));
    await as.click(await screen.findByRole("menuitem", { name: "Изменить" }));
    return within(await screen.findByRole("dialog", { name: "Вебхук" }));
  };
  const form = await edit(user);
  await user.type(form.getByLabelText("Адрес"), "-2");
  say({ "GET /admin/webhooks": [{ ...hook, events: ["payment.paid"] }] });
  const later = await reload();
  const again = await edit(later);
  await later.click(await again.findByRole("button", { name: GO_ON }));
  expect(again.getByLabelText<HTMLInputElement>("Адрес").value).toBe("https://bot.example/krug-2");
  expect(again.getByLabelText<HTMLInputElement>("Вступил участник").checked).toBe(false);
});

test("what was sent, or given up, is not offered again", async () => {
  const { user } = await open();
  const form = await add(user);
  await user.type(form.getByLabelText("Адрес"), "https://bot.example/second");
  await user.keyboard("{Escape}");
  await user.click(await screen.findByRole("button", { name: "Не сохранять" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  const second = await add(user);
  expect(second.queryByRole("button", { name: GO_ON })).toBeNull();
  await user.type(second.getByLabelText("Адрес"), "https://bot.example/second");
  await user.click(second.getByLabelText("Вступил участник"));
  await user.type(password(second), "secret");
  await user.click(second.getByRole("button", { name: "Добавить" }));
  await user.click(await screen.findByRole("button", { name: "Готово, секрет сохранён" }));
  const later = await reload();
  expect((await add(later)).queryByRole("button", { name: GO_ON })).toBeNull();
});

test("another person in the same tab is offered nothing of it", async () => {
  const { user, say } = await open();
  const form = await add(user);
  await user.type(form.getByLabelText("Адрес"), "https://bot.example/second");
  say({ "GET /auth/me": { ...admin, id: uuid(3), username: "other", displayName: "Другая" } });
  const later = await reload();
  const again = await add(later);
  expect(again.queryByRole("button", { name: GO_ON })).toBeNull();
});
