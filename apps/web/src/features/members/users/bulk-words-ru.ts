import { counter } from "@krug/domain/plural";

const toMembers = counter("ru", {
  one: "участнику",
  few: "участникам",
  many: "участникам",
  other: "участника",
});
const members = counter("ru", { one: "участник", few: "участника", many: "участников", other: "участника" });
const ofMembers = counter("ru", { one: "участника", few: "участников", many: "участников", other: "участника" });
const days = counter("ru", { one: "день", few: "дня", many: "дней", other: "дня" });

/** Texts of actions on several members, loaded with those actions. */
export const bulk = {
  progress: (done: number, all: number) => `Готово ${done} из ${all}`,
  stopped: (done: number) => `Готово: ${members(done)}. Дальше не получилось. Можно продолжить с этого места.`,
  goOn: "Продолжить",
  extendBy: (count: number) => `На сколько: ${days(count)}`,
  othersRefused: (count: number) => `и ещё ${count}`,
  extendTitle: (count: number) => `Продлить подписку: ${members(count)}`,
  extendOf: (name: string) => `Продлить подписку: ${name}`,
  extended: (name: string, count: number) => `${name}: плюс ${days(count)}`,
  extendLead: "Дни прибавятся к концу подписки, а у кого она истекла, к сегодняшнему дню.",
  period: "На сколько",
  days,
  sum: "Сколько заплатили",
  sumOfEach: "Сколько заплатил каждый",
  sumHint: "Необязательно. С суммой продление попадёт в выручку, без неё это подарок.",
  sumWrong: "Сумма больше нуля, не больше двух знаков после запятой",
  extend: "Продлить",
  extending: "Продление...",
  write: "Написать",
  writeTitle: (count: number) => `Сообщение ${toMembers(count)}`,
  send: (count: number) => (count === 1 ? "Отправить" : `Отправить ${toMembers(count)}`),
  sending: "Отправка...",
  blockTitle: (count: number) => `Заблокировать ${ofMembers(count)}?`,
  more: "Другие действия с выбранными",
  groups: "Изменить группы",
  groupsTitle: (count: number) => `Группы: ${members(count)}`,
  changeLimit: "Изменить лимит",
  limit: "Сколько конфигов может создать каждый",
  limitTitle: (count: number) => `Лимит конфигов: ${members(count)}`,
  applyTemplate: "Применить шаблон",
  apply: "Применить",
  templateTitle: (count: number) => `Шаблон: ${members(count)}`,
  templateLead:
    "Каждый получит лимит, трафик и скорость шаблона, а в новом конфиге его сервисы и интерфейс. Созданные конфиги останутся.",
  noTemplates: "Шаблонов ещё нет. Их создают под «Клуб» в «Управлении системой».",
  templatesFailed: "Ошибка при загрузке шаблонов",
  done: (count: number) => `Готово: ${members(count)}`,
  partly: (done: number, left: number) => `Готово: ${members(done)}. Не получилось: ${members(left)}`,
  refused: "Не изменены",
  failed: "Не получилось изменить выбранных",
};
