import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
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
    return await renderedApart(pathToFileURL(join(folder, "prepared.mjs")).href, names);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Renders in a thread that is ended afterwards: what the pages' modules open for a browser would keep this process alive forever. */
async function renderedApart(file: string, names: readonly string[]): Promise<Map<string, string>> {
  const thread = new Worker(
    `const { parentPort, workerData: { file, names } } = require("node:worker_threads");
    import(file)
      .then(({ prepared }) => Promise.all(names.map(async (name) => [name, await prepared(name)])))
      .then((pages) => parentPort.postMessage(pages), (error) => setImmediate(() => { throw error; }));`,
    { eval: true, workerData: { file, names } },
  );
  try {
    const [pages] = (await once(thread, "message")) as [[string, string][]];
    return new Map(pages);
  } finally {
    await thread.terminate();
  }
}
