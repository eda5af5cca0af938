import type { LinkState } from "@krug/domain/routing-rules";

const states: Record<LinkState, string> = {
  up: "отвечает",
  down: "не отвечает",
  stuck: "без интернета",
  making: "ещё подключается",
  missing: "ещё не создан",
};

/** Exits of routed traffic. */
export const exits = {
  own: { direct: "Напрямую с сервера", closed: "Закрыт" },
  by: (name: string) => `Через сервер «${name}»`,
  another: "Через другой сервер",
  now: (exit: string, state: LinkState) => `выход «${exit}», ${states[state]}`,
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
