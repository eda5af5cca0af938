import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { openSqlite } from "../apps/server/src/platform/database/sqlite.ts";
import { sealedTexts } from "../apps/server/src/platform/sealed-columns.ts";
import { openSealing } from "../apps/server/src/platform/sealing.ts";
import { sealedColumns } from "../apps/server/src/sealed.ts";
import { startPanel } from "../e2e/panel.ts";
import { ROOT } from "./command.mjs";

const MANY = 3_000;

test("kill -9 during a rotation next to the running panel loses nothing, and the next rotation completes it", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "krug-panel-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const admin = { ADMIN_USERNAME: "olga", ADMIN_PASSWORD: "correct horse battery" };
  const panel = await startPanel({ DATA_DIR: dataDir, ...admin });
  onTestFinished(() => panel.remove());
  const keyFile = join(dataDir, "master.key");
  const database = await openSqlite(join(dataDir, "krug.db"));
  onTestFinished(() => database.close());
  const sealing = await openSealing(database, keyFile, sealedColumns);
  await database.transact(async (tx) => {
    const seal = await sealing.sealer(tx);
    for (let number = 0; number < MANY; number++) {
      const id = `many-${number}`;
      await sql`insert into invite_codes (id, code_hash, sealed_code, kind, created_by, created_at, max_uses, current_uses, interface_ids, is_active)
        values (${id}, ${id}, ${seal(`invite_codes.code:${id}`, id)}, 'staff', 'olga', 0, 1, 0, '[]', 0)`.execute(tx);
    }
  });
  const old = await readFile(keyFile, "utf8");

  const signIn = async () =>
    (
      await fetch(`${panel.url}/api/auth/login`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ username: "olga", password: admin.ADMIN_PASSWORD }),
      })
    ).json() as Promise<{ token: string; user: { id: string } }>;
  /** The two-factor secret, which the panel seals when it is first requested. */
  const secret = async () => {
    const { token, user } = await signIn();
    const authorization = `Bearer ${token}`;
    const answer = await fetch(`${panel.url}/api/totp/${user.id}/status`, { headers: { authorization } });
    return ((await answer.json()) as { secret: string }).secret;
  };
  const offered = await secret();
  expect(offered).toMatch(/^[A-Z2-7]{16,}$/);

  async function nothingIsLost() {
    const now = await openSealing(database, keyFile, sealedColumns);
    const [ofCodes] = sealedColumns.filter(({ table }) => table === "invite_codes");
    const texts = await database.transact((tx) => sealedTexts(tx, ofCodes!, { limit: MANY + 1 }));
    expect(texts).toHaveLength(MANY);
    for (const { key, place, text } of texts) expect(now.open(place, text)).toBe(key.id);
    expect(await secret()).toBe(offered);
  }

  async function rotate(killAfterMs: number | null) {
    const env = { PATH: process.env.PATH, DATA_DIR: dataDir };
    const child = spawn(process.execPath, [`${ROOT}apps/server/dist/cli.js`, "rotate-key"], { env });
    let printed = "";
    const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
    const began = new Promise<void>((resolve) => {
      for (const stream of [child.stdout, child.stderr])
        stream.on("data", (text) => {
          printed += text;
          if (printed.includes("The new key is in")) resolve();
        });
    });
    await Promise.race([began, ended]);
    if (killAfterMs !== null) {
      await wait(killAfterMs);
      child.kill("SIGKILL");
    }
    return { exitCode: await ended, printed };
  }

  let killed = 0;
  for (const killAfterMs of [0, 40, 100]) {
    if ((await rotate(killAfterMs)).exitCode === null) killed += 1;
    // The panel that kept running, and a newly started one.
    await nothingIsLost();
    await panel.stop("SIGKILL");
    await panel.restart();
    await nothingIsLost();
  }
  expect(killed).toBeGreaterThan(0);

  const { exitCode, printed } = await rotate(null);
  expect(printed).toContain("Everything is sealed with key");
  expect(exitCode).toBe(0);
  await nothingIsLost();
  const present = await readFile(keyFile, "utf8");
  expect(present.trim().split("\n")).toHaveLength(1);
  expect(present).not.toContain(old.trim());

  await panel.stop();
  await writeFile(keyFile, old);
  await expect(panel.restart()).rejects.toThrow(/does not open this database/);
  await writeFile(keyFile, present);
  await panel.restart();
  await nothingIsLost();
});
