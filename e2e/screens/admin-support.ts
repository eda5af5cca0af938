import type { Api } from "@krug/contract/api";
import type { Page } from "playwright-core";
import { inside } from "./admin-entry.ts";
import { fail, refuse, say } from "./answers.ts";
import { PATIENCE, type Screen, type Stage } from "./stage.ts";

type Conversation = Api["GET /admin/support/conversations"]["answer"][number];
type Ticket = Api["GET /admin/support/tickets"]["answer"][number];

const desk = async (stage: Stage, query = "") => {
  await say(stage.page, "POST /admin/support/conversations/{userId}/read", { unread: 1, chat: 1 });
  await inside(stage, `support${query}`);
};
const first = async <Row>(page: Page, path: string): Promise<Row> => {
  const [row] = (await (await page.request.get(`/api/admin/support/${path}`, { maxRetries: 1 })).json()) as Row[];
  if (!row) throw new Error(`the sample club has nothing at ${path}`);
  return row;
};
const chat = async (stage: Stage, username: string, words: string) => {
  const { userId } = await first<Conversation>(stage.page, `conversations?q=${username}`);
  await desk(stage, `?with=${userId}`);
  await stage.page.getByRole("log").getByText(words).first().waitFor(PATIENCE);
};
const ticket = async (stage: Stage, query: string, more = "") => {
  const { userId, id, subject } = await first<Ticket>(stage.page, `tickets?${query}`);
  await desk(stage, `?section=tickets&with=${userId}&ticket=${id}${more}`);
  await stage.page.getByRole("heading", { name: subject }).waitFor(PATIENCE);
  await stage.page.getByRole("log").getByRole("article").first().waitFor(PATIENCE);
};

/** The dialog about a device that its member lost: Marina has several. */
const lost = async (stage: Stage) => {
  const { page, text } = stage;
  const reported = await first<Ticket>(page, "tickets?q=marina");
  await say(page, "GET /admin/support/tickets", [{ ...reported, status: "open", lostDevice: "asked" }]);
  await desk(stage, `?section=tickets&with=${reported.userId}&ticket=${reported.id}`);
  await page.getByRole("button", { name: text.staffSupport.lost.act }).click(PATIENCE);
  await page.getByRole("radio", { name: "iphone-marina" }).waitFor(PATIENCE);
};

const templates = async (stage: Stage) => {
  await chat(stage, "vera", "pixel-vera");
  const name = stage.text.answerTemplates.title;
  await stage.page.getByRole("button", { name }).click(PATIENCE);
  return stage.page.getByRole("dialog", { name });
};

/** The staff's side of support. Nothing is marked as seen: the club stays unchanged. */
export const adminSupportScreens: Screen[] = [
  {
    name: "admin-support",
    who: "moderator",
    async open(stage) {
      await desk(stage);
      await stage.page.getByRole("link", { name: /Вера/ }).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-support-all",
    isVariant: true,
    who: "moderator",
    async open(stage) {
      await desk(stage, "?show=all");
      await stage.page.getByRole("link", { name: /Марина/ }).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-support-nobody-waits",
    isVariant: true,
    who: "moderator",
    async open(stage) {
      await say(stage.page, "GET /admin/support/conversations", []);
      await desk(stage, "?show=waiting");
      await stage.page.getByText(stage.text.staffSupport.waits.none).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-support-templates",
    isComposed: true,
    who: "moderator",
    async open(stage) {
      const dialog = await templates(stage);
      await dialog.getByText("Вера, спасибо").waitFor(PATIENCE);
    },
  },
  {
    name: "admin-support-templates-many",
    isVariant: true,
    who: "admin",
    async open(stage) {
      const many = Array.from({ length: 9 }, (_, n) => ({
        id: `9b1c1c8e-6f0a-4d53-8f37-0c6f1d0a7d1${n}`,
        title: `Ответ ${n + 1}`,
        content: "{имя}, проверьте, пожалуйста, ещё раз и напишите, что получилось.",
      }));
      await say(stage.page, "GET /admin/support/answer-templates", many);
      const dialog = await templates(stage);
      await dialog.getByRole("searchbox").waitFor(PATIENCE);
    },
  },
  {
    name: "admin-support-templates-none",
    isVariant: true,
    who: "admin",
    async open(stage) {
      await say(stage.page, "GET /admin/support/answer-templates", []);
      const dialog = await templates(stage);
      await dialog.getByText(stage.text.answerTemplates.none).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-support-template-form",
    who: "admin",
    async open(stage) {
      const dialog = await templates(stage);
      await dialog.getByRole("button", { name: stage.text.answerTemplates.edit("Оплата получена") }).click(PATIENCE);
      await stage.page.getByRole("button", { name: stage.text.answerTemplates.form.remove }).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-support-nothing-in-hand",
    isVariant: true,
    who: "moderator",
    async open(stage) {
      await say(stage.page, "GET /admin/support/conversations", []);
      await desk(stage, "?show=mine");
      await stage.page.getByText(stage.text.staffSupport.chat.none).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-support-in-hand",
    isComposed: true,
    who: "moderator",
    async open(stage) {
      await desk(stage, "?show=mine");
      await stage.page.getByRole("link", { name: /Олег/ }).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-support-chat-in-hand",
    isVariant: true,
    who: "admin",
    async open(stage) {
      await chat(stage, "oleg", "Хорошо, жду");
      await stage.page.getByRole("button", { name: stage.text.staffSupport.chat.take }).waitFor(PATIENCE);
    },
  },
  { name: "admin-support-chat", isComposed: true, who: "admin", open: (stage) => chat(stage, "vera", "pixel-vera") },
  {
    name: "admin-support-about",
    isComposed: true,
    who: "moderator",
    // In a wide window it is next to the thread.
    sizes: ["phone"],
    async open(stage) {
      await chat(stage, "marina", "Спасибо, попробую вечером");
      await stage.page.getByRole("button", { name: stage.text.staffSupport.thread.about }).click(PATIENCE);
      await stage.page.getByRole("dialog").getByText("iphone-marina").waitFor(PATIENCE);
    },
  },
  {
    name: "admin-support-check",
    isComposed: true,
    who: "moderator",
    async open(stage) {
      await chat(stage, "vera", "pixel-vera");
      const { more, detailsOf } = stage.text.deviceCheck;
      const details = stage.page.getByRole("button", { name: detailsOf("pixel-vera") });
      const found = stage.page.getByText(more);
      await details.or(found).first().waitFor(PATIENCE);
      if (await details.isVisible()) await details.click(PATIENCE);
      await found.click(PATIENCE);
      await stage.page.getByText(stage.text.diagnosis.facts.handshake).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-support-found",
    who: "admin",
    async open(stage) {
      await desk(stage, "?q=телевизор");
      await stage.page.getByRole("link", { name: /Марина/ }).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-support-nothing",
    isVariant: true,
    who: "admin",
    async open(stage) {
      await desk(stage, "?q=zzz");
      await stage.page.getByText(stage.text.staffSupport.list.nothing).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-support-none",
    isVariant: true,
    who: "moderator",
    async open(stage) {
      await say(stage.page, "GET /admin/support/conversations", []);
      await desk(stage, "?show=all");
      await stage.page.getByText(stage.text.staffSupport.list.noChats).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-support-broken",
    isVariant: true,
    who: "admin",
    async open(stage) {
      await fail(stage.page, "GET /admin/support/conversations");
      await desk(stage);
      await stage.page.getByText(stage.text.staffSupport.list.chatsFailed).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-support-gone",
    isVariant: true,
    who: "moderator",
    async open(stage) {
      await refuse(stage, "GET /admin/users/{id}", "member.not_found");
      await desk(stage, "?with=nobody");
      await stage.page.getByText(stage.text.staffSupport.thread.gone).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-support-tickets",
    who: "moderator",
    async open(stage) {
      await desk(stage, "?section=tickets");
      await stage.page.getByRole("link", { name: /Обрывается видео/ }).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-support-ticket",
    isComposed: true,
    who: "admin",
    open: (stage) => ticket(stage, "status=in_progress"),
  },
  {
    name: "admin-support-ticket-open",
    isVariant: true,
    who: "moderator",
    open: (stage) => ticket(stage, "status=open"),
  },
  {
    name: "admin-support-ticket-closed",
    isVariant: true,
    who: "moderator",
    open: (stage) => ticket(stage, "status=closed"),
  },
  {
    name: "admin-support-ticket-close",
    isComposed: true,
    who: "admin",
    async open(stage) {
      await ticket(stage, "status=in_progress");
      await stage.page.getByRole("button", { name: stage.text.staffSupport.ticket.closeTicket }).click(PATIENCE);
      await stage.page.getByText(stage.text.staffSupport.ticket.closeAsk).waitFor(PATIENCE);
    },
  },
  { name: "admin-support-lost", who: "admin", open: lost },
  {
    name: "admin-support-lost-cut",
    isVariant: true,
    who: "admin",
    async open(stage) {
      const { page, text } = stage;
      const link = "https://krug.example/hand-over#Zk3vQ9sT7wLx2mN8pR4yB6cD1fG5hJ0a";
      const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
      await say(page, "POST /admin/support/tickets/{id}/lost-device", { link, expiresAt });
      await lost(stage);
      await page.getByRole("radio", { name: "iphone-marina" }).check(PATIENCE);
      await page.getByRole("button", { name: text.staffSupport.lost.confirm }).click(PATIENCE);
      await page.getByText(text.staffSupport.lost.made).waitFor(PATIENCE);
    },
  },
];
