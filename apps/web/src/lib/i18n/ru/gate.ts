/** How to reach the club past its gate, the state of the connection and maintenance (specification, member's side 2 and 8). */
export const gate = {
  gate: {
    contact: "Связь с администратором:",
    mirror: "Панель открывается и по другому адресу:",
  },
  connection: {
    checking: "Проверяем связь с панелью...",
    connected: "Связь с панелью есть",
    short: { checking: "Связь...", connected: "На связи" },
    failed: (reason: string) => `Ошибка подключения к API: ${reason}`,
    offline: "нет интернета",
    timeout: "нет ответа вовремя",
    gateway: "панель не запущена",
    unreachable: "панель не отвечает",
    status: (status: number) => `панель ответила кодом ${status}`,
    unknown: "неизвестная ошибка",
  },
  maintenance: {
    title: "Технические работы",
    lead: "Ваши устройства это не отключает: VPN работает. Страница откроется сама, когда работы закончатся.",
    check: "Проверить сейчас",
  },
};
