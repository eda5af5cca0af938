/** A member's speed limit, in their forms and on their dashboard. */
export const speed = {
  label: "Предел скорости, Мбит/с",
  hint: "В каждую сторону, на все устройства участника вместе. Действует на каждом сервере отдельно.",
  none: "Скорость не ограничена",
  wrong: "Укажите целое число от 1 до 10 000",
  upTo: (mbit: string) => `До ${mbit} Мбит/с на все устройства вместе`,
};
