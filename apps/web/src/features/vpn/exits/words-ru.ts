/** Exits of routed traffic. */
export const exits = {
  own: { direct: "Напрямую с сервера", closed: "Закрыт" },
  by: (name: string) => `Через сервер «${name}»`,
  another: "Через другой сервер",
  down: {
    wait: "Ждать его",
    direct: "Выпускать напрямую",
    other: (name: string) => `Выпускать через «${name}»`,
  },
  link: { wireguard: "WireGuard", amneziawg: "AmneziaWG" },
  linkHints: {
    wireguard: "Быстрее, но некоторые сети его блокируют.",
    amneziawg: "Замаскирован: для сетей, которые блокируют WireGuard. Медленнее.",
  },
  downHints: {
    wait: "Пока выход не вернётся, его сервисы не открываются. Наружу мимо него не уйдёт ничего.",
    direct: "Пока выход не вернётся, его трафик выходит с этого сервера: сайты увидят его адрес.",
    other: "Пока выход не вернётся, его трафик выходит через этот сервер.",
  },
};
