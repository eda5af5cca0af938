import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { precompress } from "./build/precompress.ts";
import { preloadFont } from "./build/preload-font.ts";

const panelPort = process.env.PANEL_PORT ?? "3001";

export default defineConfig({
  plugins: [react(), preloadFont("onest-cyrillic-wght-normal"), precompress()],
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
          groups: [{ name: "react", test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/ }],
        },
      },
    },
  },
});
