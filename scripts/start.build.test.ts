import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
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
