import { counter } from "@krug/domain/plural";

const files = counter("ru", { one: "файл", few: "файла", many: "файлов", other: "файла" });

/** Members who come with an interface of another program. */
export const moving = {
  lead: "Файлов может быть много, выберите их сразу все: у PiVPN и скриптов вместе с wg0.conf берите файлы устройств, у WGDashboard базу wgdashboard.db, у wireguard-ui всю папку db. Так панель узнает имена, ключи и кто выключен.",
  files,
  traffic: (received: string, sent: string) =>
    `В прежней программе: отдано ${received}, получено ${sent}. Этот счёт не переносится.`,
  invite: "Сделать новым участником",
  inviteAll: "Всех остальных сделать участниками",
  notInvite: "Не делать участником",
  username: "Логин нового участника",
  usernameHint: "Один логин у нескольких устройств: это один человек.",
  usernameWrong: "От 3 до 32 знаков: латинские буквы, цифры, дефис и подчёркивание",
  until: "Подписка новых участников до",
  untilHint: "Пусто: подписки не будет, и их устройства сразу отключатся.",
};
