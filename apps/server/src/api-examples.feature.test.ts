import { spawn } from "node:child_process";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ApiScope } from "@krug/domain/api-token-rules";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Club, startClub } from "./dev/start-club.ts";
import { productFolder } from "./installation.ts";

/** The examples of docs/api.md, as somebody would run them: the client copied beside them, a real token, a real panel. */
const ROOT = productFolder();
const SCOPES: ApiScope[] = [
  "profile:read",
  "configs:read",
  "configs:write",
  "configs:files",
  "catalog:read",
  "members:read",
  "members:write",
];

const page = await readFile(join(ROOT, "docs", "api.md"), "utf8");
const examples = [...page.matchAll(/^```ts\n([\s\S]*?)^```\n\n```output\n([\s\S]*?)^```$/gm)].map(
  ([, code = "", output = ""]): [string, string, string] => [headingBefore(code), code, output],
);

function headingBefore(code: string): string {
  const headings = page.slice(0, page.indexOf(code)).match(/^## .+$/gm);
  return headings?.at(-1)?.slice("## ".length) ?? "";
}

let club: Club;
let folder: string;
let environment: Record<string, string | undefined>;
beforeAll(async () => {
  club = await startClub();
  const olga = await club.admin({ username: "olga" });
  for (const username of ["anna", "boris"]) await club.member({ username });
  await club.member({ username: "vera", subscriptionEnd: club.clock.now().getTime() + 30 * 86_400_000 });
  const made = await club.as(olga).call("POST /api-tokens", { body: { name: "docs", scopes: SCOPES, days: 1 } });
  environment = { ...process.env, KRUG_URL: club.origin, KRUG_TOKEN: made.body.token };
  folder = await mkdtemp(join(tmpdir(), "krug-api-"));
  await cp(join(ROOT, "packages", "client", "src"), join(folder, "krug"), { recursive: true });
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  for (const [name, code] of examples) await writeFile(fileOf(name), code);
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await club.stop();
});

const fileOf = (name: string) => join(folder, `${name.replaceAll(" ", "-")}.ts`);
const tool = (name: string) => join(ROOT, "node_modules", ".bin", name);

/** What it prints, errors too. */
const run = (script: string, ...args: string[]) =>
  new Promise<string>((resolve) => {
    const child = spawn(process.execPath, [script, ...args], { env: environment, stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        said += text;
      });
    child.on("close", () => resolve(said));
  });

test("every block of code on the page is an example with what it prints", () => {
  expect(examples.length).toBeGreaterThanOrEqual(5);
  expect(page.match(/^```\w+$/gm)).toHaveLength(2 * examples.length);
});

test.concurrent("the examples fit the client's types, with nothing but a browser's and Node's own", async ({
  expect,
}) => {
  const strict = [
    "--ignoreConfig",
    "--strict",
    "--noUncheckedIndexedAccess",
    "--noEmit",
    "--allowImportingTsExtensions",
  ];
  const modules = ["--module", "preserve", "--moduleDetection", "force", "--target", "ES2023"];
  const types = ["--types", join(ROOT, "node_modules", "@types", "node"), "--lib", "ES2023,DOM"];
  const files = examples.map(([name]) => fileOf(name));
  expect(await run(tool("tsc"), ...strict, ...modules, ...types, ...files)).toBe("");
});

test.concurrent.each(examples)("example: %s", async (name, _, output) => {
  expect(await run(tool("tsx"), fileOf(name))).toBe(output);
});
