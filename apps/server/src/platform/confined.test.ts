import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import nodeModule from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";
import { runConfined } from "./confined.ts";

const LIMITS = { ms: 60_000, memoryBytes: 300 * 2 ** 20 };

/** A program with this text. */
function program(text: string, name = "program.mjs"): string {
  const folder = mkdtempSync(join(tmpdir(), "krug-confined-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const isGone = (pid: number) =>
  expect
    .poll(
      () => {
        try {
          return process.kill(pid, 0);
        } catch {
          return false;
        }
      },
      { timeout: 5_000 },
    )
    .toBe(false);

test("it returns what it sends, sees nothing of the panel's environment, and then ends", async () => {
  vi.stubEnv("MASTER_KEY", "secret");
  onTestFinished(() => void vi.unstubAllEnvs());
  const path = program(
    "process.on('message', (given) => process.send({ pid: process.pid, given, env: Object.keys(process.env) }))",
  );
  const answer = (await runConfined(path, "x", LIMITS)) as { pid: number; given: string; env: string[] };
  expect(answer.given).toBe("x");
  expect(answer.env).not.toContain("MASTER_KEY");
  await isGone(answer.pid);
});

test.each([
  ["runs without an end", "ms", "process.send('begun', () => { for (;;); })", { ...LIMITS, ms: 500 }],
  [
    "fills memory outside of the engine's heap",
    "memoryBytes",
    "const all = []; for (;;) all.push(Buffer.alloc(2 ** 22, 1));",
    LIMITS,
  ],
  ["fills the engine's heap", "memoryBytes", "const all = []; for (;;) all.push({ n: all.length });", LIMITS],
])("one that %s is killed, and reports which limit it exceeded", async (_, limit, text, limits) => {
  await expect(runConfined(program(text), "", limits)).rejects.toMatchObject({ limit });
});

test.each(["SIGABRT", "SIGTRAP", "SIGILL"])(
  "one that ends by %s, as the engine does where its heap is full, met its memory",
  async (signal) => {
    const text = `process.kill(process.pid, "${signal}")`;
    await expect(runConfined(program(text), "", LIMITS)).rejects.toMatchObject({ limit: "memoryBytes" });
  },
);

test("of one program one runs at a time, so ten hostile files take no more memory than one; others do not wait", async () => {
  const folder = mkdtempSync(join(tmpdir(), "krug-confined-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const text = `import { readdirSync, rmSync, writeFileSync } from "node:fs";
    process.on("message", (folder) => {
      writeFileSync(folder + "/" + process.pid, "");
      const together = readdirSync(folder).length;
      setTimeout(() => { rmSync(folder + "/" + process.pid); process.send(together); }, 200);
    });`;
  const path = program(text);
  expect(await Promise.all([1, 2, 3].map(() => runConfined(path, folder, LIMITS)))).toEqual([1, 1, 1]);
  const endless = runConfined(program("process.send('begun', () => { for (;;); })"), "", { ...LIMITS, ms: 3_000 });
  await runConfined(path, folder, LIMITS);
  await expect(endless).rejects.toMatchObject({ limit: "ms" });
});

test("one that ends without an answer fails", async () => {
  await expect(runConfined(program("process.exit(3)"), "", LIMITS)).rejects.toThrow("ended with code 3");
});

test("one whose panel is killed ends too, however busy it is: nobody else holds it to its limits", async () => {
  const here = (file: string) => JSON.stringify(new URL(file, import.meta.url).href);
  const busy = program(
    `import { writeFileSync } from "node:fs";
    import { answerConfined } from ${here("./confined.ts")};
    answerConfined((path) => { writeFileSync(path, String(process.pid)); for (;;); });`,
    "program.ts",
  );
  const told = join(busy, "../pid");
  const panel = program(`import { runConfined } from ${here("./confined.ts")};
    runConfined(${JSON.stringify(busy)}, ${JSON.stringify(told)}, ${JSON.stringify(LIMITS)});`);
  const tsx = pathToFileURL(nodeModule.createRequire(import.meta.url).resolve("tsx")).href;
  const running = spawn(process.execPath, ["--import", tsx, panel]);
  onTestFinished(() => void running.kill("SIGKILL"));
  await expect.poll(() => existsSync(told) && readFileSync(told, "utf8"), { timeout: 20_000 }).toMatch(/^\d+$/);
  const pid = Number(readFileSync(told, "utf8"));
  onTestFinished(() => {
    try {
      process.kill(pid, "SIGKILL");
    } catch {}
  });
  running.kill("SIGKILL");
  await isGone(pid);
});
