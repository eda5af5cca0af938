/** New members' links, for the staff who pass them on. */
export const invited = {
  lead: (day: string) =>
    `Новые участники придумают пароль по своей ссылке (до ${day}). Ссылки показаны один раз: скопируйте, сохраните или напечатайте их сейчас. Новую можно сделать на карточке участника.`,
  copyAll: "Скопировать все",
  copy: "Скопировать",
  copyOf: (name: string) => `Скопировать ссылку: ${name}`,
  save: "Сохранить файлом",
  print: "Напечатать",
  more: (count: number) => `Показать ещё (${count})`,
  done: "Готово",
  file: "krug-links",
  username: "Логин",
  name: "Участник",
  link: "Ссылка",
  until: "Действует до",
  printedLogin: (username: string) => `Логин: ${username}`,
  printedHow: (day: string) => `Откройте ссылку до ${day} и придумайте пароль. Она сработает один раз.`,
};
