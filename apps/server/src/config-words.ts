import type { Language } from "@krug/contract/refusals";
import { BACKUP_PASSPHRASE_MIN } from "@krug/domain/backup-rules";

/** The same sentence in both languages. */
export type Sentence = Readonly<Record<Language, string>>;

const firstLine = (en: string, ru: string) => ({
  en: `must be a readable file with ${en} in its first line`,
  ru: `должна быть файлом, который можно прочитать; в его первой строке ${ru}`,
});

/** What is wrong with a variable, behind its name; config.ts names these as its schemas' messages. */
const PROBLEMS = {
  makeableFolder: {
    en: "must be a folder, or a path where one can be created: a file or a broken link is in the way",
    ru: "должна быть папкой или путём, где её можно создать: мешает файл или ссылка, которая никуда не ведёт",
  },
  folder: {
    en: "must be an existing folder",
    ru: "должна быть существующей папкой",
  },
  file: {
    en: "must be a file",
    ru: "должна быть файлом",
  },
  engines: {
    en: "must be a folder with krug-engine-amd64 or krug-engine-arm64",
    ru: "должна быть папкой, где есть krug-engine-amd64 или krug-engine-arm64",
  },
  amneziaEngines: {
    en: "must be a folder with amneziawg-go-amd64 or amneziawg-go-arm64",
    ru: "должна быть папкой, где есть amneziawg-go-amd64 или amneziawg-go-arm64",
  },
  wholePath: {
    en: "must be an absolute path, which begins with /",
    ru: "должна быть полным путём, который начинается с /",
  },
  port: {
    en: "must be a port number",
    ru: "должна быть номером порта",
  },
  host: {
    en: "must be an address or a name of this machine, without a port",
    ru: "должна быть адресом или именем этой машины, без порта",
  },
  publicUrl: {
    en: "must be an http or https address such as https://club.example",
    ru: "должна быть адресом http или https, например https://club.example",
  },
  noPath: {
    en: "must have no path: the panel is at the root",
    ru: "должна быть без пути: панель стоит в корне",
  },
  noLogin: {
    en: "must have no name and password in it",
    ru: "должна быть без имени и пароля внутри",
  },
  http: {
    en: "must be an http or https address",
    ru: "должна быть адресом http или https",
  },
  postgres: {
    en: "must be an address such as postgres://user:password@host/name",
    ru: "должна быть адресом вида postgres://user:password@host/name",
  },
  database: {
    en: "must name a host and a database, like postgres://user:password@host/name",
    ru: "должна называть машину и базу, как postgres://user:password@host/name",
  },
  autoOrOff: {
    en: "must be auto or off",
    ru: "должна быть auto или off",
  },
  onOrOff: {
    en: "must be on or off",
    ru: "должна быть on или off",
  },
  hostPorts: {
    en: "must be ports such as 443 or 443/udp, separated by commas",
    ru: "должна содержать порты через запятую, например 443 или 443/udp",
  },
  networks: {
    en: "must be addresses or networks, separated by commas",
    ru: "должна содержать адреса или сети через запятую",
  },
  httpsList: {
    en: "must be https addresses, separated by commas",
    ru: "должна содержать адреса https через запятую",
  },
  botToken: {
    en: "must be a token from BotFather: digits, a colon, letters and digits",
    ru: "должна быть токеном, как его даёт BotFather: цифры, двоеточие, буквы и цифры",
  },
  timeZone: {
    en: "must be an IANA time zone such as Europe/Moscow",
    ru: "должна быть часовым поясом IANA, например Europe/Moscow",
  },
  sftp: {
    en: "must be an address such as sftp://user@host:22/folder, without a password",
    ru: "должна быть адресом вида sftp://user@host:22/folder, без пароля",
  },
  hostKey: {
    en: "must be a fingerprint such as SHA256:... from ssh-keygen -l, or the machine's public key",
    ru: "должна быть отпечатком вида SHA256:... из ssh-keygen -l или открытым ключом машины",
  },
  s3: {
    en: "must be an address such as https://s3.example.com/bucket/prefix, without a key",
    ru: "должна быть адресом вида https://s3.example.com/bucket/prefix, без ключа",
  },
  region: {
    en: "must be a region such as eu-central-1",
    ru: "должна быть регионом, например eu-central-1",
  },
  accessKey: {
    en: "must be an access key's id, without spaces",
    ru: "должна быть именем ключа доступа, без пробелов",
  },
  hours: {
    en: "must be a whole number of hours from 1 to 720",
    ru: "должна быть целым числом часов от 1 до 720",
  },
  count: {
    en: "must be a whole number from 1 to 10000",
    ru: "должна быть целым числом от 1 до 10000",
  },
  recipient: {
    en: "must be an age key such as age1... from age-keygen",
    ru: "должна быть ключом age вида age1... из age-keygen",
  },
  mark: {
    en: "must be a mark as krug backup prints it, such as 3F2A-99C1-07BD-E411",
    ru: "должна быть меткой, как её печатает krug backup, например 3F2A-99C1-07BD-E411",
  },
  metricsToken: {
    en: "must be 16 characters or more: letters, digits and - . _ ~ + /, as openssl rand -hex 32 makes it",
    ru: "должна быть не короче 16 знаков: буквы, цифры и - . _ ~ + /, как делает openssl rand -hex 32",
  },
  logLevel: {
    en: "must be one of fatal, error, warn, info, debug, trace, silent",
    ru: "должна быть одним из слов fatal, error, warn, info, debug, trace, silent",
  },
  keyFile: firstLine("-----BEGIN ... PRIVATE KEY-----", "-----BEGIN ... PRIVATE KEY-----"),
  passwordFile: firstLine("the password", "пароль"),
  secretFile: firstLine("the secret of the access key", "секрет ключа доступа"),
  passphraseFile: firstLine(`${BACKUP_PASSPHRASE_MIN} characters or more`, `не меньше ${BACKUP_PASSPHRASE_MIN} знаков`),
  noKey: {
    en: "names a file that does not exist: VALUE. Put the key back. To create one for a new club: (umask 077; head -c 32 /dev/urandom | base64 > VALUE)",
    ru: "называет файл, которого нет: VALUE. Верните ключ на место; ключ нового клуба создаёт (umask 077; head -c 32 /dev/urandom | base64 > VALUE)",
  },
} satisfies Record<string, Sentence>;

export type ProblemKey = keyof typeof PROBLEMS;

/** A schema's message is a key of these words, which the compiler knows. */
export const because = <Key extends ProblemKey>(key: Key): Key => key;

/** `value` only stands in a sentence about a path. */
export function problemWith(name: string, key: string, value: string): Sentence {
  const { en, ru } = PROBLEMS[key as ProblemKey] ?? { en: "is wrong", ru: "неверна" };
  const say = (text: string) => `${name} ${text.replaceAll("VALUE", () => value).replace(/\.?$/, ".")}`;
  return { en: say(en), ru: say(ru) };
}

export const misspeltName = (name: string, known: string): Sentence => ({
  en: `${name} is not a variable of the panel. Did you mean ${known}?`,
  ru: `${name} не переменная панели. Может быть, это ${known}?`,
});

export const spacedName = (name: string, bare: string): Sentence => ({
  en: `«${name}» is not a variable of the panel: write ${bare}= without spaces around the name.`,
  ru: `«${name}» не переменная панели: напишите ${bare}= без пробелов вокруг имени.`,
});

export const reachableHost = (host: string): Sentence => ({
  en: `HOST ${host} is reachable from outside, so PUBLIC_URL must be an https address; INSECURE_HTTP=on allows plain http, which sends passwords unencrypted.`,
  ru: `HOST ${host} доступен снаружи, поэтому PUBLIC_URL должна быть адресом https; INSECURE_HTTP=on разрешает http, при котором пароли идут открыто.`,
});

/** Variables that contradict each other. */
export const TOGETHER = {
  onePlace: {
    en: "Scheduled backups go to one place: set one of BACKUP_DIR, BACKUP_SFTP and BACKUP_S3.",
    ru: "Копии по расписанию идут в одно место: задайте одну из BACKUP_DIR, BACKUP_SFTP и BACKUP_S3.",
  },
  ofSftp: {
    en: "BACKUP_SFTP_HOST_KEY, BACKUP_SFTP_KEY_FILE and BACKUP_SFTP_PASSWORD_FILE need BACKUP_SFTP.",
    ru: "BACKUP_SFTP_HOST_KEY, BACKUP_SFTP_KEY_FILE и BACKUP_SFTP_PASSWORD_FILE нужны только вместе с BACKUP_SFTP.",
  },
  ofS3: {
    en: "BACKUP_S3_ACCESS_KEY and BACKUP_S3_SECRET_FILE need BACKUP_S3.",
    ru: "BACKUP_S3_ACCESS_KEY и BACKUP_S3_SECRET_FILE нужны только вместе с BACKUP_S3.",
  },
  sftpHostKey: {
    en: "BACKUP_SFTP needs BACKUP_SFTP_HOST_KEY: on that machine, ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub prints it.",
    ru: "Для BACKUP_SFTP нужна BACKUP_SFTP_HOST_KEY: её печатает на той машине ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub.",
  },
  sftpLogin: {
    en: "BACKUP_SFTP needs either BACKUP_SFTP_KEY_FILE or BACKUP_SFTP_PASSWORD_FILE.",
    ru: "Вместе с BACKUP_SFTP задайте одну из BACKUP_SFTP_KEY_FILE и BACKUP_SFTP_PASSWORD_FILE.",
  },
  s3Key: {
    en: "BACKUP_S3 needs BACKUP_S3_ACCESS_KEY and BACKUP_S3_SECRET_FILE.",
    ru: "Вместе с BACKUP_S3 задайте BACKUP_S3_ACCESS_KEY и BACKUP_S3_SECRET_FILE.",
  },
  s3Plain: {
    en: "BACKUP_S3 must be an https address; INSECURE_HTTP=on allows plain http beyond loopback.",
    ru: "BACKUP_S3 должна быть адресом https; INSECURE_HTTP=on разрешает http и за пределами этой машины.",
  },
  firstAdmin: {
    en: "ADMIN_USERNAME and ADMIN_PASSWORD go together: set both or neither.",
    ru: "ADMIN_USERNAME и ADMIN_PASSWORD задают вместе: обе или ни одной.",
  },
  webhook: {
    en: "TELEGRAM_WEBHOOK needs a PUBLIC_URL with https: Telegram delivers nowhere else.",
    ru: "Для TELEGRAM_WEBHOOK нужна PUBLIC_URL с https: больше никуда Telegram не доставляет.",
  },
  lockWithoutPlace: {
    en: "BACKUP_PASSPHRASE_FILE and BACKUP_RECIPIENT need BACKUP_DIR, BACKUP_SFTP or BACKUP_S3.",
    ru: "BACKUP_PASSPHRASE_FILE и BACKUP_RECIPIENT нужны только вместе с BACKUP_DIR, BACKUP_SFTP или BACKUP_S3.",
  },
  placeWithoutLock: {
    en: "BACKUP_DIR, BACKUP_SFTP or BACKUP_S3 needs either BACKUP_PASSPHRASE_FILE or BACKUP_RECIPIENT.",
    ru: "Вместе с BACKUP_DIR, BACKUP_SFTP или BACKUP_S3 задайте одну из BACKUP_PASSPHRASE_FILE и BACKUP_RECIPIENT.",
  },
} satisfies Record<string, Sentence>;
