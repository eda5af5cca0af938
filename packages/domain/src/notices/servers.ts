import { counter } from "../plural.ts";
import { notice } from "./notice.ts";

const unknownRu = counter("ru", { one: "устройства", few: "устройств", many: "устройств", other: "устройства" });
const unknownEn = counter("en", { one: "device is", other: "devices are" });

const alarm = { group: "servers", canWait: false, audience: "staff" } as const;
const adminsAlarm = { ...alarm, audience: "admins" } as const;

/** What needs attention before it does harm. */
export const ofServers = {
  /** A server stopped answering at this time, or answers again. */
  server_gone: notice(
    { server: "text", since: "moment", serverId: "id if any" },
    {
      ...alarm,
      tone: "bad",
      page: "/admin/system",
      ru: ({ server, since }, { moment }) => [
        `Сервер «${server}» не отвечает`,
        `С ${moment(since)}. Что изменилось, сохранено и будет применено, когда он вернётся. Причина указана на странице серверов.`,
      ],
      en: ({ server, since }, { moment }) => [
        `The server '${server}' does not answer`,
        `Since ${moment(since)}. Changes are kept and applied when it is back. The servers page gives the reason.`,
      ],
    },
  ),
  server_back: notice(
    { server: "text", since: "moment", until: "moment" },
    {
      ...alarm,
      tone: "done",
      page: "/admin/system",
      ru: ({ server, since, until }, { moment }) => [
        `Сервер «${server}» снова отвечает`,
        `Не отвечал с ${moment(since)} до ${moment(until)}.`,
      ],
      en: ({ server, since, until }, { moment }) => [
        `The server '${server}' answers again`,
        `It did not answer from ${moment(since)} to ${moment(until)}.`,
      ],
    },
  ),
  /** A server stopped forwarding what members send, or forwards again. */
  forwarding_refused: notice(
    { server: "text" },
    {
      ...alarm,
      tone: "bad",
      page: "/admin/servers",
      ru: ({ server }) => [
        `Сервер «${server}» не пропускает трафик`,
        "Устройства подключаются, но страницы не открываются: пересылку запрещает другой файрвол этой машины. Какое это правило и как его открыть, указано на странице серверов.",
      ],
      en: ({ server }) => [
        `The server '${server}' does not forward traffic`,
        "Devices connect, but no page opens: another firewall on its machine blocks forwarding. The servers page shows the rule and how to open it.",
      ],
    },
  ),
  forwarding_back: notice(
    { server: "text", since: "moment", until: "moment" },
    {
      ...alarm,
      tone: "done",
      page: "/admin/servers",
      ru: ({ server, since, until }, { moment }) => [
        `Сервер «${server}» снова пропускает трафик`,
        `Не пропускал с ${moment(since)} до ${moment(until)}.`,
      ],
      en: ({ server, since, until }, { moment }) => [
        `The server '${server}' forwards traffic again`,
        `It did not from ${moment(since)} to ${moment(until)}.`,
      ],
    },
  ),
  /** Another server by which a server's traffic leaves does not answer it, or has no internet itself; or it is well again. */
  exit_gone: notice(
    { exit: "text", server: "text", since: "moment", because: ["silent", "stuck"] },
    {
      ...alarm,
      tone: "bad",
      page: "/admin/servers",
      ru: ({ exit, server, since, because }, { moment }) => [
        because === "silent" ? `Выход «${exit}» не отвечает` : `У выхода «${exit}» нет интернета`,
        `С ${moment(since)} через него не выходит трафик сервера «${server}». Что с этим трафиком сейчас, решает интерфейс. Что проверить, сказано на странице серверов.`,
      ],
      en: ({ exit, server, since, because }, { moment }) => [
        because === "silent" ? `The exit “${exit}” does not answer` : `The exit “${exit}” has no internet`,
        `Since ${moment(since)} traffic of the server “${server}” cannot leave by it. The interface decides what happens meanwhile. The servers page says what to check.`,
      ],
    },
  ),
  exit_back: notice(
    { exit: "text", server: "text", since: "moment", until: "moment" },
    {
      ...alarm,
      tone: "done",
      page: "/admin/servers",
      ru: ({ exit, server, since, until }, { moment }) => [
        `Выход «${exit}» снова работает`,
        `Трафик сервера «${server}» не выходил через него с ${moment(since)} до ${moment(until)}.`,
      ],
      en: ({ exit, server, since, until }, { moment }) => [
        `The exit “${exit}” works again`,
        `Traffic of the server “${server}” could not leave by it from ${moment(since)} to ${moment(until)}.`,
      ],
    },
  ),
  /** Most devices of an interface went offline at once, as if their networks blocked it; or most are back. */
  interface_gone: notice(
    { interface: "text", server: "text", since: "moment" },
    {
      ...alarm,
      tone: "bad",
      page: "/admin/interfaces",
      ru: ({ interface: name, server, since }, { moment }) => [
        `${name}: устройства разом пропали`,
        `Сервер ${server}, с ${moment(since)}. Сам он отвечает. Похоже, сети стали блокировать этот туннель: помогут новые параметры AmneziaWG.`,
      ],
      en: ({ interface: name, server, since }, { moment }) => [
        `${name}: devices went offline all at once`,
        `Server ${server}, since ${moment(since)}. The server itself answers. Networks seem to block this tunnel: new AmneziaWG parameters help.`,
      ],
    },
  ),
  interface_back: notice(
    { interface: "text", server: "text", since: "moment", until: "moment" },
    {
      ...alarm,
      tone: "done",
      page: "/admin/interfaces",
      ru: ({ interface: name, server, since, until }, { moment }) => [
        `${name}: устройства снова на связи`,
        `Сервер ${server}. Их не было с ${moment(since)} до ${moment(until)}.`,
      ],
      en: ({ interface: name, server, since, until }, { moment }) => [
        `${name}: devices are back`,
        `Server ${server}. They were gone from ${moment(since)} to ${moment(until)}.`,
      ],
    },
  ),
  /** An interface is running out of addresses. VIP members' devices are counted too. */
  addresses_low: notice(
    { interface: "text", server: "text", free: "count" },
    {
      ...adminsAlarm,
      tone: ({ free }) => (free === 0 ? "bad" : "warn"),
      page: "/admin/interfaces",
      ru: ({ interface: name, server, free }) => [
        free === 0 ? `${name}: свободных адресов не осталось` : `${name}: осталось свободных адресов: ${free}`,
        `Сервер ${server}. Создайте ещё один интерфейс, пока новым устройствам хватает места.`,
      ],
      en: ({ interface: name, server, free }) => [
        free === 0 ? `${name}: no free addresses are left` : `${name}: free addresses left: ${free}`,
        `Server ${server}. Create another interface while new devices still have room.`,
      ],
    },
  ),
  /** No scheduled backup has been good since this time, for twice the interval. */
  backup_late: notice(
    { since: "moment" },
    {
      ...alarm,
      canWait: true,
      tone: "bad",
      page: "/admin/system",
      ru: ({ since }, { moment }) => [
        "Давно нет новой резервной копии",
        `Последняя удалась или ожидалась ${moment(since)}. Причина указана на странице системы.`,
      ],
      en: ({ since }, { moment }) => [
        "No new backup for a long time",
        `The last one was made or expected on ${moment(since)}. The system page gives the reason.`,
      ],
    },
  ),
  /** The panel switched a webhook off, because its receiver said so or has only failed for days. */
  webhook_off: notice(
    { host: "text", because: ["gone", "failing"] },
    {
      ...adminsAlarm,
      canWait: true,
      tone: "bad",
      page: "/admin/webhooks",
      ru: ({ host, because }) => [
        `Вебхук на ${host} выключен`,
        because === "gone"
          ? "Получатель ответил, что больше его не ждёт. Включить его можно на странице вебхуков."
          : "Три дня ни одна отправка не удалась. Журнал и причины — на странице вебхуков.",
      ],
      en: ({ host, because }) => [
        `The webhook to ${host} is off`,
        because === "gone"
          ? "Its receiver answered that it is gone. It can be switched on again on the webhooks page."
          : "No delivery has arrived for three days. The webhooks page has the log with the reasons.",
      ],
    },
  ),
  /** A list that services take networks from has changed by more than half. */
  source_waits: notice(
    { source: "text", services: "texts" },
    {
      ...adminsAlarm,
      canWait: true,
      tone: "warn",
      page: "/admin/wireguard",
      ru: ({ source, services }) => [
        `Список ${source} сильно изменился`,
        `Больше половины адресов появилось или пропало, поэтому в силе прежний список. Из него сети сервисов: ${services.join(", ")}. Решите в «Изменить» у сервиса, принять ли новый.`,
      ],
      en: ({ source, services }) => [
        `The list ${source} has changed a lot`,
        `More than half of its addresses were added or removed, so the old list stays in use. Services with its networks: ${services.join(", ")}. Accept or reject the new one under “Edit” of a service.`,
      ],
    },
  ),
  /** For three days a list could not be fetched that services take networks from. */
  source_failing: notice(
    { source: "text", services: "texts", since: "moment" },
    {
      ...alarm,
      canWait: true,
      tone: "warn",
      page: "/admin/wireguard",
      ru: ({ source, services, since }, { moment }) => [
        `Давно не скачивается список ${source}`,
        `В силе тот, что скачан ${moment(since)}. Из него сети сервисов: ${services.join(", ")}. Причина указана в «Изменить» у сервиса.`,
      ],
      en: ({ source, services, since }, { moment }) => [
        `The list ${source} has not been updated for a while`,
        `The version of ${moment(since)} is in use. Services with its networks: ${services.join(", ")}. See “Edit” of a service for the reason.`,
      ],
    },
  ),
  /** After a restore these devices were on the wire but not in the backup. */
  unknown_peers: notice(
    { interface: "text", server: "text", count: "positive" },
    {
      ...adminsAlarm,
      tone: "warn",
      page: "/admin/servers",
      ru: ({ interface: name, server, count }) => [
        `${unknownRu(count)} нет в резервной копии`,
        `Они подключены к интерфейсу «${name}» сервера «${server}» и продолжают работать. На странице серверов решите, чьи они, или отключите их.`,
      ],
      en: ({ interface: name, server, count }) => [
        `${unknownEn(count)} not in the backup`,
        `They are connected to “${name}” on the server ${server} and keep working. On the servers page, say whose they are or disconnect them.`,
      ],
    },
  ),
  /** A server reported impossible traffic for its devices; it was not counted. */
  counters_refused: notice(
    { server: "text" },
    {
      ...alarm,
      tone: "bad",
      page: "/admin/servers",
      ru: ({ server }) => [
        `Сервер «${server}» сообщает невозможный трафик`,
        "Эти показания не учтены. Сервер неисправен или в чужих руках: проверьте его.",
      ],
      en: ({ server }) => [
        `Server '${server}' reports impossible traffic`,
        "These readings were not counted. The server is faulty or in somebody else's hands: check it.",
      ],
    },
  ),
};
