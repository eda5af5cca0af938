import type { Api } from "@krug/contract/api";
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { useSupportWords } from "../lib/i18n/support.ts";
import { openPage, reopenPage, screens } from "../testing/open-page.tsx";
import { type Panel, panel, refused } from "../testing/panel.ts";
import { config, member, uuid, wgInterface } from "../testing/samples.ts";
import { Stream } from "../testing/stream.ts";

screens();

const OVER = refused(401, "auth.required", "Войдите, чтобы продолжить.");
const marina = member({ id: uuid(1), username: "marina", displayName: "Марина" });
const boris = member({ id: uuid(2), username: "boris", displayName: "Борис" });
const lists: Panel = {
  "GET /vpn/available-interfaces": [wgInterface()],
  "GET /users/{id}/invited": [],
  "GET /support/messages": [],
  "GET /support/tickets": [],
  "POST /support/read": { unread: 0, chat: 0 },
};
const ofMarina: Panel = { "GET /auth/me": marina, "GET /vpn/configs": [config({ name: "iphone-marina" })] };
const ofBoris: Panel = { "GET /auth/me": boris, "GET /vpn/configs": [config({ id: uuid(77), name: "pixel-boris" })] };

type Configs = Api["GET /vpn/configs"]["answer"];
type Message = Api["POST /support/messages"]["answer"];
const messageOfMarina: Message = {
  id: uuid(1001),
  sequence: 1,
  userId: uuid(1),
  ticketId: null,
  content: "Это marina, не работает",
  isAdmin: false,
  attachments: [],
  createdAt: "2026-03-08T11:05:00.000Z",
  readAt: null,
};
/** An answer that comes when the test lets it. */
function held<Answer>() {
  let is: (answer: Answer) => void = () => {};
  const answer = new Promise<Answer>((resolve) => {
    is = resolve;
  });
  return { answer, is };
}

type User = ReturnType<typeof openPage>["user"];
const box = () => screen.getByRole<HTMLTextAreaElement>("textbox", { name: useSupportWords.ru.placeholder });
async function write(user: User, text: string) {
  await user.click(await screen.findByRole("button", { name: /^Поддержка/ }));
  const dialog = within(await screen.findByRole("dialog", { name: "Поддержка" }));
  await dialog.findByRole("log");
  await user.type(box(), text);
}
async function signIn(user: User, name: string) {
  await user.type(await screen.findByLabelText("Имя пользователя"), name);
  await user.type(screen.getByLabelText("Пароль"), "a phrase of one's own");
  await user.click(screen.getByRole("button", { name: "Войти" }));
}
/** Marina at her dashboard, with a stream that can break. */
async function dashboardOfMarina() {
  Stream.all = [];
  vi.stubGlobal("EventSource", Stream);
  const says = panel({ ...lists, ...ofMarina });
  const page = openPage("/dashboard");
  await screen.findByText("iphone-marina");
  return { ...says, ...page, stream: Stream.all[0] as Stream };
}
const nothingIsMarinas = () => {
  expect(document.body.textContent).not.toMatch(/marina|Марина/i);
  expect(JSON.stringify({ ...sessionStorage, ...localStorage })).not.toMatch(/marina|Марина/i);
};

test("after the panel ended a session, the next to sign in in the same tab sees nothing of it, and their own lists are fetched", async () => {
  const { user, say, asked } = await dashboardOfMarina();
  await write(user, "Это marina, не работает");
  await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Закрыть" }));
  // Any call may be the one that is refused.
  say({ "GET /auth/me": OVER, "GET /support/tickets": OVER });
  await user.click(screen.getByRole("button", { name: /^Поддержка/ }));
  await user.click(await screen.findByText("Обращения"));
  await screen.findByRole("heading", { name: "Вход" });
  nothingIsMarinas();
  const before = asked("GET /vpn/configs").length;
  const lists = held<Configs>();
  say({ ...ofBoris, "GET /vpn/configs": () => lists.answer, "POST /auth/login": { token: "t", user: boris } });
  await signIn(user, "boris");
  await screen.findByText("Борис", { exact: false });
  await waitFor(() => expect(asked("GET /vpn/configs").length).toBeGreaterThan(before));
  nothingIsMarinas();
  lists.is([config({ id: uuid(77), name: "pixel-boris" })]);
  await screen.findByText("pixel-boris");
  await user.click(screen.getByRole("button", { name: /^Поддержка/ }));
  await screen.findByRole("log");
  expect(box().value).toBe("");
});

test("when another tab signs somebody else in, the page becomes theirs, dialogs included", async () => {
  const { user, stream, say } = await dashboardOfMarina();
  await write(user, "Это marina, не работает");
  say(ofBoris);
  // What a page does when it returns to the front.
  stream.breaks(false);
  stream.opens();
  await screen.findByText("pixel-boris");
  await screen.findByText("Борис", { exact: false });
  await waitFor(nothingIsMarinas);
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("an answer that comes after its person has left reaches nobody", async () => {
  const { user, stream, say, asked } = await dashboardOfMarina();
  const sent = held<Message>();
  say({ "POST /support/messages": () => sent.answer });
  await write(user, "Это marina, не работает{Enter}");
  await waitFor(() => expect(asked("POST /support/messages")).toHaveLength(1));
  say({ "GET /auth/me": OVER });
  stream.breaks(true);
  await screen.findByRole("heading", { name: "Вход" });
  say({
    ...ofBoris,
    "POST /auth/login": { token: "t", user: boris },
    "POST /support/messages": { ...messageOfMarina, id: uuid(1002), sequence: 2, content: "ура" },
  });
  await signIn(user, "boris");
  await screen.findByText("pixel-boris");
  await user.click(screen.getByRole("button", { name: /^Поддержка/ }));
  await screen.findByText("Здесь отвечают люди из клуба");
  sent.is(messageOfMarina);
  // By the time a later answer shows, the first one has had its effect.
  await user.type(box(), "ура{Enter}");
  await screen.findByText("ура");
  nothingIsMarinas();
  expect(asked("POST /support/messages").filter(({ body }) => JSON.stringify(body).includes("marina"))).toHaveLength(1);
});

test("a draft outlives a reload, is in no cookie, and is deleted at sign-out", async () => {
  const { user, say } = await dashboardOfMarina();
  const long = "Не открывается. ".repeat(40).trim();
  await write(user, "x");
  await user.clear(box());
  await user.click(box());
  await user.paste(long);
  expect(document.cookie).toBe("");
  let again = reopenPage("/dashboard");
  await again.user.click(await screen.findByRole("button", { name: /^Поддержка/ }));
  await waitFor(() => expect(box().value).toBe(long));
  await again.user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Закрыть" }));
  say({ "POST /auth/logout": undefined });
  await again.user.click(await screen.findByRole("button", { name: "Выйти" }));
  await screen.findByRole("heading", { name: "Вход" });
  expect(sessionStorage).toHaveLength(0);
  again = reopenPage("/dashboard");
  await again.user.click(await screen.findByRole("button", { name: /^Поддержка/ }));
  await screen.findByRole("log");
  expect(box().value).toBe("");
});

test("earlier versions' draft cookies are cleared; the gate's stays", async () => {
  for (const cookie of ["krug.support.draft.1.chat=%D0%90", "krug.viewed-role=moderator", "krug.gate=passed"]) {
    // biome-ignore lint/suspicious/noDocumentCookie: as an earlier page kept it
    document.cookie = `${cookie}; Path=/`;
  }
  const { gate } = await import("../features/access/security-gate/gate.ts");
  gate.start();
  expect(document.cookie).toBe("krug.gate=passed");
});

test("a tab learns from another that its person has signed out there, and asks the panel", async () => {
  const { say } = await dashboardOfMarina();
  say({ "GET /auth/me": OVER });
  const other = new BroadcastChannel("krug.person");
  other.postMessage(null);
  await screen.findByRole("heading", { name: "Вход" });
  nothingIsMarinas();
  other.close();
});
