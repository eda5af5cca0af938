import type { Api } from "@krug/contract/api";
import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test, vi } from "vitest";
import { screens } from "../../../testing/open-page.tsx";
import { type Panel, refused } from "../../../testing/panel.ts";
import { config, inDays, uuid } from "../../../testing/samples.ts";
import { admin, enter, fileOf, listed, moderator } from "../../../testing/staff.ts";
import { useStaffSupportWords } from "./words.ts";

screens();
const words = useStaffSupportWords.ru;

type Message = Api["GET /admin/support/conversations/{userId}/messages"]["answer"][number];
type Conversation = Api["GET /admin/support/conversations"]["answer"][number];
type Ticket = Api["GET /admin/support/tickets"]["answer"][number];

type Diagnosis = Api["GET /admin/configs/{id}/diagnosis"]["answer"];

const anna = listed(1, { username: "anna", displayName: "Анна" });
const message = (sequence: number, about: Partial<Message> = {}): Message => ({
  id: uuid(1000 + sequence),
  sequence,
  userId: anna.id,
  ticketId: null,
  content: `Сообщение ${sequence}`,
  isAdmin: false,
  attachments: [],
  createdAt: inDays(-1),
  readAt: null,
  authorName: null,
  ...about,
});
const conversation = (about: Partial<Conversation> = {}): Conversation => ({
  userId: anna.id,
  username: anna.username,
  displayName: anna.displayName,
  unread: 2,
  openTickets: 1,
  waitingSince: null,
  assignedTo: null,
  lastMessage: message(2),
  found: null,
  ...about,
});
const ticket = (about: Partial<Ticket> = {}): Ticket => ({
  id: uuid(900),
  userId: anna.id,
  username: anna.username,
  displayName: anna.displayName,
  subject: "Обрывается видео",
  description: "Каждые пять минут",
  category: "technical",
  priority: "high",
  status: "open",
  unread: 1,
  assignedTo: null,
  lostDevice: null,
  lostCut: null,
  wishedService: null,
  createdAt: inDays(-2),
  updatedAt: inDays(-1),
  ...about,
});

const club: Panel = {
  "GET /admin/support/waiting": { unread: 1, conversations: 1, tickets: { open: 1, in_progress: 0, closed: 0 } },
  "GET /admin/support/conversations": [conversation()],
  "GET /admin/support/conversations/{userId}/messages": [message(1), message(2)],
  "POST /admin/support/conversations/{userId}/read": { unread: 0, chat: 0 },
  "GET /admin/support/tickets": [ticket()],
  "GET /admin/support/colleagues": [
    { id: admin.id, displayName: admin.displayName },
    { id: moderator.id, displayName: moderator.displayName },
  ],
  "GET /admin/users/{id}": fileOf(anna),
  "GET /vpn/configs/{id}": [],
};
const open = (address = "/admin/support", says: Panel = {}, me = moderator) => enter(address, { ...club, ...says }, me);
const thread = () => screen.findByRole("log");
const box = () => screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Сообщение" });

test("the longest wait comes first, with its time; nobody waiting is good news", async () => {
  const { asked, user, say } = await open("/admin/support?show=waiting", {
    "GET /admin/support/conversations": [conversation({ waitingSince: "2026-03-05T10:00:00.000Z" })],
  });
  expect(await screen.findByText("ждёт с 05.03.2026")).toBeTruthy();
  expect(asked("GET /admin/support/conversations")[0]?.query.get("show")).toBe("waiting");
  say({ "GET /admin/support/conversations": [] });
  await user.click(screen.getByRole("radio", { name: "Новые" }));
  await user.click(screen.getByRole("radio", { name: /^Ждут/ }));
  expect(await screen.findByText("Никто не ждёт ответа")).toBeTruthy();
});

test("an open conversation shows since when it waits, can be marked as needing no answer, and unmarked", async () => {
  let waitingSince: string | null = "2026-03-05T10:00:00.000Z";
  const { asked, user } = await open(`/admin/support?with=${anna.id}`, {
    "GET /admin/support/conversations": () => [conversation({ waitingSince })],
    "PUT /admin/support/conversations/{userId}/waiting": ({ body }) => {
      waitingSince = (body as { waiting: boolean }).waiting ? "2026-03-05T10:00:00.000Z" : null;
      return { waitingSince };
    },
  });
  await user.click(await screen.findByRole("button", { name: "Ответ не нужен" }));
  expect(await screen.findByText("Больше не ждёт ответа")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Вернуть" }));
  expect(await screen.findByRole("button", { name: "Ответ не нужен" })).toBeTruthy();
  expect(asked("PUT /admin/support/conversations/{userId}/waiting").map(({ body }) => body)).toEqual([
    { waiting: false, upTo: 2 },
    { waiting: true, upTo: 2 },
  ]);
});

test("the section shows the number of unseen conversations, also to screen readers", async () => {
  await open("/admin/users", { "GET /admin/support/waiting": { ...waiting(12) } });
  const sections = await screen.findByRole("navigation", { name: "Разделы панели управления" });
  expect(await within(sections).findByRole("link", { name: /Поддержка.*12.непрочитанных диалогов/ })).toBeTruthy();
});
const waiting = (unread: number) => ({ unread, conversations: 0, tickets: { open: 0, in_progress: 0, closed: 0 } });

test("a conversation shows who wrote last, what and how much of it is new; it opens next to the list and is marked as seen", async () => {
  const page = await open();
  const row = await screen.findByRole("link", {
    name: /Анна.*Сообщение 2.*1.незакрытое обращение.*2.непрочитанных сообщения/,
  });
  await page.user.click(row);
  const messages = await within(await thread()).findAllByRole("article");
  expect(messages.map((one) => one.hasAttribute("data-own"))).toEqual([false, false]);
  expect(page.address()).toBe(`/admin/support?with=${anna.id}`);
  await waitFor(() =>
    expect(page.asked("POST /admin/support/conversations/{userId}/read").map(({ body, path }) => [path, body])).toEqual(
      [[`/admin/support/conversations/${anna.id}/read`, { upTo: 2 }]],
    ),
  );
  expect(row.getAttribute("aria-current")).toBeTruthy();
  await page.user.click(screen.getByRole("link", { name: words.thread.back }));
  expect(page.address()).toBe("/admin/support");
});

test("a last message in a ticket opens there, and not in an empty chat", async () => {
  const inTicket = message(3, { ticketId: ticket().id, content: "Всё ещё обрывается" });
  const page = await open("/admin/support", {
    "GET /admin/support/conversations": [conversation({ lastMessage: inTicket })],
  });
  await page.user.click(await screen.findByRole("link", { name: /Анна.*Всё ещё обрывается/ }));
  await thread();
  expect(page.address()).toBe(`/admin/support?with=${anna.id}&ticket=${ticket().id}`);
});

test("an answer appears on the writer's side under their name and reaches the right member; a lost one is kept", async () => {
  const page = await open(`/admin/support?with=${anna.id}`, {
    "POST /admin/support/conversations/{userId}/messages": "silence",
  });
  await page.user.type(await box(), "Поможем{Enter}");
  const own = () =>
    within(screen.getByRole("log"))
      .getAllByRole("article")
      .filter((one) => one.hasAttribute("data-own"));
  await waitFor(() => expect(own()[0]?.textContent).toMatch(/Помощник.*Поможем/));
  page.say({
    "POST /admin/support/conversations/{userId}/messages": message(3, {
      isAdmin: true,
      content: "Поможем",
      authorName: "Помощник",
    }),
  });
  await page.user.click(await screen.findByRole("button", { name: "Повторить" }));
  await waitFor(() => expect(screen.queryByRole("button", { name: "Повторить" })).toBeNull());
  expect(own()).toHaveLength(1);
  const sent = page.asked("POST /admin/support/conversations/{userId}/messages");
  expect(new Set(sent.map(({ headers }) => headers.get("idempotency-key"))).size).toBe(1);
  expect(sent.at(-1)?.path).toBe(`/admin/support/conversations/${anna.id}/messages`);
  expect(sent.at(-1)?.body).toEqual({ content: "Поможем", attachments: [] });
});

test("a draft for one member does not appear in another's box, and is back on return", async () => {
  const vera = listed(2, { username: "vera", displayName: "Вера" });
  const page = await open("/admin/support", {
    "GET /admin/support/conversations": [
      conversation(),
      conversation({
        userId: vera.id,
        username: "vera",
        displayName: "Вера",
        lastMessage: message(9, { userId: vera.id }),
      }),
    ],
    "GET /admin/users/{id}": ({ path }) => ({
      ...(club["GET /admin/users/{id}"] as Api["GET /admin/users/{id}"]["answer"]),
      member: path.endsWith(vera.id) ? vera : anna,
    }),
  });
  await page.user.click(await screen.findByRole("link", { name: /^Анна/ }));
  await page.user.type(await box(), "Анне");
  await page.user.click(screen.getByRole("link", { name: /^Вера/ }));
  await screen.findByRole("heading", { name: "Вера" });
  expect((await box()).value).toBe("");
  await page.user.click(screen.getByRole("link", { name: /^Анна/ }));
  await screen.findByRole("heading", { name: "Анна" });
  expect((await box()).value).toBe("Анне");
});

test("search and filters are the panel's, are in the address, and are cleared by one press", async () => {
  const page = await open("/admin/support", {
    "GET /admin/support/conversations": ({ query }) =>
      query.get("q") === null && query.get("show") === "all" ? [conversation()] : [],
  });
  await page.user.click(await screen.findByRole("radio", { name: words.shows.mine }));
  await page.user.type(screen.getByRole("searchbox", { name: words.search }), "роутер");
  await screen.findByText(words.list.nothing);
  await waitFor(() => expect(decodeURIComponent(page.address())).toBe("/admin/support?show=mine&q=роутер"));
  const last = page.asked("GET /admin/support/conversations").at(-1)?.query;
  expect([last?.get("q"), last?.get("show")]).toEqual(["роутер", "mine"]);
  await page.user.click(screen.getByRole("button", { name: words.list.clear }));
  expect(await screen.findByRole("link", { name: /^Анна/ })).toBeTruthy();
  expect(page.address()).toBe("/admin/support?show=all");
});

describe("the default filter", () => {
  const counts = (conversations: number) => ({ ...waiting(0), conversations });
  const taken = () => (screen.getAllByRole("radio") as HTMLInputElement[]).filter(({ checked }) => checked)[1];
  const first = async (says: Panel, address = "/admin/support") => {
    const page = await open(address, says);
    await screen.findByRole("link", { name: /^Анна/ });
    return page;
  };
  const shown = (page: Awaited<ReturnType<typeof open>>) =>
    page.asked("GET /admin/support/conversations").flatMap(({ query }) => query.get("show") ?? []);

  test("shows those who wait, if anybody does; only they are fetched and the address does not change", async () => {
    const page = await first({ "GET /admin/support/waiting": counts(2) });
    expect(taken()?.parentElement?.textContent).toMatch(/^Ждут/);
    expect([...new Set(shown(page))]).toEqual(["waiting"]);
    expect(page.address()).toBe("/admin/support");
  });

  test.each<[string, Panel["GET /admin/support/waiting"]]>([
    ["nobody waits", counts(0)],
    ["nobody can say who waits", refused(500, "internal", "Сломалось")],
  ])("is everyone if %s", async (_, says) => {
    const page = await first({ "GET /admin/support/waiting": says });
    expect(taken()?.parentElement?.textContent).toBe("Все");
    expect([...new Set(shown(page))]).toEqual(["all"]);
  });

  test("stays when the last one is answered, and when somebody starts to wait", async () => {
    let now = 1;
    const page = await first({ "GET /admin/support/waiting": () => counts(now) });
    await page.user.click(screen.getByRole("link", { name: /^Анна/ }));
    now = 0;
    page.say({
      "POST /admin/support/conversations/{userId}/messages": message(3, { isAdmin: true }),
      "GET /admin/support/conversations": ({ query }) =>
        query.get("userId") === null && query.get("show") === "waiting" ? [] : [conversation()],
    });
    await page.user.type(await box(), "Готово{Enter}");
    expect(await screen.findByText(words.waits.none)).toBeTruthy();
    expect(taken()?.parentElement?.textContent).toBe("Ждут");
    expect(page.address()).toBe(`/admin/support?with=${anna.id}`);
  });

  test("yields to any choice in the address", async () => {
    const chosen = await first({ "GET /admin/support/waiting": counts(2) }, "/admin/support?show=all");
    expect([...new Set(shown(chosen))]).toEqual(["all"]);
    await chosen.user.click(screen.getByRole("radio", { name: /^Ждут/ }));
    await waitFor(() => expect(chosen.address()).toBe("/admin/support?show=waiting"));
  });

  test("a search without a choice looks everywhere, and afterwards the default is back", async () => {
    const page = await first({ "GET /admin/support/waiting": counts(2) });
    await page.user.type(screen.getByRole("searchbox", { name: words.search }), "роутер");
    await waitFor(() => expect(shown(page).at(-1)).toBe("all"));
    expect(taken()?.parentElement?.textContent).toBe("Все");
    await page.user.clear(screen.getByRole("searchbox", { name: words.search }));
    await waitFor(() => expect(taken()?.parentElement?.textContent).toMatch(/^Ждут/));
  });
});

test("results are shown with their words marked, and link to their ticket", async () => {
  await open("/admin/support?q=роутер", {
    "GET /admin/support/conversations": [
      conversation({
        found: message(1, {
          content: "Вчера вечером всё работало, а сегодня мой роутер не видит",
          ticketId: uuid(900),
        }),
      }),
    ],
  });
  const row = await screen.findByRole("link", { name: /^Анна/ });
  expect(row.querySelector("mark")?.textContent).toBe("роутер");
  expect(row.textContent).toContain("…");
  expect(row.getAttribute("href")).toContain(`ticket=${uuid(900)}`);
});

test("an admin viewing as a moderator gets a moderator's answers", async () => {
  sessionStorage.setItem("krug.viewed-role", "moderator");
  const page = await open("/admin/support", {}, admin);
  await screen.findByRole("link", { name: /^Анна/ });
  for (const call of ["GET /admin/support/conversations", "GET /admin/support/waiting"] as const)
    expect(page.asked(call).map(({ query }) => query.get("as"))).toContain("moderator");
});

test("a device reported lost is cut off from its ticket, which then shows the link to the new file", async () => {
  let now: Pick<Ticket, "lostDevice" | "lostCut"> = { lostDevice: "asked", lostCut: null };
  const page = await open(
    "/admin/support?section=tickets",
    {
      "GET /admin/support/tickets": () => [ticket({ subject: "Потеряно устройство", ...now })],
      "GET /vpn/configs/{id}": [config({ id: uuid(1), name: "phone" }), config({ id: uuid(2), name: "laptop" })],
      "POST /admin/support/tickets/{id}/lost-device": () => {
        now = { lostDevice: "cut", lostCut: [{ id: uuid(2), name: "laptop" }] };
        return { link: "https://club.example/config#token=one-time", expiresAt: inDays(1) };
      },
    },
    admin,
  );
  await page.user.click(await screen.findByRole("link", { name: /Потеряно устройство/ }));
  expect(await screen.findByText(/^Запрос пришёл со страницы входа/)).toBeTruthy();
  await page.user.click(screen.getByRole("button", { name: words.lost.act }));
  const dialog = within(await screen.findByRole("dialog", { name: words.lost.title }));
  await page.user.click(await dialog.findByRole("button", { name: words.lost.confirm }));
  expect(dialog.getByText(words.lost.whichMissing)).toBeTruthy();
  await page.user.click(dialog.getByRole("radio", { name: "laptop" }));
  await page.user.click(dialog.getByRole("button", { name: words.lost.confirm }));
  expect(await screen.findByText("https://club.example/config#token=one-time")).toBeTruthy();
  expect(page.asked("POST /admin/support/tickets/{id}/lost-device").map(({ body }) => body)).toEqual([
    { configId: uuid(2) },
  ]);
  await page.user.click(screen.getByRole("button", { name: words.lost.done }));
  // What was cut off is reported and comes last. Another device, or a link, may be lost too.
  expect(await screen.findByText("Ключ заменён: laptop. Участник вышел на всех устройствах.")).toBeTruthy();
  expect(screen.queryByRole("button", { name: words.lost.act })).toBeNull();
  await page.user.click(screen.getByRole("button", { name: words.lost.actMore }));
  const again = within(await screen.findByRole("dialog", { name: words.lost.title }));
  const radios = (await again.findAllByRole("radio")) as HTMLInputElement[];
  expect(radios.map(({ labels }) => labels?.[0]?.textContent)).toEqual(["phone", words.lost.replaced("laptop")]);
});

test("a ticket that asks for a service leads to the editor with its name", async () => {
  const asks = ticket({ subject: "Нужен сервис", wishedService: { name: "Кинозал", isAdded: false } });
  const page = await open("/admin/support?section=tickets", { "GET /admin/support/tickets": [asks] }, admin);
  await page.user.click(await screen.findByRole("link", { name: /Нужен сервис/ }));
  const link = await screen.findByRole("link", { name: words.wish.add });
  const address = new URL(link.getAttribute("href") ?? "", "https://club.example");
  expect(address.pathname).toBe("/admin/wireguard");
  expect(Object.fromEntries(address.searchParams)).toMatchObject({ add: "service", set: "Кинозал" });
});

test("once it is added, the ticket says so instead", async () => {
  const added = ticket({ subject: "Нужен сервис", wishedService: { name: "Кинозал", isAdded: true } });
  const { user } = await open("/admin/support?section=tickets", { "GET /admin/support/tickets": [added] }, admin);
  await user.click(await screen.findByRole("link", { name: /Нужен сервис/ }));
  expect(await screen.findByText(words.wish.added("Кинозал"))).toBeTruthy();
  expect(screen.queryByRole("link", { name: words.wish.add })).toBeNull();
});

test("a moderator without the right to send password links cannot cut off a lost device", async () => {
  const { user } = await open("/admin/support?section=tickets", {
    "GET /admin/support/tickets": [ticket({ lostDevice: "asked" })],
  });
  await user.click(await screen.findByRole("link", { name: /Обрывается видео/ }));
  expect(await screen.findByText(/^Запрос пришёл со страницы входа/)).toBeTruthy();
  expect(screen.queryByRole("button", { name: words.lost.act })).toBeNull();
});

test("a ticket is taken as it was seen, assigned to somebody else, and closed after a confirmation", async () => {
  let now = ticket();
  const page = await open("/admin/support?section=tickets", {
    "GET /admin/support/tickets": () => [now],
    "PUT /admin/support/tickets/{id}": () => {
      now = ticket({ status: "in_progress", assignedTo: { id: moderator.id, displayName: "Помощник" } });
      return now;
    },
  });
  await page.user.click(await screen.findByRole("link", { name: /Обрывается видео.*Открыто, никто не взял.*срочное/ }));
  await page.user.click(await screen.findByRole("button", { name: words.ticket.take }));
  await waitFor(() => expect(screen.queryByRole("button", { name: words.ticket.take })).toBeNull());
  await page.user.selectOptions(screen.getByRole("combobox", { name: words.ticket.assign }), "Глава");
  await page.user.click(screen.getByRole("button", { name: words.ticket.closeTicket }));
  const question = within(await screen.findByRole("dialog", { name: words.ticket.closeAsk }));
  await page.user.click(question.getByRole("button", { name: words.ticket.closeTicket }));
  await waitFor(() => expect(page.asked("PUT /admin/support/tickets/{id}")).toHaveLength(3));
  expect(page.asked("PUT /admin/support/tickets/{id}").map(({ body }) => body)).toEqual([
    { status: "in_progress", assignedTo: moderator.id, expected: { status: "open", assignedTo: null } },
    { assignedTo: admin.id, expected: { status: "in_progress", assignedTo: moderator.id } },
    { status: "closed", expected: { status: "in_progress", assignedTo: moderator.id } },
  ]);
});

test("a conversation shows its assignee in the list and in its head; it is taken as it was seen, assigned and released", async () => {
  let assignedTo: Conversation["assignedTo"] = { id: admin.id, displayName: "Глава" };
  const page = await open(`/admin/support?show=all&with=${anna.id}`, {
    "GET /admin/support/conversations": () => [conversation({ assignedTo })],
    "PUT /admin/support/conversations/{userId}/assignee": ({ body }) => {
      const { assignedTo: id } = body as { assignedTo: string | null };
      assignedTo = id === null ? null : { id, displayName: id === admin.id ? "Глава" : "Помощник" };
      return { assignedTo };
    },
  });
  expect(await screen.findByRole("link", { name: /^Анна.*ведёт Глава/ })).toBeTruthy();
  const hands = await screen.findByRole<HTMLSelectElement>("combobox", { name: words.chat.assign });
  const holds = (name: string) => waitFor(() => expect(hands.selectedOptions[0]?.textContent).toBe(name));
  await holds("Глава");
  await page.user.click(screen.getByRole("button", { name: words.chat.take }));
  await holds("Помощник");
  expect(await screen.findByText(words.chat.taken)).toBeTruthy();
  expect(screen.queryByRole("button", { name: words.chat.take })).toBeNull();
  await page.user.selectOptions(hands, "Глава");
  await holds("Глава");
  await page.user.selectOptions(hands, words.chat.nobody);
  await holds(words.chat.nobody);
  await waitFor(() => expect(screen.queryByRole("link", { name: /^Анна.*ведёт/ })).toBeNull());
  expect(page.asked("PUT /admin/support/conversations/{userId}/assignee").map(({ body }) => body)).toEqual([
    { assignedTo: moderator.id, expected: { assignedTo: admin.id } },
    { assignedTo: admin.id, expected: { assignedTo: moderator.id } },
    { assignedTo: null, expected: { assignedTo: admin.id } },
  ]);
});

test("if two take one conversation, the second is notified and sees whose it is now", async () => {
  const told = "Пока вы смотрели, диалог передал другой сотрудник.";
  const page = await open(`/admin/support?show=all&with=${anna.id}`, {
    "PUT /admin/support/conversations/{userId}/assignee": refused(409, "support.conversation_changed_meanwhile", told),
  });
  const take = await screen.findByRole("button", { name: words.chat.take });
  page.say({
    "GET /admin/support/conversations": [conversation({ assignedTo: { id: admin.id, displayName: "Глава" } })],
  });
  await page.user.click(take);
  expect(await screen.findByText(told)).toBeTruthy();
  const hands = await screen.findByRole<HTMLSelectElement>("combobox", { name: words.chat.assign });
  await waitFor(() => expect(hands.selectedOptions[0]?.textContent).toBe("Глава"));
});

test("a person with nothing assigned reads how to take something, not that the search found nothing", async () => {
  await open("/admin/support?show=mine", { "GET /admin/support/conversations": [] });
  expect(await screen.findByText(words.chat.none)).toBeTruthy();
  expect(screen.queryByRole("button", { name: words.list.clear })).toBeNull();
});

test("if two take one ticket, the second is notified and sees whose it is now", async () => {
  const told = "Пока вы смотрели, обращение изменил другой сотрудник.";
  const page = await open(`/admin/support?section=tickets&with=${anna.id}&ticket=${uuid(900)}`, {
    "PUT /admin/support/tickets/{id}": refused(409, "support.ticket_changed_meanwhile", told),
  });
  const take = await screen.findByRole("button", { name: words.ticket.take });
  page.say({
    "GET /admin/support/tickets": [
      ticket({ status: "in_progress", assignedTo: { id: admin.id, displayName: "Глава" } }),
    ],
  });
  await page.user.click(take);
  expect(await screen.findByText(told)).toBeTruthy();
  const hands = await screen.findByRole<HTMLSelectElement>("combobox", { name: words.ticket.assign });
  await waitFor(() => expect(hands.selectedOptions[0]?.textContent).toBe("Глава"));
  expect(screen.getByRole("button", { name: words.ticket.takeOver })).toBeTruthy();
});

test("a closed ticket takes no message and no other action", async () => {
  await open(`/admin/support?with=${anna.id}&ticket=${uuid(900)}`, {
    "GET /admin/support/tickets": [ticket({ status: "closed" })],
  });
  expect(await screen.findByText(/Обращение закрыто, писать в него/)).toBeTruthy();
  expect(screen.queryByRole("textbox", { name: "Сообщение" })).toBeNull();
  for (const name of [words.ticket.take, words.ticket.takeOver, words.ticket.closeTicket])
    expect(screen.queryByRole("button", { name })).toBeNull();
});

test("a member's facts are behind one button, with a link to their page", async () => {
  const page = await open(`/admin/support?with=${anna.id}`);
  await page.user.click(await screen.findByRole("button", { name: words.thread.about }));
  const sheet = within(await screen.findByRole("dialog", { name: "Анна" }));
  expect(sheet.getByRole("link", { name: words.facts.page }).getAttribute("href")).toBe("/admin/users/anna");
  expect(sheet.getByRole("link", { name: /Обрывается видео/ })).toBeTruthy();
});

test("a member's page links to their conversation, also to write first", async () => {
  const page = await open("/admin/users/anna", { "GET /admin/support/conversations/{userId}/messages": [] });
  await page.user.click(await screen.findByRole("link", { name: "Написать" }));
  expect(await screen.findByText(/Напишите первым: Анна/)).toBeTruthy();
  expect(page.address()).toBe(`/admin/support?with=${anna.id}`);
});

test("a member who is gone or hidden from the reader is reported, and the list stays", async () => {
  await open(`/admin/support?with=${uuid(77)}`, { "GET /admin/users/{id}": refused(404, "member.not_found") });
  expect(await screen.findByRole("heading", { name: words.thread.gone })).toBeTruthy();
  expect(await screen.findByRole("link", { name: /^Анна/ })).toBeTruthy();
});

test("lists that cannot be loaded say so and can be retried", async () => {
  const page = await open("/admin/support", {
    "GET /admin/support/conversations": refused(500, "internal", "Сломалось"),
  });
  await screen.findByText(words.list.chatsFailed);
  page.say({ "GET /admin/support/conversations": [conversation()] });
  await page.user.click(screen.getByRole("button", { name: "Повторить" }));
  expect(await screen.findByRole("link", { name: /^Анна/ })).toBeTruthy();
});

class Stream {
  static readonly open: Stream[] = [];
  readonly heard = new Map<string, (event: { data: string }) => void>();
  onopen: () => void = () => {};
  onerror: () => void = () => {};
  readyState = 1;
  readonly address: string;
  constructor(address: string) {
    this.address = address;
    Stream.open.push(this);
  }
  addEventListener(name: string, listener: (event: { data: string }) => void) {
    this.heard.set(name, listener);
  }
  close() {
    Stream.open.splice(Stream.open.indexOf(this), 1);
  }
}

test("a live event refetches the lists and the thread it is about; unseen in a hidden window it shows in the title", async () => {
  vi.stubGlobal("EventSource", Stream);
  Stream.open.length = 0;
  const page = await open(`/admin/support?with=${anna.id}`);
  await within(await thread()).findByText("Сообщение 2");
  const desk = Stream.open.find(({ address }) => address === "/api/admin/support/stream");
  const tell = (userId: string) => desk?.heard.get("changed")?.({ data: JSON.stringify({ userId }) });
  const times = () => [
    page.asked("GET /admin/support/conversations").filter(({ query }) => query.get("userId") === null).length,
    page.asked("GET /admin/support/conversations/{userId}/messages").length,
  ];
  await waitFor(() => expect(page.asked("POST /admin/support/conversations/{userId}/read")).toHaveLength(1));
  await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
  const [lists = 0, messages = 0] = times();
  tell(uuid(555));
  await waitFor(() => expect(times()).toEqual([lists + 1, messages]));
  page.say({
    "GET /admin/support/conversations/{userId}/messages": [
      message(1),
      message(2),
      message(3, { content: "А вот и я" }),
    ],
    "GET /admin/support/waiting": waiting(4),
  });
  const visibility = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  document.dispatchEvent(new Event("visibilitychange"));
  tell(anna.id);
  expect(await within(await thread()).findByText("А вот и я")).toBeTruthy();
  await waitFor(() => expect(document.title).toBe("(4) Поддержка · Круг"));
  // The window is hidden, so it is not marked as seen.
  expect(page.asked("POST /admin/support/conversations/{userId}/read")).toHaveLength(1);
  visibility.mockReturnValue("visible");
  document.dispatchEvent(new Event("visibilitychange"));
  await waitFor(() =>
    expect(page.asked("POST /admin/support/conversations/{userId}/read").at(-1)?.body).toEqual({ upTo: 3 }),
  );
  await waitFor(() => expect(document.title).toBe("Поддержка · Круг"));
  visibility.mockRestore();
});

describe("a device's diagnosis, as its member would see it now", () => {
  const pixel = config({ id: uuid(801), name: "pixel" });
  const laptop = config({ id: uuid(802), name: "laptop", keyOrigin: "browser" });
  const CHECKED_AT = "2026-11-21T11:20:05.000Z";
  const diagnosis = (about: Partial<Diagnosis> = {}): Diagnosis => ({
    cause: "outdated_file",
    checkedAt: CHECKED_AT,
    entitlement: { allowed: true, reason: "unlimited", until: null },
    serverName: "Хельсинки",
    serverAwaySince: null,
    tunnel: null,
    applied: true,
    fileOutdated: true,
    lastHandshake: null,
    receivedLately: 0,
    sentLately: 592,
    restExit: null,
    restExitServer: null,
    exits: [],
    clockAhead: null,
    ...about,
  });
  const at = (path: string) => path.split("/")[3];
  const about = (says: Panel = {}, query = "", me = moderator) =>
    open(
      `/admin/support?show=all&with=${anna.id}${query}`,
      {
        "GET /vpn/configs/{id}": [pixel, laptop],
        "GET /admin/support/conversations/{userId}/messages": [
          message(1, { content: "Не работает pixel (Телефон). Проверка: всё хорошо." }),
        ],
        "GET /admin/configs/{id}/diagnosis": diagnosis(),
        ...says,
      },
      me,
    );

  test("is shown next to a conversation that names the device, with its time; others are checked on demand", async () => {
    const page = await about();
    expect(await screen.findByText("На устройстве старый файл")).toBeTruthy();
    await page.user.click(screen.getByRole("button", { name: "Подробнее: pixel" }));
    const sheet = within(await screen.findByRole("dialog", { name: "Анна" }));
    expect(await sheet.findByText("На устройстве старый файл")).toBeTruthy();
    expect(sheet.getByText(/^Проверено в \d\d:20:05$/)).toBeTruthy();
    expect(sheet.getByText("Скачайте конфиг заново.")).toBeTruthy();
    expect(sheet.getByText("Файл на устройстве").nextElementSibling?.textContent).toBe("устарел");
    // One that is shown here twice is fetched once.
    expect(page.asked("GET /admin/configs/{id}/diagnosis").map(({ path }) => at(path))).toEqual([pixel.id]);
    await page.user.click(sheet.getByRole("button", { name: "Проверить laptop" }));
    expect(await sheet.findByText(/нажмите\s«Заменить ключ»/)).toBeTruthy();
    expect(page.asked("GET /admin/configs/{id}/diagnosis").map(({ path }) => at(path))).toEqual([pixel.id, laptop.id]);
    page.say({ "GET /admin/configs/{id}/diagnosis": diagnosis({ cause: "all_well" }) });
    await page.user.click(sheet.getByRole("button", { name: "Проверить pixel ещё раз" }));
    expect(await sheet.findByText("С нашей стороны всё работает")).toBeTruthy();
    expect(page.asked("GET /admin/configs/{id}/diagnosis")).toHaveLength(3);
  });

  test("is shown next to a ticket whose subject names it, and not if none is named", async () => {
    const named = await about(
      {
        "GET /admin/support/tickets": [ticket({ subject: "laptop молчит" })],
        "GET /admin/support/conversations/{userId}/messages": [],
      },
      `&ticket=${uuid(900)}`,
    );
    await screen.findByRole("button", { name: "Подробнее: laptop" });
    expect(named.asked("GET /admin/configs/{id}/diagnosis").map(({ path }) => at(path))).toEqual([laptop.id]);
  });

  test("is not fetched if no device is named", async () => {
    const page = await about({ "GET /admin/support/conversations/{userId}/messages": [message(1)] });
    await page.user.click(await screen.findByRole("button", { name: words.thread.about }));
    await screen.findByRole("button", { name: "Проверить pixel" });
    expect(page.asked("GET /admin/configs/{id}/diagnosis")).toHaveLength(0);
  });

  test("reports a failed check, which can be repeated, except for a deleted device", async () => {
    const page = await about({ "GET /admin/configs/{id}/diagnosis": refused(500, "unexpected", "Внутренняя ошибка") });
    await page.user.click(await screen.findByRole("button", { name: words.thread.about }));
    const sheet = within(await screen.findByRole("dialog", { name: "Анна" }));
    expect((await sheet.findByRole("alert")).textContent).toMatch(/Не получилось проверить|Внутренняя ошибка/);
    page.say({ "GET /admin/configs/{id}/diagnosis": refused(404, "config.not_found", "Не найдена.") });
    await page.user.click(sheet.getByRole("button", { name: "Проверить pixel ещё раз" }));
    expect(await sheet.findByText("Этого устройства уже нет: его удалили.")).toBeTruthy();
    expect(sheet.queryByRole("button", { name: "Проверить pixel ещё раз" })).toBeNull();
  });

  test("is a moderator's answer for an admin viewing as one", async () => {
    sessionStorage.setItem("krug.viewed-role", "moderator");
    const page = await about({}, "", admin);
    await screen.findByText("На устройстве старый файл");
    expect(page.asked("GET /admin/configs/{id}/diagnosis")[0]?.query.get("as")).toBe("moderator");
  });
});
