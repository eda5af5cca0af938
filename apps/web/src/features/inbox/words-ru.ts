import { noticeWords } from "@krug/domain/notice-words";

/** What the club tells a member, and how an admin writes to members. */
export const inbox = {
  title: "Уведомления",
  open: "Уведомления",
  openUnread: (count: number) => `Уведомления, новых: ${count}`,
  empty: "Пока ничего нового.",
  emptyLead: "Здесь появится важное: сроки подписки, платежи, ответы поддержки.",
  failed: "Не получилось загрузить уведомления",
  loading: "Загрузка...",
  more: "Показать ещё",
  fresh: "новое",
  toSupport: "Открыть поддержку",
  ...noticeWords.ru,
  notify: {
    title: (name: string) => `Сообщение: ${name}`,
    lead: "Сообщение появится у участника в уведомлениях и придёт в Telegram, если он привязан. Ответить можно через поддержку.",
    label: "Текст сообщения",
    left: (count: number) => `Осталось символов: ${count}`,
    empty: "Напишите текст сообщения",
    tooLong: "Не больше 1000 символов",
    send: "Отправить",
    sending: "Отправка...",
    done: (name: string) => `Сообщение отправлено: ${name}`,
    failed: "Не получилось отправить сообщение",
  },
};
