import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { startPanel } from "../e2e/panel.ts";
import { ROOT, run } from "./command.mjs";

const krug = (args: string[], cwd: string, env: Record<string, string> = {}) =>
  run(process.execPath, [`${ROOT}apps/server/dist/cli.js`, ...args], { cwd, env });

test("the command line uses the running panel's database and names it; without its environment it creates nothing", async () => {
  const panel = await startPanel({ ADMIN_USERNAME: "founder", ADMIN_PASSWORD: "correct horse battery" });
  onTestFinished(() => panel.remove());
  const elsewhere = mkdtempSync(join(tmpdir(), "krug-elsewhere-"));
  onTestFinished(() => rmSync(elsewhere, { recursive: true, force: true }));

  const lost = await krug(["maintenance-off"], elsewhere);
  expect(lost.code).toBe(1);
  expect(lost.output).toBe(
    `There is no club's database at ${elsewhere}/data/krug.db. Give the DATA_DIR or DATABASE_URL of the panel, as its service has it.\n`,
  );
  expect(readdirSync(elsewhere)).toEqual([]);

  const found = await krug(["maintenance-off"], elsewhere, { DATA_DIR: panel.dataDir });
  expect(found.output).toBe(`Database: ${panel.dataDir}/krug.db\nMaintenance is off.\n`);
  expect(found.code).toBe(0);
});

test("a backup made beside the running panel is restored by the command line, and the panel starts on it", async () => {
  const panel = await startPanel({ ADMIN_USERNAME: "founder", ADMIN_PASSWORD: "correct horse battery" });
  onTestFinished(() => panel.remove());
  const folder = mkdtempSync(join(tmpdir(), "krug-backup-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [file, phrase] = [join(folder, "club.age"), join(folder, "phrase")];
  writeFileSync(phrase, "short\n");
  const args = ["backup", file, "--passphrase-file", phrase];
  expect((await krug(args, folder, { DATA_DIR: panel.dataDir })).output).toContain("has 16 characters or more");
  writeFileSync(phrase, "four words that nobody guesses\n");
  expect((await krug(args, folder, { DATA_DIR: folder })).output).toContain(`There is no club in ${folder}.`);
  const made = await krug(args, folder, { DATA_DIR: panel.dataDir });
  expect(made.output).toMatch(/club\.age holds the club: \d+ bytes, SHA-256 [0-9a-f]{64}\./);
  expect((await krug(args, folder, { DATA_DIR: panel.dataDir })).output).toContain("already");
  const back = join(folder, "data");
  const restored = await krug(["restore", file, "--passphrase-file", phrase], folder, { DATA_DIR: back });
  expect(restored.output).toMatch(/^The club of .*Everybody signs in anew/);
  expect(readdirSync(back).sort()).toEqual(["krug.db", "master.key", "panel-id"]);
  const found = await krug(["maintenance-off"], folder, { DATA_DIR: back });
  expect(found.output).toBe(`Database: ${back}/krug.db\nMaintenance is off.\n`);
  expect((await krug(["backup", file, "--wrong"], folder)).output).toContain("npm run krug -- COMMAND");
});

test("beside a running panel and after its end, check says how things stand, changes nothing and ends with a number", async () => {
  const panel = await startPanel({ ADMIN_USERNAME: "founder", ADMIN_PASSWORD: "correct horse battery" });
  onTestFinished(() => panel.remove());
  const env = { DATA_DIR: panel.dataDir, LOCAL_SERVER: "off" };
  const well = await krug(["check"], panel.dataDir, env);
  expect(well.output).toMatch(/All is well\.\n$/);
  expect(well.code).toBe(0);
  await panel.stop();
  chmodSync(join(panel.dataDir, "panel-id"), 0o644);
  const names = readdirSync(panel.dataDir).sort();
  const off = await krug(["check", "--json"], panel.dataDir, env);
  expect(off.code).toBe(1);
  const { findings } = JSON.parse(off.output) as { findings: { code: string; level: string }[] };
  expect(findings.filter(({ level }) => level === "wrong").map(({ code }) => code)).toEqual(["data_dir.open"]);
  const bundle = join(panel.dataDir, "bundle.json.gz");
  expect((await krug(["support-bundle", bundle], panel.dataDir, env)).code).toBe(0);
  expect(gunzipSync(readFileSync(bundle)).toString("utf8")).toContain('"data_dir.open"');
  rmSync(bundle);
  expect(
    readdirSync(panel.dataDir)
      .filter((name) => !/-(wal|shm)$/.test(name))
      .sort(),
  ).toEqual(names.filter((name) => !/-(wal|shm)$/.test(name)));
  expect((await krug(["check"], panel.dataDir, { ...env, PORT: "wrong" })).code).toBe(2);
});
