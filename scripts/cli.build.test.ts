import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
