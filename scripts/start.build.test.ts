import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateKeyPair } from "@krug/wireguard/keys";
import { expect, onTestFinished, test } from "vitest";
import type { MemberTables } from "../apps/server/src/features/members/members/table.ts";
import { openSqlite } from "../apps/server/src/platform/database/sqlite.ts";
import { aPicture } from "../apps/server/testing/a-picture.ts";
import { tokenInLink } from "../apps/server/testing/link-token.ts";
import { wgEasyDatabase } from "../apps/server/testing/wg-easy-database.ts";
import { startPanel } from "../e2e/panel.ts";
import { setUpAdmin, visitorsOf } from "../lab/panel.ts";
import { ROOT, run } from "./command.mjs";

test("a second start installs and builds nothing, serves page and API from one port, and stops on request", async () => {
  const panel = await startPanel({}, "scripts/start.mjs");
  try {
    // Node 22 would warn of its own SQLite.
    expect(panel.output()).not.toMatch(/Installing|Building|Warning/);
    const page = await (await fetch(`${panel.url}/`)).text();
    expect(page).toContain(readFileSync(`${ROOT}apps/web/dist/index.html`, "utf8").match(/assets\/[^"]+\.js/)?.[0]);
    const health = await fetch(`${panel.url}/api/health`);
    expect(await health.json()).toEqual({ status: "ok" });
    expect(await panel.stop()).toBe(0);
  } finally {
    await panel.remove();
  }
});

test("the built panel runs separate programs for pictures and foreign databases", async () => {
  const panel = await startPanel();
  onTestFinished(() => panel.remove());
  const { admin, token } = await setUpAdmin({ ...panel, ...visitorsOf(panel.url) });

  const headers = { authorization: `Bearer ${token}`, "content-type": "image/png" };
  const sent = { method: "POST", headers, body: new Uint8Array(await aPicture()) };
  expect(await (await fetch(`${panel.url}/api/pictures`, sent)).json()).toEqual({ id: expect.any(String) });
  expect(readFileSync(`/proc/${panel.pid()}/maps`, "utf8")).not.toMatch(/vips|sharp/);

  const keys = generateKeyPair();
  const whole = wgEasyDatabase(keys.privateKey, [{ name: "anna", ...keys, address: "10.9.0.2" }]);
  const lookAt = (database: Buffer) =>
    admin.ask("POST /admin/servers/{id}/moving-in/preview", {
      params: { id: "00000000-0000-4000-8000-000000000000" },
      body: { file: `data:application/vnd.sqlite3;base64,${database.toString("base64")}` },
    });
  await expect(lookAt(whole.subarray(0, 4_096))).rejects.toThrow("import.unreadable");
  // Its server is looked up once the file is read.
  await expect(lookAt(whole)).rejects.toThrow("server.not_found");
});

test("the built panel's code is stored at one byte per character", () => {
  const folder = `${ROOT}apps/server/dist/`;
  const main = readFileSync(`${folder}main.js`, "utf8");
  const parts = [...main.matchAll(/"\.\/(chunk-\w+\.js)"/g)].map(([, name = ""]) => name);
  expect(parts).not.toHaveLength(0);
  // One character outside Latin-1 makes V8 store the whole text at twice the size. The bundler escapes them, except in regular expressions.
  for (const code of [main, ...parts.map((name) => readFileSync(folder + name, "utf8"))])
    expect(/.{0,40}[\u0100-\uffff]/.exec(code)?.[0]).toBeUndefined();
});

test("the start prints what prevents its machine from running tunnels, if it should run them", async () => {
  // Root without the capability for tunnels: it cannot touch this machine's network.
  const [program = "", ...before] =
    process.getuid?.() === 0 ? ["setpriv", "--bounding-set", "-net_admin", process.execPath] : [process.execPath];
  const dataDir = mkdtempSync(join(tmpdir(), "krug-panel-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: "0", SECURITY_GATE: "off" };
  const panel = spawn(program, [...before, `${ROOT}apps/server/dist/main.js`], { env });
  onTestFinished(() => void panel.kill("SIGKILL"));
  let printed = "";
  for (const stream of [panel.stdout, panel.stderr]) stream.on("data", (text) => (printed += text));
  await expect.poll(() => printed, { timeout: 60_000 }).toMatch(/tunnels on this machine: .*needs root/);
});

test("what a start was still installing is reported once it is done, with the link below it again", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "krug-panel-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const program = `const { runPanel } = await import(${JSON.stringify(`${ROOT}apps/server/dist/run-panel.js`)});
    await runPanel({ packages: new Promise((resolve) => process.once("message", (sentence) => resolve([sentence]))) });`;
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: "0", SECURITY_GATE: "off", LOCAL_SERVER: "off" };
  const panel = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    env,
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  onTestFinished(() => void panel.kill("SIGKILL"));
  let printed = "";
  panel.stdout?.on("data", (text) => (printed += text));
  const links = () => printed.match(/one-time link\): \S+\n/g) ?? [];
  await expect.poll(links, { timeout: 60_000 }).toHaveLength(1);
  panel.send("nftables is there");
  await expect.poll(links, { timeout: 60_000 }).toHaveLength(2);
  expect(printed.indexOf("nftables is there")).toBeLessThan(printed.lastIndexOf(links()[1] ?? ""));
  await expect.poll(() => printed.trim().split("\n").at(-1)).toContain("open the same link there");
});

test("a start next to a running panel says that the port is taken before it installs, builds or opens anything", async () => {
  const panel = await startPanel();
  onTestFinished(() => panel.remove());
  const before = panel.setupLink();
  const env = { PORT: new URL(panel.url).port, HOST: "127.0.0.1", DATA_DIR: panel.dataDir, LOCAL_SERVER: "off" };

  // Like a newer version just pulled: a folder of its own, with nothing installed or built.
  const folder = mkdtempSync(join(tmpdir(), "krug-start-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(`${ROOT}scripts`, join(folder, "scripts"), { recursive: true });
  const newer = await run(process.execPath, [join(folder, "scripts/start.mjs")], { cwd: folder, env });
  expect(newer.code).toBe(1);
  expect(newer.output).toMatch(
    /^PORT \d+ на 127\.0\.0\.1 занят: [^\n]*остановите[^\n]* \/ PORT \d+ is taken on 127\.0\.0\.1: [^\n]*stop the running panel first\.\n$/,
  );
  expect(readdirSync(folder)).toEqual(["scripts"]);

  // Also when a service starts the built panel: the database is untouched, so the printed link still works.
  const service = await run(process.execPath, [`${ROOT}apps/server/dist/main.js`], { cwd: folder, env });
  expect(service).toMatchObject({ code: 1, output: expect.stringMatching(/^PORT \d+ is taken on 127\.0\.0\.1/) });
  const setup = await fetch(`${panel.url}/api/auth/setup`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      token: tokenInLink(before),
      username: "founder",
      password: "correct horse battery",
    }),
  });
  expect(setup.status).toBe(201);
});

test("the built panel hashes passwords at full cost, whatever the tests use", async () => {
  const panel = await startPanel({ ADMIN_USERNAME: "founder", ADMIN_PASSWORD: "correct horse battery" });
  try {
    await expect.poll(() => panel.output()).toContain(`Круг: ${panel.url}`);
    await panel.stop();
    const { db, close } = await openSqlite(join(panel.dataDir, "krug.db"));
    const [admin] = await db.withTables<MemberTables>().selectFrom("members").select("password_hash").execute();
    await close();
    expect(admin?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  } finally {
    await panel.remove();
  }
});
