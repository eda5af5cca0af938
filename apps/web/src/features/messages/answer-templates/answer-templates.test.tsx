import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { screens } from "../../../testing/open-page.tsx";
import { type Panel, refused } from "../../../testing/panel.ts";
import { uuid } from "../../../testing/samples.ts";
import { admin, enter, fileOf, listed, moderator } from "../../../testing/staff.ts";
import { edit } from "../../../ui/edit-words-ru.ts";
import type { AnswerTemplate } from "./queries.ts";
import { useAnswerTemplatesWords } from "./words.ts";

screens();
const words = useAnswerTemplatesWords.ru;

const anna = listed(1, { username: "anna", displayName: "Анна" });
const template = (about: Partial<AnswerTemplate> = {}): AnswerTemplate => ({
  id: uuid(900),
  title: "Оплата",
  content: "Здравствуйте, {имя}! Ваш логин {логин}.",
  ...about,
});
const many = Array.from({ length: 8 }, (_, n) =>
  template({ id: uuid(910 + n), title: `Ответ ${n}`, content: n === 5 ? "Роутер и ёлка" : "Текст" }),
);
const open = async (templates: Panel["GET /admin/support/answer-templates"], says: Panel = {}, me = admin) => {
  const page = await enter(
    `/admin/support?with=${anna.id}`,
    {
      "GET /admin/support/waiting": { unread: 0, conversations: 0, tickets: { open: 0, in_progress: 0, closed: 0 } },
      "GET /admin/support/conversations": [],
      "GET /admin/support/conversations/{userId}/messages": [],
      "GET /admin/support/tickets": [],
      "GET /admin/support/colleagues": [],
      "GET /admin/users/{id}": fileOf(anna),
      "GET /vpn/configs/{id}": [],
      "GET /admin/support/answer-templates": templates,
      ...says,
    },
    me,
  );
  const box = await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Сообщение" });
  const choose = async () => {
    await page.user.click(screen.getByRole("button", { name: words.title }));
    return within(await screen.findByRole("dialog", { name: words.title }));
  };
  return { ...page, box, choose };
};
const closed = () => waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());

test("a chosen text is inserted at the cursor as this member would read it, and nothing is sent", async () => {
  const { user, box, choose, asked } = await open([template()], {}, moderator);
  await user.type(box, "Добрый день. До связи");
  box.setSelectionRange(12, 12);
  const sheet = await choose();
  // The list shows it as it will be in the box.
  await user.click(await sheet.findByRole("button", { name: /Оплата.*Здравствуйте, Анна! Ваш логин anna\./ }));
  await closed();
  await waitFor(() => expect(box.value).toBe("Добрый день. Здравствуйте, Анна! Ваш логин anna. До связи"));
  await waitFor(() => expect(document.activeElement).toBe(box));
  await waitFor(() => expect(box.selectionStart).toBe("Добрый день. Здравствуйте, Анна! Ваш логин anna.".length));
  expect(asked("POST /admin/support/conversations/{userId}/messages")).toHaveLength(0);
});

test("an empty box takes it unchanged; a draft whose box was never focused gets it at the end", async () => {
  const { user, box, choose } = await open([template({ content: "Проверьте ещё раз" })]);
  await user.click(await (await choose()).findByRole("button", { name: /^Оплата/ }));
  await waitFor(() => expect(box.value).toBe("Проверьте ещё раз"));
  await closed();
  await user.click(await (await choose()).findByRole("button", { name: /^Оплата/ }));
  await waitFor(() => expect(box.value).toBe("Проверьте ещё раз Проверьте ещё раз"));
});

test("many can be searched by words of title and text; a few have no search", async () => {
  const { user, choose, say } = await open(many);
  const sheet = await choose();
  await user.type(await sheet.findByRole("searchbox", { name: words.search }), "елка роут");
  await waitFor(() => expect(sheet.getAllByRole("listitem")).toHaveLength(1));
  expect(sheet.getByRole("button", { name: /^Ответ 5/ })).toBeTruthy();
  await user.type(sheet.getByRole("searchbox"), "zzz");
  expect(await sheet.findByText(words.nothing)).toBeTruthy();
  await user.keyboard("{Escape}");
  await closed();
  say({ "GET /admin/support/answer-templates": [template()] });
  const again = await choose();
  await again.findByRole("button", { name: /^Оплата/ });
  expect(again.queryByRole("searchbox")).toBeNull();
});

test("a club without any says so, and an admin writes the first there; a moderator reads who does", async () => {
  const first = await open([], { "POST /admin/support/answer-templates": template() });
  await first.user.type(first.box, "Начатое");
  const sheet = await first.choose();
  await sheet.findByText(words.none);
  await first.user.click(sheet.getByRole("button", { name: words.add }));
  const form = within(await screen.findByRole("dialog", { name: words.form.addTitle }));
  const save = form.getByRole("button", { name: edit.save });
  await first.user.click(save);
  await form.findByText(words.form.titleEmpty);
  await first.user.type(form.getByLabelText(words.form.title), " Оплата ");
  await first.user.type(form.getByLabelText(words.form.content), "До {{дата}");
  await first.user.click(save);
  await form.findByText(/Вместо \{дата\} подставить нечего/);
  expect(first.asked("POST /admin/support/answer-templates"), "nothing wrong is sent").toHaveLength(0);
  await first.user.clear(form.getByLabelText(words.form.content));
  await first.user.type(form.getByLabelText(words.form.content), "Здравствуйте, {{имя}!");
  first.say({ "GET /admin/support/answer-templates": [template()] });
  await first.user.click(save);
  expect(await sheet.findByRole("button", { name: /^Оплата/ })).toBeTruthy();
  expect(first.asked("POST /admin/support/answer-templates")[0]?.body).toEqual({
    title: "Оплата",
    content: "Здравствуйте, {имя}!",
  });
  // The dialog's form is not the answer's.
  expect(first.asked("POST /admin/support/conversations/{userId}/messages")).toHaveLength(0);
  expect(first.box.value).toBe("Начатое");
});

test("a moderator of a club without any reads who adds them, and changes none", async () => {
  const { choose, say, user } = await open([], {}, moderator);
  const sheet = await choose();
  await sheet.findByText(/Их добавляет администратор/);
  expect(sheet.queryByRole("button", { name: words.add })).toBeNull();
  await user.keyboard("{Escape}");
  await closed();
  say({ "GET /admin/support/answer-templates": [template()] });
  const again = await choose();
  await again.findByRole("button", { name: /^Оплата/ });
  expect(again.queryByRole("button", { name: words.edit("Оплата") })).toBeNull();
});

test("only changes are sent, with what was seen; a save that came too late shows the current text", async () => {
  let now = template();
  const { choose, user, asked } = await open(() => [now], {
    "PUT /admin/support/answer-templates/{id}": refused(409, "answer_template.changed_meanwhile", "Изменили."),
  });
  const sheet = await choose();
  await user.click(await sheet.findByRole("button", { name: words.edit("Оплата") }));
  const form = within(await screen.findByRole("dialog", { name: words.form.editTitle }));
  await user.type(form.getByLabelText(words.form.content), " Ждём.");
  now = template({ content: "Новый текст" });
  await user.click(form.getByRole("button", { name: edit.save }));
  expect(await form.findByText("Текст: Новый текст")).toBeTruthy();
  await user.click(form.getByRole("button", { name: edit.save }));
  await waitFor(() => expect(asked("PUT /admin/support/answer-templates/{id}")).toHaveLength(2));
  expect(asked("PUT /admin/support/answer-templates/{id}").map(({ body }) => body)).toEqual([
    { content: `${template().content} Ждём.`, expected: { content: template().content } },
    { content: `${template().content} Ждём.`, expected: { content: "Новый текст" } },
  ]);
});

test("deleting one needs a confirmation, and the list stays", async () => {
  const { choose, user, asked, say } = await open([template()], {
    "DELETE /admin/support/answer-templates/{id}": undefined,
  });
  const sheet = await choose();
  await user.click(await sheet.findByRole("button", { name: words.edit("Оплата") }));
  await user.click(await screen.findByRole("button", { name: words.form.remove }));
  const ask = within(await screen.findByRole("dialog", { name: words.deletion.title("Оплата") }));
  say({ "GET /admin/support/answer-templates": [] });
  await user.click(ask.getByRole("button", { name: words.deletion.confirm }));
  expect(await sheet.findByText(words.none)).toBeTruthy();
  expect(asked("DELETE /admin/support/answer-templates/{id}").map(({ path }) => path)).toEqual([
    `/admin/support/answer-templates/${template().id}`,
  ]);
});

test("a list that cannot be loaded says so and can be retried", async () => {
  const { choose, user, say } = await open(refused(500, "internal", "Сломалось"));
  const sheet = await choose();
  await sheet.findByText(words.failed);
  say({ "GET /admin/support/answer-templates": [template()] });
  await user.click(sheet.getByRole("button", { name: "Повторить" }));
  expect(await sheet.findByRole("button", { name: /^Оплата/ })).toBeTruthy();
});
