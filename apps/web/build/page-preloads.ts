import { readFile } from "node:fs/promises";
import type { Plugin } from "vite";
import { preparePages } from "./prepare-pages.ts";

/** What runs before the first paint. */
const EARLY = "before-paint.js";
/** The page of Telegram's Mini App (ADR 170), and what runs first on it. */
const IN_TELEGRAM = { page: "tg", as: "dashboard", script: "in-telegram.js" };
/** Pages that look the same for everyone who may open them. */
const PREPARED = ["landing", "login", "register"] as const;

export interface Built {
  type: "chunk" | "asset";
  fileName: string;
  moduleIds?: string[];
  imports?: string[];
  dynamicImports?: string[];
  viteMetadata?: { importedCss: Set<string> };
}

/**
 * Writes an HTML page for each of these screens: the index with the screen's own files named in its head, so that the browser
 * fetches them in parallel with the application's. A page that looks the same for everyone also carries its
 * first picture, which public/before-paint.js shows. The server sends it for the address of the same name.
 * @param screens  name of the page, without slash and ending → its screen's module, from the project's root
 */
export function pagePreloads(screens: Record<string, string>): Plugin {
  return {
    name: "krug:page-preloads",
    apply: "build",
    enforce: "post",
    generateBundle: {
      order: "post",
      async handler(_options, bundle) {
        const pictures = await preparePages(PREPARED);
        const files = Object.values(bundle) as unknown as Built[];
        const index = bundle["index.html"];
        if (index?.type !== "asset") throw new Error("the build has no index.html");
        // Hashed, so that a browser that has it does not ask again before it paints.
        const early = this.emitFile({
          type: "asset",
          name: EARLY,
          source: withoutComments(await readFile(new URL(`../public/${EARLY}`, import.meta.url), "utf8")),
        });
        const html = String(index.source).replace(`"/${EARLY}"`, `"/${this.getFileName(early)}"`);
        index.source = html;
        const inTelegram = this.emitFile({
          type: "asset",
          name: IN_TELEGRAM.script,
          source: withoutComments(await readFile(new URL(IN_TELEGRAM.script, import.meta.url), "utf8")),
        });
        for (const [name, module] of Object.entries(screens)) {
          const screen = files.find(({ moduleIds }) => moduleIds?.some((id) => id.endsWith(`/${module}`)));
          if (screen === undefined) throw new Error(`the build has no chunk with ${module}`);
          const links = filesOf(screen, new Map(files.map((file) => [file.fileName, file])))
            .filter((file) => !html.includes(file))
            .map((file) =>
              file.endsWith(".css")
                ? `    <link rel="stylesheet" crossorigin href="/${file}">\n`
                : `    <link rel="modulepreload" crossorigin href="/${file}">\n`,
            );
          const source = html
            .replace("  </head>", `${links.join("")}  </head>`)
            .replace("  <body>\n", (body) => `${body}${picture(pictures.get(name))}`);
          this.emitFile({ type: "asset", fileName: `${name}.html`, source });
          if (name !== IN_TELEGRAM.as) continue;
          const first = `<script src="/${this.getFileName(inTelegram)}"></script>\n    <script`;
          this.emitFile({
            type: "asset",
            fileName: `${IN_TELEGRAM.page}.html`,
            source: source.replace("<script", first),
          });
        }
      },
    },
  };
}

/** Also removes indentation. */
const withoutComments = (script: string) => script.replace(/^\s*\/\/.*\n/gm, "").replace(/^\s+/gm, "");

const picture = (html: string | undefined) => (html === undefined ? "" : `    <div id="prepared">${html}</div>\n`);

/** A chunk, its imports, and the style sheets of all of them. */
export function filesOf(start: Built, all: ReadonlyMap<string, Built>): string[] {
  const found = new Set<string>();
  const visit = (chunk: Built | undefined) => {
    if (chunk === undefined || found.has(chunk.fileName)) return;
    found.add(chunk.fileName);
    for (const imported of chunk.imports ?? []) visit(all.get(imported));
    for (const css of chunk.viteMetadata?.importedCss ?? []) found.add(css);
  };
  visit(start);
  return [...found];
}
