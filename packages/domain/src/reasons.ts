import { fillIn, type Language } from "./fill-in.ts";

/**
 * Why a machine, a server or an interface is not as it should be: codes with words in both languages, in which details fill in
 * `{name}`. The machine's own output is quoted next to the words (docs/adr/0125-every-reason-is-a-code.md).
 */
export const reasons = {
  // No connection to the machine.
  "ssh.unresolved": { ru: "у имени нет адреса", en: "the name has no address" },
  "ssh.closed": { ru: "на этом порту никто не отвечает", en: "nothing listens on that port" },
  "ssh.silent": { ru: "машина не отвечает", en: "the machine does not answer" },
  "ssh.not_ssh": { ru: "на этом порту отвечает не SSH", en: "what answers there is not a usable SSH server" },
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
    en: "the machine accepts no key; it accepts {ways}",
  },
  "ssh.keys_only": {
    ru: "машина не принимает пароли, только: {ways}",
    en: "the machine accepts no password; it accepts {ways}",
  },
  "ssh.second_factor": { ru: "машина спрашивает что-то ещё", en: "the machine also asks for something else" },
  "ssh.one_way_not_enough": {
    ru: "одного способа входа машине мало, нужны ещё: {ways}",
    en: "one method is not enough for the machine; it accepts {ways}",
  },
  "ssh.password_expired": { ru: "машина требует сменить пароль", en: "the machine requires a new password" },
  "ssh.root_closed": { ru: "вход для root закрыт", en: "the machine is closed to root" },
  "ssh.no_shell": { ru: "этому пользователю нельзя выполнять команды", en: "the account may not run commands" },
  "ssh.other_command": {
    ru: "вместо команд панели выполняется другая программа",
    en: "another program runs instead of the panel's commands",
  },
  "ssh.no_sudo": { ru: "sudo не пускает этого пользователя", en: "sudo does not let this account become root" },
  "ssh.sudo_second": { ru: "sudo спрашивает не только пароль", en: "sudo asks for more than a password" },
  "ssh.no_agent": { ru: "помощник панели на машине не отвечает", en: "the panel's helper does not respond" },
  "ssh.lost": { ru: "соединение оборвалось", en: "the connection to the machine broke" },
  "ssh.ended": { ru: "машина закрыла соединение", en: "the machine closed the connection" },
  "ssh.closed_meanwhile": {
    ru: "соединение закрыли, пока оно открывалось",
    en: "the connection was closed while it was opening",
  },
  "ssh.no_sftp": { ru: "у машины нет SFTP", en: "the machine offers no SFTP" },
  "ssh.asks_no_password": { ru: "машина не спрашивает новый пароль", en: "the machine asks for no new password" },
  "sudo.asks_password": { ru: "sudo спрашивает пароль", en: "sudo asks for a password" },
  "sudo.refused_password": { ru: "sudo не принял пароль", en: "sudo refused the password" },
  "sudo.silent": { ru: "sudo не отвечает", en: "sudo does not answer" },
  "speeds.older_engine": {
    ru: "туннели работают на движке прежней версии, который не ограничивает скорость: {names}; перезапустите машину или контейнер",
    en: "tunnels run by an engine of an older version, which limits no speed: {names}; restart the machine or the container",
  },
  "routing.no_kernel": {
    ru: "на машине сервера туннели работают без ядра, а маршрутизировать умеет только ядро",
    en: "the server's tunnels run without a kernel, and only a kernel can route",
  },
  "routing.older_panel": {
    ru: "рядом работает панель прежней версии, и она выпустила бы этот трафик напрямую; обновите или остановите её",
    en: "a panel of an older version is running, and would let this traffic out straight; upgrade or stop it",
  },
  "exit.no_endpoint": {
    ru: "у сервера не указан адрес для подключения",
    en: "the server has no address to connect to",
  },
  "exit.unresolved": {
    ru: "имя {name} ещё не превратилось в адрес",
    en: "the name {name} has not resolved to an address yet",
  },
  "exit.not_set_up": { ru: "сервер ещё не настроен", en: "the server is not set up yet" },
  "server.named": { ru: "{name}", en: "{name}" },
  "server.deleted": { ru: "сервер удалён", en: "the server was deleted" },
  "server.not_met": { ru: "к машине ещё не подключались", en: "the panel has not connected to the machine yet" },
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
  "helper.unreadable": { ru: "ответ машины не удалось прочитать", en: "the machine's answer cannot be read" },
  "helper.not_put": {
    ru: "программы панели не удалось положить на машину",
    en: "the panel's programs could not be installed on the machine",
  },
  "helper.no_room": {
    ru: "на диске машины нет места для программ панели",
    en: "the machine's disk has no room for the panel's programs",
  },
  "helper.not_looked_over": { ru: "машину не удалось осмотреть", en: "the machine could not be inspected" },
  "helper.cannot_tell": {
    ru: "машина не может сказать, какой панели она подчиняется",
    en: "the machine cannot tell which panel it obeys",
  },
  "helper.stopped": {
    ru: "машина остановилась на полпути",
    en: "the machine stopped partway",
  },

  // One call to a machine.
  "call.given_up": { ru: "вызов прерван", en: "the call was cancelled" },
  "call.late": { ru: "машина отвечала слишком долго", en: "the machine took too long" },
  "call.lease_lost": { ru: "сейчас с машиной работает другая панель", en: "another panel works on the machine now" },
  "call.no_answer": { ru: "{what} не отвечает", en: "{what} does not answer" },
  "call.nobody": { ru: "{path} никто не слушает", en: "nothing listens at {path}" },
  "call.ended_early": { ru: "{path}: соединение закрылось раньше времени", en: "{path}: the connection closed early" },
  "call.unreadable": { ru: "ответ не удалось прочитать: {what}", en: "the answer of {what} cannot be read" },
  "call.not_listened": { ru: "ответ больше никто не ждёт", en: "no longer listened to" },
  "program.not_found": { ru: "программа {program} не найдена", en: "{program}: not found" },
  "program.not_started": { ru: "программа {program} не запустилась", en: "{program}: could not be started" },
  "program.failed": {
    ru: "программа {program} завершилась с кодом {code}",
    en: "{program}: exited with {code}",
  },
  "program.killed": { ru: "программу {program} остановил сигнал", en: "{program}: killed by a signal" },
  "program.timeout": { ru: "программа {program} работала слишком долго", en: "{program}: took too long" },
  "program.too_much_output": { ru: "программа {program} напечатала слишком много", en: "{program}: printed too much" },
  "file.refused": { ru: "файл {path} нельзя записать ({code})", en: "{path} cannot be written: {code}" },
  "file.replaced": { ru: "{path} за это время заменили", en: "{path} was replaced" },
  "file.damaged": {
    ru: "файл {path} повреждён: удалите его, если это нынешняя панель клуба",
    en: "{path} is damaged: delete it if this is the club's current panel",
  },
  "file.held": {
    ru: "{path} держит другая панель: она давно меняет эту машину",
    en: "another panel holds {path}: it has been changing this machine for a long time",
  },
  "machine.said": { ru: "машина ответила отказом", en: "the machine refused" },

  // What a machine lacks to run tunnels.
  "lack.not_linux": {
    ru: "WireGuard работает здесь только в Linux, а это {system}",
    en: "WireGuard runs on Linux only, this is {system}",
  },
  "lack.not_root": {
    ru: "чтобы создавать туннели, панели нужен root или право CAP_NET_ADMIN",
    en: "the panel needs root, or the capability CAP_NET_ADMIN, to make tunnels",
  },
  "lack.programs": {
    ru: "не установлены программы ({programs}): {install}",
    en: "{programs} {count|is|are} not installed: {install}",
  },
  "names.no_program": { ru: "нет программы dnsmasq: {install}", en: "there is no dnsmasq: {install}" },
  "names.failed": { ru: "dnsmasq не запускается", en: "dnsmasq does not start" },
  "names.refused": {
    ru: "другой брандмауэр машины не пропускает вопросы из туннелей к ней самой: откройте порты {ports} (UDP и TCP) и перезапустите панель",
    en: "another firewall of the machine refuses questions from the tunnels to the machine itself: open ports {ports} (UDP and TCP) and restart the panel",
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
    en: "the panel has no engine for its machine: install Go on the machine that builds the panel and build it again, or put krug-engine-amd64 or krug-engine-arm64 into a folder and name that in ENGINES",
  },
  "lack.short_path": {
    ru: "путь DATA_DIR слишком длинный для управляющих сокетов: выберите короче 70 символов",
    en: "the path of DATA_DIR is too long for control sockets: choose one under 70 characters",
  },
  "lack.engine_for": {
    ru: "у панели нет движка для {processor}: установите Go там, где панель собирают, и соберите её заново или положите {file} в папку и укажите её в ENGINES",
    en: "the panel has no engine for {processor}: install Go on the machine that builds the panel and build it again, or put {file} into a folder and name that in ENGINES",
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
    en: "net.ipv4.conf.all.src_valid_mark is 0 and cannot be changed from here, so tunnels stay open while the firewall is missing: set it to 1 with sysctl on the machine itself",
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
  "local.not_looked": { ru: "машину ещё не осмотрели", en: "not inspected yet" },
  "local.off": { ru: "LOCAL_SERVER=off", en: "LOCAL_SERVER=off" },
  "local.cannot": { ru: "WireGuard здесь работать не может", en: "WireGuard cannot run here" },
  "local.taken": {
    ru: "туннелями этой машины управляет другая панель с той же базой данных",
    en: "another panel on this database runs this machine's tunnels",
  },
  "local.no_room": {
    ru: "у этой машины нет свободного порта UDP или частной сети для первого интерфейса",
    en: "this machine has no free UDP port or private network for a first interface",
  },
  "local.engine": {
    ru: "встроенный движок: работает сразу, но медленнее; чтобы было быстрее",
    en: "built-in engine: works at once, but slower. To make it faster",
  },

  // An interface that is not as it should be.
  "interface.not_a_name": { ru: "такого имени у интерфейса быть не может", en: "not a valid interface name" },
  "interface.other_kind": {
    ru: "{name}: на машине есть интерфейс другого рода с этим именем",
    en: "{name} is an interface of another kind",
  },
  "interface.foreign_key": {
    ru: "{name}: у интерфейса на машине чужой ключ",
    en: "{name} has a key that this panel did not create",
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
    en: "the UDP port {port} is in use by a tunnel of the kernel's own or by a program that the panel cannot see",
  },
  "interface.missing": { ru: "интерфейса {name} нет", en: "there is no interface {name}" },
  "interface.other_key": { ru: "у интерфейса {name} другой ключ", en: "the interface {name} has another key" },
  "interface.deleted": { ru: "его удалили", en: "it was deleted" },
  "interface.wrong_wish": {
    ru: "настройки интерфейса противоречивы",
    en: "the interface's settings are contradictory",
  },
  "interface.key_lost": {
    ru: "ключ интерфейса не открывается ключом панели",
    en: "the panel's key does not open a key of the interface",
  },
  "interface.failed": { ru: "ошибка самой панели", en: "a bug in the panel" },

  // The panel's engine and firewall on a machine.
  "engine.cannot_carry": {
    ru: "{program} не может вести туннели без ядра",
    en: "{program} cannot carry tunnels by itself",
  },
  "engine.none": { ru: "на машине нет движка для {name}", en: "the machine has no engine for {name}" },
  "engine.elsewhere": { ru: "{name} уже отвечает в другом месте", en: "{name} already answers elsewhere" },
  "engine.cannot_make": {
    ru: "движок не смог создать {name}: мешает имя, управляющий сокет или /dev/net/tun",
    en: "the engine could not create {name}: its name, control socket or /dev/net/tun",
  },
  "engine.refused": {
    ru: "движок {name} отказался от изменения ({why})",
    en: "the engine of {name} refused a change ({why})",
  },
  "engine.goes_on": { ru: "движок {name} не завершается", en: "the engine of {name} does not exit" },
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
    en: "the panel's engine {path} does not match its checksum",
  },
  "engine.not_whole": { ru: "движок панели дошёл не целиком", en: "the panel's engine arrived incomplete" },
  "engine.no_room": {
    ru: "движок панели не удалось передать: на диске машины нет места",
    en: "the panel's engine could not be installed: the machine's disk has no room for it",
  },
  "engine.not_brought": {
    ru: "движок панели не удалось передать на машину",
    en: "the panel's engine could not be installed",
  },
  "rules.none": { ru: "правила ещё ни разу не загружены", en: "no rules have been loaded yet" },
  "rules.two_groups": { ru: "устройство попало в две группы", en: "a device is in two groups" },
  "rules.no_firewall": { ru: "файрвол ещё ни разу не загружен", en: "no firewall has been loaded yet" },
  "firewall.others": {
    ru: "на этой машине туннели панели другого клуба (метка в таблице inet krug {other}, у этого клуба {own}), поэтому ничего не тронуто. Оставьте здесь один из двух; если другого больше нет, выполните там 'nft delete table inet krug'",
    en: "another club's panel has its tunnels on this machine (its mark in the table inet krug is {other}, this club's is {own}), so nothing is touched. Keep one of the two here; if the other is gone for good, run 'nft delete table inet krug' there",
  },

  // The panel that a machine obeys.
  "panel.superseded": {
    ru: "клуб восстановлен в другом месте, и его машины слушаются той панели (поколение {number})",
    en: "this club was restored elsewhere, and its machines now obey that panel (generation {number})",
  },
  "panel.no_way": { ru: "у этой панели нет связи с сервером", en: "this panel has no connection to the server" },
  "import.silent": { ru: "новый интерфейс не ответил", en: "the new interface did not answer" },
  "import.still_here": {
    ru: "панель ещё не убрала {name} с сервера",
    en: "the panel has not removed {name} from the server yet",
  },
  "panel.another": { ru: "за ним следит другая панель", en: "another panel looks after it" },

  // A file or folder of the panel's own machine.
  "start.port_taken": {
    ru: "PORT {port} на {host} занят: там слушает другая панель или программа",
    en: "PORT {port} is taken on {host}: another panel or program listens there",
  },
  "start.port_closed": {
    ru: "PORT {port} этому пользователю открыть нельзя: возьмите от 1024",
    en: "this user may not open PORT {port}: use 1024 or higher",
  },
  "start.no_host": { ru: "у этой машины нет адреса HOST {host}", en: "HOST {host} is not an address of this machine" },
  "disk.full": {
    ru: "{path}: на диске нет места ({code})",
    en: "{path} cannot be written: the disk is full ({code}).",
  },
  "disk.quota": {
    ru: "{path}: исчерпана квота диска ({code})",
    en: "{path} cannot be written: the disk's quota is used up ({code}).",
  },
  "disk.read_only": {
    ru: "{path}: панели доступно только чтение; если её запускает systemd, укажите папку в ReadWritePaths= ({code})",
    en: "{path} is read-only for the panel; with the unit, name its folder in ReadWritePaths= ({code}).",
  },
  "disk.closed": {
    ru: "{path}: у пользователя панели нет доступа, владельцем должен быть {user} ({code})",
    en: "{path} is closed to the panel's user: {user} must own it ({code}).",
  },
  "disk.not_there": {
    ru: "{path}: такого нет, и создать не получается ({code})",
    en: "{path} does not exist and cannot be created ({code}).",
  },
  "disk.file_on_the_way": {
    ru: "{path}: на пути к нему вместо папки стоит файл ({code})",
    en: "{path} cannot exist: part of its path is a file ({code}).",
  },
  "disk.taken": {
    ru: "{path}: создать нельзя, там уже стоит файл ({code})",
    en: "{path} cannot be created: a file is there ({code}).",
  },
  "disk.is_folder": {
    ru: "{path}: это папка, а нужен файл ({code})",
    en: "{path} is a folder, but must be a file ({code}).",
  },
  "disk.circle": {
    ru: "{path}: ссылки ведут по кругу ({code})",
    en: "{path} cannot be reached: its links form a loop ({code}).",
  },
  "disk.long_name": {
    ru: "{path}: слишком длинное имя ({code})",
    en: "{path} has a name that is too long ({code}).",
  },
  "disk.fails": {
    ru: "{path}: диск сбоит, ни прочитать, ни записать не получается ({code})",
    en: "{path} cannot be read or written: the disk is failing ({code}).",
  },
  "disk.cannot_read": { ru: "{path} не удаётся прочитать ({code}).", en: "{path} cannot be read ({code})." },
  "disk.no_file": { ru: "Файла {path} нет.", en: "The file {path} does not exist." },

  // The master key.
  "key.open_to_others": {
    ru: "Главный ключ {path} доступен другим пользователям. Выполните: chmod 600 {path}",
    en: "The master key {path} is open to others. Run: chmod 600 {path}",
  },
  "key.cannot_read": {
    ru: "Главный ключ {path} не удаётся прочитать ({code}).",
    en: "The master key {path} cannot be read ({code}).",
  },
  "key.damaged": {
    ru: "Главный ключ {path} повреждён: в нём должно быть 32 байта в base64. Верните его копию.",
    en: "The master key {path} is damaged: it must be 32 bytes in base64. Put its copy back.",
  },
  "key.opens_nothing": {
    ru: "Главный ключ {path} не открывает то, что хранит база данных. Положите туда правильный ключ.",
    en: "The master key {path} does not open what the database holds. Put the right key there.",
  },
  "key.missing": {
    ru: "Главного ключа {path} нет, а в базе есть данные, зашифрованные им. Верните ключ или скопируйте его с другой панели на этой базе; новый не создавайте.",
    en: "The master key {path} is missing, but the database holds data sealed with it. Put the key back, or copy it from another panel on this database; do not create a new one.",
  },
  "key.missing_known": {
    ru: "Главного ключа {path} нет, а в базе есть данные, зашифрованные им (ключ {id}). Верните ключ или скопируйте его с другой панели на этой базе; новый не создавайте.",
    en: "The master key {path} is missing, but the database holds data sealed with it (key {id}). Put the key back, or copy it from another panel on this database; do not create a new one.",
  },
  "key.other": {
    ru: "Главный ключ {path} не открывает эту базу данных: в файле ключ {here}, а база зашифрована ключом {wanted}. Положите туда этот ключ: у панелей на одной базе он общий.",
    en: "The master key {path} does not open this database: it is key {here}, and the database is sealed with key {wanted}. Put that key there; panels on one database share one key.",
  },
  "key.proof_damaged": {
    ru: "Запись базы данных, которая подтверждает главный ключ, повреждена. Восстановите базу из копии.",
    en: "The database record that proves the master key is damaged. Restore the database from its copy.",
  },
  "key.unnamed": {
    ru: "База данных ещё не знает своего главного ключа: запустите панель один раз.",
    en: "The database does not name its master key yet: start the panel once.",
  },
  "key.not_of_database": {
    ru: "Главный ключ {path} больше не от этой базы данных.",
    en: "The master key {path} is no longer the key of this database.",
  },
  "key.rotation_lacks": {
    ru: "Смена главного ключа прервалась, а в {path} нет ключа {id}, который ещё нужен части данных. Верните файл, в котором были оба.",
    en: "A rotation of the master key was interrupted, and {path} lacks key {id}, which some data still needs. Put back the file that held both.",
  },

  // What keeps the database from opening.
  "database.damaged": {
    ru: "База данных {file} повреждена ({found}). Панель её не трогала. Уберите её вместе с {file}-wal и {file}-shm, положите на её место последнюю копию DATA_DIR и запустите снова. Повреждённый файл сохраните: `sqlite3 FILE .recover` может вернуть то, чего нет в копии.",
    en: "The database {file} is damaged ({found}). The panel has not touched it. Move it away together with {file}-wal and {file}-shm, put the last copy of DATA_DIR in its place and start again. Keep the damaged file: `sqlite3 FILE .recover` may recover what the copy lacks.",
  },
  "database.folder_closed": {
    ru: "Пользователь панели должен иметь право писать в DATA_DIR",
    en: "DATA_DIR must be writable by the panel's user",
  },
  "database.none": {
    ru: "В {place} нет базы данных клуба. Укажите DATA_DIR или DATABASE_URL панели, как у её службы.",
    en: "There is no club database at {place}. Set DATA_DIR or DATABASE_URL as in the panel's service.",
  },
  "database.no_file": { ru: "В {file} нет базы данных.", en: "There is no database at {file}." },
  "database.unused": {
    ru: "Этой базой данных ещё не пользовалась ни одна панель.",
    en: "No panel has ever used this database.",
  },
  "database.old_postgres": {
    ru: "DATABASE_URL ведёт к PostgreSQL {version}, а панели нужна версия {needed} или новее.",
    en: "DATABASE_URL points to PostgreSQL {version}; the panel needs {needed} or newer.",
  },
  "database.newer": {
    ru: "База данных новее этой панели ({files}). Запустите более новую версию.",
    en: "The database is newer than this panel ({files}). Start the newer version.",
  },
  "postgres.pooler": {
    ru: "там пулер делит соединения между транзакциями (PgBouncer, pool_mode = transaction или statement). Панели нужны свои соединения: задайте pool_mode = session или укажите сам PostgreSQL.",
    en: "a pooler there shares connections between transactions (PgBouncer's pool_mode = transaction or statement). The panel needs its own connections: set pool_mode = session, or connect to PostgreSQL directly.",
  },
  "postgres.nobody": {
    ru: "там никто не отвечает. Запущен ли PostgreSQL и слушает ли он этот адрес?",
    en: "nothing answers there. Is PostgreSQL running, and does it listen on that address?",
  },
  "postgres.no_host": { ru: "узла с таким именем нет.", en: "there is no host with that name." },
  "postgres.no_lookup": { ru: "имя узла не удалось узнать.", en: "the host's name could not be looked up." },
  "postgres.no_socket": {
    ru: "по этому пути нет сокета PostgreSQL.",
    en: "there is no PostgreSQL socket at that path.",
  },
  "postgres.late": {
    ru: "ответ не пришёл вовремя. Нет ли на пути файрвола?",
    en: "no answer came in time. Is a firewall in between?",
  },
  "postgres.out_of_reach": { ru: "до узла не добраться.", en: "the host cannot be reached." },
  "postgres.login": {
    ru: "имя или пароль пользователя неверны.",
    en: "the user's name or password is wrong.",
  },
  "postgres.not_let_in": {
    ru: "PostgreSQL не пускает этого пользователя (pg_hba.conf).",
    en: "PostgreSQL does not let this user in (pg_hba.conf).",
  },
  "postgres.no_database": {
    ru: "базы данных с таким именем нет. Создайте её: createdb --owner=USER NAME.",
    en: "there is no database with that name. Create it: createdb --owner=USER NAME.",
  },
  "postgres.no_right": {
    ru: "пользователю нельзя создавать там таблицы. Сделайте его владельцем базы данных.",
    en: "the user may not create tables there. Make that user the database's owner.",
  },
  "postgres.no_connection_left": {
    ru: "у PostgreSQL не осталось соединений (max_connections).",
    en: "PostgreSQL has no connections left (max_connections).",
  },
  "postgres.starting": {
    ru: "PostgreSQL запускается или останавливается. Запустите панель снова, когда он заработает.",
    en: "PostgreSQL is starting or stopping. Start the panel again when it is up.",
  },

  // Backups and where they are stored.
  "backup.no_club": {
    ru: "В {folder} нет клуба. Укажите DATA_DIR и DATABASE_URL панели, как у её службы.",
    en: "There is no club in {folder}. Set DATA_DIR and DATABASE_URL as in the panel's service.",
  },
  "backup.panel_id_damaged": {
    ru: "{path} повреждён: верните его из копии DATA_DIR.",
    en: "{path} is damaged: put it back from a copy of DATA_DIR.",
  },
  "backup.no_lock": {
    ru: "BACKUP_PASSPHRASE_FILE или BACKUP_RECIPIENT не задан.",
    en: "BACKUP_PASSPHRASE_FILE or BACKUP_RECIPIENT is not set.",
  },
  "backup.reads_otherwise": {
    ru: "{file} читается не таким, каким его записали.",
    en: "{file} does not read back as it was written.",
  },
  "backup.longer": { ru: "обратно приходит больше, чем записали", en: "more was read back than written" },
  "backup.slow": { ru: "записанное читается слишком медленно", en: "reading it back is too slow" },
  "backup.value": {
    ru: "в {column} лежит то, что в копию не положить: {type}",
    en: "{column} holds a type that a backup cannot: {type}",
  },
  "backup.old_stay": {
    ru: "Копия хорошая, но старые не удалены",
    en: "The backup is good, but older ones were not removed",
  },
  "backup.gone": {
    ru: "{name}, последняя хорошая копия, пропала из {place}.",
    en: "{name}, the last good one, is no longer in {place}.",
  },
  "backup.cut": {
    ru: "{name}, последняя хорошая копия, повреждена: в {place} она занимает {bytes} Б, а записано было {written}.",
    en: "{name}, the last good one, is damaged: in {place} it has {bytes} bytes, and {written} were written.",
  },
  "backup.damaged": {
    ru: "{file} повреждён или неполон. Ничего не восстановлено: возьмите другую копию.",
    en: "{file} is damaged or incomplete. Nothing was restored: take another backup.",
  },
  "backup.foreign": {
    ru: "{file} не копия этого продукта. Ничего не восстановлено.",
    en: "{file} is not a backup of this product. Nothing was restored.",
  },
  "backup.newer": {
    ru: "{file} сделан более новой панелью ({version}). Ничего не восстановлено: сначала установите эту версию или более позднюю.",
    en: "{file} was made by a newer panel ({version}). Nothing was restored: install that version or a later one first.",
  },
  "backup.not_read": {
    ru: "{file} не удалось прочитать до конца. Ничего не восстановлено",
    en: "{file} could not be read to its end. Nothing was restored",
  },
  "backup.passphrase": {
    ru: "Фраза не открывает {file}, или он сделан для открытого ключа. Ничего не восстановлено.",
    en: "The passphrase does not open {file}, or it was made for a public key. Nothing was restored.",
  },
  "backup.identity": {
    ru: "Ключ не открывает {file}, или он сделан с фразой. Ничего не восстановлено.",
    en: "The identity does not open {file}, or it was made with a passphrase. Nothing was restored.",
  },
  "backup.signature": {
    ru: "У {file} не та подпись, о которой он сам говорит. Ничего не восстановлено.",
    en: "{file} does not match its signature. Nothing was restored.",
  },
  "backup.other_club": {
    ru: "{file} подписан не тем клубом, который в нём лежит. Ничего не восстановлено.",
    en: "{file} is signed by another club than the one it contains. Nothing was restored.",
  },
  "backup.folder_not_empty": {
    ru: "{folder} не пуста ({there}). Ничего не восстановлено: уберите оттуда лишнее или укажите другую DATA_DIR.",
    en: "{folder} is not empty ({there}). Nothing was restored: move its contents away, or set another DATA_DIR.",
  },
  "backup.being_restored": {
    ru: "В {folder} уже идёт другое восстановление. Ничего не восстановлено: дождитесь его конца.",
    en: "Another restore into {folder} is under way. Nothing was restored: wait until it ends.",
  },
  "backup.database_not_empty": {
    ru: "База данных {place} не пуста. Ничего не восстановлено: создайте пустую, createdb --owner=USER NAME.",
    en: "The database {place} is not empty. Nothing was restored: create an empty one with createdb --owner=USER NAME.",
  },
  "backup.other_key": {
    ru: "В {path} не тот главный ключ, что в копии. Ничего не восстановлено: уберите его и на время восстановления не задавайте MASTER_KEY_FILE.",
    en: "{path} holds another master key than the backup. Nothing was restored: move it away, and leave MASTER_KEY_FILE unset for the restore.",
  },
  "place.full": {
    ru: "В {folder} нет места: освободите его или храните меньше копий, BACKUP_KEEP ({code}).",
    en: "{folder} is full: make room there, or keep fewer with BACKUP_KEEP ({code}).",
  },
  "place.in_data_dir": {
    ru: "{folder}: это внутри DATA_DIR, и копии пропали бы вместе с клубом. Назовите папку в другом месте, лучше на другом диске.",
    en: "{folder} is in DATA_DIR, so the backups would be lost together with the club. Name a folder elsewhere, best on another disk.",
  },
  "place.broke": { ru: "соединение оборвалось", en: "the connection broke" },
  "place.unanswered": { ru: "сервер не ответил на вопрос", en: "the server left a request unanswered" },
  "place.endless": { ru: "список файлов у сервера не кончается", en: "the server's file list never ends" },
  "place.arrived_short": { ru: "дошло {arrived} из {bytes} байт", en: "only {arrived} of {bytes} bytes arrived" },
  "place.no_such": { ru: "такой папки или файла нет", en: "there is no such folder or file" },
  "place.not_allowed": { ru: "сервер этого не разрешает", en: "the server does not allow it" },
  "place.perhaps_full": {
    ru: "у сервера не получилось, возможно, его диск полон",
    en: "the server could not do it: perhaps its disk is full",
  },
  "storage.began_nothing": { ru: "хранилище не начало приём", en: "the storage did not start the upload" },
  "storage.too_many_parts": {
    ru: "копия слишком большая: больше {most} частей",
    en: "a backup of more than {most} parts is too big",
  },
  "storage.part_unnamed": {
    ru: "хранилище не сказало, какую часть приняло",
    en: "the storage did not name the part it received",
  },
  "storage.no_list": { ru: "хранилище не дало списка", en: "the storage returned no list" },
  "storage.endless": { ru: "список хранилища не кончается", en: "the storage's list never ends" },
  "storage.too_much": {
    ru: "хранилище отвечает больше, чем спрошено",
    en: "the storage answers more than it was asked for",
  },
  "storage.status": { ru: "хранилище ответило {status}", en: "the storage answered {status}" },
  "storage.refused": { ru: "хранилище отказало", en: "the storage refused" },
  "storage.silent": { ru: "хранилище не отвечает", en: "the storage does not answer" },
  "storage.no_connection": {
    ru: "нет соединения, или оно оборвалось ({code})",
    en: "there is no connection, or it broke ({code})",
  },

  // Notices being delivered.
  "telegram.refused": { ru: "Telegram не принял сообщение", en: "Telegram refused the message" },
  "telegram.unreachable": { ru: "Telegram недоступен", en: "Telegram cannot be reached" },
  "push.status": { ru: "{host} ответил {status}", en: "{host} answered {status}" },
  "web.silent": { ru: "ответа не было 10 секунд", en: "no answer in time" },
  "web.closed": { ru: "адрес не из интернета", en: "not an address of the internet" },
  "web.no_name": { ru: "такого имени нет", en: "no such name" },
  "web.no_address": { ru: "у имени больше нет адресов", en: "the name has no addresses any more" },
  "web.no_resolver": { ru: "DNS не отвечает", en: "no resolver answers" },
  "web.broke": { ru: "соединения нет, или оно оборвалось ({code})", en: "no connection, or it broke ({code})" },
  "web.status": { ru: "ответ {status}", en: "answer {status}" },
  "web.too_long": { ru: "ответ больше {most} МБ", en: "the answer is larger than {most} MB" },
  "web.too_many_redirects": { ru: "слишком много перенаправлений", en: "too many redirects" },
  "web.bad_redirect": {
    ru: "перенаправление не на https-адрес",
    en: "a redirect to something other than an https address",
  },
  "web.packed": { ru: "ответ сжат, хотя об этом не просили", en: "the answer is compressed without being asked to" },

  // Sources of services' networks.
  "source.no_networks": { ru: "в списке нет ни одной сети", en: "there is no network in the list" },
  "source.not_a_list": {
    ru: "это не список: непонятных строк {unread}, сетей {networks}",
    en: "this is no list: {unread} lines cannot be read, {networks} are networks",
  },
  "source.too_large": { ru: "список слишком большой, чтобы его разобрать", en: "the list is too large to be read" },
  "source.too_many": {
    ru: "сетей в списке {count}, а может быть не больше {most}",
    en: "the list has {count} networks, but the limit is {most}",
  },
  "source.too_many_together": {
    ru: "сервис «{service}» стал бы из {count} сетей, а может быть не больше {most}",
    en: "the service “{service}” would have {count} networks, but the limit is {most}",
  },
  "source.no_as_data": {
    ru: "на машине нет данных об автономных системах: положите asn-ipv4.csv и asn-ipv6.csv в папку GEO_DIR",
    en: "this machine has no data on autonomous systems: put asn-ipv4.csv and asn-ipv6.csv into the folder GEO_DIR",
  },
  "source.not_as_file": {
    ru: "{path}: это не данные ip-location-db, где строки вида «1.0.0.0,1.0.0.255,13335,Cloudflare»",
    en: "{path} does not have ip-location-db's data, with lines like “1.0.0.0,1.0.0.255,13335,Cloudflare”",
  },
  "source.no_country_data": { ru: "на машине нет данных о странах", en: "this machine has no data on countries" },
  "source.unknown": { ru: "в данных такого нет", en: "the data has no such entry" },
  "source.nothing_left": {
    ru: "в сервисе «{service}» не осталось бы ни одной сети",
    en: "the service “{service}” would have no network left",
  },
  "panel.unexpected": { ru: "ошибка, которой панель не ждала", en: "an error that the panel did not expect" },
} as const satisfies Record<string, Record<Language, string>>;

export type ReasonCode = keyof typeof reasons;

/** These say nothing about the machine, so any other reason says more. */
const VAGUE: ReadonlySet<string> = new Set<ReasonCode>([
  "panel.no_way",
  "call.given_up",
  "call.lease_lost",
  "ssh.closed_meanwhile",
]);

declare const made: unique symbol;
/** A reason as it is sent and stored. Only `reason` and `reasonsTogether` make one, so it is never free text. */
export type Reason = string & { readonly [made]: true };

type Details = Readonly<Record<string, string | number>>;
interface Part {
  code: ReasonCode;
  details?: Details;
  said?: string;
  /** The place that it is about. */
  at?: string;
}

const UNPRINTABLE = /[\p{Cc}\p{Cf}]+/gu;
const SAID_LIMIT = 1_000;

/** `said`: the machine's own output, if any; never a secret. */
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

/** A reason about a place, whose name comes before the words. */
export const reasonAt = (at: string, kept: Reason): Reason =>
  JSON.stringify(partsOf(kept).map((part) => ({ ...part, at }))) as Reason;

/** Also reads the sentences of older panels: what is not one of our codes is quoted. */
function partsOf(kept: string): Part[] {
  try {
    const read: unknown = JSON.parse(kept);
    const parts = (Array.isArray(read) ? read : [read]) as Partial<Part>[];
    if (parts.length > 0 && parts.every((each) => each?.code !== undefined && Object.hasOwn(reasons, each.code)))
      return parts as Part[];
  } catch {
    // Not JSON.
  }
  return [{ code: "machine.said", said: kept }];
}

/** The panel's words for it. */
export const reasonText = (kept: string, language: Language): string =>
  partsOf(kept)
    .map(({ code, details = {}, at }) => {
      const words = fillIn(reasons[code][language], language, details);
      return at === undefined ? words : `${at}: ${words}`;
    })
    .join("; ");

/** The machine's output; null if there was none. */
export const reasonSaid = (kept: string): string | null =>
  partsOf(kept)
    .flatMap(({ said }) => said ?? [])
    .join("; ") || null;

/** Both in one line, where there is no room for a quotation: a refusal, a log, the command line. */
export function reasonLine(kept: string, language: Language): string {
  const said = reasonSaid(kept);
  if (said === null) return reasonText(kept, language);
  const quoted = language === "ru" ? `«${said}»` : said;
  // The machine's words are all there is.
  if (partsOf(kept).every(({ code }) => code === "machine.said")) return quoted;
  return `${reasonText(kept, language)}: ${quoted}`;
}

/** Whether a new reason says no more than a known one. */
export const isVaguer = (next: string, known: string): boolean => {
  const isVague = (kept: string) => partsOf(kept).every(({ code }) => VAGUE.has(code));
  return isVague(next) && !isVague(known);
};

/** Joined if there are several: 'lack.programs lack.not_root'. */
export const reasonCode = (kept: string): string =>
  partsOf(kept)
    .map(({ code }) => code)
    .join(" ");
