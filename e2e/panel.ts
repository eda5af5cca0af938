import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { ROOT } from "../scripts/command.mjs";
import { freePort } from "../scripts/free-port.mjs";

const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 20_000;

/** The built panel in its own process, on its own data, at a free loopback port. */
export interface Panel {
  /** e.g. http://127.0.0.1:40123, without a trailing slash; the same after a restart. */
  readonly url: string;
  readonly dataDir: string;
  pid(): number;
  /** All output so far, over all its starts. */
  output(): string;
  /** The one-time link for the first admin, printed by a panel with an empty database. */
  setupLink(): string;
  /** Stops it: SIGTERM like a service manager, SIGKILL like a power cut. Returns the exit code, null after a kill. */
  stop(signal?: "SIGTERM" | "SIGKILL"): Promise<number | null>;
  /** Starts it again on the same data and port, stopping it first if it is running. */
  restart(): Promise<void>;
  /** Stops it and removes its data, if this created it. */
  remove(): Promise<void>;
}

/**
 * Starts the built panel and waits until it can serve.
 * @param env  variables of decisions, section 15; LOCAL_SERVER and SECURITY_GATE default to off, so a journey leaves the
 * machine's network only and asks no external service; DATA_DIR defaults to its own folder
 * @param program  what to start, relative to the repository's root
 */
export async function startPanel(
  env: Record<string, string> = {},
  program = "apps/server/dist/main.js",
): Promise<Panel> {
  const dataDir = env.DATA_DIR ?? (await mkdtemp(join(tmpdir(), "krug-panel-")));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let output = "";
  let child: ChildProcess;

  async function start() {
    const here = spawn(process.execPath, [ROOT + program], {
      cwd: dataDir,
      env: {
        PATH: process.env.PATH,
        LOCAL_SERVER: "off",
        SECURITY_GATE: "off",
        ...env,
        DATA_DIR: dataDir,
        PORT: String(port),
        HOST: "127.0.0.1",
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    child = here;
    for (const stream of [here.stdout, here.stderr]) stream.on("data", (text) => (output += text));
    for (const deadline = Date.now() + START_TIMEOUT_MS; !(await isServing(url)); await wait(50)) {
      if (hasEnded(here)) throw new Error(`The panel ended with ${here.exitCode ?? here.signalCode}:\n${output}`);
      if (Date.now() > deadline) {
        await stop("SIGKILL");
        throw new Error(`The panel does not serve after ${START_TIMEOUT_MS / 1000} s:\n${output}`);
      }
    }
  }

  async function stop(signal: "SIGTERM" | "SIGKILL" = "SIGTERM"): Promise<number | null> {
    const ending = child;
    if (!hasEnded(ending)) {
      const ended = new Promise((resolve) => ending.once("exit", resolve));
      ending.kill(signal);
      const impatience = setTimeout(() => ending.kill("SIGKILL"), STOP_TIMEOUT_MS);
      await ended;
      clearTimeout(impatience);
    }
    return ending.exitCode;
  }

  await start();
  return {
    url,
    dataDir,
    pid: () => child.pid ?? 0,
    output: () => output,
    setupLink() {
      const link = output.match(/https?:\/\/\S*setup\S+/)?.[0];
      if (!link) throw new Error(`The panel printed no set-up link:\n${output}`);
      return link;
    },
    stop,
    async restart() {
      await stop();
      await start();
    },
    async remove() {
      await stop();
      if (env.DATA_DIR === undefined) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

async function isServing(url: string) {
  try {
    return (await fetch(`${url}/health`)).ok;
  } catch {
    return false;
  }
}
