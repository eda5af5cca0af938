import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { ROOT } from "./command.mjs";
import { buildEngine, compile, go, readSums, whyNoGo, whyNotSameGo } from "./engine.mjs";

const folder = mkdtempSync(join(tmpdir(), "krug-engine-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const names = ["krug-engine-amd64", "krug-engine-arm64"];
const [noGo, notSameGo] = [await whyNoGo(), await whyNotSameGo()];
const unless = (lack: string | null) => (lack === null ? "" : ` (left out: ${lack})`);

test("the engine comes with the source for both processors, 3 MB each at most", () => {
  expect([...readSums().keys()]).toEqual(names);
  for (const name of names) expect(statSync(`${ROOT}engine/built/${name}.br`).size).toBeLessThan(3_000_000);
  expect(readdirSync(`${ROOT}engine/built`).sort()).toEqual(["SHA256SUMS", ...names.map((name) => `${name}.br`)]);
});

test("a build unpacks it, with checksums in the panel's format, and needs no Go", async () => {
  const path = process.env.PATH;
  process.env.PATH = folder;
  try {
    await buildEngine(folder);
  } finally {
    process.env.PATH = path;
  }
  for (const [name, sum] of readSums()) {
    const bytes = readFileSync(join(folder, name));
    expect(createHash("sha256").update(bytes).digest("hex")).toBe(sum);
    expect(readFileSync(join(folder, `${name}.sha256`), "utf8")).toBe(`${sum}  ${name}\n`);
    expect(bytes.subarray(1, 4).toString()).toBe("ELF");
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o755);
  }
});

describe.skipIf(notSameGo !== null)(`engine/built is what engine/ makes${unless(notSameGo)}`, () => {
  test.each([...readSums()])("%s, to the byte", async (name, sum) => {
    const made = await compile(name.replace("krug-engine-", ""));
    const isSame = createHash("sha256").update(made).digest("hex") === sum;
    expect(isSame, "engine/ was changed, or engine/built was not made of it: run `npm run engine`").toBe(true);
  });
});

test.skipIf(noGo !== null)(`the engine's own tests pass, and Go's checks find nothing${unless(noGo)}`, async () => {
  for (const args of [
    ["vet", "./..."],
    ["test", "./..."],
  ]) {
    const { code, output } = await go(args);
    expect(code, output).toBe(0);
  }
});
