import { accessSync, constants, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { installDebian } from "./apt.mjs";

/** Renders a page in two thirds of the full browser's time. */
const HEADLESS_CHROMIUM = "chromium-headless-shell";

const BROWSER = {
  packages: { [HEADLESS_CHROMIUM]: () => chromium() !== undefined },
  better: { [HEADLESS_CHROMIUM]: () => isOnPath(HEADLESS_CHROMIUM) },
};

/** Browsers other than Chromium: the engine of every iPhone, and Firefox. WebKit needs a display. */
const OTHER_BROWSERS = {
  "webkit2gtk-driver": () => isOnPath("WebKitWebDriver") && miniBrowser() !== undefined,
  xvfb: () => isOnPath("Xvfb"),
  "firefox-esr": () => isOnPath("firefox-esr"),
};

/** A third-party program that opens our backups. */
const AGE = { age: () => isOnPath("age") };

/** Runs between a panel and its PostgreSQL, as at many hosting providers. */
const POOLER = { pgbouncer: () => isOnPath("pgbouncer") };

/** Checks the alert rules that we ship. Nothing else of Prometheus is used. */
const PROMTOOL = { prometheus: () => isOnPath("promtool") };

/** A third-party program that reads our keys. */
const WG = { "wireguard-tools": () => isOnPath("wg") && isOnPath("wg-quick") };

const LAB = {
  packages: {
    ...WG,
    "wireguard-go": () => isOnPath("wireguard-go"),
    nftables: () => isOnPath("nft"),
    iproute2: () => isOnPath("ip"),
    "dnsmasq-base": () => isOnPath("dnsmasq"),
    iptables: () => isOnPath("iptables-nft"),
    "iputils-ping": () => isOnPath("ping"),
    procps: () => isOnPath("sysctl"),
    curl: () => isOnPath("curl"),
    debootstrap: () => isOnPath("debootstrap"),
  },
  machine: () => {
    if (process.platform !== "linux") return "not Linux";
    if (!isRoot()) return "no root";
    return existsSync("/dev/net/tun") ? undefined : "no /dev/net/tun";
  },
};

/** In addition to the lab's: a machine with its own kernel, a dedicated database server, and a clock for one process. */
const SOAK = {
  ...LAB,
  packages: {
    ...LAB.packages,
    "qemu-system-x86": () => isOnPath("qemu-system-x86_64"),
    "openssh-server": () => isOnPath("sshd"),
    postgresql: () => postgresBinaries() !== undefined,
    ...OTHER_BROWSERS,
    faketime: () => faketimeLibrary() !== undefined,
  },
};

/** Packages of which only the programs are needed: their services must not run on this machine. */
const SERVICES = { prometheus: "prometheus.service", pgbouncer: "pgbouncer.service", "openssh-server": "ssh.service" };

const POSTGRES = {
  better: { ...AGE, ...POOLER },
  packages: { postgresql: () => postgresBinaries() !== undefined },
  machine: () => (process.platform === "linux" ? undefined : "not Linux"),
};

/**
 * What each kind of test needs besides Node: Debian package → whether its content is installed, and what no package can
 * provide. `better`: optional packages. Kinds without needs are not listed.
 * @typedef {Record<string, () => boolean>} Packages
 * @type {Record<string, { packages: Packages, better?: Packages, machine?: () => string | undefined }>}
 */
const NEEDS = {
  rules: { packages: {}, better: WG },
  "features-sqlite": { packages: {}, better: { ...AGE, ...PROMTOOL } },
  "features-postgres": POSTGRES,
  "soak-postgres": POSTGRES,
  journeys: { ...BROWSER, better: { ...BROWSER.better, ...OTHER_BROWSERS } },
  "every-screen": BROWSER,
  lab: LAB,
  soak: SOAK,
};

/** The folder of PostgreSQL's own programs, newest version; Debian keeps them off the PATH. */
export function postgresBinaries() {
  const versions = "/usr/lib/postgresql";
  if (!existsSync(versions)) return undefined;
  return readdirSync(versions)
    .sort((one, other) => Number(other) - Number(one))
    .map((version) => `${versions}/${version}/bin`)
    .find((folder) => existsSync(`${folder}/initdb`));
}

/** The library that gives a process its own clock, for LD_PRELOAD. */
export function faketimeLibrary() {
  const libraries = "/usr/lib";
  if (!existsSync(libraries)) return undefined;
  return readdirSync(libraries)
    .map((machine) => `${libraries}/${machine}/faketime/libfaketimeMT.so.1`)
    .find((path) => existsSync(path));
}

/** The browser that WebKit's driver opens, in a folder named after its library's version. */
export function miniBrowser() {
  const libraries = "/usr/lib";
  if (!existsSync(libraries)) return undefined;
  return readdirSync(libraries)
    .flatMap((machine) => ["4.1", "4.0"].map((version) => `${libraries}/${machine}/webkit2gtk-${version}/MiniBrowser`))
    .find((path) => existsSync(path));
}

export const hasOtherBrowsers = () => Object.values(OTHER_BROWSERS).every((isHere) => isHere());

/** The journeys' browser. */
export const chromium = () =>
  [HEADLESS_CHROMIUM, "chromium", "chromium-browser", "google-chrome"].map(pathTo).find(Boolean);

/**
 * Finds out which kinds of tests this machine can run. In CI (CI=true) installs what is missing first.
 * @param {string[]} kinds
 * @returns {Promise<Map<string, string>>} what cannot run → why
 */
export async function leftOut(kinds) {
  const missing = () => kinds.flatMap((kind) => [...missingPackages(kind), ...missingPackages(kind, "better")]);
  if (process.env.CI === "true" && missing().length > 0 && isRoot() && isOnPath("apt-get"))
    await install([...new Set(missing())]);
  /** @type {Map<string, string>} */
  const reasons = new Map();
  for (const kind of kinds) {
    const lacks = NEEDS[kind]?.machine?.();
    const packages = missingPackages(kind);
    if (lacks) reasons.set(kind, lacks);
    else if (packages.length > 0) reasons.set(kind, `apt install ${packages.join(" ")}`);
  }
  return reasons;
}

/** @param {string} kind @param {"packages" | "better"} [which] */
function missingPackages(kind, which = "packages") {
  const packages = NEEDS[kind]?.[which] ?? {};
  return Object.keys(packages).filter((name) => !packages[name]?.());
}

/** @param {string[]} packages */
async function install(packages) {
  console.log(`Installing ${packages.join(", ")}…`);
  if (packages.includes("postgresql")) {
    // The tests start their own cluster. Debian's would only take the port and the memory.
    mkdirSync("/etc/postgresql-common", { recursive: true });
    writeFileSync("/etc/postgresql-common/createcluster.conf", "create_main_cluster = false\n");
  }
  for (const [name, service] of Object.entries(SERVICES)) {
    if (!packages.includes(name)) continue;
    const unit = `/etc/systemd/system/${service}`;
    mkdirSync(dirname(unit), { recursive: true });
    if (!existsSync(unit)) symlinkSync("/dev/null", unit);
  }
  const trouble = await installDebian(packages);
  if (trouble !== null) console.log(`They could not be installed:\n${trouble}`);
}

export const isRoot = () => process.getuid?.() === 0;

/** @param {string} program */
export const isOnPath = (program) => pathTo(program) !== undefined;

/**
 * Finds a program; also looks in the system administrator's folders, which are not on a user's PATH.
 * @param {string} program
 */
function pathTo(program) {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/sbin"];
  return folders.map((folder) => join(folder, program)).find(isExecutable);
}

/** @param {string} file */
function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
