import { existsSync, lstatSync, readFileSync, statSync } from "node:fs";
import { isIP } from "node:net";
import { dirname, isAbsolute, join, resolve } from "node:path";
import type { Language } from "@krug/contract/refusals";
import { BACKUP_PASSPHRASE_MIN } from "@krug/domain/backup-rules";
import { HOUR_MS } from "@krug/domain/moment";
import { isTimeZone } from "@krug/domain/time-zone";
import { z } from "zod";
import type { PlaceConfig } from "./backup-places/open-place.ts";
import {
  because,
  misspeltName,
  type ProblemKey,
  problemWith,
  reachableHost,
  type Sentence,
  spacedName,
  TOGETHER,
} from "./config-words.ts";
import type { HostPort } from "./hosts/host.ts";
import { fingerprintOf } from "./hosts/ssh/connection.ts";
import { whyNoRecipient } from "./platform/archive/encryption.ts";
import { BilingualError } from "./platform/sentence-of.ts";

/** One environment variable: a schema for its raw text, its default, and a line for the operator. */
interface Variable<Schema extends z.ZodType> {
  readonly schema: Schema;
  readonly fallback: string | undefined;
  readonly about: string;
  /** Set to nothing it means something else than unset. */
  readonly readsEmpty: boolean;
}

const variable = <Schema extends z.ZodType>(
  schema: Schema,
  fallback: string | undefined,
  about: string,
  readsEmpty = false,
): Variable<Schema> => ({
  schema,
  fallback,
  about,
  readsEmpty,
});

/** In digits: '3e3' and '0x50' are numbers to a program, but typos to a person. */
const wholeNumber = (least: number, most: number, problem: ProblemKey) =>
  z
    .string()
    .regex(/^\d{1,9}$/, problem)
    .transform(Number)
    .refine((number) => number >= least && number <= most, problem);

const isAddressOrNetwork = (text: string) => {
  const [address, prefix, ...rest] = text.split("/");
  const family = isIP(address ?? "");
  if (family === 0 || rest.length > 0) return false;
  // /0 would believe whatever address anybody claims.
  return prefix === undefined || (/^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128));
};

const list = z.string().transform((text) =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "" && item !== "none"),
);

/** A name or an address that a machine may have; whether this machine has it shows when it listens there. */
const isHost = (text: string) => isIP(text) !== 0 || /^(?!\d+(\.\d+)*$)[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(text);

const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === true;
/** A folder with a program for at least one processor. */
const hasProgram = (name: string) => (folder: string) =>
  ["amd64", "arm64"].some((processor) => isFile(join(folder, `${name}-${processor}`)));
const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** A folder, or a path of which only folders exist so far. */
function canBeFolder(path: string): boolean {
  try {
    // A dangling link exists, and nothing can be made at it.
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return isFolder(path);
    return dirname(path) !== path && canBeFolder(dirname(path));
  } catch (error) {
    // A path that this user may not read is reported where it is needed.
    return ["EACCES", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? "");
  }
}
const makeableFolder = z
  .string()
  .transform((path) => resolve(path))
  .refine(canBeFolder, because("makeableFolder"));

/** A host may also come after the `?`, such as a socket's folder. */
const namesDatabase = (text: string) => {
  if (!URL.canParse(text)) return false;
  const { hostname, pathname, searchParams } = new URL(text);
  return pathname.length > 1 && (hostname !== "" || searchParams.has("host"));
};

/** '443' is TCP. */
const HOST_PORT = /^(\d{1,5})(?:\/(tcp|udp))?$/;
const isHostPort = (text: string) => {
  const port = Number(HOST_PORT.exec(text)?.[1] ?? 0);
  return port > 0 && port <= 65_535;
};
const hostPort = (text: string): HostPort => {
  const [, port = "", protocol = "tcp"] = HOST_PORT.exec(text) ?? [];
  return { protocol: protocol as HostPort["protocol"], port: Number(port) };
};

/** Browsers and this panel's own requests refuse an address with a name and password in it. */
const hasNoLogin = (url: URL | null) => url === null || url.username + url.password === "";
const isHttpsAddress = (text: string) => {
  const url = urlOf(text);
  return url?.protocol === "https:" && hasNoLogin(url);
};

/** The first line of a file with a secret; empty if it cannot be read. */
const firstLineOf = (path: string): string => {
  try {
    return readFileSync(path, "utf8").split(/\r?\n/)[0] ?? "";
  } catch {
    return "";
  }
};
const secretFile = (isOne: (firstLine: string) => boolean, problem: ProblemKey) =>
  z
    .string()
    .transform((path) => resolve(path))
    .refine((path) => isOne(firstLineOf(path)), problem)
    .optional();

const urlOf = (text: string) => (URL.canParse(text) ? new URL(text) : null);
/** sftp://user@host:port/folder; `/~/folder` is below the account's start folder. */
const isSftpAddress = (text: string) => {
  const url = urlOf(text);
  return (
    url?.protocol === "sftp:" &&
    /^[\w.-]{1,64}$/.test(url.username) &&
    url.password === "" &&
    isHost(url.hostname.replace(/^\[|\]$/g, "")) &&
    url.port !== "0" &&
    /^(\/[\w.~ -]+)+\/?$|^\/$/.test(url.pathname) &&
    url.search + url.hash === ""
  );
};
const sftpAddress = (text: string) => {
  const { hostname, port, username, pathname } = new URL(text);
  const path = pathname.replace(/(?<=.)\/$/, "").replace(/^\/~(\/|$)/, "");
  return { host: hostname.replace(/^\[|\]$/g, ""), port: port === "" ? 22 : Number(port), username, path: path || "." };
};
/** https://host:port/bucket/prefix */
const isS3Address = (text: string) => {
  const url = urlOf(text);
  return (
    /^https?:$/.test(url?.protocol ?? "") &&
    /^\/[\w.-]{3,63}(\/[\w.-]+)*\/?$/.test(url?.pathname ?? "") &&
    url?.username === "" &&
    url.password + url.search + url.hash === ""
  );
};
const s3Address = (text: string) => {
  const { origin, pathname } = new URL(text);
  const [bucket = "", ...prefix] = pathname.split("/").filter((part) => part !== "");
  return { endpoint: origin, bucket, prefix: prefix.join("/") };
};
/** A fingerprint as ssh-keygen -l prints it, or the key itself: a line of known_hosts, of ssh-keyscan or of a .pub file. */
const hostKeyIn = (text: string): string | null => {
  const printed = /(?:^|\s)(SHA256:[A-Za-z0-9+/]{43})=?(?:\s|$)/.exec(text)?.[1];
  const key = /(?:^|\s)(?:ssh|ecdsa)-[\w@.-]+\s+(AAAA[A-Za-z0-9+/]{20,}={0,2})(?:\s|$)/.exec(text)?.[1];
  return printed ?? (key === undefined ? null : fingerprintOf(Buffer.from(key, "base64")));
};

/**
 * The environment, decisions section 15. Every variable is documented by its `about`; docs/configuration.md is generated from
 * these.
 */
export const variables = {
  PORT: variable(wholeNumber(0, 65_535, because("port")), "3001", "TCP port of the panel; 0 takes any free one."),
  HOST: variable(
    z.string().refine(isHost, because("host")),
    "127.0.0.1",
    "Address to listen on. Anything but loopback needs an https `PUBLIC_URL` or `INSECURE_HTTP=on`.",
  ),
  DATA_DIR: variable(
    makeableFolder,
    "./data",
    "Folder of the database (SQLite), the master key and the panel's identity. Created with mode 0700.",
  ),
  MACHINE_DIR: variable(
    makeableFolder,
    "/var/lib/krug-machine",
    "Where the panel's own machine remembers which panel of the club it obeys, so that an older one changes no tunnels. It belongs to the machine: keep it outside `DATA_DIR`; no backup includes it.",
  ),
  PUBLIC_URL: variable(
    z
      .url({ protocol: /^https?$/, error: because("publicUrl") })
      .transform((url) => new URL(url))
      .refine(hasNoLogin, because("noLogin"))
      .refine((url) => url.pathname === "/" && url.search === "" && url.hash === "", because("noPath"))
      .optional(),
    undefined,
    "The address at which people open the panel. Its host is the default endpoint of the local server.",
  ),
  DATABASE_URL: variable(
    z
      .url({ protocol: /^postgres(ql)?$/, error: because("postgres") })
      .refine(namesDatabase, because("database"))
      .optional(),
    undefined,
    "PostgreSQL 15 or newer, as postgres://user:password@host/name. Without it SQLite in `DATA_DIR`.",
  ),
  MASTER_KEY_FILE: variable(
    z
      .string()
      .transform((path) => resolve(path))
      .refine(existsSync, because("noKey"))
      .refine((path) => !existsSync(path) || isFile(path), because("file"))
      .optional(),
    undefined,
    "File with the key that seals secrets at rest; it must exist. Without it `master.key` in `DATA_DIR`, created on the first start with mode 0600. Keep a copy: without it sealed secrets are lost.",
  ),
  ADMIN_USERNAME: variable(
    z.string().optional(),
    undefined,
    "First start only: name of the first admin. Goes with `ADMIN_PASSWORD`.",
  ),
  ADMIN_PASSWORD: variable(
    z.string().optional(),
    undefined,
    "First start only: password of the first admin, at least 10 characters.",
  ),
  LOCAL_SERVER: variable(
    z.enum(["auto", "off"], because("autoOrOff")),
    "auto",
    "`auto`: the panel's own machine is a VPN server if it can be. `off`: never.",
  ),
  INSTALL_PACKAGES: variable(
    z.enum(["on", "off"], because("onOrOff")),
    "on",
    "`on`: `npm start` as root on Debian or Ubuntu installs what tunnels on the panel's own machine need: `wireguard-tools`, `nftables`, `iproute2`. `off`, or with `LOCAL_SERVER=off`: it installs no system packages. A service never installs any.",
  ),
  ENGINES: variable(
    z
      .string()
      .transform((path) => resolve(path))
      .refine(hasProgram("krug-engine"), because("engines"))
      .optional(),
    undefined,
    "Folder with another build of the panel's engine: `krug-engine-amd64`, `krug-engine-arm64` or both. Without it the one that comes with the panel.",
  ),
  AMNEZIAWG_ENGINES: variable(
    z
      .string()
      .transform((path) => resolve(path))
      .refine(hasProgram("amneziawg-go"), because("amneziaEngines"))
      .optional(),
    undefined,
    "Folder with a program for AmneziaWG tunnels other than the panel's engine: `amneziawg-go-amd64`, `amneziawg-go-arm64` or both. Plain WireGuard then uses the kernel or the system's own `wireguard-go`.",
  ),
  HOST_PORTS_FOR_MEMBERS: variable(
    list.refine((items) => items.every(isHostPort), because("hostPorts")).transform((items) => items.map(hostPort)),
    "80,443",
    "What members reach on the panel's own machine through its tunnels, at its public addresses: TCP ports, or `443/udp`. The panel's own port if it listens beyond loopback, DNS served by the machine, and ping are open too. Set to nothing or `none`, only those.",
    true,
  ),
  TRUSTED_PROXIES: variable(
    list.refine((items) => items.every(isAddressOrNetwork), because("networks")),
    "none",
    "Addresses or networks of proxies whose `X-Forwarded-For` is trusted, separated by commas.",
  ),
  SECURITY_GATE: variable(
    z.enum(["on", "off"], because("onOrOff")),
    "on",
    "`on`: visitors from a blocked country or through a VPN or proxy are turned away, on the page and at sign-in.",
  ),
  GEO_SERVICES: variable(
    list.refine((items) => items.every(isHttpsAddress), because("httpsList")),
    "https://get.geojs.io/v1/ip/geo.json,https://api.country.is/?fields=city%2Clocation,https://ipapi.co/json/",
    "Services that the visitor's browser asks for its country, in this order, before the panel; write a comma inside an address as `%2C`. Set to nothing or `none`, only the panel is asked.",
    true,
  ),
  GEO_DIR: variable(
    z
      .string()
      .transform((path) => resolve(path))
      .refine(isFolder, because("folder"))
      .optional(),
    undefined,
    "Folder for a newer country database (`.mmdb`); the newest file there is used instead of the one that comes with the panel. Also for data on autonomous systems (`asn-ipv4.csv`, `asn-ipv6.csv`).",
  ),
  TELEGRAM_BOT_TOKEN: variable(
    z
      .string()
      .regex(/^\d+:[\w-]+$/, because("botToken"))
      .optional(),
    undefined,
    "Token of the club's Telegram bot, from BotFather. Without it there is no bot, and no linked account is required.",
  ),
  TELEGRAM_API_ROOT: variable(
    z
      .url({ protocol: /^https?$/, error: because("http") })
      .refine((address) => hasNoLogin(urlOf(address)), because("noLogin"))
      .transform((address) => address.replace(/(?<!\/)\/+$/, "")),
    "https://api.telegram.org",
    "Address of the Bot API: Telegram's own, or your server that forwards it if Telegram is unreachable.",
  ),
  TELEGRAM_WEBHOOK: variable(
    z.enum(["on", "off"], because("onOrOff")),
    "off",
    "`on`: Telegram delivers the bot's messages to PUBLIC_URL, which it must reach by https. While it cannot, and with `off`, the panel polls for them.",
  ),
  CLUB_TIME_ZONE: variable(
    z.string().refine(isTimeZone, because("timeZone")).optional(),
    undefined,
    "The zone in which the club's days and months begin. Without it, the zone set in the panel, by default Europe/Moscow.",
  ),
  BACKUP_DIR: variable(
    z.string().refine(isAbsolute, because("wholePath")).pipe(makeableFolder).optional(),
    undefined,
    "Folder for scheduled backups, best on another disk or mounted; created with mode 0700. This, `BACKUP_SFTP` or `BACKUP_S3` switches them on, and goes with `BACKUP_PASSPHRASE_FILE` or `BACKUP_RECIPIENT`.",
  ),
  BACKUP_SFTP: variable(
    z.string().refine(isSftpAddress, because("sftp")).transform(sftpAddress).optional(),
    undefined,
    "Folder for scheduled backups on another machine, over SFTP: `sftp://user@host/folder`, or `sftp://user@host/~/folder` below the account's home. Goes with `BACKUP_SFTP_HOST_KEY` and one of `BACKUP_SFTP_KEY_FILE` and `BACKUP_SFTP_PASSWORD_FILE`.",
  ),
  BACKUP_SFTP_HOST_KEY: variable(
    z
      .string()
      .refine((text) => hostKeyIn(text) !== null, because("hostKey"))
      .transform((text) => hostKeyIn(text) ?? "")
      .optional(),
    undefined,
    "The SFTP server's own key: its fingerprint as `ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub` prints it there, or that file's line. A server with another key gets no data.",
  ),
  BACKUP_SFTP_KEY_FILE: variable(
    secretFile((line) => /^-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(line), "keyFile"),
    undefined,
    "File with the private SSH key, without a passphrase, with which the panel signs in there.",
  ),
  BACKUP_SFTP_PASSWORD_FILE: variable(
    secretFile((line) => line !== "", "passwordFile"),
    undefined,
    "File whose first line is the password there, instead of a key.",
  ),
  BACKUP_S3: variable(
    z.string().refine(isS3Address, because("s3")).transform(s3Address).optional(),
    undefined,
    "S3-compatible storage for scheduled backups: `https://endpoint/bucket`, or `https://endpoint/bucket/prefix`; the bucket must exist. Plain http only for a loopback address, unless `INSECURE_HTTP=on`. Goes with `BACKUP_S3_ACCESS_KEY` and `BACKUP_S3_SECRET_FILE`.",
  ),
  BACKUP_S3_REGION: variable(
    z.string().regex(/^[a-z\d-]{1,40}$/i, because("region")),
    "us-east-1",
    "The storage's region; many providers other than Amazon ignore it.",
  ),
  BACKUP_S3_ACCESS_KEY: variable(
    z
      .string()
      .regex(/^[\w.+/=-]{3,128}$/, because("accessKey"))
      .optional(),
    undefined,
    "Id of the access key. It needs to read, write, list and delete below the prefix, and to abort uploads.",
  ),
  BACKUP_S3_SECRET_FILE: variable(
    secretFile((line) => line.trim() !== "", "secretFile"),
    undefined,
    "File whose first line is the access key's secret.",
  ),
  BACKUP_EVERY: variable(
    wholeNumber(1, 720, because("hours")),
    "24",
    "Hours between scheduled backups. When the last good one is twice as old, staff get a notice.",
  ),
  BACKUP_KEEP: variable(
    wholeNumber(1, 10_000, because("count")),
    "14",
    "How many scheduled backups to keep; older ones are deleted after a good one.",
  ),
  BACKUP_PASSPHRASE_FILE: variable(
    secretFile((line) => line.length >= BACKUP_PASSPHRASE_MIN, "passphraseFile"),
    undefined,
    "File whose first line is the passphrase of scheduled backups. Each is then also restored into a throwaway database. Keep a copy elsewhere: without it nobody can open them.",
  ),
  BACKUP_RECIPIENT: variable(
    z
      .string()
      .refine((text) => whyNoRecipient(text) === null, because("recipient"))
      .optional(),
    undefined,
    "Public age key for which scheduled backups are encrypted, instead of a passphrase; the panel cannot open them then.",
  ),
  BACKUP_MARK: variable(
    z
      .string()
      .regex(/^(?:[0-9A-F]{4}-){3}[0-9A-F]{4}$/i, because("mark"))
      .optional(),
    undefined,
    "The club's mark, as `krug backup` prints it. `krug restore` asks before it takes a backup that this club did not sign.",
  ),
  METRICS_TOKEN: variable(
    z
      .string()
      .regex(/^[\w.~+/-]{16,}=*$/, because("metricsToken"))
      .optional(),
    undefined,
    "Token with which Prometheus reads `/metrics`, as `Authorization: Bearer`. Without it there is no `/metrics`.",
  ),
  SAMPLE_DATA: variable(
    z.enum(["on", "off"], because("onOrOff")),
    "off",
    "`on`: while the panel does not answer, the staff's open pages show built-in sample data, under a banner that says so. For demonstrations; `npm run dev` has it on.",
  ),
  INSECURE_HTTP: variable(
    z.enum(["on", "off"], because("onOrOff")),
    "off",
    "`on` allows listening beyond loopback without https. Passwords then travel unencrypted and browsers cannot generate keys.",
  ),
  LOG_LEVEL: variable(
    z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"], because("logLevel")),
    "info",
    "How much is logged.",
  ),
};

type Values = { [Name in keyof typeof variables]: z.output<(typeof variables)[Name]["schema"]> };

export interface Config {
  readonly port: number;
  readonly host: string;
  readonly dataDir: string;
  readonly machineDir: string;
  readonly publicUrl: URL | null;
  readonly databaseUrl: string | null;
  readonly masterKeyFile: string;
  readonly firstAdmin: { username: string; password: string } | null;
  readonly localServer: "auto" | "off";
  /** Null: the panel's own. */
  readonly engines: string | null;
  /** Null: the same engine as for plain WireGuard. */
  readonly amneziawgEngines: string | null;
  readonly hostPortsForMembers: readonly HostPort[];
  readonly trustedProxies: readonly string[];
  readonly securityGate: "on" | "off";
  /** https addresses; empty: only the panel is asked. */
  readonly geoServices: readonly string[];
  readonly geoDir: string | null;
  /** A secret: in no log, error or answer. */
  readonly telegramBotToken: string | null;
  /** Without a slash at the end. */
  readonly telegramApiRoot: string;
  readonly telegramWebhook: "on" | "off";
  /** Null: as set in the panel. */
  readonly clubTimeZone: string | null;
  /** Null: no scheduled backups. */
  readonly backupPlan: { place: PlaceConfig; everyMs: number; keep: number } | null;
  readonly backupLock: { passphraseFile: string } | { recipient: string } | null;
  /** Null: a restore does not ask who made a backup. */
  readonly backupMark: string | null;
  /** A secret: in no log, error or answer. Null: no metrics. */
  readonly metricsToken: string | null;
  readonly sampleData: "on" | "off";
  readonly logLevel: Values["LOG_LEVEL"];
}

/** A wrong environment: each sentence names its variable and never repeats a secret value. The message is in English. */
export class ConfigError extends BilingualError {
  readonly #sentences: readonly Sentence[];
  constructor(...sentences: readonly Sentence[]) {
    super(sentences.map(({ en }) => en).join("\n"));
    this.#sentences = sentences;
  }
  in(language: Language): string {
    return this.#sentences.map((sentence) => sentence[language]).join("\n");
  }
}

export const isLoopback = (host: string) => host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);

/** How many letters apart two words are: inserted, omitted or replaced. */
function distance(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (const [row, letter] of [...one].entries()) {
    const line = [row + 1];
    for (const [column, against] of [...other].entries())
      line.push(
        Math.min(
          (above[column + 1] ?? 0) + 1,
          (line[column] ?? 0) + 1,
          (above[column] ?? 0) + (letter === against ? 0 : 1),
        ),
      );
    above = line;
  }
  return above[other.length] ?? 0;
}

/** The longer a name, the more typos are still recognised; a short one belongs to another program (HOST and HOME). */
const slipsIn = (name: string) => (name.length < 6 ? 0 : Math.floor(name.length / 4));

/** A sentence for each variable that looks like one of ours: treated as unset, it would be an unnoticed gap. */
const misspelt = (environment: Readonly<Record<string, string | undefined>>) =>
  Object.keys(environment).flatMap((name) => {
    if (name in variables) return [];
    // Programs that start the panel differ in what they strip.
    const bare = name.trim();
    if (bare in variables) return [spacedName(name, bare)];
    const meant = Object.keys(variables).find((known) => {
      const apart = Math.abs(known.length - name.length) > slipsIn(known) ? null : distance(name.toUpperCase(), known);
      return apart !== null && apart <= slipsIn(known);
    });
    return meant === undefined ? [] : [misspeltName(name, meant)];
  });

/** Where scheduled backups go. @throws ConfigError if the settings contradict each other */
function placeOf(read: Values): PlaceConfig | null {
  const { BACKUP_DIR: folder, BACKUP_SFTP: sftp, BACKUP_S3: s3 } = read;
  if ([folder, sftp, s3].filter((place) => place !== undefined).length > 1) throw new ConfigError(TOGETHER.onePlace);
  const {
    BACKUP_SFTP_HOST_KEY: hostKey,
    BACKUP_SFTP_KEY_FILE: keyFile,
    BACKUP_SFTP_PASSWORD_FILE: passwordFile,
  } = read;
  const { BACKUP_S3_ACCESS_KEY: accessKey, BACKUP_S3_SECRET_FILE: secret } = read;
  if (sftp === undefined && (hostKey ?? keyFile ?? passwordFile) !== undefined) throw new ConfigError(TOGETHER.ofSftp);
  if (s3 === undefined && (accessKey ?? secret) !== undefined) throw new ConfigError(TOGETHER.ofS3);
  if (folder !== undefined) return { kind: "folder", folder, dataDir: read.DATA_DIR };
  if (sftp !== undefined) {
    if (hostKey === undefined) throw new ConfigError(TOGETHER.sftpHostKey);
    if ((keyFile === undefined) === (passwordFile === undefined)) throw new ConfigError(TOGETHER.sftpLogin);
    const login = keyFile === undefined ? { passwordFile: passwordFile ?? "" } : { keyFile };
    return { kind: "sftp", ...sftp, hostKey, login };
  }
  if (s3 === undefined) return null;
  if (accessKey === undefined || secret === undefined) throw new ConfigError(TOGETHER.s3Key);
  const { protocol, hostname } = new URL(s3.endpoint);
  if (protocol === "http:" && !isLoopback(hostname.replace(/^\[|\]$/g, "")) && read.INSECURE_HTTP !== "on")
    throw new ConfigError(TOGETHER.s3Plain);
  return { kind: "s3", ...s3, region: read.BACKUP_S3_REGION, accessKey, secretFile: secret };
}

/** Reads and checks the environment. @throws ConfigError with one sentence per problem */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const problems: Sentence[] = misspelt(environment);
  const values: Record<string, unknown> = {};
  for (const [name, { schema, fallback, readsEmpty }] of Object.entries(variables)) {
    const raw = environment[name]?.trim();
    const result = schema.safeParse(raw === undefined || (raw === "" && !readsEmpty) ? fallback : raw);
    if (result.success) values[name] = result.data;
    else problems.push(problemWith(name, result.error.issues[0]?.message ?? "", resolve(raw ?? "")));
  }
  if (problems.length > 0) throw new ConfigError(...problems);
  const read = values as Values;
  if ((read.ADMIN_USERNAME === undefined) !== (read.ADMIN_PASSWORD === undefined))
    throw new ConfigError(TOGETHER.firstAdmin);
  if (!isLoopback(read.HOST) && read.PUBLIC_URL?.protocol !== "https:" && read.INSECURE_HTTP !== "on")
    throw new ConfigError(reachableHost(read.HOST));
  if (read.TELEGRAM_WEBHOOK === "on" && read.PUBLIC_URL?.protocol !== "https:") throw new ConfigError(TOGETHER.webhook);
  const place = placeOf(read);
  const locks = [read.BACKUP_PASSPHRASE_FILE, read.BACKUP_RECIPIENT].filter((lock) => lock !== undefined);
  if (locks.length !== (place === null ? 0 : 1))
    throw new ConfigError(place === null ? TOGETHER.lockWithoutPlace : TOGETHER.placeWithoutLock);
  return {
    port: read.PORT,
    host: read.HOST,
    dataDir: read.DATA_DIR,
    machineDir: read.MACHINE_DIR,
    publicUrl: read.PUBLIC_URL ?? null,
    databaseUrl: read.DATABASE_URL ?? null,
    masterKeyFile: read.MASTER_KEY_FILE ?? resolve(read.DATA_DIR, "master.key"),
    firstAdmin:
      read.ADMIN_USERNAME !== undefined && read.ADMIN_PASSWORD !== undefined
        ? { username: read.ADMIN_USERNAME, password: read.ADMIN_PASSWORD }
        : null,
    localServer: read.LOCAL_SERVER,
    engines: read.ENGINES ?? null,
    amneziawgEngines: read.AMNEZIAWG_ENGINES ?? null,
    hostPortsForMembers: read.HOST_PORTS_FOR_MEMBERS,
    trustedProxies: read.TRUSTED_PROXIES,
    securityGate: read.SECURITY_GATE,
    geoServices: read.GEO_SERVICES,
    geoDir: read.GEO_DIR ?? null,
    telegramBotToken: read.TELEGRAM_BOT_TOKEN ?? null,
    telegramApiRoot: read.TELEGRAM_API_ROOT,
    telegramWebhook: read.TELEGRAM_WEBHOOK,
    clubTimeZone: read.CLUB_TIME_ZONE ?? null,
    backupPlan: place && { place, everyMs: read.BACKUP_EVERY * HOUR_MS, keep: read.BACKUP_KEEP },
    backupLock:
      read.BACKUP_PASSPHRASE_FILE !== undefined
        ? { passphraseFile: read.BACKUP_PASSPHRASE_FILE }
        : read.BACKUP_RECIPIENT !== undefined
          ? { recipient: read.BACKUP_RECIPIENT }
          : null,
    backupMark: read.BACKUP_MARK ?? null,
    metricsToken: read.METRICS_TOKEN ?? null,
    sampleData: read.SAMPLE_DATA,
    logLevel: read.LOG_LEVEL,
  };
}
