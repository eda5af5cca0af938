/** A member's device in the staff's view, as the member would see it now. */
export const deviceCheck = {
  check: "Проверить",
  checkOf: (name: string) => `Проверить ${name}`,
  checking: "Проверяем...",
  at: (time: string) => `Проверено в ${time}`,
  again: "Ещё раз",
  againOf: (name: string) => `Проверить ${name} ещё раз`,
  more: "Что увидит участник",
  failed: "Не получилось проверить",
  gone: "Этого устройства уже нет: его удалили.",
  details: "Подробнее",
  detailsOf: (name: string) => `Подробнее: ${name}`,
};
