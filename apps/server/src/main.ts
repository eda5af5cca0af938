import { runPanel } from "./run-panel.ts";

await runPanel();
