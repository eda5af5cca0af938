import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { withBot } from "./link-telegram.ts";
import { startSamplePanel } from "./sample-panel.ts";
import { DOUBLE_TOKEN, startTelegramDouble } from "./telegram-double.ts";

test("a sample club with a bot has its devices too, and then requires a linked account", async () => {
  const telegram = await startTelegramDouble();
  const dataDir = await mkdtemp(join(tmpdir(), "krug-sample-bot-"));
  const { app } = await startSamplePanel({
    environment: { PORT: "0", LOG_LEVEL: "silent", SAMPLE_DATA: "on", ...withBot(telegram, DOUBLE_TOKEN) },
    dataDir,
    webFolder: "",
  });
  onTestFinished(async () => {
    await app.stop();
    await telegram.close();
    await rm(dataDir, { recursive: true });
  });
  const { db, members, configs, telegram: bot } = app.parts;
  expect(await bot.isRequired(db)).toBe(true);
  const [marina] = await members.byUsernames(db, ["marina"]);
  expect((await configs.idsOf(marina?.id ?? "")).length).toBeGreaterThan(1);
});
