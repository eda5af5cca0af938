import react from "@vitejs/plugin-react";
import { type BuildOptions, defineConfig, type Plugin, type UserConfig } from "vite";
import { planChunks } from "./build/chunk-plan.ts";
import { pagePreloads } from "./build/page-preloads.ts";
import { precompress } from "./build/precompress.ts";
import { preloadFonts } from "./build/preload-fonts.ts";

/** Where `npm run dev` has the panel; the same variable and default as the panel's own. */
const panelPort = process.env.PORT ?? "3001";

/** Where people arrive from outside: a link, a bookmark, the home screen. */
const FIRST_SCREENS = {
  landing: "src/features/landing/landing.tsx",
  login: "src/features/auth/login.tsx",
  register: "src/features/auth/register.tsx",
  dashboard: "src/app/dashboard.tsx",
};

export const howBuilt: BuildOptions = {
  // Every asset is a file of its own: the content policy allows no data: addresses.
  assetsInlineLimit: 0,
  target: "es2022",
};

/** In development the page may show samples while the panel is silent, as the panel's own pages do with SAMPLE_DATA=on. */
const sampleData = (): Plugin => ({
  name: "sample-data",
  apply: "serve",
  transformIndexHtml: () =>
    process.env.SAMPLE_DATA === "off"
      ? []
      : [{ tag: "meta", attrs: { name: "sample-data", content: "on" }, injectTo: "head" }],
});

export default defineConfig(async ({ command }): Promise<UserConfig> => {
  const plan = command === "build" ? await planChunks(FIRST_SCREENS, "dashboard") : new Map<string, string>();
  return {
    // Every screen has digits, which are in the Latin one: without it the page would be laid out twice.
    plugins: [
      react(),
      preloadFonts("onest-cyrillic-wght-normal", "onest-latin-wght-normal"),
      pagePreloads(FIRST_SCREENS),
      precompress(),
      sampleData(),
    ],
    server: {
      host: "127.0.0.1",
      proxy: {
        "/api": {
          target: `http://127.0.0.1:${panelPort}`,
          // A panel that is down is silent to the page, as it is behind any gateway.
          configure: (proxy) => {
            proxy.on("error", (_error, _request, response) => {
              if ("writeHead" in response && !response.headersSent) response.writeHead(502).end();
            });
          },
        },
      },
    },
    build: {
      ...howBuilt,
      outDir: "dist",
      assetsDir: "assets",
      manifest: true,
      rolldownOptions: {
        output: {
          codeSplitting: {
            groups: [
              {
                debugName: "first screens",
                name: (module: string) => plan.get(module) ?? null,
                includeDependenciesRecursively: false,
              },
            ],
          },
        },
      },
    },
  };
});
