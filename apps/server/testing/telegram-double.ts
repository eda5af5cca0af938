import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";

export const DOUBLE_TOKEN = "123456:a-token-that-only-the-double-takes";

/** A person in Telegram. */
export interface TelegramPerson {
  id: number;
  first_name: string;
  username?: string;
  language_code?: string;
}

export interface SentMessage {
  message_id: number;
  chatId: number;
  text: string;
  /** The button's text, and what a press sends or opens. */
  buttons: { text: string; callback_data: string; url?: string; web_app?: { url: string } }[];
  file?: { name: string; bytes: Buffer };
}

type Update = { update_id: number } & Record<string, unknown>;
type Answer = { status: number; body: object };

const ok = (result: unknown): Answer => ({ status: 200, body: { ok: true, result } });
const failed = (status: number, description: string, more: object = {}): Answer => ({
  status,
  body: { ok: false, error_code: status, description, ...more },
});
/** From one bot to all chats (Bot API, FAQ). */
const MOST_A_SECOND = 30;
const SLOW_DOWN = failed(429, "Too Many Requests: retry after 1", { parameters: { retry_after: 1 } });
const UNAUTHORIZED = failed(401, "Unauthorized");
const TERMINATED = failed(
  409,
  "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
);

type Fields = Map<string, { bytes: Buffer; fileName: string | undefined }>;

/** The parts of a form (RFC 7578). By hand, because Node's own reader refuses header lines without a space, as grammy writes them. */
function fieldsOf(body: Buffer, boundary: string): Fields {
  const fields: Fields = new Map();
  for (const part of body.toString("latin1").split(`--${boundary}`).slice(1, -1)) {
    const end = part.indexOf("\r\n\r\n");
    const head = part.slice(0, end);
    const name = /name="([^"]+)"/.exec(head)?.[1] ?? "";
    const bytes = Buffer.from(part.slice(end + 4, -2), "latin1");
    fields.set(name, { bytes, fileName: /filename="?([^"\r\n]+)/.exec(head)?.[1] });
  }
  return fields;
}

export type TelegramDouble = Awaited<ReturnType<typeof startTelegramDouble>>;

/** The part of the Bot API the panel uses, over HTTP, with people who write to the bot; no test reaches Telegram itself. */
export async function startTelegramDouble(username = "krug_club_bot") {
  const updates: Update[] = [];
  const messages: SentMessage[] = [];
  /** What people sent, as `file-0`, `file-1` and so on. */
  const pictures: Buffer[] = [];
  const blockedBy = new Set<number>();
  const closed = new Set<number>();
  const calls: string[] = [];
  const commands: object[] = [];
  let menuButton: object | null = null;
  /** When messages came within the last second, ms of `performance.now()`. */
  const lately: number[] = [];
  let tooFast = 0;
  let lastId = 1000;
  let waiting: ((answer: Answer | null) => void) | null = null;
  /**
   * While set, every call gets this answer, except polls already waiting; "silence": no answer; "unheard": it is done, but the
   * answer is lost.
   */
  let trouble: ((method: string) => Answer | "silence" | "unheard" | null) | null = null;
  const nextId = () => ++lastId;
  /** Where updates are delivered, and the last failure; null: polling. */
  let webhook: { url: string; secret: string; lastErrorAt: number | null; lastError: string } | null = null;
  /** Where the delivery address leads: stands for the network between Telegram and the panel. */
  let reaches: (() => string) | null = null;
  let isDelivering = false;

  /** One by one, each again until accepted; like the real one it gives up on none within a test's time. */
  const deliver = async (): Promise<void> => {
    if (isDelivering) return;
    isDelivering = true;
    for (let update = updates[0]; webhook !== null && update !== undefined; update = updates[0]) {
      const failure = await deliverOne(webhook, update);
      if (failure === null) updates.shift();
      else {
        if (webhook !== null) {
          webhook.lastErrorAt = Math.floor(Date.now() / 1_000);
          webhook.lastError = failure;
        }
        await wait(300);
      }
    }
    isDelivering = false;
  };
  const deliverOne = ({ url, secret }: { url: string; secret: string }, update: Update): Promise<string | null> =>
    new Promise((resolve) => {
      if (reaches === null) return resolve("Connection refused");
      const { host, pathname } = new URL(url);
      const headers = { host, "content-type": "application/json", "x-telegram-bot-api-secret-token": secret };
      const call = request(`${reaches()}${pathname}`, { method: "POST", headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode === 200 ? null : `Wrong response from the webhook: ${answer.statusCode}`);
      });
      call.on("error", ({ message }) => resolve(message));
      call.end(JSON.stringify(update));
    });

  const pending = (offset: number) => {
    while (updates[0] !== undefined && updates[0].update_id < offset) updates.shift();
    return updates.slice(0, 100);
  };
  const tell = (update: Record<string, unknown>) => {
    updates.push({ update_id: nextId(), ...update });
    waiting?.(null);
    void deliver();
  };

  const getUpdates = async (wish: { offset?: number; timeout?: number }, gone: AbortSignal): Promise<Answer> => {
    if (webhook !== null)
      return failed(
        409,
        "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete it",
      );
    // Like the real one: a new poll ends the one already waiting.
    waiting?.(TERMINATED);
    const offset = wish.offset ?? 0;
    if (pending(offset).length > 0 || !wish.timeout) return ok(pending(offset));
    const answer = await new Promise<Answer | null>((resolve) => {
      const timer = setTimeout(() => resolve(null), (wish.timeout ?? 0) * 1_000);
      gone.addEventListener("abort", () => resolve(null));
      waiting = (early) => {
        clearTimeout(timer);
        resolve(early);
      };
    });
    waiting = null;
    return answer ?? ok(pending(offset));
  };

  interface Wish {
    chat_id: number | string;
    text: string;
    reply_markup?: { inline_keyboard: SentMessage["buttons"][] };
  }
  const sendMessage = (wish: Wish, file?: SentMessage["file"]): Answer => {
    const chatId = Number(wish.chat_id);
    if (blockedBy.has(chatId)) return failed(403, "Forbidden: bot was blocked by the user");
    if (closed.has(chatId)) return failed(400, "Bad Request: chat not found");
    const buttons = wish.reply_markup?.inline_keyboard.flat() ?? [];
    if (buttons.some(({ callback_data = "" }) => Buffer.byteLength(callback_data) > 64))
      return failed(400, "Bad Request: BUTTON_DATA_INVALID");
    const now = performance.now();
    while (lately[0] !== undefined && lately[0] <= now - 1_000) lately.shift();
    if (lately.length >= MOST_A_SECOND) {
      tooFast += 1;
      return SLOW_DOWN;
    }
    lately.push(now);
    const message = { message_id: nextId(), chatId, text: wish.text, buttons, ...(file && { file }) };
    messages.push(message);
    return ok({ message_id: message.message_id, date: 0, chat: { id: chatId, type: "private" }, text: wish.text });
  };
  const sendFile = (fields: Fields, field: "document" | "photo"): Answer => {
    const part = fields.get((fields.get(field)?.bytes ?? "").toString().replace("attach://", ""));
    if (part?.fileName === undefined) return failed(400, "Bad Request: there is no file in the request");
    const text = (name: string) => (fields.get(name)?.bytes ?? "").toString();
    const file = { name: part.fileName, bytes: part.bytes };
    return sendMessage({ chat_id: text("chat_id"), text: text("caption") }, file);
  };
  const editMessageText = ({ message_id, text, reply_markup }: Wish & { message_id: number }) => {
    const message = messages.find((sent) => sent.message_id === message_id);
    if (message === undefined) return failed(400, "Bad Request: message to edit not found");
    if (message.text === text) return failed(400, "Bad Request: message is not modified");
    Object.assign(message, { text, buttons: reply_markup?.inline_keyboard.flat() ?? [] });
    return ok(true);
  };

  const setWebhook = ({ url, secret_token = "" }: { url: string; secret_token?: string }): Answer => {
    if (!url.startsWith("https://"))
      return failed(400, "Bad Request: bad webhook: An HTTPS URL must be provided for webhook");
    if (!/^[\w-]{1,256}$/.test(secret_token))
      return failed(400, "Bad Request: secret token contains unallowed characters");
    webhook = { url, secret: secret_token, lastErrorAt: webhook?.lastErrorAt ?? null, lastError: "" };
    waiting?.(TERMINATED);
    void deliver();
    return ok(true);
  };

  const answerTo = async (method: string, wish: never, gone: AbortSignal): Promise<Answer> => {
    switch (method) {
      case "getMe":
        return ok({ id: 123456, is_bot: true, first_name: "Круг", username, can_join_groups: false });
      case "getUpdates":
        return getUpdates(wish, gone);
      case "sendMessage":
        return sendMessage(wish);
      case "sendDocument":
        return sendFile(wish, "document");
      case "sendPhoto":
        return sendFile(wish, "photo");
      case "editMessageText":
        return editMessageText(wish);
      case "setMyCommands":
        commands.push(wish);
        return ok(true);
      case "setChatMenuButton":
        menuButton = (wish as { menu_button: object }).menu_button;
        return ok(true);
      case "setWebhook":
        return setWebhook(wish);
      case "getWebhookInfo":
        return ok({
          url: webhook?.url ?? "",
          has_custom_certificate: false,
          pending_update_count: updates.length,
          ...(webhook?.lastErrorAt
            ? { last_error_date: webhook.lastErrorAt, last_error_message: webhook.lastError }
            : {}),
        });
      case "deleteWebhook":
        webhook = null;
        return ok(true);
      case "getFile":
        return ok({
          ...(wish as object),
          file_unique_id: "x",
          file_path: `photos/${(wish as { file_id: string }).file_id}`,
        });
      case "answerCallbackQuery":
        return ok(true);
      default:
        return failed(404, "Not Found: method not found");
    }
  };

  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const file = new RegExp(`^/file/bot${DOUBLE_TOKEN}/photos/file-(\\d+)$`).exec(request.url ?? "");
    if (file !== null) return void response.end(pictures[Number(file[1])]);
    const [, token, method = ""] = /^\/bot([^/]+)\/(\w+)$/.exec(request.url ?? "") ?? [];
    calls.push(method);
    // A call is answered by the state at the moment it is counted.
    const wrong = token === DOUBLE_TOKEN ? (trouble?.(method) ?? null) : UNAUTHORIZED;
    const gone = new AbortController();
    response.on("close", () => gone.abort());
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    if (wrong === "silence") return;
    const type = request.headers["content-type"] ?? "";
    const wish = () => {
      const boundary = /^multipart\/form-data; boundary=(.+)$/.exec(type)?.[1];
      if (boundary !== undefined) return fieldsOf(body, boundary);
      return body.length === 0 ? {} : JSON.parse(body.toString("utf8"));
    };
    const answer = async () => answerTo(method, wish() as never, gone.signal);
    if (wrong === "unheard") return void (await answer());
    const given = wrong ?? (await answer());
    response.writeHead(given.status, { "content-type": "application/json" }).end(JSON.stringify(given.body));
  };

  const server = createServer((request, response) => void serve(request, response).catch(() => response.destroy()));
  // Node's 5 s would close a connection just as a slow test uses it again; Telegram keeps its own for longer.
  server.keepAliveTimeout = 60_000;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  const private_ = (person: TelegramPerson) => ({ ...person, type: "private" });
  const from = (person: TelegramPerson) => ({ is_bot: false, ...person });

  const newestWith = (person: TelegramPerson, has: (button: SentMessage["buttons"][number]) => boolean) =>
    messages.findLast(({ chatId, buttons }) => chatId === person.id && buttons.some(has));

  const { port } = server.address() as AddressInfo;
  return {
    port,
    apiRoot: `http://127.0.0.1:${port}`,
    username,
    /** Methods called, in order. */
    calls,
    /** The bot's menu, as set. */
    commands,
    /** The button next to the chat's input, as set. */
    menuButton: () => menuButton,
    /** How many messages it refused because too many came within a second. */
    tooFast: () => tooFast,
    /** How many updates the bot has not confirmed yet. */
    unread: () => updates.length,
    /** What this person received, oldest first. */
    messagesTo: (person: TelegramPerson) => messages.filter(({ chatId }) => chatId === person.id),
    /** The person writes to the bot; a leading /command is marked as one, as Telegram does. */
    say(person: TelegramPerson, text: string): void {
      const command = /^\/\w+/.exec(text)?.[0];
      const entities =
        command === undefined ? {} : { entities: [{ type: "bot_command", offset: 0, length: command.length }] };
      tell({
        message: { message_id: nextId(), date: 0, chat: private_(person), from: from(person), text, ...entities },
      });
    },
    /** Replies to the newest message that holds these words: with text, or with a picture and perhaps a caption. */
    reply(person: TelegramPerson, to: string, text: string, picture?: Buffer, album?: string): void {
      const message = messages.findLast(({ chatId, text: held }) => chatId === person.id && held.includes(to));
      if (message === undefined) throw new Error(`there is no message with ${to}`);
      const { message_id } = message;
      const reply_to_message = { message_id, date: 0, chat: private_(person), text: message.text };
      const file_id = `file-${pictures.length}`;
      if (picture !== undefined) pictures.push(picture);
      const sizes = picture && [{ file_id, file_unique_id: file_id, width: 1, height: 1, file_size: picture.length }];
      const content = sizes === undefined ? { text } : { photo: sizes, ...(text === "" ? {} : { caption: text }) };
      const from_ = { message_id: nextId(), date: 0, chat: private_(person), from: from(person) };
      const together = album === undefined ? {} : { media_group_id: album };
      tell({ message: { ...from_, reply_to_message, ...content, ...together } });
    },
    /** The same, from a group the bot was added to. */
    sayInGroup(person: TelegramPerson, text: string): void {
      const entities = [{ type: "bot_command", offset: 0, length: text.split(" ")[0]?.length ?? 0 }];
      const chat = { id: -5, type: "group", title: "Друзья" };
      tell({ message: { message_id: nextId(), date: 0, chat, from: from(person), text, entities } });
    },
    /** The person changes an earlier message to this. Telegram tells only bots that ask for it. */
    edit(person: TelegramPerson, text: string): void {
      const message_id = nextId();
      tell({ edited_message: { message_id, date: 0, edit_date: 1, chat: private_(person), from: from(person), text } });
    },
    /** The person presses the button with this text, on the newest message that has it. */
    press(person: TelegramPerson, words: string): void {
      const button = newestWith(person, ({ text }) => text === words)?.buttons.find(({ text }) => text === words);
      if (button === undefined) throw new Error(`there is no button ${words}`);
      this.pressed(person, button.callback_data);
    },
    /** What the person's app sends for a button, which may be anything: on the newest message with it, or the newest of all. */
    pressed(person: TelegramPerson, data: string): void {
      const message =
        newestWith(person, ({ callback_data }) => callback_data === data) ??
        messages.findLast(({ chatId }) => chatId === person.id);
      if (message === undefined) throw new Error("there is no message");
      tell({
        callback_query: {
          id: String(nextId()),
          from: from(person),
          chat_instance: "1",
          data,
          message: { message_id: message.message_id, date: 0, chat: private_(person), text: message.text },
        },
      });
    },
    block(person: TelegramPerson): void {
      blockedBy.add(person.id);
      tell({ my_chat_member: membership(person, "kicked") });
    },
    unblock(person: TelegramPerson): void {
      blockedBy.delete(person.id);
      tell({ my_chat_member: membership(person, "member") });
    },
    /** Blocks the bot without an update from Telegram: the bot finds out with its next message. */
    blockUnnoticed: (person: TelegramPerson) => void blockedBy.add(person.id),
    /** Telegram refuses every message to this person. */
    closeChat: (person: TelegramPerson) => void closed.add(person.id),
    /** Delivers to this panel from now on; null: nowhere. */
    reach(origin: (() => string) | null): void {
      reaches = origin;
    },
    /** Refuses these methods with 400, as Telegram does for a button that was pressed long ago. */
    refuse: (...methods: string[]): void => {
      trouble = (method) => (methods.includes(method) ? failed(400, "Bad Request: query is too old") : null);
    },
    /** Where it delivers, and with which secret; null: it is polled. */
    webhook: () => webhook && { url: webhook.url, secret: webhook.secret },
    /** Calls get this answer from now on (null: normal again); a waiting poll ends. */
    fail(
      kind: "unauthorized" | "unavailable" | "silence" | "slow_down" | "unheard" | ((method: string) => boolean) | null,
    ): void {
      if (kind === null) trouble = null;
      else if (kind === "unauthorized") trouble = () => UNAUTHORIZED;
      else if (kind === "unavailable") trouble = () => failed(502, "Bad Gateway");
      else if (kind === "silence") trouble = () => "silence";
      else if (kind === "unheard") trouble = (method) => (method === "sendMessage" ? "unheard" : null);
      else if (kind === "slow_down") trouble = () => SLOW_DOWN;
      else trouble = (method) => (kind(method) ? failed(502, "Bad Gateway") : null);
      waiting?.(null);
    },
    async close(): Promise<void> {
      webhook = null;
      waiting?.(null);
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };

  function membership(person: TelegramPerson, status: "kicked" | "member") {
    const user = { id: 123456, is_bot: true, first_name: "Круг", username };
    return {
      chat: private_(person),
      from: from(person),
      date: 0,
      old_chat_member: { user, status: status === "kicked" ? "member" : "kicked", until_date: 0 },
      new_chat_member: { user, status, until_date: 0 },
    };
  }
}
