import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readConfig } from "./config.ts";
import { openInstallation } from "./installation.ts";

test("whatever stands in DATA_DIR is for its owner alone, also in a folder that others can read", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "krug-test-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  chmodSync(dataDir, 0o755);
  const modes = () =>
    Object.fromEntries(
      readdirSync(dataDir).map((name) => [name, (statSync(join(dataDir, name)).mode & 0o777).toString(8)]),
    );
  const open = () => openInstallation(readConfig({ DATA_DIR: dataDir }), new Date());

  const first = await open();
  expect(modes()).toEqual({
    "krug.db": "600",
    "krug.db-shm": "600",
    "krug.db-wal": "600",
    "master.key": "600",
    "panel-id": "600",
  });
  await first.database.close();

  // As an earlier version left it.
  chmodSync(join(dataDir, "krug.db"), 0o644);
  const second = await open();
  expect(new Set(Object.values(modes()))).toEqual(new Set(["600"]));
  await second.database.close();
});
