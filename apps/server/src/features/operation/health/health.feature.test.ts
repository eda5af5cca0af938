import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startClub } from "../../../../testing/start-club.ts";
import { makeTestDatabase } from "../../../../testing/test-database.ts";
import { readConfig } from "../../../config.ts";
import { openInstallation } from "../../../installation.ts";
import { makeHealth } from "./index.ts";

test("the panel's health shows its status to anyone, and nothing else", async () => {
  const club = await startClub({ localServer: "off" });
  onTestFinished(() => club.stop());
  const health = async () => {
    const answers = [
      await club.guest.call("GET /health"),
      await club.guest.send("GET", "/health"),
      await club.guest.send("GET", "/health", undefined, { "x-forwarded-host": "elsewhere.example" }),
    ];
    for (const { headers } of answers) expect(headers.get("cache-control")).toBe("no-store");
    return answers.map(({ status, body }) => [status, body]);
  };
  expect(await health()).toEqual(Array.from({ length: 3 }, () => [200, { status: "ok" }]));
});

test("a slow change does not delay health", async () => {
  const club = await startClub({ localServer: "off" });
  onTestFinished(() => club.stop());
  let end = () => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  let held: Promise<void> | undefined;
  await new Promise<void>((begun) => {
    held = club.transact(() => {
      begun();
      return ended;
    });
  });
  const waiting = club.transact(async () => {});
  expect((await club.guest.call("GET /health")).body).toEqual({ status: "ok" });
  end();
  await Promise.all([held, waiting]);
});

test("a slow disk is reported, and is not a failure", async () => {
  let status = 200;
  const health = makeHealth({ answers: async () => true, slow: () => 900 });
  expect(await health({ status: (code) => (status = code) })).toEqual({ status: "slow_disk" });
  expect(status).toBe(200);
});

test("while the database does not answer, health is 503 and says nothing else", async () => {
  const { config, drop } = await makeTestDatabase();
  onTestFinished(drop);
  const { database } = await openInstallation(
    { ...readConfig({}), ...config, masterKeyFile: join(config.dataDir, "master.key") },
    new Date(),
  );
  await database.db.destroy();
  let status = 200;
  expect(await makeHealth(database)({ status: (code) => (status = code) })).toEqual({ status: "failing" });
  expect(status).toBe(503);
});
