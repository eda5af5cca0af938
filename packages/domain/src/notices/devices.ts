import { counter } from "../plural.ts";
import { endEn, endRu } from "./devices-with-end.ts";
import { notice } from "./notice.ts";
import { unseenEn, unseenRu } from "./unseen-devices.ts";

const configsRu = counter("ru", { one: "конфиг", few: "конфига", many: "конфигов", other: "конфига" });
const configsEn = counter("en", { one: "config", other: "configs" });

const devices = { group: "devices", canWait: true, audience: "member" } as const;
const lost = { group: null, canWait: false, audience: "member", tone: "bad" } as const;

/**
 * `until`: the latest end of the former place; null if there is none. `needsAmneziawg`: the new place is AmneziaWG and the former
 * one was not, so it needs another app.
 */
const moved = { until: "moment or null", needsAmneziawg: "flag if any" } as const;
const lines = (...some: readonly (string | false | undefined)[]) => some.filter(Boolean).join(" ");
const otherAppRu = "Для нового файла нужно приложение AmneziaWG или AmneziaVPN.";
const otherAppEn = "The new file takes the app AmneziaWG or AmneziaVPN.";

export const ofDevices = {
  /** Staff made a config with this name for the member. */
  config_made: notice(
    { name: "text" },
    {
      ...devices,
      tone: "done",
      ru: ({ name }) => [
        `Для вас создан конфиг ${name}`,
        "Его сделал администратор. Файл есть и в кабинете, на карточке устройства.",
      ],
      en: ({ name }) => [
        `The config ${name} was created for you`,
        "An admin created it. Its file is also on the device's card in your dashboard.",
      ],
    },
  ),
  /** The device with this name connected for the first time. Only for those who opted in. */
  device_connected: notice(
    { name: "text" },
    {
      group: "connections",
      canWait: false,
      audience: "member",
      tone: "done",
      ru: ({ name }) => [
        `Устройство ${name} подключилось впервые`,
        "Если это не вы, замените ключ этого устройства в кабинете.",
      ],
      en: ({ name }) => [
        `${name} connected for the first time`,
        "If that was not you, replace this device's key in your dashboard.",
      ],
    },
  ),
  /** Staff moved the config with this name. */
  config_moved: notice(
    { name: "text", ...moved },
    {
      ...devices,
      tone: "warn",
      ru: ({ name, until, needsAmneziawg }, { moment }) => [
        `Конфигу ${name} нужен новый файл`,
        lines(
          until === null
            ? "Администратор перенёс его. Скачайте файл на карточке устройства."
            : `Администратор перенёс его. Скачайте файл заново на карточке устройства: прежний работает до ${moment(until)}, не дольше.`,
          needsAmneziawg && otherAppRu,
        ),
      ],
      en: ({ name, until, needsAmneziawg }, { moment }) => [
        `The config ${name} needs a new file`,
        lines(
          until === null
            ? "An admin moved it. Download the file on the device's card."
            : `An admin moved it. Download the file again on the device's card: the old one works until ${moment(until)} at the latest.`,
          needsAmneziawg && otherAppEn,
        ),
      ],
    },
  ),
  /** Several configs were moved because their server was drained. */
  configs_moved: notice(
    { names: "texts", ...moved },
    {
      ...devices,
      tone: "warn",
      ru: ({ names, until, needsAmneziawg }, { moment }) => [
        names.length === 1 ? `Конфигу ${names[0]} нужен новый файл` : `Нужны новые файлы: ${configsRu(names.length)}`,
        lines(
          `Администратор перенёс ${names.length === 1 ? "его" : "их"}. Скачайте файл заново на карточке устройства${names.length === 1 ? "" : `: ${names.join(", ")}`}.`,
          until !== null && `Прежний файл работает до ${moment(until)}, не дольше.`,
          needsAmneziawg && otherAppRu,
        ),
      ],
      en: ({ names, until, needsAmneziawg }, { moment }) => [
        names.length === 1
          ? `The config ${names[0]} needs a new file`
          : `New files are needed: ${configsEn(names.length)}`,
        lines(
          `An admin moved ${names.length === 1 ? "it" : "them"}. Download the file again on the device's card${names.length === 1 ? "" : `: ${names.join(", ")}`}.`,
          until !== null && `The old file works until ${moment(until)} at the latest.`,
          needsAmneziawg && otherAppEn,
        ),
      ],
    },
  ),
  /** Services got addresses that these devices' files do not route. */
  files_outdated: notice(
    { names: "texts" },
    {
      ...devices,
      tone: "warn",
      ru: ({ names }) => [
        names.length === 1 ? `Скачайте файл заново: ${names[0]}` : `Скачайте файлы заново: ${configsRu(names.length)}`,
        `У ваших сервисов новые адреса, а в ${names.length === 1 ? "файле" : "файлах"} их нет. Скачайте ${names.length === 1 ? "его" : "их"} на ${names.length === 1 ? "карточке устройства" : `карточках устройств: ${names.join(", ")}`}.`,
      ],
      en: ({ names }) => [
        names.length === 1
          ? `Download the file again: ${names[0]}`
          : `Download files again: ${configsEn(names.length)}`,
        `Your services have new addresses that the ${names.length === 1 ? "file lacks" : "files lack"}. Download ${names.length === 1 ? "it on the device's card" : `them on the devices' cards: ${names.join(", ")}`}.`,
      ],
    },
  ),
  /**
   * Devices that nobody uses. `at`: when they will be switched off at the earliest, until when what was switched off is kept, or
   * when it was deleted.
   */
  devices_unseen: notice(
    { names: "texts", stage: ["soon", "off", "deleted"], at: "moment" },
    {
      ...devices,
      tone: ({ stage }) => (stage === "deleted" ? "bad" : "warn"),
      ru: (params, { day }) => unseenRu(params, day(params.at)),
      en: (params, { day }) => unseenEn(params, day(params.at)),
    },
  ),
  /** Devices with an end. `at`: the end, until when what was switched off is kept, or when it was deleted. */
  devices_end: notice(
    { names: "texts", stage: ["soon", "ended", "deleted"], at: "moment" },
    {
      ...devices,
      tone: ({ stage }) => (stage === "deleted" ? "bad" : "warn"),
      ru: (params, { day }) => endRu(params, day(params.at)),
      en: (params, { day }) => endEn(params, day(params.at)),
    },
  ),
  /** Staff added a service that the member had asked for. */
  service_added: notice(
    { name: "text" },
    {
      group: "support",
      canWait: true,
      audience: "member",
      tone: "done",
      ru: ({ name }) => [
        `Появился сервис ${name}`,
        "Вы просили его добавить. Выберите его на карточке устройства. Если карточка попросит, скачайте файл заново.",
      ],
      en: ({ name }) => [
        `The service ${name} has been added`,
        "You asked for it. Select it on a device's card. If the card asks for it, download the file again.",
      ],
    },
  ),
  config_deleted: notice(
    { names: "texts" },
    {
      ...devices,
      tone: "bad",
      ru: ({ names }) =>
        names.length === 1
          ? [`Конфиг ${names[0]} удалён`, "Его удалил администратор, это устройство больше не подключится."]
          : [
              `Удалено: ${configsRu(names.length)}`,
              `Их удалил администратор: ${names.join(", ")}. Эти устройства больше не подключатся.`,
            ],
      en: ({ names }) =>
        names.length === 1
          ? [`The config ${names[0]} was deleted`, "An admin deleted it, and this device can no longer connect."]
          : [
              `Deleted: ${configsEn(names.length)}`,
              `An admin deleted them: ${names.join(", ")}. These devices can no longer connect.`,
            ],
    },
  ),
  /** Somebody named the member on the sign-in page and reported a lost device. `asksStaff`: staff can confirm it too. */
  lost_device_reported: notice(
    { asksStaff: "flag" },
    {
      ...lost,
      ru: ({ asksStaff }) => [
        "Ваше устройство потеряно?",
        `На странице входа назвали ваш логин и сообщили, что устройство потеряно. ${
          asksStaff
            ? "Запрос получили администраторы: прежде чем что-то отключить, они свяжутся с вами. Это не вы? Напишите в поддержку."
            : "Если это вы, подтвердите боту в Telegram: старый ключ сразу отключится, придёт новый файл. Без подтверждения ничего не изменится."
        }`,
      ],
      en: ({ asksStaff }) => [
        "Is one of your devices lost?",
        `Somebody entered your username on the sign-in page and reported a lost device. ${
          asksStaff
            ? "The admins have the request, and will contact you before they disconnect anything. Not you? Write to support."
            : "If it was you, confirm it to the bot in Telegram: the old key is cut at once and a new file comes. Without that nothing changes."
        }`,
      ],
    },
  ),
  /** Staff confirmed it: the device with this name needs its new file. */
  lost_device_cut: notice(
    { name: "text" },
    {
      ...lost,
      ru: ({ name }) => [
        `Устройство ${name} отключено как потерянное`,
        "Администратор заменил его ключ: прежний файл больше не работает, на всех устройствах нужно войти снова. Если вы об этом не просили, напишите в поддержку.",
      ],
      en: ({ name }) => [
        `${name} was disconnected as lost`,
        "An admin replaced its key: the old file no longer works, and every device has to sign in again. If you did not ask for that, write to support.",
      ],
    },
  ),
};
