import react from "@vitejs/plugin-react";
import { type BuildOptions, defineConfig } from "vite";
import { planChunks } from "./build/chunk-plan.ts";
import { pagePreloads } from "./build/page-preloads.ts";
import { precompress } from "./build/precompress.ts";
import { preloadFonts } from "./build/preload-fonts.ts";

const panelPort = process.env.PANEL_PORT ?? "3001";

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

export default defineConfig(async ({ command }) => {
  const plan = command === "build" ? await planChunks(FIRST_SCREENS, "dashboard") : new Map<string, string>();
  return {
    // Every screen has digits, which are in the Latin one: without it the page would be laid out twice.
    plugins: [
      react(),
      preloadFonts("onest-cyrillic-wght-normal", "onest-latin-wght-normal"),
      pagePreloads(FIRST_SCREENS),
      precompress(),
    ],
    server: {
      host: "127.0.0.1",
      proxy: { "/api": { target: `http://127.0.0.1:${panelPort}` } },
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
