import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { pagePreloads } from "./build/page-preloads.ts";
import { precompress } from "./build/precompress.ts";
import { preloadFont } from "./build/preload-font.ts";

const panelPort = process.env.PANEL_PORT ?? "3001";

/** Where people arrive from outside: a link, a bookmark, the home screen. */
const FIRST_SCREENS = {
  landing: "src/features/landing/landing.tsx",
  login: "src/features/auth/login.tsx",
  register: "src/features/auth/register.tsx",
  dashboard: "src/app/dashboard.tsx",
};

/** Small modules that many screens share and that import nothing but each other and the base. */
const LEAVES =
  /node_modules[\\/](@tabler|@tanstack|@mantine[\\/]hooks)|packages[\\/]domain|src[\\/](lib[\\/][\w-]+|features[\\/][\w-]+[\\/]queries)\.ts/;

export default defineConfig({
  plugins: [react(), preloadFont("onest-cyrillic-wght-normal"), pagePreloads(FIRST_SCREENS), precompress()],
  server: {
    host: "127.0.0.1",
    proxy: { "/api": { target: `http://127.0.0.1:${panelPort}` } },
  },
  build: {
    outDir: "dist",
    assetsDir: "assets",
    manifest: true,
    // Every asset is a file of its own: the content policy allows no data: addresses.
    assetsInlineLimit: 0,
    target: "es2022",
    rolldownOptions: {
      output: {
        codeSplitting: {
          // A page in few files: on a slow phone each of fifty small ones costs more than its bytes.
          groups: [
            { name: "react", test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/, priority: 3 },
            { name: "base", tags: ["$initial"], priority: 2 },
            { name: "leaves", test: LEAVES, minShareCount: 3, includeDependenciesRecursively: false, priority: 1 },
          ],
        },
      },
    },
  },
});
