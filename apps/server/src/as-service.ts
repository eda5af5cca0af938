import { execFileSync, spawn } from "node:child_process";
import { readFileSync, readlinkSync, statSync } from "node:fs";
import { resolve } from "node:path";

/** Set for the command that already runs this way. */
const MARK = "KRUG_RUNS_AS_SERVICE";
const UNIT = "krug";

/** A prefix that makes a command run as the panel's service does. */
interface AsService {
  command: readonly string[];
  /** Whether it is complete: only the service's user if it is not running, otherwise also what its unit lets it see and do. */
  whole: boolean;
}

const readOf = (path: string): string | null => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
};

/** The service's process, if it runs with this DATA_DIR; with several installations on a machine it may belong to another. */
function serviceProcess(dataDir: string): number | null {
  let said: string;
  try {
    said = execFileSync("systemctl", ["show", UNIT, "--property=MainPID", "--value"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      timeout: 5_000,
    });
  } catch {
    return null;
  }
  const pid = Number(said.trim());
  if (!Number.isInteger(pid) || pid < 2) return null;
  const own = readOf(`/proc/${pid}/environ`)
    ?.split("\0")
    .find((line) => line.startsWith("DATA_DIR="));
  if (own === undefined) return null;
  return resolve(readlinkSync(`/proc/${pid}/cwd`), own.slice("DATA_DIR=".length)) === dataDir ? pid : null;
}

/**
 * Root may write where the panel's service may not: the service is another user, has fewer rights, or its unit makes that folder
 * read-only or hides it. Null: this command's user has the same rights as the service.
 */
function asService(dataDir: string): AsService | null {
  if (process.getuid?.() !== 0 || process.env[MARK] !== undefined) return null;
  const user = (uid: number | string, gid: number | string, groups: string) => [
    ...["setpriv", `--reuid=${uid}`, `--regid=${gid}`, groups === "" ? "--clear-groups" : `--groups=${groups}`],
    // Without the right to bypass file modes, which root normally has; it needs no other rights for this.
    ...["--bounding-set=-all", "--inh-caps=-all", "--"],
  ];
  const pid = serviceProcess(dataDir);
  if (pid !== null) {
    const status = readOf(`/proc/${pid}/status`) ?? "";
    const numbers = (name: string) => (new RegExp(`^${name}:(.*)$`, "m").exec(status)?.[1] ?? "").trim().split(/\s+/);
    // The effective ones.
    const [[, uid], [, gid]] = [numbers("Uid"), numbers("Gid")];
    if (uid === undefined || gid === undefined) return null;
    const command = ["nsenter", `--target=${pid}`, "--mount", "--wd", "--"];
    return { command: [...command, ...user(uid, gid, numbers("Groups").join(","))], whole: true };
  }
  const { uid, gid } = statSync(dataDir, { throwIfNoEntry: false }) ?? { uid: 0, gid: 0 };
  return uid === 0 ? null : { command: user(uid, gid, ""), whole: false };
}

/**
 * Runs this command again, with the rights of the panel's service. Returns null if that is unnecessary, otherwise its exit code
 * and whether all of the service's restrictions were tried.
 */
export async function againAsService(dataDir: string): Promise<{ code: number; whole: boolean } | null> {
  const as = asService(dataDir);
  if (as === null) return null;
  const [program = "", ...first] = as.command;
  const child = spawn(program, [...first, process.execPath, ...process.execArgv, ...process.argv.slice(1)], {
    stdio: "inherit",
    env: { ...process.env, [MARK]: "1" },
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => resolve({ code: code ?? 1, whole: as.whole }));
  });
}
