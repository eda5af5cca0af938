/** A member's traffic quota. Loads only for members with one. */
export const quota = {
  label: "Трафик за месяц",
  used: (used: string, all: string) => `Трафик: ${used} из ${all}`,
  resets: (day: string) => `обновится ${day}`,
  slow: (day: string, mbit: string) => `До ${day} медленно: ${mbit} Мбит/с`,
  over: "Трафик на этот месяц израсходован",
  overMore: (all: string, day: string) => `Использованы все ${all}. VPN включится сам ${day}, файлы менять не нужно.`,
  ask: "Как получить больше",
  question: "Здравствуйте. У меня закончился трафик на этот месяц. Что сделать, чтобы получить больше?",
};
