import { counter } from "@krug/domain/plural";

const seconds = counter("ru", { one: "секунду", few: "секунды", many: "секунд", other: "секунды" });
const minutes = counter("ru", { one: "минуту", few: "минуты", many: "минут", other: "минуты" });
const hours = counter("ru", { one: "час", few: "часа", many: "часов", other: "часа" });
const days = counter("ru", { one: "день", few: "дня", many: "дней", other: "дня" });

/** How long ago something was. */
export const age = {
  never: "никогда",
  now: "только что",
  seconds: (count: number) => `${seconds(count)} назад`,
  minutes: (count: number) => (count === 1 ? "минуту назад" : `${minutes(count)} назад`),
  hours: (count: number) => (count === 1 ? "час назад" : `${hours(count)} назад`),
  days: (count: number) => `${days(count)} назад`,
  today: "сегодня",
  yesterday: "вчера",
  badDate: "Неверная дата",
};
