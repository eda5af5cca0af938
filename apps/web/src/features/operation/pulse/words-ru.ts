import { counter, countText } from "@krug/domain/plural";

const long = (count: number) => countText("ru", count);
const days = counter("ru", { one: "день", few: "дня", many: "дней", other: "дня" });
const hours = counter("ru", { one: "час", few: "часа", many: "часов", other: "часа" });
const ofDevices = counter("ru", { one: "устройства", few: "устройств", many: "устройств", other: "устройства" });

/** The first screen of the administration area. */
export const pulse = {
  failed: "Ошибка при загрузке данных. Пожалуйста, попробуйте позже.",
  waiting: {
    title: "Ждёт вас",
    calm: "Всё спокойно",
    calmMore: "Серверы отвечают, копии свежие, никто не ждёт ответа.",
    calmBefore: "По последним данным всё спокойно",
    forAdmin: "Это исправит администратор.",
  },
  ending: {
    title: "Кончается за 7 дней",
    nobody: "На этой неделе ни у кого.",
    left: { days: (count: number) => `ещё ${days(count)}`, hours: (count: number) => `ещё ${hours(count)}` },
    all: (count: number) => `Все ${long(count)}`,
  },
  club: {
    title: "Клуб",
    online: "на связи",
    /** While the panel is silent. */
    wasOnline: "были на связи",
    of: (count: number) => `из ${ofDevices(count)}`,
    noDevices: "Устройств пока нет",
    members: "Участники",
    joined: (count: number) => `+${long(count)} за неделю`,
    noneJoined: "за неделю никто не пришёл",
    blocked: (count: number) => `заблокировано ${long(count)}`,
    alone: "Пока только вы. Первого участника приведёт инвайт-код.",
    traffic: "Трафик",
    trafficIn: "за 24 часа",
    noTraffic: "За сутки трафика не было",
    revenue: "Поступления",
    revenueIn: (month: string) => `за ${month}`,
    before: (month: string, sum: string) => `${month}: ${sum}`,
    noRevenue: "Платежей пока нет",
    nothing: "0",
  },
};
