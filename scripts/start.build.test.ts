import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startPanel } from "../e2e/panel.ts";
import { ROOT } from "./command.mjs";

test("a second start installs and builds nothing, serves page and API from one port, and ends when told to", async () => {
  const panel = await startPanel({}, "scripts/start.mjs");
  try {
    expect(panel.output()).not.toMatch(/Installing|Building/);
    const page = await (await fetch(`${panel.url}/`)).text();
    expect(page).toContain(readFileSync(`${ROOT}apps/web/dist/index.html`, "utf8").match(/assets\/[^"]+\.js/)?.[0]);
    const health = await fetch(`${panel.url}/api/health`);
    expect(await health.json()).toEqual({ status: "ok" });
    expect(await panel.stop()).toBe(0);
  } finally {
    await panel.remove();
  }
});

test("the start prints what keeps its machine from running tunnels, where it should", async () => {
  // Root without the capability that tunnels take: nothing of this machine's network can be touched.
  const [program = "", ...before] =
    process.getuid?.() === 0 ? ["setpriv", "--bounding-set", "-net_admin", process.execPath] : [process.execPath];
  const dataDir = await mkdtemp(join(tmpdir(), "krug-panel-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: "0", SECURITY_GATE: "off" };
  const panel = spawn(program, [...before, `${ROOT}apps/server/dist/main.js`], { env });
  onTestFinished(() => void panel.kill("SIGKILL"));
  let printed = "";
  for (const stream of [panel.stdout, panel.stderr]) stream.on("data", (text) => (printed += text));
  await expect.poll(() => printed, { timeout: 60_000 }).toMatch(/tunnels on this machine: .*needs root/);
});
