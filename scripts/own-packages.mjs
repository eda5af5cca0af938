import { existsSync, readFileSync } from "node:fs";
import { installDebian } from "./apt.mjs";
import { say } from "./progress.mjs";
import { isOnPath, isRoot } from "./system-packages.mjs";

/** What tunnels on the panel's own host need, by Debian package. */
const PROGRAMS = { "wireguard-tools": "wg", nftables: "nft", iproute2: "ip" };
const CAP_NET_ADMIN = 12n;
const COULD_NOT = "Не удалось установить / could not be installed";

/**
 * Packages that this machine's tunnels lack and that may be installed here.
 * @param {Record<string, string | undefined>} environment
 * @param {{ isDebian(): boolean, mayInstall(): boolean, missing(): string[] }} machine
 */
export function lacking({ INSTALL_PACKAGES, LOCAL_SERVER }, machine) {
  // The panel itself reports a wrong value; until then nothing is installed.
  const isWanted = ["", "on"].includes(INSTALL_PACKAGES?.trim() ?? "") && LOCAL_SERVER?.trim() !== "off";
  return isWanted && machine.mayInstall() && machine.isDebian() ? machine.missing() : [];
}

/** Without the right to create tunnels their programs would be useless. */
const mayInstall = () => isRoot() && mayAdministerNetwork() && isOnPath("apt-get");
const missing = () => Object.entries(PROGRAMS).flatMap(([name, program]) => (isOnPath(program) ? [] : [name]));

/**
 * Starts to install what this machine's tunnels lack, in the background.
 * @returns {Promise<string[]> | undefined} resolves with its messages; undefined: nothing to install
 */
export function installOwnPackages() {
  const packages = lacking(process.env, { isDebian, mayInstall, missing });
  if (packages.length === 0) return undefined;
  say(
    `Пакеты для туннелей этой машины / installing what tunnels on this machine need: ${packages.join(", ")} (INSTALL_PACKAGES=off: never)`,
  );
  return install(packages).catch((error) => [`${COULD_NOT}: ${packages.join(", ")}: ${error.message}`]);
}

/** @param {string[]} packages @returns {Promise<string[]>} */
async function install(packages) {
  const onLock = () => say("Another program installs packages on this machine: waiting for it.");
  let trouble = await installDebian(packages, { onLock });
  // If one of them is unavailable, the others are still installed.
  if (trouble !== null && packages.length > 1) {
    for (const name of packages) trouble = (await installDebian([name], { onLock })) ?? trouble;
  }
  const left = missing().filter((name) => packages.includes(name));
  const installed = packages.filter((name) => !left.includes(name));
  return [
    ...(installed.length > 0 ? [`Установлено / installed: ${installed.join(", ")}`] : []),
    ...(left.length > 0 ? [`${COULD_NOT}: ${left.join(", ")}: ${reasonIn(trouble ?? "")}`] : []),
  ];
}

/** Apt's last words about the cause, in one line. @param {string} output */
function reasonIn(output) {
  const lines = output.split("\n").filter((line) => /^(?:E|dpkg): /.test(line));
  return (lines.at(-1) ?? output.trim().split("\n").at(-1) ?? "").replace(/\p{Cc}/gu, " ").trim();
}

const isDebian = () => existsSync("/etc/os-release") && namesDebian(readFileSync("/etc/os-release", "utf8"));

/** Whether a system is Debian or based on it. @param {string} release  its /etc/os-release */
export const namesDebian = (release) => /^ID(?:_LIKE)?="?(?:[\w ]* )?(?:debian|ubuntu)\b/m.test(release);

function mayAdministerNetwork() {
  try {
    const effective = /^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? "0";
    return ((BigInt(`0x${effective}`) >> CAP_NET_ADMIN) & 1n) === 1n;
  } catch {
    return false;
  }
}
