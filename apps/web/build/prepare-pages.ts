import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import react from "@vitejs/plugin-react";
import { build } from "vite";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

type Prepared = typeof import("../src/app/prepared.tsx");

/** The first picture of these pages as HTML, rendered by their own components: page name → HTML. */
export async function preparePages(
  names: readonly Parameters<Prepared["prepared"]>[0][],
): Promise<Map<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), "krug-prepared-"));
  try {
    await build({
      root: ROOT,
      configFile: false,
      plugins: [react()],
      logLevel: "error",
      publicDir: false,
      ssr: { noExternal: true },
      build: {
        ssr: "src/app/prepared.tsx",
        outDir: folder,
        emptyOutDir: true,
        reportCompressedSize: false,
        rolldownOptions: { output: { entryFileNames: "prepared.mjs" } },
      },
    });
    const { prepared } = (await import(pathToFileURL(join(folder, "prepared.mjs")).href)) as Prepared;
    return new Map(await Promise.all(names.map(async (name) => [name, await prepared(name)] as const)));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
