import "./node-version.mjs";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { endWith, ROOT, tool } from "./command.mjs";
import { ensureInstalled } from "./install.mjs";

// The panel on a sample club and the web client, both reloading when their sources change, in one terminal.
await ensureInstalled().catch(endWith);

const colours = process.stdout.isTTY ? { FORCE_COLOR: "1" } : {};
const children = [
  start("server", "36", "apps/server", "tsx", ["watch", "--clear-screen=false", "testing/main.ts"]),
  start("web", "35", "apps/web", "vite", ["--clearScreen", "false"]),
];
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) process.on(signal, () => end(0));

/**
 * @param {string} name @param {string} colour  ANSI
 * @param {string} folder @param {string} program @param {string[]} args
 */
function start(name, colour, folder, program, args) {
  const child = spawn(tool(program), args, {
    cwd: ROOT + folder,
    env: { ...process.env, ...colours },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const prefix = process.stdout.isTTY ? `\u001b[${colour}m${name.padEnd(6)}\u001b[0m │` : `${name.padEnd(6)} |`;
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on("line", (line) => console.log(`${prefix} ${line}`));
  }
  child.on("error", endWith);
  child.on("close", (code) => end(code ?? 1)); // neither is useful without the other
  return child;
}

/** @param {number} code */
function end(code) {
  process.exitCode ??= code;
  for (const child of children) child.kill("SIGTERM");
}
