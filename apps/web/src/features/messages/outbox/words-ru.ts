/** Which notices are also sent outside the panel. Loaded with the settings. */
export const outbox = {
  choose: "О чём сообщать в Telegram и браузерах",
  groups: {
    subscription: "Подписка, платежи и трафик",
    devices: "Что сделали с моими устройствами",
    connections: "Первое подключение моих устройств",
    support: "Ответы поддержки",
    club: "Технические работы",
    servers: "Серверы и адреса",
    tickets: "Новые обращения",
    chats: "Сообщения в поддержку",
    claims: "«Я оплатил» от участников",
    joining: "Новые участники",
    digest: "Утренняя сводка за прошедший день",
  },
  failed: "Не получилось сохранить",
};
