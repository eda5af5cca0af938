import { readFile } from "node:fs/promises";
import type { Plugin } from "vite";

/** The Mini App's path (packages/domain/src/mini-app.ts). */
const MINI_APP = "/tg";
/** As the panel's own pages: only the Mini App's may be framed, and only by Telegram's web version. */
const framedBy = (who: string) => `frame-ancestors ${who}`;

/** In development: the page of Telegram's Mini App, which the build writes otherwise (page-preloads.ts), under the same frame rules. */
export function miniAppInDevelopment(): Plugin {
  return {
    name: "krug:mini-app-in-development",
    apply: "serve",
    configureServer({ middlewares, transformIndexHtml }) {
      middlewares.use(async (request, response, next) => {
        const path = (request.url ?? "").split("?", 1)[0] ?? "";
        const isThere = path === MINI_APP || path.startsWith(`${MINI_APP}/`);
        if (!isThere || path.startsWith(`${MINI_APP}/api/`)) {
          response.setHeader("content-security-policy", framedBy("'none'"));
          return next();
        }
        const [html, script] = await Promise.all(
          ["../index.html", "in-telegram.js"].map((file) => readFile(new URL(file, import.meta.url), "utf8")),
        );
        const page = await transformIndexHtml(path, html ?? "");
        response.setHeader("content-security-policy", framedBy("https://web.telegram.org"));
        response.setHeader("content-type", "text/html; charset=utf-8");
        response.end(page.replace("<script", () => `<script>${script}</script>\n    <script`));
      });
    },
  };
}
