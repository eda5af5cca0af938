import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { MemberTables } from "../apps/server/src/features/members/table.ts";
import { openSqlite } from "../apps/server/src/platform/database/sqlite.ts";
import { startPanel } from "../e2e/panel.ts";
import { ROOT } from "./command.mjs";

test("a second start installs and builds nothing, serves page and API from one port, and ends when told to", async () => {
  const panel = await startPanel({}, "scripts/start.mjs");
  try {
    expect(panel.output()).not.toMatch(/Installing|Building/);
    const page = await (await fetch(`${panel.url}/`)).text();
    expect(page).toContain(readFileSync(`${ROOT}apps/web/dist/index.html`, "utf8").match(/assets\/[^"]+\.js/)?.[0]);
    const health = await fetch(`${panel.url}/api/health`);
    expect(health.headers.get("content-type")).toContain("application/json");
    expect(await panel.stop()).toBe(0);
  } finally {
    await panel.remove();
  }
});

test("the built panel keeps passwords at their full cost, whatever tests make of it", async () => {
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
