import { createServer } from "node:net";
import { join } from "node:path";
import { refusalText } from "@krug/contract/refusals";
import { makeApp } from "./app.ts";
import { type Config, isLoopback, readConfig } from "./config.ts";
import { readGeneration } from "./features/generation/index.ts";
import { makeRemotes } from "./hosts/ssh/remotes.ts";
import {
  enginesIn,
  localGuard,
  makeOwnHost,
  openInstallation,
  packagedGeoFiles,
  packagedServerPrograms,
  productFolder,
  productVersion,
} from "./installation.ts";
import { systemClock } from "./platform/clock.ts";
import { systemNames } from "./platform/names.ts";
import { Refusal } from "./platform/refusal.ts";

/** What hangs is left behind: a service manager and a person at a terminal wait for five seconds. */
const STOP_WITHIN_MS = 4_800;
/** Connections that wait to be taken. After a restart every open page comes back at once, and whom Linux turns away tries again after up to a minute. */
const BACKLOG = 4_096;
/** npm passes a Ctrl-C on that the panel has heard by itself: one act, not two. */
const SAME_SIGNAL_MS = 500;

async function start(config: Config): Promise<void> {
  await listening(config, () => tryPort(config));
  const installation = await openInstallation(config, systemClock.now());
  const guard = localGuard(
    config,
    () => readGeneration(installation.database.db),
    (why) =>
      console.error(
        `Туннели этой машины не защищены от прежней панели клуба / an older panel of the club could change this machine's tunnels: ${why} (docs/operating.md, MACHINE_DIR)`,
      ),
  );
  const app = await makeApp({
    config,
    ...installation,
    clock: systemClock,
    localHost: config.localServer === "off" ? null : makeOwnHost(config, guard),
    remotes: makeRemotes(packagedServerPrograms(), () => systemClock.now().getTime(), enginesIn(config)),
    names: systemNames,
    version: productVersion(),
    geoFiles: packagedGeoFiles(),
    webFolder: join(productFolder(), "apps", "web", "dist"),
    checkAnswers: false,
  });
  const setupPath = await app.prepare();
  await listening(config, () => app.server.listen({ port: config.port, host: config.host, backlog: BACKLOG }));
  const looked = app.start();
  const host = config.host.includes(":") ? `[${config.host}]` : config.host;
  const bound = app.server.server.address();
  const port = bound !== null && typeof bound === "object" ? bound.port : config.port;
  const origin = config.publicUrl?.origin ?? `http://${host}:${port}`;
  console.log(`Круг: ${origin}`);
  if (setupPath !== null) {
    console.log(`Первый администратор / set up the first admin (one-time link): ${origin}${setupPath}`);
    if (config.publicUrl === null && isLoopback(config.host))
      console.log(
        `С другого компьютера / from another computer: ssh -L ${port}:${host}:${port} USER@THIS-MACHINE (docs/operating.md)`,
      );
  }
  void looked.then((lacks) => {
    for (const sentence of lacks) console.log(`Туннели на этой машине / tunnels on this machine: ${sentence}`);
  });

  let stoppingSince: number | null = null;
  const stop = () => {
    if (stoppingSince !== null) {
      if (performance.now() - stoppingSince > SAME_SIGNAL_MS) process.exit(1);
      return;
    }
    stoppingSince = performance.now();
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

/** Before the database is touched: a newer version that is started beside a running panel must not change it. */
function tryPort({ port, host }: Config): Promise<void> {
  const probe = createServer();
  return new Promise((resolve, reject) => {
    probe.once("error", reject);
    probe.listen({ port, host }, () => probe.close(() => resolve()));
  });
}

/** @throws Error that names the variable which is wrong */
async function listening({ port, host }: Config, act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE")
      throw new Error(`PORT ${port} is taken on ${host}: another panel or program listens there.`, { cause: error });
    if (code === "EACCES")
      throw new Error(`PORT ${port} may not be opened by this user: take one from 1024 on.`, { cause: error });
    if (["EADDRNOTAVAIL", "ENOTFOUND", "EAI_AGAIN", "EINVAL"].includes(code ?? ""))
      throw new Error(`HOST ${host} is no address of this machine.`, { cause: error });
    throw error;
  }
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
