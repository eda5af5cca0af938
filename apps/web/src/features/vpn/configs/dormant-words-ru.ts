export const dormantWords = {
  why: (day: string) => `Давно не подключался. Ключ и адрес сохраняются до ${day}, файл останется прежним.`,
  wake: "Включить снова",
  wakeOf: (name: string) => `Включить снова: ${name}`,
  waking: "Включение...",
  done: (name: string) => `${name}: включён снова`,
  failed: "Не получилось включить устройство",
};
