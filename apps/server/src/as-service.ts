import { execFileSync, spawn } from "node:child_process";
import { readFileSync, readlinkSync, statSync } from "node:fs";
import { resolve } from "node:path";

/** Set for the command that runs so: it is there already. */
const MARK = "KRUG_RUNS_AS_SERVICE";
const UNIT = "krug";

/** A command in front of another one, which then runs as the panel's service does. */
interface AsService {
  command: readonly string[];
  /** How far: its user alone where it does not run, else what its unit lets it see and do too. */
  whole: boolean;
}

const readOf = (path: string): string | null => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
};

/** The service's process, where it runs with this DATA_DIR; with several installations on a machine it may be another's. */
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
 * Root may write where the panel's service may not: it is another user, has fewer rights, or its unit shows it that folder as
 * read-only or not at all. Null: whoever runs this command is as good as the service.
 */
function asService(dataDir: string): AsService | null {
  if (process.getuid?.() !== 0 || process.env[MARK] !== undefined) return null;
  const user = (uid: number | string, gid: number | string, groups: string) => [
    ...["setpriv", `--reuid=${uid}`, `--regid=${gid}`, groups === "" ? "--clear-groups" : `--groups=${groups}`],
    // No right to pass over a file's mode, which root otherwise has; it needs none of the others for this.
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
 * Runs this very command once more, as the panel's service does. Answers null where nothing has to be, and otherwise how it ended
 * and whether all that the service is held to was tried.
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
