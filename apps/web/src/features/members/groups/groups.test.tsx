import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { screens } from "../../../testing/open-page.tsx";
import { type Panel, refused } from "../../../testing/panel.ts";
import { uuid } from "../../../testing/samples.ts";
import { listed, moderator } from "../../../testing/staff.ts";
import { anna, boris, openUsers } from "../../../testing/users.ts";

screens();

const family = {
  id: uuid(801),
  name: "Семья",
  interfaces: [],
  memberCount: 2,
  ruleCount: 1,
  createdAt: "2026-01-01T00:00:00.000Z",
};
async function openGroups(user: Awaited<ReturnType<typeof openUsers>>["user"]) {
  await user.click(await screen.findByRole("button", { name: "Ещё" }));
  await user.click(await screen.findByRole("menuitem", { name: "Группы" }));
}
const open = (says: Panel = {}) =>
  openUsers({ "GET /admin/groups": [family], "GET /admin/servers/interfaces": [], ...says });

test("the list narrows to a group by the address, which the filter writes", async () => {
  const { user, last } = await open();
  await screen.findByRole("option", { name: "Семья" });
  await user.selectOptions(screen.getByRole("combobox", { name: "Группа" }), "Семья");
  await waitFor(() => expect(last("GET /users")?.query.get("group")).toBe(family.id));
  expect(last("GET /admin/users/counts")?.query.get("group")).toBe(family.id);
});

test("a group is added with a name, and the refusal stands at the field", async () => {
  const { user, asked } = await open({
    "GET /admin/groups": [],
    "POST /admin/groups": refused(409, "group.name_taken", "Группа с таким названием уже есть."),
  });
  await openGroups(user);
  await screen.findByText(/^Групп ещё нет/);
  await user.click(screen.getByRole("button", { name: "Добавить группу" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Новая группа" }));
  await user.click(await dialog.findByRole("button", { name: "Сохранить" }));
  await dialog.findByText("Укажите название");
  await user.type(dialog.getByLabelText("Название"), "Семья");
  await user.click(dialog.getByRole("button", { name: "Сохранить" }));
  await dialog.findByText("Группа с таким названием уже есть.");
  expect(asked("POST /admin/groups").map(({ body }) => body)).toEqual([{ name: "Семья", interfaces: [] }]);
});

test("several members join a group that there isn't yet", async () => {
  const { user, asked } = await open({
    "GET /admin/groups": [],
    "POST /admin/groups": family,
    "POST /admin/users/bulk": { changed: [anna.id, boris.id], refused: [] },
  });
  await user.click(await screen.findByRole("checkbox", { name: "Выбрать: Анна" }));
  await user.click(await screen.findByRole("button", { name: "Другие действия с выбранными" }));
  await user.click(await screen.findByRole("menuitem", { name: "Изменить группы" }));
  const dialog = within(await screen.findByRole("dialog", { name: /^Группы: 1/ }));
  await user.type(await dialog.findByLabelText("Название новой группы"), "Семья");
  await user.click(dialog.getByRole("button", { name: "Готово" }));
  await waitFor(() =>
    expect(asked("POST /admin/users/bulk")[0]?.body).toEqual({ ids: [anna.id], action: "join", groupId: family.id }),
  );
});

test("several members get a template, whose terms are shown", async () => {
  const template = {
    ...{ id: uuid(802), name: "Семья", services: [], interfaceId: null, configLimit: 3, isDefault: false },
    ...{ quotaBytes: null, quotaAtEnd: "slow" as const, quotaSlowMbit: 5, speedMbit: 20 },
  };
  const { user, asked } = await open({
    "GET /admin/templates": [template],
    "POST /admin/users/bulk": { changed: [anna.id], refused: [] },
  });
  await user.click(await screen.findByRole("checkbox", { name: "Выбрать: Анна" }));
  await user.click(await screen.findByRole("button", { name: "Другие действия с выбранными" }));
  await user.click(await screen.findByRole("menuitem", { name: "Применить шаблон" }));
  const dialog = within(await screen.findByRole("dialog", { name: /^Шаблон: 1/ }));
  await dialog.findByText(/20\sМбит/);
  await user.click(dialog.getByRole("button", { name: "Применить" }));
  await waitFor(() =>
    expect(asked("POST /admin/users/bulk")[0]?.body).toEqual({
      ids: [anna.id],
      action: "template",
      templateId: template.id,
    }),
  );
});

test("a moderator reads which groups there are, and changes none", async () => {
  const { user } = await openUsers(
    { "GET /admin/groups": [family], "GET /admin/servers/interfaces": [], "GET /users": [listed(1)] },
    "/admin/users",
    moderator,
  );
  await openGroups(user);
  await screen.findByRole("link", { name: "Семья" });
  expect(screen.queryByRole("button", { name: "Добавить группу" })).toBeNull();
});
