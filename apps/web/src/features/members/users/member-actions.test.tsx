import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { screens } from "../../../testing/open-page.tsx";
import { refused } from "../../../testing/panel.ts";
import { ACT } from "../../../testing/samples.ts";
import { admin } from "../../../testing/staff.ts";
import { anna, chooseFromMenu, openUsers } from "../../../testing/users.ts";

screens();

test("a block asks first, includes the configs by default, and reports the result", async () => {
  const { user, asked, say } = await openUsers({ "PUT /users/{id}": refused(500, "internal") });
  await chooseFromMenu(user, "Анна", "Заблокировать");
  const dialog = within(await screen.findByRole("dialog", { name: "Заблокировать: Анна?" }));
  await user.click(dialog.getByRole("button", { name: "Заблокировать" }));
  await dialog.findByText("Ошибка при изменении статуса пользователя");
  say({ "PUT /users/{id}": { ...anna, isActive: false } });
  await user.click(dialog.getByLabelText("Заблокировать и конфиги"));
  await user.click(dialog.getByRole("button", { name: "Заблокировать" }));
  await screen.findByText("Анна: доступ закрыт");
  expect(asked("PUT /users/{id}").map(({ body }) => body)).toEqual([
    { isActive: false, blockConfigs: true, expected: { isActive: true } },
    { isActive: false, blockConfigs: false, expected: { isActive: true } },
  ]);
});

test("a blocked member is unblocked without asking", async () => {
  const { user, asked } = await openUsers({
    "GET /users": [{ ...anna, isActive: false }],
    "PUT /users/{id}": anna,
  });
  await chooseFromMenu(user, "Анна", "Разблокировать");
  await screen.findByText("Анна: доступ открыт");
  expect(asked("PUT /users/{id}")[0]?.body).toEqual({ isActive: true, expected: { isActive: false } });
});

test("admins cannot block or delete themselves by mistake", async () => {
  const { user } = await openUsers({ "GET /users": [{ ...anna, id: admin.id }] });
  await user.click(await screen.findByRole("button", { name: "Действия: Анна" }));
  await screen.findByRole("menuitem", { name: "Изменить" });
  expect(screen.queryByRole("menuitem", { name: "Удалить" })).toBeNull();
  expect(screen.queryByRole("menuitem", { name: "Заблокировать" })).toBeNull();
});

test("a deletion lists what is lost and requires the typed login", async () => {
  const { user, asked } = await openUsers({ "DELETE /users/{id}": undefined });
  await chooseFromMenu(user, "Анна", "Удалить");
  const dialog = within(await screen.findByRole("dialog", { name: "Удалить: Анна?" }));
  expect(dialog.getByText(/2\sконфига вместе с ключами/)).toBeTruthy();
  const confirm = dialog.getByRole("button", { name: "Удалить навсегда" });
  await user.type(dialog.getByRole("textbox"), "ann{Enter}");
  expect(confirm).toHaveProperty("disabled", true);
  expect(asked("DELETE /users/{id}")).toHaveLength(0);
  await user.type(dialog.getByRole("textbox"), "a");
  await user.click(confirm);
  await screen.findByText("Анна: удалён из клуба");
  expect(asked("DELETE /users/{id}")[0]?.path).toBe(`/users/${anna.id}`);
});

test("one member's subscription is extended from the menu, and a refusal shows in the dialog", async () => {
  const { user, asked, say } = await openUsers({
    "POST /admin/users/bulk": { changed: [], refused: [{ id: anna.id, code: "internal", message: "Сейчас нельзя." }] },
  });
  await chooseFromMenu(user, "Анна", "Продлить подписку");
  const dialog = within(await screen.findByRole("dialog", { name: "Продлить подписку: Анна" }));
  await user.click(dialog.getByRole("radio", { name: /^90/ }));
  await user.click(dialog.getByRole("button", { name: "Продлить" }));
  await dialog.findByText("Сейчас нельзя.");
  say({ "POST /admin/users/bulk": { changed: [anna.id], refused: [] } });
  await user.click(dialog.getByRole("button", { name: "Продлить" }));
  await screen.findByText(/^Анна: плюс 90.дней$/);
  const sent = asked("POST /admin/users/bulk");
  expect(sent.map(({ body }) => body)).toEqual(Array(2).fill({ ids: [anna.id], action: "extend", days: 90, act: ACT }));
});

test("an extension can say what was paid for it; what is no sum is not sent", async () => {
  const { user, asked } = await openUsers({ "POST /admin/users/bulk": { changed: [anna.id], refused: [] } });
  await chooseFromMenu(user, "Анна", "Продлить подписку");
  const dialog = within(await screen.findByRole("dialog", { name: "Продлить подписку: Анна" }));
  const sum = dialog.getByLabelText("Сколько заплатили");
  await user.type(sum, "даром");
  await user.click(dialog.getByRole("button", { name: "Продлить" }));
  await dialog.findByText(/Сумма больше нуля/);
  expect(asked("POST /admin/users/bulk")).toEqual([]);
  await user.clear(sum);
  await user.type(sum, "300,50");
  await user.click(dialog.getByRole("button", { name: "Продлить" }));
  await screen.findByText(/^Анна: плюс 30.дней$/);
  expect(asked("POST /admin/users/bulk")[0]?.body).toMatchObject({ action: "extend", days: 30, amount: "300.50" });
});
