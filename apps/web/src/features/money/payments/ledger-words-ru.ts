import { counter } from "@krug/domain/plural";

const months = counter("ru", { one: "месяц", few: "месяца", many: "месяцев", other: "месяца" });

/** Texts of what moved a subscription's end, loaded with it. */
export const ledger = {
  open: "Из чего сложился срок",
  failed: "Не получилось загрузить",
  none: "Подписки ещё не было.",
  older: "Показать раньше",
  panel: "панель",
  kinds: {
    opening: "К началу учёта",
    trial: "Пробный период",
    code: "По коду приглашения",
    added: "При добавлении в клуб",
    payment: "Оплата",
    free_month: "Месяц без оплаты",
    taken_back: "Оплата не поступила",
    extension: "Продление",
    date: "Новая дата",
    undo: "Отменено",
    deleted: "Участник удалён",
  },
  gift: "Подарок",
  monthsFrom: (count: number, month: string) => (count === 1 ? month : `${months(count)}, первый: ${month}`),
  until: (day: string) => `подписка до ${day}`,
  nothing: "подписки нет",
  same: "срок не изменился",
};
