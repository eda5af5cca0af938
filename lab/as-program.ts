import { createHash } from "node:crypto";
import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { NOT_BUNDLED } from "../scripts/build.mjs";
import { programsFolder } from "../scripts/cache-for-tests.mjs";

/** Where a source is, not where its bundle is. */
const withItsOwnPlace = {
  name: "own place",
  setup({ onLoad }: Parameters<import("esbuild").Plugin["setup"]>[0]) {
    onLoad({ filter: /\.m?ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, "utf8")).replaceAll("import.meta.url", JSON.stringify(pathToFileURL(path).href)),
      loader: "ts" as const,
    }));
  },
};

const made = new Map<string, Promise<string>>();

/** The path of a TypeScript program, named from this folder, as one JavaScript file. Node loads it in a tenth of the time that tsx takes. */
export function asProgram(file: string): Promise<string> {
  const program = made.get(file) ?? bundle(fileURLToPath(new URL(file, import.meta.url)));
  made.set(file, program);
  return program;
}

async function bundle(source: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [source],
    bundle: true,
    write: false,
    platform: "node",
    target: "node20",
    format: "esm",
    external: [...NOT_BUNDLED],
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    plugins: [withItsOwnPlace],
    logLevel: "warning",
  });
  const text = outputFiles[0]?.text ?? "";
  const path = join(programsFolder(), `${createHash("sha256").update(text).digest("hex").slice(0, 16)}.mjs`);
  if (existsSync(path)) return path;
  mkdirSync(programsFolder(), { recursive: true });
  // Another run may write the same one.
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, text);
  renameSync(draft, path);
  return path;
}
