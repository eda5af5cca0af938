import { fillIn, type Language } from "./fill-in.ts";

/**
 * Why a machine, a server or an interface is not as it should be: each a code with its words in both languages, in which details
 * fill in `{name}`. What the machine itself said stands beside the words, as a quotation (docs/adr/0125-every-reason-is-a-code.md).
 */
export const reasons = {
  // No connection to the machine.
  "ssh.unresolved": { ru: "у имени нет адреса", en: "the name has no address" },
  "ssh.closed": { ru: "на этом порту никто не отвечает", en: "nothing listens at that port" },
  "ssh.silent": { ru: "машина не отвечает", en: "the machine does not answer" },
  "ssh.not_ssh": { ru: "на этом порту отвечает не SSH", en: "what answers there is no usable SSH server" },
  "ssh.host_key_changed": { ru: "машина показала другой ключ", en: "the machine has shown another host key" },
  "ssh.other_host_key": {
    ru: "машина показала другой ключ: {shown} вместо {known}",
    en: "the machine shows another key: {shown} instead of {known}",
  },
  "ssh.no_algorithm": {
    ru: "у SSH машины нет общих с панелью алгоритмов",
    en: "the machine's SSH has no algorithm in common with the panel",
  },
  "ssh.login_refused": {
    ru: "машина не приняла имя пользователя, пароль или ключ",
    en: "the machine refused the user name, password or key",
  },
  "ssh.takes_no_key": {
    ru: "машина не принимает ключи, только: {ways}",
    en: "the machine takes no key; it takes {ways}",
  },
  "ssh.keys_only": {
    ru: "машина не принимает пароли, только: {ways}",
    en: "the machine takes no password; it takes {ways}",
  },
  "ssh.second_factor": { ru: "машина спрашивает что-то ещё", en: "the machine also asks for something else" },
  "ssh.one_way_not_enough": {
    ru: "одного способа входа машине мало, нужны ещё: {ways}",
    en: "one way is not enough for the machine; it takes {ways}",
  },
  "ssh.password_expired": { ru: "машина требует сменить пароль", en: "the machine demands another password" },
  "ssh.root_closed": { ru: "вход для root закрыт", en: "the machine is closed to root" },
  "ssh.no_shell": { ru: "этому пользователю нельзя выполнять команды", en: "the account may run no commands" },
  "ssh.other_command": {
    ru: "вместо команд панели выполняется другая программа",
    en: "another program runs in place of the panel's commands",
  },
  "ssh.no_sudo": { ru: "sudo не пускает этого пользователя", en: "sudo does not let this account become root" },
  "ssh.sudo_second": { ru: "sudo спрашивает не только пароль", en: "sudo asks for a second thing" },
  "ssh.no_agent": { ru: "помощник панели на машине не отвечает", en: "the panel's helper does not speak" },
  "ssh.lost": { ru: "соединение оборвалось", en: "the connection to the machine broke" },
  "ssh.ended": { ru: "машина закрыла соединение", en: "the machine closed the connection" },
  "ssh.closed_meanwhile": {
    ru: "соединение закрыли, пока оно открывалось",
    en: "the connection was closed while it opened",
  },
  "ssh.no_sftp": { ru: "у машины нет SFTP", en: "the machine offers no SFTP" },
  "ssh.asks_no_password": { ru: "машина не спрашивает новый пароль", en: "the machine asks for no new password" },
  "sudo.asks_password": { ru: "sudo спрашивает пароль", en: "sudo asks for a password" },
  "sudo.refused_password": { ru: "sudo не принял пароль", en: "sudo refused the password" },
  "sudo.silent": { ru: "sudo не отвечает", en: "sudo does not answer" },
  "server.named": { ru: "{name}", en: "{name}" },
  "server.deleted": { ru: "сервер удалён", en: "the server was deleted" },
  "server.not_met": { ru: "к машине ещё не подключались", en: "the machine was not met yet" },
  "server.unproved_restore": {
    ru: "машина говорит, что клуб восстановлен на другой панели, и не может этого доказать",
    en: "the machine says that the club was restored elsewhere, and cannot prove it",
  },
  "server.no_answer": { ru: "сервер не ответил вовремя", en: "the server did not answer in time" },

  // The panel's helper on a machine.
  "helper.old": {
    ru: "у помощника панели на машине версия {version}, а нужна {needed}",
    en: "the panel's helper on the machine has version {version}, this panel needs {needed}",
  },
  "helper.silent": {
    ru: "помощник панели на машине не отвечает",
    en: "the panel's helper on the machine does not answer",
  },
  "helper.unreadable": { ru: "ответ машины не удалось прочитать", en: "the machine answers what cannot be read" },
  "helper.not_put": {
    ru: "программы панели не удалось положить на машину",
    en: "the panel's programs could not be put there",
  },
  "helper.no_room": {
    ru: "на диске машины нет места для программ панели",
    en: "the machine's disk has no room for the panel's programs",
  },
  "helper.not_looked_over": { ru: "машину не удалось осмотреть", en: "the machine could not be looked over" },
  "helper.cannot_tell": {
    ru: "машина не может сказать, какой панели она подчиняется",
    en: "the machine cannot tell whose it is",
  },
  "helper.stopped": {
    ru: "машина остановилась на полпути",
    en: "the machine stopped in the middle",
  },

  // One call to a machine.
  "call.given_up": { ru: "вызов прерван", en: "the call was given up" },
  "call.late": { ru: "машина отвечала слишком долго", en: "the machine took too long" },
  "call.lease_lost": { ru: "сейчас с машиной работает другая панель", en: "another panel works on the machine now" },
  "call.no_answer": { ru: "{what} не отвечает", en: "{what} does not answer" },
  "call.nobody": { ru: "{path} никто не слушает", en: "nobody listens at {path}" },
  "call.ended_early": { ru: "{path}: соединение закрылось раньше времени", en: "{path}: the connection ended early" },
  "call.unreadable": { ru: "ответ не удалось прочитать: {what}", en: "{what} answered what cannot be read" },
  "call.not_listened": { ru: "ответ больше никто не ждёт", en: "no longer listened to" },
  "program.not_found": { ru: "программа {program} не найдена", en: "{program}: not found" },
  "program.not_started": { ru: "программа {program} не запустилась", en: "{program}: could not be started" },
  "program.failed": {
    ru: "программа {program} завершилась с кодом {code}",
    en: "{program}: ended with {code}",
  },
  "program.killed": { ru: "программу {program} остановил сигнал", en: "{program}: ended with a signal" },
  "program.timeout": { ru: "программа {program} работала слишком долго", en: "{program}: took too long" },
  "program.too_much_output": { ru: "программа {program} напечатала слишком много", en: "{program}: printed too much" },
  "file.refused": { ru: "файл {path} нельзя записать ({code})", en: "{path} cannot be written: {code}" },
  "file.replaced": { ru: "{path} за это время заменили", en: "{path} was replaced" },
  "file.damaged": {
    ru: "файл {path} повреждён: удалите его, если это нынешняя панель клуба",
    en: "{path} is damaged: delete it, if this is the club's current panel",
  },
  "file.held": {
    ru: "{path} держит другая панель: она давно меняет эту машину",
    en: "another panel holds {path}: it has been changing this machine for long",
  },
  "machine.said": { ru: "машина ответила отказом", en: "the machine refused" },

  // What a machine lacks to run tunnels.
  "lack.not_linux": {
    ru: "WireGuard работает здесь только в Linux, а это {system}",
    en: "WireGuard is driven on Linux only, this is {system}",
  },
  "lack.not_root": {
    ru: "чтобы создавать туннели, панели нужен root или право CAP_NET_ADMIN",
    en: "the panel needs root, or the capability CAP_NET_ADMIN, to make tunnels",
  },
  "lack.programs": {
    ru: "не установлены программы ({programs}): {install}",
    en: "{programs} {count|is|are} not installed: {install}",
  },
  "lack.nftables": { ru: "в ядре нет nftables", en: "the kernel has no nftables" },
  "lack.backend": {
    ru: "в ядре нет WireGuard, а движок панели или /dev/net/tun использовать нельзя: загрузите модуль tun или {module} (modprobe) или дайте панели /dev/net/tun",
    en: "the kernel has no WireGuard, and the panel's engine or /dev/net/tun is not usable: load the module tun or {module} (modprobe), or give the panel /dev/net/tun",
  },
  "lack.tun": {
    ru: "движок панели или /dev/net/tun использовать нельзя",
    en: "the panel's engine or /dev/net/tun is not usable",
  },
  "lack.engine": {
    ru: "у панели нет движка для её машины: установите Go там, где панель собирают, и соберите её заново или положите krug-engine-amd64 или krug-engine-arm64 в папку и укажите её в ENGINES",
    en: "the panel has no engine for its machine: install Go where the panel is built and build it again, or put krug-engine-amd64 or krug-engine-arm64 into a folder and name that in ENGINES",
  },
  "lack.short_path": {
    ru: "путь DATA_DIR слишком длинный для управляющих сокетов: выберите короче 70 символов",
    en: "the path of DATA_DIR is too long for control sockets: choose one under 70 characters",
  },
  "lack.engine_for": {
    ru: "у панели нет движка для {processor}: установите Go там, где панель собирают, и соберите её заново или положите {file} в папку и укажите её в ENGINES",
    en: "the panel has no engine for {processor}: install Go where the panel is built and build it again, or put {file} into a folder and name that in ENGINES",
  },
  "lack.processor": {
    ru: "движок панели работает на {known}, а у этой машины {processor}",
    en: "the panel's engine runs on {known}, this machine is {processor}",
  },
  "lack.forwarding": {
    ru: "net.ipv4.ip_forward равен 0, и отсюда его не изменить: задайте 1 через sysctl на самой машине",
    en: "net.ipv4.ip_forward is 0 and cannot be changed from here: set it to 1 with sysctl on the machine itself",
  },
  "lack.marks": {
    ru: "net.ipv4.conf.all.src_valid_mark равен 0, и отсюда его не изменить, поэтому туннели не закрыты, пока нет файрвола: задайте 1 через sysctl на самой машине",
    en: "net.ipv4.conf.all.src_valid_mark is 0 and cannot be changed from here, so tunnels are not kept shut while the firewall is away: set it to 1 with sysctl on the machine itself",
  },
  "lack.policy_out": {
    ru: "цепочка файрвола '{chain}' запрещает пакеты участников своей политикой; открыть: {opening}",
    en: "the firewall chain '{chain}' refuses members' packets by its policy; this opens it: {opening}",
  },
  "lack.policy_back": {
    ru: "цепочка файрвола '{chain}' запрещает ответы участникам своей политикой; открыть: {opening}",
    en: "the firewall chain '{chain}' refuses the answers to members' packets by its policy; this opens it: {opening}",
  },
  "lack.rule_out": {
    ru: "цепочка файрвола '{chain}' запрещает пакеты участников правилом '{rule}'; открыть: {opening}",
    en: "the firewall chain '{chain}' refuses members' packets by the rule '{rule}'; this opens it: {opening}",
  },
  "lack.rule_back": {
    ru: "цепочка файрвола '{chain}' запрещает ответы участникам правилом '{rule}'; открыть: {opening}",
    en: "the firewall chain '{chain}' refuses the answers to members' packets by the rule '{rule}'; this opens it: {opening}",
  },
  "local.not_looked": { ru: "машину ещё не осмотрели", en: "not looked at yet" },
  "local.off": { ru: "LOCAL_SERVER=off", en: "LOCAL_SERVER=off" },
  "local.cannot": { ru: "WireGuard здесь работать не может", en: "WireGuard cannot run here" },
  "local.taken": {
    ru: "туннелями этой машины управляет другая панель с той же базой данных",
    en: "another panel on this database runs this machine's tunnels",
  },
  "local.no_room": {
    ru: "у этой машины нет свободного порта UDP или частной сети для первого интерфейса",
    en: "no UDP port or private network of this machine is free for a first interface",
  },
  "local.engine": {
    ru: "встроенный движок: работает сразу, но медленнее; чтобы было быстрее",
    en: "the built-in engine, works at once, slower; faster",
  },

  // An interface that is not as it should be.
  "interface.not_a_name": { ru: "такого имени у интерфейса быть не может", en: "not a name for an interface" },
  "interface.other_kind": {
    ru: "{name}: на машине есть интерфейс другого рода с этим именем",
    en: "{name} is an interface of another kind",
  },
  "interface.foreign_key": {
    ru: "{name}: у интерфейса на машине чужой ключ",
    en: "{name} carries a key that this panel did not make",
  },
  "interface.subnet_busy": {
    ru: "сеть {network} уже занята: {devices}",
    en: "the network {network} is in use by {devices}",
  },
  "interface.port_busy": {
    ru: "порт UDP {port} занят: {holder}",
    en: "the UDP port {port} is in use by {holder}",
  },
  "interface.port_busy_unseen": {
    ru: "порт UDP {port} занят: ядром, как собственный туннель, или программой, которую панели не видно",
    en: "the UDP port {port} is in use by the kernel, as a tunnel of its own, or a program that the panel cannot see",
  },
  "interface.missing": { ru: "интерфейса {name} нет", en: "there is no interface {name}" },
  "interface.other_key": { ru: "у интерфейса {name} другой ключ", en: "the interface {name} carries another key" },
  "interface.deleted": { ru: "его удалили", en: "it was deleted" },
  "interface.wrong_wish": {
    ru: "настройки интерфейса противоречивы",
    en: "the interface's settings are contradictory",
  },
  "interface.failed": { ru: "ошибка самой панели", en: "a bug of the panel's" },

  // The panel's engine and firewall on a machine.
  "engine.cannot_carry": {
    ru: "{program} не может вести туннели без ядра",
    en: "{program} cannot carry tunnels by itself",
  },
  "engine.none": { ru: "на машине нет движка для {name}", en: "the machine has no engine for {name}" },
  "engine.elsewhere": { ru: "{name} уже отвечает в другом месте", en: "{name} already answers elsewhere" },
  "engine.cannot_make": {
    ru: "движок не смог создать {name}: мешает имя, управляющий сокет или /dev/net/tun",
    en: "the engine could not make {name}: its name, control socket or /dev/net/tun",
  },
  "engine.refused": {
    ru: "движок {name} отказался от изменения ({why})",
    en: "the engine of {name} refused a change ({why})",
  },
  "engine.goes_on": { ru: "движок {name} не завершается", en: "the engine of {name} does not end" },
  "engine.unreadable": {
    ru: "файл движка панели {path} не читается ({code})",
    en: "the panel's engine {path} cannot be read ({code})",
  },
  "engine.size": {
    ru: "в файле движка панели {path} байт: {bytes}",
    en: "the panel's engine {path} has {bytes} bytes",
  },
  "engine.checksum": {
    ru: "контрольная сумма файла движка панели {path} не сходится",
    en: "the panel's engine {path} is not the file that its checksum is of",
  },
  "engine.not_whole": { ru: "движок панели дошёл не целиком", en: "the panel's engine did not arrive whole" },
  "engine.no_room": {
    ru: "движок панели не удалось передать: на диске машины нет места",
    en: "the panel's engine could not be brought: the machine's disk has no room for it",
  },
  "engine.not_brought": {
    ru: "движок панели не удалось передать на машину",
    en: "the panel's engine could not be brought",
  },
  "rules.none": { ru: "правила ещё ни разу не загружены", en: "no rules were loaded yet" },
  "rules.two_groups": { ru: "устройство попало в две группы", en: "a device is in two groups" },
  "rules.no_firewall": { ru: "файрвол ещё ни разу не загружен", en: "no firewall was loaded yet" },
  "firewall.others": {
    ru: "на этой машине туннели панели другого клуба (метка в таблице inet krug {other}, у этого клуба {own}), поэтому ничего не тронуто. Оставьте здесь один из двух; если другого больше нет, выполните там 'nft delete table inet krug'",
    en: "another club's panel has its tunnels on this machine (its mark in the table inet krug is {other}, this club's is {own}), so nothing is touched. Keep one of the two here; if the other is gone for good, run 'nft delete table inet krug' there",
  },

  // Which panel a machine obeys.
  "panel.superseded": {
    ru: "клуб восстановлен в другом месте, и его машины слушаются той панели (поколение {number})",
    en: "this club was restored elsewhere, and its machines obey that panel now (generation {number})",
  },
  "panel.no_way": { ru: "у этой панели нет связи с сервером", en: "this panel has no way to the server" },
  "panel.another": { ru: "за ним следит другая панель", en: "another panel looks after it" },
} as const satisfies Record<string, Record<Language, string>>;

export type ReasonCode = keyof typeof reasons;

/** They say nothing of the machine: whatever else is known of it says more. */
const VAGUE: ReadonlySet<string> = new Set<ReasonCode>([
  "panel.no_way",
  "call.given_up",
  "call.lease_lost",
  "ssh.closed_meanwhile",
]);

declare const made: unique symbol;
/** A reason as it travels and is kept. Only `reason` and `reasonsTogether` make one, so no free text can take its place. */
export type Reason = string & { readonly [made]: true };

type Details = Readonly<Record<string, string | number>>;
interface Part {
  code: ReasonCode;
  details?: Details;
  said?: string;
}

const UNPRINTABLE = /[\p{Cc}\p{Cf}]+/gu;
const SAID_LIMIT = 1_000;

/** `said`: the machine's own words, where it had any; never a secret. */
export function reason(code: ReasonCode, details: Details = {}, said: string | null = null): Reason {
  const quotable = (said ?? "").replace(UNPRINTABLE, " ").trim().slice(0, SAID_LIMIT);
  const part: Part = {
    code,
    ...(Object.keys(details).length > 0 ? { details } : {}),
    ...(quotable === "" ? {} : { said: quotable }),
  };
  return JSON.stringify(part) as Reason;
}

export const reasonsTogether = (several: readonly Reason[]): Reason =>
  JSON.stringify(several.flatMap((each) => partsOf(each))) as Reason;

/** Also of what an older panel wrote down, which was a sentence: what is no code of ours is quoted. */
function partsOf(kept: string): Part[] {
  try {
    const read: unknown = JSON.parse(kept);
    const parts = (Array.isArray(read) ? read : [read]) as Partial<Part>[];
    if (parts.length > 0 && parts.every((each) => each?.code !== undefined && Object.hasOwn(reasons, each.code)))
      return parts as Part[];
  } catch {
    // No JSON.
  }
  return [{ code: "machine.said", said: kept }];
}

/** The panel's words for it. */
export const reasonText = (kept: string, language: Language): string =>
  partsOf(kept)
    .map(({ code, details = {} }) => fillIn(reasons[code][language], language, details))
    .join("; ");

/** The machine's words; null where it said nothing. */
export const reasonSaid = (kept: string): string | null =>
  partsOf(kept)
    .flatMap(({ said }) => said ?? [])
    .join("; ") || null;

/** Both in one line, for where there is no room to quote: a refusal, a log, the command line. */
export function reasonLine(kept: string, language: Language): string {
  const said = reasonSaid(kept);
  if (said === null) return reasonText(kept, language);
  const quoted = language === "ru" ? `«${said}»` : said;
  // Its words are all there is to tell.
  if (partsOf(kept).every(({ code }) => code === "machine.said")) return quoted;
  return `${reasonText(kept, language)}: ${quoted}`;
}

/** Whether a new reason says no more than one that is known already. */
export const isVaguer = (next: string, known: string): boolean => {
  const isVague = (kept: string) => partsOf(kept).every(({ code }) => VAGUE.has(code));
  return isVague(next) && !isVague(known);
};

/** Of several: 'lack.programs lack.not_root'. */
export const reasonCode = (kept: string): string =>
  partsOf(kept)
    .map(({ code }) => code)
    .join(" ");
