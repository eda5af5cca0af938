export const dormantWords = {
  why: (day: string) => `Давно не подключался. До ${day} ключ и адрес сохраняются, файл останется прежним.`,
  wake: "Включить снова",
  wakeOf: (name: string) => `Включить снова: ${name}`,
  waking: "Включение...",
  done: (name: string) => `${name}: включён снова`,
  failed: "Не получилось включить устройство",
};
