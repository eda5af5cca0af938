/** The list of services that members choose from. */
export const servicesWords = {
  search: "Найти сервис",
  nothing: "Такого сервиса нет.",
  ask: "Нет нужного?",
  name: "Какой сервис нужен",
  send: "Попросить",
  sending: "Отправка...",
  sent: (name: string) => `Попросили добавить: ${name}. Сообщим, когда он появится.`,
  failed: "Не получилось отправить просьбу",
  subject: (name: string) => `Нужен сервис: ${name}`,
  description: (name: string) => `Добавьте, пожалуйста, сервис «${name}»: его нет в списке.`,
  /** Where the server decides by the services chosen now. */
  routed: {
    title: "Сервисы",
    titleOf: (name: string) => `Сервисы: ${name}`,
    stays: "Переключаются сразу, файл остаётся прежним.",
    once: "Скачайте файл ещё раз: после этого сервисы переключаются здесь без нового файла.",
    later: "Потом сервисы переключаются на карточке: файл остаётся прежним.",
    more: (count: number) => `Ещё ${count}`,
    allOf: (name: string) => `Все сервисы: ${name}`,
    closed: "не открывается",
    down: {
      wait: (exit: string, since: string) =>
        `Выход «${exit}» не отвечает с ${since}. Его сервисы откроются, когда он вернётся.`,
      direct: (exit: string, since: string) =>
        `Выход «${exit}» не отвечает с ${since}. Пока выходим прямо с вашего сервера.`,
      other: (exit: string, since: string, other: string) =>
        `Выход «${exit}» не отвечает с ${since}. Пока выходим через «${other}».`,
    },
    making: (exit: string) => `Выход «${exit}» ещё подключается.`,
    last: "Хотя бы один сервис должен остаться.",
    failed: "Не получилось переключить",
    listFailed: "Не получилось загрузить сервисы.",
  },
};
