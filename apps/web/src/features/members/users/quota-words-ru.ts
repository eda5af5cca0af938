/** A member's traffic quota, on their page and in their form. */
export const quota = {
  gigabytes: "Трафик в месяц, ГБ",
  hint: "Входящий и исходящий вместе. Счёт начинается заново каждый месяц и после оплаты.",
  noQuota: "Трафик не ограничен",
  wrong: "Укажите число от 0,01 до 1 048 576, не больше двух знаков после запятой",
  choices: { cut: "Отключить VPN", slow: "Замедлить", tell: "Только сообщить" },
  any: "не ограничен",
  used: {
    cut: (used: string, all: string, day: string) => `${used} из ${all} до ${day}`,
    slow: (used: string, all: string, day: string, mbit: number) =>
      `${used} из ${all} до ${day}, сверх того медленно: ${mbit} Мбит/с`,
    tell: (used: string, all: string, day: string) => `${used} из ${all} до ${day}, без отключения`,
  },
  reset: "Обнулить",
  resetAsk: (name: string) => `Обнулить счётчик трафика: ${name}?`,
  resetText: "Израсходованное в этом месяце больше не считается. Отключённый VPN сразу заработает.",
  resetWorking: "Обнуление...",
  resetDone: "Счётчик трафика обнулён",
};
