import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Plugin } from "vite";
import { type Built, filesOf } from "./page-preloads.ts";

interface Parts {
  /** The page that opens without a connection: its file in the build, and its screen's module from the project's root. */
  page: { file: string; module: string };
  /** What such a page loads by itself once it is shown. */
  later: readonly string[];
}

/** A part's English texts load by themselves, but only where English is spoken (src/lib/i18n/words.ts). */
const ENGLISH = /(?:words-en|\/i18n\/en\/[\w-]+)\.ts$/;
const englishOf = (part: Built | undefined, all: ReadonlyMap<string, Built>) =>
  (part?.dynamicImports ?? [])
    .flatMap((file) => all.get(file) ?? [])
    .filter(({ moduleIds }) => moduleIds?.some((id) => ENGLISH.test(id)))
    .flatMap((texts) => filesOf(texts, all));

/** Writes worker.js (ADR 47): build/worker.js with the list of what this build's dashboard needs. */
export function shellWorker({ page, later }: Parts): Plugin {
  return {
    name: "krug:shell-worker",
    apply: "build",
    enforce: "post",
    generateBundle: {
      order: "post",
      async handler(_options, bundle) {
        const all = new Map((Object.values(bundle) as unknown as Built[]).map((file) => [file.fileName, file]));
        const index = bundle["index.html"];
        if (index?.type !== "asset") throw new Error("the build has no index.html");
        const named = [...String(index.source).matchAll(/"\/(assets\/[^"]+)"/g)].map(([, file]) => file ?? "");
        const loaded = [page.module, ...later].flatMap((module) => {
          const start = [...all.values()].find(({ moduleIds }) => moduleIds?.some((id) => id.endsWith(`/${module}`)));
          if (start === undefined) throw new Error(`the build has no chunk with ${module}`);
          const files = filesOf(start, all);
          return [...files, ...files.flatMap((file) => englishOf(all.get(file), all))];
        });
        const files = [...new Set([...named, ...loaded])].sort().map((file) => `/${file}`);
        const source = await readFile(new URL("worker.js", import.meta.url), "utf8");
        const kept = { page: page.file, files };
        // File names contain content hashes. The worker's own changes count too.
        const build = createHash("sha256").update(JSON.stringify(kept)).update(source).digest("hex").slice(0, 12);
        this.emitFile({
          type: "asset",
          fileName: "worker.js",
          source: source.replace("KEPT;", `${JSON.stringify({ build, ...kept })};`),
        });
      },
    },
  };
}
