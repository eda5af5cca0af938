import { spawn } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

/** apt's messages about its own locks and dpkg's. dpkg 1.21 of Debian 12 says 'was locked'. */
const LOCKED = /could not get lock|unable to (?:acquire|lock)|\b(?:is|was) locked by/i;
const INTERRUPTED = /dpkg --configure -a/;
/** A fresh machine spends minutes updating itself. */
const LOCK_PATIENCE_MS = 10 * 60_000;
const LOCK_PAUSE_MS = 2_000;
const ENVIRONMENT = { LC_ALL: "C", DEBIAN_FRONTEND: "noninteractive", NEEDRESTART_SUSPEND: "1" };

/** A changed configuration file stays: nobody is there to be asked. */
const KEEPING = ["-o", "Dpkg::Options::=--force-confdef", "-o", "Dpkg::Options::=--force-confold"];

/**
 * Installs Debian packages with only their dependencies. Waits while another program holds the lock.
 * @param {readonly string[]} packages
 * @param {{ onLock?: () => void, patienceMs?: number, pauseMs?: number }} [options]
 * @returns {Promise<string | null>} apt's message if it failed
 */
export async function installDebian(packages, options = {}) {
  const { onLock = () => {}, patienceMs = LOCK_PATIENCE_MS, pauseMs = LOCK_PAUSE_MS } = options;
  const until = Date.now() + patienceMs;
  let hasTold = false;
  let isMended = false;
  const apt = async (/** @type {string[]} */ ...args) => {
    for (;;) {
      const { code, output } = await undisturbed("apt-get", ["-q", "-o", "DPkg::Lock::Timeout=10", ...args]);
      if (code === 0) return null;
      if (INTERRUPTED.test(output) && !isMended) {
        isMended = true;
        await undisturbed("dpkg", ["--configure", "-a", "--force-confdef", "--force-confold"]);
      } else if (LOCKED.test(output) && Date.now() < until) {
        if (!hasTold) onLock();
        hasTold = true;
        await wait(pauseMs);
      } else return output.trimEnd();
    }
  };
  // If one package source does not answer, the others still have packages.
  const ofUpdate = await apt("update");
  const ofInstall = await apt("install", ...KEEPING, "--yes", "--no-install-recommends", "--no-remove", ...packages);
  return ofInstall === null ? null : [ofUpdate, ofInstall].filter((text) => text !== null).join("\n");
}

/**
 * Runs a program that neither Ctrl-C nor our own exit interrupts, and waits for its end.
 * @param {string} program
 * @param {string[]} args
 * @returns {Promise<{ code: number, output: string }>}
 */
function undisturbed(program, args) {
  const folder = mkdtempSync(join(tmpdir(), "krug-apt-"));
  // A file, because a pipe may lose its reader.
  const file = openSync(join(folder, "output"), "w+");
  return new Promise((resolve) => {
    const end = (/** @type {number} */ code, /** @type {string} */ more = "") => {
      const output = readFileSync(join(folder, "output"), "utf8") + more;
      closeSync(file);
      rmSync(folder, { recursive: true, force: true });
      resolve({ code, output });
    };
    const env = { ...process.env, ...ENVIRONMENT };
    const child = spawn(program, args, { cwd: "/", env, detached: true, stdio: ["ignore", file, file] });
    child.once("error", (error) => end(127, error.message)).once("close", (code) => end(code ?? 1));
  });
}
