import { counter } from "@krug/domain/plural";

const sessions = counter("ru", { one: "вход", few: "входа", many: "входов", other: "входа" });

/** Sessions and own data. Loaded with the settings. */
export const account = {
  sessions: {
    title: "Активные входы",
    unknown: "Неизвестное устройство",
    current: "этот вход",
    signedIn: (day: string) => `Вход ${day}`,
    times: (signedIn: string, seen: string) => `Вход ${signedIn}, заходили ${seen}`,
    end: "Завершить",
    endOf: (device: string, signedIn: string) => `Завершить вход: ${device}, ${signedIn}`,
    endOthers: "Завершить все другие входы",
    more: (count: number) => `Показать ещё ${sessions(count)}`,
    only: "Других входов нет.",
    ended: "Вход завершён",
    othersEnded: "Другие входы завершены",
    failed: "Не получилось загрузить входы",
    endFailed: "Не получилось завершить вход",
    askTitle: (device: string) => `Завершить вход: ${device}?`,
    askText: "На этом устройстве придётся войти заново. VPN на нём продолжит работать.",
    askOthersTitle: "Завершить все другие входы?",
    askOthersText: "На всех остальных устройствах придётся войти заново. VPN на них продолжит работать.",
    confirm: "Завершить",
    working: "Завершение...",
  },
  dataExport: {
    title: "Мои данные",
    lead: "Файл JSON: аккаунт, устройства и их трафик, входы, приглашения, оплаты, переписка с поддержкой. Ключей и паролей в нём нет.",
    download: "Скачать мои данные",
    working: "Готовим файл...",
    failed: "Не получилось подготовить файл",
  },
};
