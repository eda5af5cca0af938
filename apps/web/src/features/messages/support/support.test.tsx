import type { Api } from "@krug/contract/api";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { useSupportWords } from "../../../lib/i18n/support.ts";
import { openPage, reopenPage, screens } from "../../../testing/open-page.tsx";
import { type Panel, panel, refused } from "../../../testing/panel.ts";
import { config, inDays, member, uuid, wgInterface } from "../../../testing/samples.ts";
import { PAGE_SIZE } from "../conversation/index.ts";

screens();
const words = useSupportWords.ru;

type Message = Api["GET /support/messages"]["answer"][number];
type Ticket = Api["GET /support/tickets"]["answer"][number];
const message = (sequence: number, about: Partial<Message> = {}): Message => ({
  id: uuid(1000 + sequence),
  sequence,
  userId: uuid(1),
  ticketId: null,
  content: `Сообщение ${sequence}`,
  isAdmin: false,
  attachments: [],
  createdAt: "2026-03-08T11:05:00.000Z",
  readAt: null,
  ...about,
});
const ticket = (about: Partial<Ticket> = {}): Ticket => ({
  id: uuid(900),
  userId: uuid(1),
  subject: "Обрывается видео",
  description: "Каждые пять минут",
  category: "technical",
  priority: "high",
  status: "open",
  unread: 0,
  createdAt: inDays(-2),
  updatedAt: inDays(-1),
  ...about,
});

async function open(says: Panel = {}) {
  const page = panel({
    "GET /auth/me": member(),
    "GET /vpn/configs": [config()],
    "GET /vpn/available-interfaces": [wgInterface()],
    "GET /users/{id}/invited": [],
    "GET /support/messages": [],
    "GET /support/tickets": [],
    "POST /support/read": { unread: 0, chat: 0 },
    ...says,
  });
  const { user } = openPage("/dashboard");
  return { ...page, user };
}
async function chatOf(user: ReturnType<typeof openPage>["user"]) {
  await user.click(await screen.findByRole("button", { name: /^Поддержка/ }));
  return within(await screen.findByRole("dialog", { name: "Поддержка" }));
}
async function openChat(says: Panel = {}) {
  const page = await open(says);
  const dialog = await chatOf(page.user);
  await dialog.findByRole("log");
  return { ...page, dialog, box: () => dialog.getByRole<HTMLTextAreaElement>("textbox", { name: words.placeholder }) };
}
/** The panel accepts every message, in order. */
const takes: Panel = {
  "POST /support/messages": (request) => {
    const { content, attachments } = request.body as { content: string; attachments: string[] };
    return message(50, { content, attachments: attachments.map((_, n) => `/api/support/attachments/${uuid(n)}`) });
  },
};
const png = (name: string) => new File([new Uint8Array([0x89, 0x50])], name, { type: "image/png" });

test("the round button shows the number of unseen answers, also to screen readers", async () => {
  await open({ "GET /support/unread": { unread: 3, chat: 2 } });
  const button = await screen.findByRole("button", { name: "Поддержка, новых ответов: 3" });
  expect(button.textContent).toContain("3");
});

test("support and the member are named, messages have times and days, and seen ones are reported", async () => {
  const { dialog, asked } = await openChat({
    "GET /support/unread": { unread: 1, chat: 1 },
    "GET /support/messages": [
      message(1, { createdAt: "2026-03-07T10:00:00.000Z", readAt: inDays(-1) }),
      message(2, { isAdmin: true, createdAt: "2026-03-08T11:05:00.000Z" }),
    ],
  });
  const [own, answer] = await dialog.findAllByRole("article");
  const time = (iso: string) =>
    new Intl.DateTimeFormat("ru-RU", { hour: "2-digit", minute: "2-digit" }).format(new Date(iso));
  expect(own?.textContent).toContain(`Марина ${time("2026-03-07T10:00:00Z")}`);
  expect(answer?.textContent).toContain(`Поддержка ${time("2026-03-08T11:05:00Z")}`);
  expect(answer?.hasAttribute("data-own")).toBe(false);
  expect(dialog.getByText(/^7.марта/)).toBeTruthy();
  expect(dialog.getByText(/^8.марта/)).toBeTruthy();
  await waitFor(() => expect(asked("POST /support/read")[0]?.body).toEqual({ upTo: 2 }));
  expect(await screen.findByRole("button", { name: "Поддержка" })).toBeTruthy();
});

test("Enter sends, Shift+Enter starts a line, blank messages are not sent; the box is then cleared", async () => {
  const { user, dialog, asked, box } = await openChat(takes);
  await user.type(box(), "  {Enter}");
  expect(asked("POST /support/messages")).toHaveLength(0);
  await user.clear(box());
  await user.type(box(), "первая{Shift>}{Enter}{/Shift}вторая{Enter}");
  expect(box().value).toBe("");
  await waitFor(() =>
    expect(asked("POST /support/messages")[0]?.body).toEqual({ content: "первая\nвторая", attachments: [] }),
  );
  expect((await dialog.findByRole("article")).textContent).toMatch(/отправлено.*первая\nвторая/s);
});

test("Enter that ends the composition of a character sends nothing", async () => {
  const { asked, box } = await openChat(takes);
  fireEvent.change(box(), { target: { value: "日本" } });
  fireEvent.keyDown(box(), { key: "Enter", isComposing: true });
  expect(asked("POST /support/messages")).toHaveLength(0);
  expect(box().value).toBe("日本");
});

test("a message that did not arrive stays, is sent again with the same key, and appears once", async () => {
  const { dialog, asked, say, box, ...page } = await openChat({ "POST /support/messages": "silence" });
  let { user } = page;
  await user.type(box(), "важное{Enter}");
  expect((await dialog.findByText(words.sendFailed)).closest('[role="alert"]')).toBeTruthy();
  // Also after the widget was closed, and after a reload.
  await user.click(dialog.getByRole("button", { name: "Закрыть" }));
  ({ user } = reopenPage("/dashboard"));
  const again = await chatOf(user);
  expect(await again.findByText("важное")).toBeTruthy();
  say(takes);
  await user.click(await again.findByRole("button", { name: words.retry }));
  await waitFor(() => expect(again.queryByText(words.sendFailed)).toBeNull());
  expect(again.getAllByRole("article")).toHaveLength(1);
  const keys = asked("POST /support/messages").map(({ headers }) => headers.get("idempotency-key"));
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(new Set(keys).size).toBe(1);
});

test("a refusal is shown in the panel's words, and the refused message can be discarded", async () => {
  const { user, dialog, box } = await openChat({
    "POST /support/messages": refused(
      429,
      "support.images_a_day",
      "За сутки можно отправить не больше 40 изображений.",
    ),
  });
  await user.type(box(), "ещё{Enter}");
  expect(await dialog.findByText(/не больше 40 изображений/)).toBeTruthy();
  await user.click(dialog.getByRole("button", { name: words.discard }));
  expect(dialog.queryByText("ещё")).toBeNull();
});

test("images are shown before they are sent, can be removed one by one, and are cleared afterwards", async () => {
  let uploaded = 900;
  const { user, dialog, asked, box } = await openChat({
    ...takes,
    "POST /pictures": () => ({ id: uuid(++uploaded) }),
  });
  const input = document.querySelector<HTMLInputElement>('input[type="file"]');
  if (input === null) throw new Error("no way to attach");
  expect(input.multiple).toBe(true);
  await user.upload(input, [png("a.png"), png("b.png")]);
  expect(await dialog.findAllByRole("button", { name: /^Убрать изображение/ })).toHaveLength(2);
  await user.click(dialog.getByRole("button", { name: "Убрать изображение 1" }));
  expect(dialog.getAllByRole("button", { name: /^Убрать изображение/ })).toHaveLength(1);
  fireEvent.paste(box(), { clipboardData: { files: [png("c.png")] } });
  await waitFor(() => expect(dialog.getAllByRole("button", { name: /^Убрать изображение/ })).toHaveLength(2));
  await user.click(dialog.getByRole("button", { name: words.send }));
  await waitFor(() =>
    expect(asked("POST /support/messages")[0]?.body).toEqual({
      content: "",
      attachments: [uuid(901), uuid(902)],
    }),
  );
  const uploads = asked("POST /pictures").map(({ headers, body }) => [
    headers.get("content-type"),
    (body as Blob).size,
  ]);
  expect(uploads).toEqual([
    ["image/png", 2],
    ["image/png", 2],
  ]);
  expect(dialog.queryByRole("button", { name: /^Убрать изображение/ })).toBeNull();
  expect(await dialog.findByRole("link", { name: "Открыть изображение 2" })).toBeTruthy();
});

test("a file that is not an image, and a fifth image, are refused with a message", async () => {
  const { user, dialog, box } = await openChat(takes);
  const input = document.querySelector<HTMLInputElement>('input[type="file"]') as HTMLInputElement;
  await user.upload(
    input,
    Array.from({ length: 5 }, (_, n) => png(`${n}.png`)),
  );
  expect(await dialog.findByText(/Не больше 4 изображений/)).toBeTruthy();
  await waitFor(() => expect(dialog.getAllByRole("button", { name: /^Убрать изображение/ })).toHaveLength(4));
  await user.click(dialog.getByRole("button", { name: "Убрать изображение 1" }));
  fireEvent.drop(box(), {
    dataTransfer: { files: [new File(["<svg/>"], "x.svg", { type: "image/svg+xml" })], types: ["Files"] },
  });
  expect(await dialog.findByText(/«x\.svg»/)).toBeTruthy();
});

test("older messages load page by page", async () => {
  const from = (first: number) =>
    Array.from({ length: PAGE_SIZE }, (_, n) => message(first + n, { readAt: inDays(-1) }));
  const { user, dialog, asked } = await openChat({
    "GET /support/messages": ({ query }) => (query.get("cursor") === "51" ? from(1) : from(51)),
  });
  expect(await dialog.findAllByRole("article")).toHaveLength(PAGE_SIZE);
  await user.click(dialog.getByRole("button", { name: words.older }));
  await waitFor(() => expect(dialog.getAllByRole("article")).toHaveLength(2 * PAGE_SIZE));
  expect(asked("GET /support/messages").at(-1)?.query.get("limit")).toBe(String(PAGE_SIZE));
  expect(dialog.getAllByRole("article")[0]?.textContent).toContain("Сообщение 1");
});

test("messages that cannot be loaded say so and can be retried", async () => {
  const { user, dialog, say } = await openChat({ "GET /support/messages": "silence" });
  expect(await dialog.findByText(new RegExp(words.loadFailed))).toBeTruthy();
  say({ "GET /support/messages": [message(1)] });
  await user.click(dialog.getByRole("button", { name: words.retry }));
  expect(await dialog.findByText("Сообщение 1")).toBeTruthy();
});

test("an empty chat says who answers here; a draft is back on return", async () => {
  const { user, dialog, box } = await openChat();
  expect(await dialog.findByText(words.empty)).toBeTruthy();
  expect(document.activeElement).toBe(box());
  await user.type(box(), "не дописа");
  await user.keyboard("{Escape}");
  expect(screen.queryByRole("dialog", { name: "Поддержка" })).toBeNull();
  const button = screen.getByRole("button", { name: "Поддержка" });
  expect(document.activeElement).toBe(button);
  await user.click(button);
  const again = within(await screen.findByRole("dialog", { name: "Поддержка" }));
  expect(again.getByRole<HTMLTextAreaElement>("textbox", { name: words.placeholder }).value).toBe("не дописа");
});

test("a member at their limit asks support from there, with an editable text", async () => {
  const { user } = await open({ "GET /auth/me": member({ vpnConfigLimit: 1, vpn_config_limit: 1 }) });
  await user.click(await screen.findByRole("button", { name: "Как получить больше" }));
  const box = await screen.findByRole<HTMLTextAreaElement>("textbox", { name: words.placeholder });
  await waitFor(() => expect(box.value).toMatch(/больше устройств/));
});

test("a ticket: the defaults, the missing fields by name, 'Создание...' while it is sent, then its thread", async () => {
  let answer: (ticket: Ticket) => void = () => {};
  const { user, dialog, asked } = await openChat({
    "POST /support/tickets": () =>
      new Promise<Ticket>((resolve) => {
        answer = resolve;
      }),
    "GET /support/messages": ({ query }) =>
      query.has("ticketId") ? [message(1, { content: "Каждые пять минут" })] : [],
  });
  await user.click(dialog.getByRole("radio", { name: words.tickets }));
  expect(await dialog.findByText(words.ticketsEmpty)).toBeTruthy();
  await user.click(dialog.getByRole("button", { name: words.createTicket }));
  await user.click(dialog.getByRole("button", { name: words.create }));
  expect(await dialog.findByText(words.subjectMissing)).toBeTruthy();
  expect(dialog.getByText(words.descriptionMissing)).toBeTruthy();
  expect(document.activeElement).toBe(dialog.getByLabelText(words.subject));
  await user.type(dialog.getByLabelText(words.subject), "Обрывается видео");
  await user.type(dialog.getByLabelText(words.description), "Каждые пять минут");
  expect(dialog.getByRole<HTMLSelectElement>("combobox", { name: words.category }).value).toBe("general");
  expect(dialog.getByRole<HTMLInputElement>("radio", { name: words.priorities.medium }).checked).toBe(true);
  await user.selectOptions(dialog.getByRole("combobox", { name: words.category }), words.categories.technical);
  await user.click(dialog.getByRole("radio", { name: words.priorities.high }));
  await user.click(dialog.getByRole("button", { name: words.create }));
  const busy = await dialog.findByRole("button", { name: "Создание..." });
  expect(busy.getAttribute("aria-disabled")).toBe("true");
  await user.click(busy);
  expect(asked("POST /support/tickets").map(({ body }) => body)).toEqual([
    {
      subject: "Обрывается видео",
      description: "Каждые пять минут",
      category: "technical",
      priority: "high",
      status: "open",
    },
  ]);
  answer(ticket());
  expect(await dialog.findByRole("heading", { name: "Обрывается видео" })).toBeTruthy();
  expect(await dialog.findByText("Каждые пять минут")).toBeTruthy();
  expect(dialog.getByText("Открыто")).toBeTruthy();
});

test("a ticket that could not be opened says so, loses nothing, and is sent again with the same key", async () => {
  const { user, dialog, asked, say } = await openChat({ "POST /support/tickets": "silence" });
  await user.click(dialog.getByRole("radio", { name: words.tickets }));
  await user.click(await dialog.findByRole("button", { name: words.createTicket }));
  await user.type(dialog.getByLabelText(words.subject), "Тема");
  await user.type(dialog.getByLabelText(words.description), "Описание");
  await user.click(dialog.getByRole("button", { name: words.create }));
  expect(await dialog.findByText(/Ошибка при создании тикета/)).toBeTruthy();
  // Switching to the chat in between loses nothing.
  await user.click(dialog.getByRole("radio", { name: words.chat }));
  await user.click(dialog.getByRole("radio", { name: words.tickets }));
  await user.click(await dialog.findByRole("button", { name: words.createTicket }));
  expect(dialog.getByLabelText<HTMLTextAreaElement>(words.description).value).toBe("Описание");
  say({ "POST /support/tickets": ticket() });
  await user.click(dialog.getByRole("button", { name: words.create }));
  await dialog.findByRole("heading", { name: "Обрывается видео" });
  const keys = asked("POST /support/tickets").map(({ headers }) => headers.get("idempotency-key"));
  expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
});

test("the list of tickets shows their state and new answers; a closed one takes no messages", async () => {
  const { user, dialog } = await openChat({
    "GET /support/tickets": [ticket({ status: "closed", unread: 2 })],
    "GET /support/messages": [],
  });
  await user.click(dialog.getByRole("radio", { name: words.tickets }));
  await user.click(await dialog.findByRole("button", { name: /Обрывается видео.*Закрыто.*Новых ответов: 2/s }));
  expect(await dialog.findByText(/Обращение закрыто/)).toBeTruthy();
  expect(dialog.queryByRole("textbox")).toBeNull();
  await user.click(dialog.getByRole("button", { name: words.back }));
  expect(await dialog.findByRole("button", { name: words.createTicket })).toBeTruthy();
});
