import { counter } from "@krug/domain/plural";

const payments = counter("ru", { one: "оплата ждёт", few: "оплаты ждут", many: "оплат ждут", other: "оплаты ждут" });
const chats = counter("ru", { one: "чат ждёт", few: "чата ждут", many: "чатов ждут", other: "чата ждут" });
const servers = counter("ru", {
  one: "сервер не отвечает",
  few: "сервера не отвечают",
  many: "серверов не отвечают",
  other: "сервера не отвечают",
});

export const alarms = {
  open: (count: number, first: string) => `Требует внимания: ${count}. ${first}`,
  more: (count: number) => `и ещё ${count}`,
  panel: (since: string) => `Нет связи с панелью с ${since}`,
  server: (name: string, since: string) => `${name}: не отвечает с ${since}`,
  servers: (count: number) => `Ещё ${servers(count)}`,
  backup: (since: string) => `Нет свежей резервной копии с ${since}`,
  maintenance: (since: string) => `Идут техработы с ${since}`,
  claims: (count: number) => `${payments(count)} решения`,
  chats: (count: number) => `${chats(count)} ответа`,
  /** The one button for each. */
  act: {
    server: "К серверам",
    backup: "Скачать",
    maintenance: "Закончить",
    claims: "Разобрать",
    chats: "Ответить",
  },
  gone: (count: number) => `не отвечают: ${count}`,
};
