import type { App } from "../src/app.ts";
import type { SupportTables } from "../src/features/messages/support/table.ts";

const MINUTE_MS = 60_000;

type Send = (url: string, payload: object, method?: "POST" | "PUT") => Promise<{ id: string }>;

interface Talk {
  username: string;
  /** How long ago all this happened, in minutes. */
  ago: number;
  /** The member's messages and the answers (`re`), in order. */
  chat: readonly (string | { re: string })[];
  ticket?: {
    about: { subject: string; description: string; category?: string; priority?: string };
    status?: "in_progress" | "closed";
    thread?: readonly (string | { re: string })[];
  };
}

/** Staff's last answer is unseen in most of them. */
const talks: readonly Talk[] = [
  {
    username: "kate_r",
    ago: 3 * 24 * 60,
    chat: ["Можно оплатить сразу за три месяца?", { re: "Да, переведите за три, отметим каждый месяц." }, "Спасибо 🙏"],
    ticket: {
      about: {
        subject: "Чек за октябрь",
        description: "Нужен чек для бухгалтерии.",
        category: "billing",
        priority: "low",
      },
      status: "closed",
      thread: [{ re: "Отправили в чат." }],
    },
  },
  {
    username: "svetlana_p",
    ago: 26 * 60,
    chat: ["Добрый вечер. Как добавить ещё одно устройство, если лимит не стоит?"],
  },
  {
    username: "alina-m",
    ago: 190,
    chat: ["После обновления телефона туннель не включается сам. Раньше включался."],
    ticket: {
      about: {
        subject: "Не работает звонок в мессенджере",
        description: "Сообщения ходят, а звонок обрывается через секунду. Wi-Fi и мобильная сеть одинаково.",
        category: "technical",
        priority: "high",
      },
    },
  },
  {
    username: "nina",
    ago: 140,
    chat: [],
    ticket: {
      about: {
        subject: "Банк не открывается через VPN",
        description: "Приложение банка пишет, что сервис недоступен, пока туннель включён.",
        category: "technical",
      },
      status: "in_progress",
      thread: [
        { re: "Пришлите, пожалуйста, название банка: добавим его адреса в исключения." },
        "Т-Банк. И ещё Госуслуги иногда",
      ],
    },
  },
  {
    username: "oleg",
    ago: 95,
    chat: [
      "Перевёл вчера вечером, а подписка всё ещё «Истекла»",
      { re: "Видим перевод, сейчас отметим." },
      "Хорошо, жду",
    ],
  },
];

/** Staff's frequent answers in the sample club. */
const templates = [
  { title: "Оплата получена", content: "{имя}, спасибо, перевод видим. Подписка продлена, файл менять не нужно." },
  {
    title: "Заново скачать конфиг",
    content:
      "{имя}, скачайте, пожалуйста, конфиг заново: в приложении WireGuard удалите старый туннель и добавьте новый файл.",
  },
  { title: "Где войти", content: "Ваш логин: {логин}. Если пароль забыт, напишите сюда, пришлём ссылку для нового." },
];

/** The panel's own diagnosis, as sent when a member presses 'Не работает?' and forwards it. */
const diagnosis =
  "Не работает pixel-vera (телефон). Проверка: устройство ещё ни разу не подключалось.\nСервер: Хельсинки, отвечает.\nФайл на устройстве: последний.\nЧасы этого устройства: идут верно.";

/** Makes answer templates, and conversations and tickets in every state through the API, then backdates them. */
export async function talkToSupport(app: App, as: (username: string) => Promise<Send>): Promise<void> {
  const moderator = await as("moderator");
  const admin = await as("admin");
  for (const template of templates) await admin("/api/admin/support/answer-templates", template);
  const assignedTo = (await app.parts.members.findByUsername(app.parts.db, "moderator"))?.id ?? null;
  const say = (username: string, member: Send) => (line: string | { re: string }, ticketId?: string) => {
    const about = ticketId === undefined ? {} : { ticketId };
    return typeof line === "string"
      ? member("/api/support/messages", { content: line, ...about })
      : moderator(`/api/admin/support/conversations/${username}/messages`, { content: line.re, ...about });
  };
  for (const { username, ago, chat, ticket } of talks) {
    const member = await as(username);
    const speak = say(username, member);
    for (const line of chat) await speak(line);
    if (ticket !== undefined) {
      const { id } = await member("/api/support/tickets", ticket.about);
      for (const line of ticket.thread ?? []) await speak(line, id);
      if (ticket.status !== undefined) {
        await moderator(`/api/admin/support/tickets/${id}`, { status: ticket.status, assignedTo }, "PUT");
      }
    }
    await putBack(app, username, ago * MINUTE_MS);
  }
  await moderator("/api/admin/support/conversations/oleg/assignee", { assignedTo }, "PUT");
  await talkOfMarina(await as("marina"), moderator);
  const vera = say("vera", await as("vera"));
  await vera({ re: "Вера, добро пожаловать в клуб. Если что-то не получится, пишите сюда." });
  await vera(diagnosis);
}

/** One with an unseen answer, and one answered ticket. */
async function talkOfMarina(marina: Send, moderator: Send): Promise<void> {
  const conversation = "/api/admin/support/conversations/marina/messages";
  await marina("/api/support/messages", {
    content: "Здравствуйте. Можно ли поставить WireGuard на телевизор, или лучше настроить роутер?",
  });
  await moderator(conversation, {
    content: "Добрый день. Если телевизор на Android, хватит приложения WireGuard: создайте конфиг для телефона.",
  });
  await marina("/api/support/messages", { content: "Спасибо, попробую вечером" });
  const ticket = await marina("/api/support/tickets", {
    subject: "Обрывается видео на даче",
    description: "На даче через мобильную сеть видео останавливается каждые несколько минут. Дома всё хорошо.",
    category: "technical",
  });
  await moderator(conversation, {
    ticketId: ticket.id,
    content:
      "Посмотрели: мобильная сеть там меняет адрес. Скачайте конфиг iphone-marina заново и напишите, стало ли лучше.",
  });
  await moderator(conversation, { content: "Если телевизор не увидит сеть, напишите модель, поможем." });
}

async function putBack({ parts: { transact, members } }: App, username: string, byMs: number): Promise<void> {
  await transact(async (tx) => {
    const id = (await members.findByUsername(tx, username))?.id ?? "";
    const tables = tx.withTables<SupportTables>();
    await tables
      .updateTable("support_conversations")
      .set((row) => ({
        last_message_at: row("last_message_at", "-", byMs),
        waiting_since: row("waiting_since", "-", byMs),
      }))
      .where("member_id", "=", id)
      .execute();
    await tables
      .updateTable("support_messages")
      .set((row) => ({ created_at: row("created_at", "-", byMs) }))
      .where("member_id", "=", id)
      .execute();
    await tables
      .updateTable("support_tickets")
      .set((row) => ({ created_at: row("created_at", "-", byMs), updated_at: row("updated_at", "-", byMs) }))
      .where("member_id", "=", id)
      .execute();
  });
}
