import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { screens } from "../../../testing/open-page.tsx";
import { type Heard, paged, refused } from "../../../testing/panel.ts";
import { inNarrowWindow } from "../../../testing/phone.ts";
import { ACT } from "../../../testing/samples.ts";
import { anna, boris, openUsers } from "../../../testing/users.ts";

screens();

type User = Awaited<ReturnType<typeof openUsers>>["user"];

async function choosePage(user: User) {
  const box = await screen.findByRole("checkbox", { name: "Выбрать всех на странице" });
  await waitFor(() => expect(box).toHaveProperty("disabled", false));
  await user.click(box);
}

test("nobody can be selected before the members are loaded", async () => {
  await openUsers({ "GET /users": () => new Promise(() => {}) });
  const box = await screen.findByRole("checkbox", { name: "Выбрать всех на странице" });
  expect(box).toHaveProperty("disabled", true);
});

test("the first tick moves no row: space for the actions is reserved before anybody is selected", async () => {
  const { user } = await openUsers();
  const table = await screen.findByRole("table");
  const above = () => [...(table.closest("section")?.children ?? [])].map(({ className }) => className);
  await screen.findByText("Отметьте строки, чтобы сделать что-то сразу с несколькими");
  const before = above();
  await choosePage(user);
  await screen.findByText("Выбрано 2");
  expect(above()).toEqual(before);
});

test("on a phone too rows are ticked: a press gives the cards their boxes, and the focus stays in the bar", async () => {
  inNarrowWindow();
  const { user } = await openUsers({ "POST /admin/users/bulk": { changed: [anna.id], refused: [] } });
  await user.click(await screen.findByRole("button", { name: "Выбрать несколько" }));
  const page = screen.getByRole("checkbox", { name: "Выбрать всех на странице" });
  expect(document.activeElement).toBe(page);
  await user.click(page);
  screen.getByText("Выбрано 2");
  await user.click(screen.getByRole("checkbox", { name: "Выбрать: Борис" }));
  screen.getByText("Выбрано 1");
  await user.click(await screen.findByRole("button", { name: "Продлить подписку" }));
  await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Продлить" }));
  await screen.findByText("Выбрано 0");
  expect(document.activeElement, "ready for the next ones").toBe(
    screen.getByRole("checkbox", { name: "Выбрать всех на странице" }),
  );
  await user.click(screen.getByRole("button", { name: "Снять выбор" }));
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Выбрать несколько" }));
  expect(screen.queryByRole("checkbox")).toBeNull();
});

test("after the selection is cleared at a desk, the focus is in its bar, not at the page's beginning", async () => {
  const { user } = await openUsers();
  await choosePage(user);
  await user.click(await screen.findByRole("button", { name: "Снять выбор" }));
  expect(document.activeElement).toBe(screen.getByText("Отметьте строки, чтобы сделать что-то сразу с несколькими"));
});

test("many are selected and extended at once; skipped members are listed with the reason", async () => {
  const { user, asked } = await openUsers({
    "POST /admin/users/bulk": {
      changed: [anna.id],
      refused: [{ id: boris.id, code: "member.unlimited", message: "Подписка безлимитная: продлевать нечего." }],
    },
  });
  await choosePage(user);
  expect(screen.getByText("Выбрано 2")).toBeTruthy();
  await user.click(await screen.findByRole("button", { name: "Продлить подписку" }));
  const dialog = within(await screen.findByRole("dialog", { name: /Продлить подписку: 2\sучастника/ }));
  await user.click(dialog.getByRole("radio", { name: /90\sдней/ }));
  await user.click(dialog.getByRole("button", { name: "Продлить" }));
  const left = within(await screen.findByRole("dialog", { name: /Готово: 1\sучастник. Не\sполучилось: 1\sучастник/ }));
  expect(left.getByRole("listitem").textContent).toBe("БорисПодписка безлимитная: продлевать нечего.");
  expect(asked("POST /admin/users/bulk")[0]?.body).toEqual({
    ids: [anna.id, boris.id],
    action: "extend",
    days: 90,
    act: ACT,
  });
  await user.click(left.getByRole("button", { name: "Закрыть" }));
  await waitFor(() => expect(screen.queryByText("Выбрано 2")).toBeNull());
});

test("many get a message at once, and their number is shown before it is sent", async () => {
  const { user, asked } = await openUsers({ "POST /admin/users/bulk": { changed: [anna.id, boris.id], refused: [] } });
  await choosePage(user);
  await user.click(await screen.findByRole("button", { name: "Написать" }));
  const dialog = within(await screen.findByRole("dialog", { name: /Сообщение 2\sучастникам/ }));
  const send = dialog.getByRole("button", { name: /Отправить 2\sучастникам/ });
  await user.click(send);
  await dialog.findByText("Напишите текст сообщения");
  expect(asked("POST /admin/users/bulk")).toEqual([]);
  await user.type(dialog.getByLabelText("Текст сообщения"), "Ночью обновление");
  await user.click(send);
  await screen.findByText(/Готово: 2\sучастника/);
  expect(asked("POST /admin/users/bulk")[0]?.body).toEqual({
    ids: [anna.id, boris.id],
    action: "message",
    message: "Ночью обновление",
  });
});

const of102 = { "GET /users": paged([anna, boris], { total: 102, next: "on" }) };
/** Selects all matching members. */
async function chooseAll(user: User) {
  await choosePage(user);
  await user.click(await screen.findByRole("button", { name: "Выбрать все 102, что подходят" }));
}

test("all matching members are changed slice by slice, on whatever page", async () => {
  const { user, asked } = await openUsers(
    {
      ...of102,
      "POST /admin/users/bulk/matching": ({ body }: Heard) =>
        (body as { after: string | null }).after === null
          ? { changed: 100, refused: [], after: boris.id }
          : {
              changed: 1,
              refused: [{ ...boris, code: "member.unlimited", message: "Продлевать нечего." }],
              after: null,
            },
    },
    "/admin/users?ends=soon&q=a",
  );
  await chooseAll(user);
  screen.getByText("Выбрано 102");
  await user.click(await screen.findByRole("button", { name: "Продлить подписку" }));
  const dialog = within(await screen.findByRole("dialog", { name: /^Продлить подписку: 102/ }));
  await user.click(dialog.getByRole("button", { name: "Продлить" }));
  await screen.findByText(/^Готово: 101.*Не получилось: 1/);
  screen.getByText("Продлевать нечего.");
  const change = { matching: { state: "all", q: "a", ends: "soon" }, action: "extend", days: 30, act: ACT };
  expect(asked("POST /admin/users/bulk/matching").map(({ body }) => body)).toEqual([
    { ...change, after: null },
    { ...change, after: boris.id },
  ]);
});

test("after a failed slice the dialog stays open and continues from there, with the same choice", async () => {
  const { user, asked, say } = await openUsers({
    ...of102,
    "POST /admin/users/bulk/matching": ({ body }: Heard) =>
      (body as { after: string | null }).after === null
        ? { changed: 100, refused: [], after: boris.id }
        : refused(503, "database.uncertain", "Оборвалось."),
  });
  await chooseAll(user);
  await user.click(await screen.findByRole("button", { name: "Продлить подписку" }));
  const dialog = within(await screen.findByRole("dialog", { name: /^Продлить подписку: 102/ }));
  await user.click(dialog.getByRole("radio", { name: /90\sдней/ }));
  await user.click(dialog.getByRole("button", { name: "Продлить" }));
  await dialog.findByText(/^Готово: 100\sучастников\. Дальше не получилось/);
  expect(dialog.queryByRole("radio"), "the period can no longer be changed").toBeNull();
  say({ "POST /admin/users/bulk/matching": { changed: 2, refused: [], after: null } });
  await user.click(dialog.getByRole("button", { name: "Продолжить" }));
  await screen.findByText(/^Готово: 102/);
  const sent = asked("POST /admin/users/bulk/matching");
  expect(sent.map(({ body }) => body)).toMatchObject([
    { after: null, days: 90 },
    { after: boris.id, days: 90 },
    { after: boris.id, days: 90 },
  ]);
  expect(sent[2]?.headers.get("idempotency-key")).toBe(sent[1]?.headers.get("idempotency-key"));
  await waitFor(() => expect(screen.queryByText("Выбрано 102")).toBeNull());
});

test("if it is pressed again after a lost answer, the extension is resent with the same key", async () => {
  const { user, asked, say } = await openUsers({
    "POST /admin/users/bulk": refused(503, "database.uncertain", "Оборвалось."),
  });
  await choosePage(user);
  const press = async () => {
    await user.click(await screen.findByRole("button", { name: "Продлить подписку" }));
    const dialog = within(await screen.findByRole("dialog"));
    await user.click(dialog.getByRole("button", { name: "Продлить" }));
    return dialog;
  };
  const dialog = await press();
  await dialog.findByText("Оборвалось.");
  say({ "POST /admin/users/bulk": { changed: [anna.id, boris.id], refused: [] } });
  await user.click(dialog.getByRole("button", { name: "Продлить" }));
  await screen.findByText(/^Готово: 2/);
  const keys = () => asked("POST /admin/users/bulk").map(({ headers }) => headers.get("idempotency-key"));
  expect(keys()[0]).toBeTruthy();
  expect(keys()[1]).toBe(keys()[0]);
});

test("only the blocked among the selected members are unblocked, without asking", async () => {
  const { user, asked } = await openUsers({
    "GET /users": [anna, { ...boris, isActive: false }],
    "POST /admin/users/bulk": { changed: [boris.id], refused: [] },
  });
  await user.click(await screen.findByRole("checkbox", { name: "Выбрать: Анна" }));
  expect(screen.queryByRole("button", { name: "Разблокировать" })).toBeNull();
  await user.click(screen.getByRole("checkbox", { name: "Выбрать: Борис" }));
  await user.click(await screen.findByRole("button", { name: "Разблокировать" }));
  await screen.findByText(/Готово: 1\sучастник/);
  expect(asked("POST /admin/users/bulk")[0]?.body).toEqual({ ids: [boris.id], action: "unblock" });
  await waitFor(() => expect(screen.queryByText("Выбрано 2")).toBeNull());
});
