import { spawn } from "node:child_process";
import { fileURLToPath, pathToFileURL } from "node:url";

/** The repository's root, where every script runs its commands unless it says otherwise. */
export const ROOT = fileURLToPath(new URL("..", import.meta.url));

/**
 * The file behind a command that npm has installed, e.g. tool("vite").
 * @param {string} name
 */
export const tool = (name) => `${ROOT}node_modules/.bin/${name}`;

/**
 * Runs a program without a shell and without stdin, and waits for its end. A program that cannot be started counts as
 * ended with code 127.
 * @param {string} file
 * @param {string[]} args
 * @param {{ cwd?: string, env?: Record<string, string>, show?: boolean, timeoutMs?: number }} [options]
 *   show: its output goes straight to the terminal and is not collected; timeoutMs: ended after that long, with code 124
 * @returns {Promise<{ code: number, output: string, seconds: number }>}
 */
export function run(file, args, { cwd = ROOT, env = {}, show = false, timeoutMs = 0 } = {}) {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    let output = "";
    let timedOut = false;
    const end = (/** @type {number} */ code) => {
      clearTimeout(timer);
      resolve({ code: timedOut ? 124 : code, output, seconds: (performance.now() - startedAt) / 1000 });
    };
    const child = spawn(file, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: show ? ["ignore", "inherit", "inherit"] : ["ignore", "pipe", "pipe"],
    });
    const timer = timeoutMs > 0 ? setTimeout(stop, timeoutMs) : undefined;
    function stop() {
      timedOut = true;
      child.kill("SIGTERM");
      setTimeout(() => child.kill("SIGKILL"), 10_000).unref();
    }
    child.stdout?.on("data", (text) => (output += text));
    child.stderr?.on("data", (text) => (output += text));
    child.on("error", (error) => {
      output += `${error.message}\n`;
      end(127);
    });
    child.on("close", (code) => end(code ?? 1));
  });
}

/**
 * Says what went wrong in the words of its error, without a stack, and ends.
 * @param {unknown} error
 * @returns {never}
 */
export function endWith(error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

/** Whether this module is the one a person started. @param {string} url  its import.meta.url */
export const isStarted = (url) => url === pathToFileURL(process.argv[1] ?? "").href;
