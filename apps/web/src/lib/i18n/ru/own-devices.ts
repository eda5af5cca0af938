/** A first device without typing; loaded with its dialog. */
export const firstDevice = {
  lead: "Всё уже выбрано. Создайте конфиг, и покажем следующий шаг.",
  open: "Настроить самому",
};
