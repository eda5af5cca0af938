import { counter } from "@krug/domain/plural";

const members = counter("ru", { one: "участник", few: "участника", many: "участников", other: "участника" });

/** Texts for deciding many claims together, loaded with that. */
export const manyWords = {
  title: "Подтвердить оплаты",
  lead: "Отметьте тех, чьи переводы пришли. Каждому запишется то, о чём он сообщил.",
  longestWaiting: (shown: number, waiting: number) =>
    `Здесь ${shown} из ${waiting}, кто ждёт дольше всех. Остальные появятся, когда вы решите по этим.`,
  groups: {
    all: (count: number) => `Выбрать всех: ${count}`,
    found: (count: number) => `Нашлись в выписке: ${count}`,
    unclear: (count: number) => `Подходят нескольким, отметьте сами: ${count}`,
    otherSum: (count: number) => `Похожи, но сумма или имя не те: ${count}`,
    missing: (count: number) => `В выписке их нет: ${count}`,
  },
  list: (count: number) => `Показать, кто это: ${count}`,
  receipt: "Чек",
  receiptOf: (name: string) => `Чек: ${name}`,
  chosen: (count: number) => `Выбрано: ${members(count)}`,
  confirm: (count: number) => (count === 0 ? "Подтвердить" : `Подтвердить: ${count}`),
  progress: (done: number, count: number) => `${done} из ${count}`,
  done: (count: number) => `Подтверждено: ${members(count)}`,
  left: (count: number) => `Пропущено: ${members(count)}`,
  rest: (count: number) => `Остались: ${count}`,
  close: "Готово",
  decline: (count: number) => `Отклонить: ${count}`,
  declineLead: "Каждый прочтёт этот ответ и сможет сообщить ещё раз. Статус месяца и подписка не изменятся.",
  declined: (count: number) => `Отклонено: ${members(count)}`,
  back: "Назад",
  statement: {
    label: "Выписка банка (необязательно)",
    hint: "Вставьте строки из приложения банка или файла CSV. Подойдут те, у кого совпали сумма и имя: они отметятся, подтвердите вы.",
    found: (matched: number, unclear: number, left: number) =>
      [
        `Нашлось: ${members(matched)}`,
        ...(unclear ? [`спорных: ${unclear}`] : []),
        ...(left ? [`без пары: ${left}`] : []),
      ].join(", "),
    nothing: "В этих строках нет поступлений.",
    unclear: "Строки, которые подходят нескольким",
    fits: (names: string) => `Кто из них: ${names}`,
    left: (count: number) => `Строки без пары: ${count}`,
    sameName: (names: string) => `Похоже на: ${names}, но сумма или фамилия не та, или уже отмечено`,
    entry: (text: string) => `в выписке: ${text}`,
  },
};
