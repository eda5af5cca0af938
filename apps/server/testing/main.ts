import { resolve } from "node:path";
import { productFolder } from "../src/installation.ts";
import { SAMPLE_PASSWORD, sampleAccounts } from "./sample-club.ts";
import { startSamplePanel } from "./sample-panel.ts";

/** `npm run dev`, the server's half; the web client has its own bundler. */
const PORT = 3001;
const TRAFFIC_EVERY_MS = 5_000;
/** A club of its own: real tunnels must not mix with the in-memory machine's. */
const isLocalReal = process.env.DEV_LOCAL_SERVER === "on";

const { app, host } = await startSamplePanel({
  environment: { PORT: String(PORT), SAMPLE_DATA: "on", ...process.env },
  dataDir: resolve(productFolder(), "data", isLocalReal ? "dev-tunnels" : "dev"),
  webFolder: "",
  isLocalReal,
});

// The sample club's devices are in use: every second peer moves some bytes now and then.
setInterval(() => {
  for (const [index, peer] of host.peers().entries())
    if (index % 2 === 0) host.use(peer.publicKey, { rx: 40_000 + index, tx: 900_000 + index }, Date.now());
}, TRAFFIC_EVERY_MS).unref();

console.log("Sample club, password of every account: %s", SAMPLE_PASSWORD);
for (const { username, about } of sampleAccounts) console.log("  %s  %s", username.padEnd(10), about);

for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => void app.stop().finally(() => process.exit(0)));
