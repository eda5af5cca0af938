import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { run } from "../scripts/command.mjs";
import { copyRepository } from "./checkout.ts";
import { madeOnce } from "./vps-base.ts";

/* The Node versions recommended to operators, as npm's registry has them for this processor. */
const TAKES_MS = 30 * 60_000;

let scratch: string;
let repository: string;
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "krug-node-"));
  repository = join(scratch, "krug");
  await copyRepository(repository, scratch);
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

/** A folder with the newest of that major version. */
async function nodeOf(major: number): Promise<string> {
  const name = `node-linux-${process.arch}`;
  const said = await run("npm", ["view", `${name}@${major}`, "version", "--json"]);
  const versions = [JSON.parse(said.output)].flat() as string[];
  const newest = versions.sort((one, other) => one.localeCompare(other, "en", { numeric: true })).at(-1);
  const folder = await madeOnce(`node-${newest}`, [name], async (made) => {
    const packed = await run("npm", ["pack", "--silent", "--pack-destination", scratch, `${name}@${newest}`]);
    const file = join(scratch, packed.output.trim().split("\n").at(-1) ?? "");
    const { code, output } = await run("tar", ["-xzf", file, "-C", made, "--strip-components=1"]);
    if (code !== 0) throw new Error(output);
  });
  return join(folder, "bin");
}

test.each([22, 24])(
  "on Node %i packages install, the panel builds, and its tests pass",
  async (major) => {
    const bin = await nodeOf(major);
    const npm = join(dirname(process.execPath), "../lib/node_modules/npm/bin/npm-cli.js");
    const env = { PATH: `${bin}:${process.env.PATH}`, CI: "" };
    const node = async (...args: string[]) => {
      const { code, output } = await run("node", args, { cwd: repository, env, timeoutMs: TAKES_MS });
      return { code, output: output.slice(-4_000) };
    };
    expect((await node("--version")).output).toMatch(new RegExp(`^v${major}\\.`));
    expect(await node(npm, "ci", "--prefer-offline")).toMatchObject({ code: 0 });
    expect(await node("scripts/build.mjs")).toMatchObject({ code: 0 });
    const tested = await node("scripts/test.mjs", "rules", "features-sqlite", "build");
    expect(tested.output).toMatch(/\d{4} passed, 0 failed\n$/);
    expect(tested.code).toBe(0);
  },
  2 * TAKES_MS,
);
