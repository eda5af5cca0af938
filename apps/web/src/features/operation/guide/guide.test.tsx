import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { screens } from "../../../testing/open-page.tsx";
import { type Panel, refused } from "../../../testing/panel.ts";
import { enter, moderator } from "../../../testing/staff.ts";

screens();

const steps = { server: true, endpoint: true, catalog: true, code: false, member: false, telegram: false };
const begin = async (says: Panel = {}) => {
  const page = await enter("/admin/users", { "GET /admin/guide": { steps }, ...says });
  return { ...page, guide: within(await screen.findByRole("region", { name: "С чего начать" })) };
};

test("an empty club shows finished steps and links to the others", async () => {
  const { guide, user, address } = await begin();
  expect(guide.getAllByRole("listitem").map((step) => step.textContent?.replaceAll(/\s/g, " "))).toEqual([
    "Нужен сервер, который отвечает: сделано",
    "Задайте адрес, по которому устройства найдут сервер: сделано",
    "Задайте сервисы и DNS, из которых собираются конфиги: сделано",
    "Создайте инвайт-кодСоздать код",
    "Отправьте код первому участникуИнвайт-коды",
    "Подключите бота Telegram (необязательно)Как это сделать",
  ]);
  await user.click(guide.getByRole("link", { name: "Создать код" }));
  await waitFor(() => expect(address()).toBe("/admin/invites?add=code"));
});

test("a club that comes from another program is led to its devices, until it has a member", async () => {
  const { guide, user, address, say } = await begin();
  await user.click(guide.getByRole("link", { name: "Перенести устройства" }));
  await waitFor(() => expect(address()).toBe("/admin/interfaces?add=interface"));
  say({ "GET /admin/guide": { steps: { ...steps, member: true } } });
  await user.click(await screen.findByRole("link", { name: "Пользователи" }));
  const again = within(await screen.findByRole("region", { name: "С чего начать" }));
  await waitFor(() => expect(again.queryByRole("link", { name: "Перенести устройства" })).toBeNull());
});

test("dismissing hides it; a failure says so and leaves it", async () => {
  const { guide, user, say } = await begin({ "POST /admin/guide/dismiss": refused(500, "internal", "Сломалось") });
  await user.click(guide.getByRole("button", { name: "Скрыть" }));
  await guide.findByText("Сломалось");
  say({ "POST /admin/guide/dismiss": undefined });
  await user.click(guide.getByRole("button", { name: "Скрыть" }));
  await waitFor(() => expect(screen.queryByRole("region", { name: "С чего начать" })).toBeNull());
});

test("a fully set up club has none", async () => {
  const { asked } = await enter("/admin/users", { "GET /admin/guide": { steps: null } });
  await waitFor(() => expect(asked("GET /admin/guide")).toHaveLength(1));
  expect(screen.queryByRole("region", { name: "С чего начать" })).toBeNull();
});

test("a moderator has no guide", async () => {
  const { asked } = await enter("/admin/users", {}, moderator);
  await screen.findByRole("heading", { level: 1, name: "Пользователи" });
  expect(asked("GET /admin/guide")).toHaveLength(0);
});
