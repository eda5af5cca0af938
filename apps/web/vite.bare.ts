import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { precompress } from "./build/precompress.ts";
import { howBuilt } from "./vite.config.ts";

/** The bare page of the bench, built as the product is. */
export default defineConfig({ plugins: [react(), precompress()], build: howBuilt });
