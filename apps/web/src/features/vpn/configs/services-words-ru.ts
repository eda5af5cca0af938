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
};
