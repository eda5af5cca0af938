import { resolve } from "node:path";
import { makeApp } from "../app.ts";
import { readConfig } from "../config.ts";
import { openInstallation, packagedGeoFiles, productFolder, productVersion } from "../installation.ts";
import { systemClock } from "../platform/clock.ts";
import { makeFakeHost } from "./fake-host.ts";
import { SAMPLE_PASSWORD, sampleAccounts, seedSampleClub } from "./sample-club.ts";

/** `npm run dev`: the panel on a sample club of its own, with a machine that stands in memory and needs no root. */
const PORT = 3001;
const TRAFFIC_EVERY_MS = 5_000;

const config = {
  ...readConfig({
    PORT: String(PORT),
    SECURITY_GATE: "off",
    ...process.env,
    DATA_DIR: resolve(productFolder(), "data", "dev"),
  }),
  databaseUrl: null,
};
const installation = await openInstallation(config, systemClock.now());
const host = makeFakeHost();
const app = await makeApp({
  config,
  ...installation,
  clock: systemClock,
  localHost: host,
  version: productVersion(),
  geoFiles: packagedGeoFiles(),
  webFolder: "",
  checkAnswers: true,
});
await app.server.listen({ port: config.port, host: config.host });
await app.prepare(app.server.listeningOrigin);
app.start();
await app.parts.jobs.settled(await app.lookAtServers(), 10_000);
await seedSampleClub(app);

// Devices of the sample club are in use: every second peer moves some bytes now and then.
setInterval(() => {
  for (const [index, peer] of host.peers().entries())
    if (index % 2 === 0) host.use(peer.publicKey, { rx: 40_000 + index, tx: 900_000 + index }, Date.now());
}, TRAFFIC_EVERY_MS).unref();

console.log("Sample club, password of every account: %s", SAMPLE_PASSWORD);
for (const { username, about } of sampleAccounts) console.log("  %s  %s", username.padEnd(10), about);

for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => void app.stop().finally(() => process.exit(0)));
