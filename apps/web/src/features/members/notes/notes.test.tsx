import type { Api } from "@krug/contract/api";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { screens } from "../../../testing/open-page.tsx";
import { type Panel, refused } from "../../../testing/panel.ts";
import { uuid } from "../../../testing/samples.ts";
import { admin, enter, fileOf, listed, moderator } from "../../../testing/staff.ts";

screens();

type Note = Api["GET /admin/users/{id}/notes"]["answer"][number];
const note = (n: number, about: Partial<Note> = {}): Note => ({
  id: uuid(700 + n),
  content: `Заметка ${n}`,
  by: { id: uuid(1), username: "chief", displayName: "Глава" },
  createdAt: new Date(Date.now() - n * 3_600_000).toISOString(),
  mayDelete: true,
  ...about,
});
const anna = listed(7, { username: "anna", displayName: "Анна" });
const file = fileOf(anna);

async function page(says: Panel, me = admin) {
  const club = await enter(
    "/admin/users/anna",
    {
      "GET /admin/users/{id}": file,
      "GET /vpn/configs/{id}": [],
      "GET /users/{id}/invited": [],
      "GET /admin/users/{id}/notes": [],
      ...says,
    },
    me,
  );
  await screen.findByRole("heading", { level: 1, name: "Анна" });
  return { ...club, panel: within(await screen.findByRole("region", { name: /^Заметки/ })) };
}

test("a note is written, shown with its author, and the field is empty for the next", async () => {
  let all: Note[] = [];
  const { panel, user, asked } = await page({
    "GET /admin/users/{id}/notes": () => all,
    "POST /admin/users/{id}/notes": () => {
      all = [note(1, { content: "Перезвонить" })];
      return note(1);
    },
  });
  expect(panel.queryByRole("button", { name: "Добавить" }), "nothing is typed yet").toBeNull();
  await user.type(panel.getByLabelText("Новая заметка"), "Перезвонить ");
  await user.click(panel.getByRole("button", { name: "Добавить" }));
  await panel.findByText("Перезвонить");
  expect(panel.getByText("Глава")).toBeTruthy();
  expect((panel.getByLabelText("Новая заметка") as HTMLTextAreaElement).value).toBe("");
  expect(asked("POST /admin/users/{id}/notes").map(({ body }) => body)).toEqual([{ content: "Перезвонить" }]);
});

test("a typed draft is back after leaving the page, for this member only", async () => {
  const { panel, user } = await page({});
  await user.type(panel.getByLabelText("Новая заметка"), "Перезвонить");
  cleanup();
  const again = await page({});
  expect((again.panel.getByLabelText("Новая заметка") as HTMLTextAreaElement).value).toBe("Перезвонить");
  await again.user.clear(again.panel.getByLabelText("Новая заметка"));
  cleanup();
  expect(((await page({})).panel.getByLabelText("Новая заметка") as HTMLTextAreaElement).value).toBe("");
});

test("a note that was not saved stays in the field, with the reason", async () => {
  const { panel, user } = await page({
    "POST /admin/users/{id}/notes": refused(409, "note.too_many", "У участника уже 100 заметок."),
  });
  await user.type(panel.getByLabelText("Новая заметка"), "a");
  await user.click(panel.getByRole("button", { name: "Добавить" }));
  await panel.findByText("У участника уже 100 заметок.");
  expect((panel.getByLabelText("Новая заметка") as HTMLTextAreaElement).value).toBe("a");
});

test("deleting needs a confirmation; a note that the reader may not delete has no button", async () => {
  let all = [note(1, { mayDelete: false, by: null }), note(2)];
  const { panel, user, asked } = await page(
    {
      "GET /admin/users/{id}/notes": () => all,
      "DELETE /admin/users/{id}/notes/{noteId}": () => {
        all = all.slice(0, 1);
        return undefined;
      },
    },
    moderator,
  );
  await panel.findByText("Заметка 2");
  expect(panel.getByText("Сотрудник")).toBeTruthy();
  const [button, ...others] = panel.getAllByRole("button", { name: "Удалить заметку" });
  expect(others).toEqual([]);
  if (button) await user.click(button);
  const ask = within(await screen.findByRole("dialog", { name: "Удалить заметку?" }));
  await user.click(ask.getByRole("button", { name: "Удалить" }));
  await waitFor(() => expect(panel.queryByText("Заметка 2")).toBeNull());
  expect(asked("DELETE /admin/users/{id}/notes/{noteId}")[0]?.path).toContain(uuid(702));
});

test("the list marks members with notes", async () => {
  await enter("/admin/users", { "GET /users": [listed(1), listed(2, { noteCount: 2 })] });
  await screen.findByText("Участник 2");
  expect(screen.getAllByRole("img", { name: /^2\sзаметки$/ })).toHaveLength(1);
});
