import { spawn } from "node:child_process";
import { fileURLToPath, pathToFileURL } from "node:url";

/** The repository's root, where every script runs its commands by default. */
export const ROOT = fileURLToPath(new URL("..", import.meta.url));

/**
 * The file behind a command installed by npm, e.g. tool("vite").
 * @param {string} name
 */
export const tool = (name) => `${ROOT}node_modules/.bin/${name}`;

/**
 * Runs a program without a shell and without stdin, and waits for its end. A program that cannot be started counts as
 * ended with code 127.
 * @param {string} file
 * @param {string[]} args
 * @param {{ cwd?: string, env?: Record<string, string>, show?: boolean, timeoutMs?: number }} [options]
 *   show: its output goes straight to the terminal and is not collected; timeoutMs: after that long it is ended, together with
 *   everything it has started, with code 124
 * @returns {Promise<{ code: number, signal: NodeJS.Signals | null, output: string, seconds: number }>}
 *   signal: what ended it from outside
 */
export function run(file, args, { cwd = ROOT, env = {}, show = false, timeoutMs = 0 } = {}) {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    let output = "";
    const child = spawn(file, args, {
      cwd,
      env: { ...process.env, ...(show ? {} : { NO_COLOR: "1" }), ...env },
      stdio: show ? ["ignore", "inherit", "inherit"] : ["ignore", "pipe", "pipe"],
      detached: timeoutMs > 0, // a process group of its own, so it can be ended as a whole
    });
    const limit = timeoutMs > 0 ? limitTime(child, timeoutMs) : undefined;
    const end = (/** @type {number} */ code, /** @type {NodeJS.Signals | null} */ signal = null) => {
      const isOver = limit?.stop();
      resolve({ code: isOver ? 124 : code, signal, output, seconds: (performance.now() - startedAt) / 1000 });
    };
    child.stdout?.on("data", (text) => (output += text));
    child.stderr?.on("data", (text) => (output += text));
    child.on("error", (error) => {
      output += `${error.message}\n`;
      end(127);
    });
    child.on("close", (code, signal) => end(code ?? 1, signal));
  });
}

/** Interrupted: anything started with a limit ends with this process. */
const interrupt = () => process.exit(130);

/**
 * Ends a process group when its time is up, or when this process is told to end.
 * @param {import("node:child_process").ChildProcess} leader
 * @param {number} timeoutMs
 */
function limitTime(leader, timeoutMs) {
  let isOver = false;
  const signal = (/** @type {NodeJS.Signals} */ name) => {
    try {
      if (leader.pid) process.kill(-leader.pid, name);
    } catch {
      // The whole group has already ended.
    }
  };
  const abandon = () => signal("SIGTERM");
  const timer = setTimeout(() => {
    isOver = true;
    signal("SIGTERM");
    setTimeout(signal, 10_000, "SIGKILL").unref();
  }, timeoutMs);
  process.on("SIGINT", interrupt).on("SIGTERM", interrupt).on("exit", abandon);
  return {
    /** Returns whether the time was up. */
    stop() {
      clearTimeout(timer);
      process.off("SIGINT", interrupt).off("SIGTERM", interrupt).off("exit", abandon);
      if (isOver) signal("SIGKILL");
      return isOver;
    },
  };
}

/**
 * Prints the error's message without a stack, and exits.
 * @param {unknown} error
 * @returns {never}
 */
export function endWith(error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

/** @param {number} pid */
export function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === "EPERM";
  }
}

/** Whether this module was started directly. @param {string} url  its import.meta.url */
export const isStarted = (url) => url === pathToFileURL(process.argv[1] ?? "").href;
