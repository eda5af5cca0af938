/** A device's month of traffic as a table. Loads with it. */
export const month = {
  title: "Трафик за 30 дней",
  caption: (name: string) => `${name}: трафик по дням`,
  day: "День",
  received: "Входящий",
  sent: "Исходящий",
  total: "Всего",
  gaps: "Дни без трафика пропущены.",
};
