/** The list of services that members choose from. */
export const servicesWords = {
  search: "Найти сервис",
  nothing: "Такого сервиса нет.",
};
