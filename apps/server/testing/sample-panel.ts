import type { FastifyInstance } from "fastify";
import { makeApp } from "../src/app.ts";
import { readConfig } from "../src/config.ts";
import { readGeneration } from "../src/features/club/fencing/index.ts";
import { openInstallation, openOwnHost, packagedGeoFiles, productVersion } from "../src/installation.ts";
import { systemClock } from "../src/platform/clock.ts";
import { drawPicture } from "../src/platform/draw-picture.ts";
import type { LogTarget } from "../src/platform/log.ts";
import { makeFakeHost } from "./fake-host.ts";
import { makeFakeRemotes } from "./fake-remotes.ts";
import { seedSampleClub } from "./sample-club.ts";
import { sampleNames } from "./sample-rules.ts";

/** The sample club's server is named after the city; an example-range address would belong to another country. */
const IN_HELSINKI = "95.216.0.7";

/**
 * The panel on a sample club, with an in-memory machine that needs no root. The security gate is off unless the environment says
 * otherwise. `webFolder`: the built web client; empty if another program serves it. `beforeListening`: handlers installed before
 * the panel's own. `logTo`: the standard output otherwise. `isLocalReal`: the panel's own machine carries tunnels instead of `host`.
 */
export async function startSamplePanel(parts: {
  environment: Readonly<Record<string, string | undefined>>;
  dataDir: string;
  webFolder: string;
  isLocalReal?: boolean;
  beforeListening?: (server: FastifyInstance) => void;
  logTo?: LogTarget;
}) {
  const config = {
    ...readConfig({ SECURITY_GATE: "off", ...parts.environment, DATA_DIR: parts.dataDir }),
    databaseUrl: null,
  };
  const installation = await openInstallation(config, systemClock.now());
  const host = makeFakeHost({ address: IN_HELSINKI });
  const remotes = makeFakeRemotes();
  const app = await makeApp({
    config,
    ...installation,
    clock: systemClock,
    localHost: parts.isLocalReal
      ? openOwnHost(config, () => readGeneration(installation.database.db), console.error)
      : host,
    remotes,
    names: sampleNames,
    // Its pictures are the developer's own.
    drawPicture,
    greet: async () => "answered",
    version: productVersion(),
    geoFiles: packagedGeoFiles(),
    webFolder: parts.webFolder,
    checkAnswers: true,
    ...(parts.logTo && { logTo: parts.logTo }),
  });
  await app.prepare();
  parts.beforeListening?.(app.server);
  await app.server.listen({ port: config.port, host: config.host });
  void app.start();
  await app.parts.jobs.settled(await app.lookAtServers(), 10_000);
  await seedSampleClub(app, ...(parts.isLocalReal ? [null] : []));
  for (const { run } of app.parts.probe.timed) await run();
  return { app, host, remotes, url: app.server.listeningOrigin };
}
