import { readdir, readFile, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { extname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Plugin } from "vite";

const TEXT = new Set([".js", ".css", ".html", ".svg", ".json", ".txt", ".webmanifest"]);
const SMALLEST_WORTH_IT_BYTES = 512;

/** Writes `.br` and `.gz` next to every text asset over half a kilobyte, so that no visitor waits for compression. */
export function precompress(): Plugin {
  let hasFailed = false;
  let outDir = "dist";
  return {
    name: "krug:precompress",
    apply: "build",
    configResolved(config) {
      outDir = resolve(config.root, config.build.outDir);
    },
    buildEnd(error) {
      hasFailed = error !== undefined;
    },
    async closeBundle() {
      // There are no files, and a second error would hide the first.
      if (hasFailed) return;
      const entries = await readdir(outDir, { recursive: true, withFileTypes: true });
      const files = entries
        .filter((entry) => entry.isFile() && TEXT.has(extname(entry.name)) && !entry.parentPath.includes(".vite"))
        .map((entry) => join(entry.parentPath, entry.name));
      // Each compression takes tens of megabytes.
      const rest = files.values();
      await Promise.all(
        Array.from({ length: availableParallelism() }, async () => {
          for (const file of rest) await compress(file);
        }),
      );
    },
  };
}

async function compress(file: string) {
  const content = await readFile(file);
  if (content.length <= SMALLEST_WORTH_IT_BYTES) return;
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    }),
    promisify(gzip)(content, { level: 9 }),
  ]);
  await Promise.all([writeFile(`${file}.br`, br), writeFile(`${file}.gz`, gz)]);
}
