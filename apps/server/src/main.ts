import { join } from "node:path";
import { refusalText } from "@krug/contract/refusals";
import { makeApp } from "./app.ts";
import { type Config, readConfig } from "./config.ts";
import { makeLocalHost } from "./hosts/local.ts";
import { openInstallation, packagedGeoFiles, productFolder, productVersion } from "./installation.ts";
import { systemClock } from "./platform/clock.ts";
import { systemNames } from "./platform/names.ts";
import { Refusal } from "./platform/refusal.ts";

const STOP_WITHIN_MS = 15_000;

async function start(config: Config): Promise<void> {
  const installation = await openInstallation(config, systemClock.now());
  const app = await makeApp({
    config,
    ...installation,
    clock: systemClock,
    localHost: config.localServer === "off" ? null : makeLocalHost(),
    names: systemNames,
    version: productVersion(),
    geoFiles: packagedGeoFiles(),
    webFolder: join(productFolder(), "apps", "web", "dist"),
    checkAnswers: false,
  });
  await app.server.listen({ port: config.port, host: config.host });
  const host = config.host.includes(":") ? `[${config.host}]` : config.host;
  const bound = app.server.server.address();
  const port = bound !== null && typeof bound === "object" ? bound.port : config.port;
  const origin = config.publicUrl?.origin ?? `http://${host}:${port}`;
  const setupLink = await app.prepare(origin);
  app.start();
  console.log(`Круг: ${origin}`);
  if (setupLink !== null) console.log(`Первый администратор / set up the first admin (one-time link): ${setupLink}`);

  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
    app.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
}

/** A start that cannot be is one sentence, not a stack. */
function explain(error: unknown): never {
  if (error instanceof Refusal) console.error(refusalText(error.code, "en", error.details));
  else console.error(process.env.LOG_LEVEL === "debug" ? error : (error as Error).message);
  process.exit(1);
}

try {
  await start(readConfig(process.env));
} catch (error) {
  explain(error);
}
