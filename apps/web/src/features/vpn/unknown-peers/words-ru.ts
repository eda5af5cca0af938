import { counter } from "@krug/domain/plural";

const devices = counter("ru", { one: "устройства", few: "устройств", many: "устройств", other: "устройства" });

const toCut = counter("ru", { one: "устройство", few: "устройства", many: "устройств", other: "устройства" });

/** Connected devices that a restored panel found and its backup does not know. */
export const unknownPeers = {
  banner: (count: number) => `${devices(count)} нет в резервной копии`,
  bannerMore: "Они подключены и продолжают работать. Решите, чьи они, или отключите их.",
  show: "Показать",
  title: "Устройства, которых нет в копии",
  lead: "Их создали после копии, из которой восстановлен клуб. Они подключены, но ничьи: их трафик никому не засчитывается. Оставьте те, владельцев которых знаете; ключ останется только на самом устройстве.",
  failed: "Не получилось загрузить устройства",
  loading: "Загрузка...",
  none: "Больше таких устройств нет.",
  more: (shown: number, total: number) => `Показано ${shown} из ${total}. Остальные появятся, когда вы решите с этими.`,
  place: (name: string, server: string) => `${name} · ${server}`,
  key: (start: string) => `ключ ${start}…`,
  seen: (age: string) => `на связи: ${age}`,
  neverSeen: "на связи не было",
  bytes: (received: string, sent: string) => `получено ${received}, отправлено ${sent}`,
  rival: {
    key: (name: string, login: string) =>
      `По копии этот ключ у устройства «${name}» (${login}): его перенесли. Удалите то или отключите это.`,
    address: (name: string, login: string) =>
      `По копии этот адрес у устройства «${name}» (${login}): оно ждёт, пока вы решите.`,
  },
  keep: "Оставить",
  keepOf: (address: string) => `Оставить ${address}`,
  cut: "Отключить",
  cutOf: (address: string) => `Отключить ${address}`,
  cutting: "Отключаем...",
  cutAll: (count: number) => `Отключить все: ${count}`,
  askAll: (count: number) => `Отключить ${toCut(count)}?`,
  askAllMore: "VPN на них перестанет работать, и вернуть их нельзя: ключи есть только на самих устройствах.",
  askOne: (address: string) => `Отключить ${address}?`,
  askOneMore: "VPN на нём перестанет работать, и вернуть его нельзя: ключ есть только на самом устройстве.",
  cutFailed: "Не получилось отключить",
  cutDone: (count: number) => `Отключено: ${count}`,
  keepTitle: (address: string) => `Чьё устройство ${address}?`,
  owner: "Владелец",
  ownerHint: "Имя или логин",
  chooseOwner: "Выберите участника",
  name: "Название",
  nameWrong: "1–64 латинские буквы, цифры, «-» и «_»",
  kind: "Вид устройства",
  phone: "Телефон",
  computer: "Компьютер",
  keepNote:
    "Оно продолжит работать с тем же ключом и адресом. Чтобы получить файл здесь, владельцу понадобится новый ключ.",
  working: "Сохраняем...",
  keepFailed: "Не получилось оставить устройство",
  keepDone: (name: string) => `Устройство ${name} оставлено`,
  close: "Закрыть",
};
