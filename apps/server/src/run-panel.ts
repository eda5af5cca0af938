import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { reasonLine } from "@krug/domain/reasons";
import { makeApp } from "./app.ts";
import { terminalLanguage } from "./cli-words.ts";
import { type Config, readConfig } from "./config.ts";
import { readGeneration } from "./features/club/fencing/index.ts";
import { makeRemotes } from "./hosts/ssh/remotes.ts";
import { howToOpenLink } from "./how-to-open-link.ts";
import {
  enginesIn,
  openInstallation,
  openOwnHost,
  packagedGeoFiles,
  packagedServerPrograms,
  productFolder,
  productVersion,
} from "./installation.ts";
import { systemClock } from "./platform/clock.ts";
import { failure } from "./platform/failure.ts";
import { systemNames } from "./platform/names.ts";
import { readableLog } from "./platform/readable-log.ts";
import { Refusal } from "./platform/refusal.ts";
import { sentenceOf } from "./platform/sentence-of.ts";
import { stopBySignal } from "./stop-by-signal.ts";

/**
 * Connections waiting to be accepted. After a restart every open page reconnects at once, and a connection that Linux rejects
 * retries after up to a minute.
 */
const BACKLOG = 4_096;
/** How long the link waits for the check of the machine's tunnels, so that it is printed last; after that it is printed again. */
const LOOK_PATIENCE_MS = 2_000;

/** Work of the starting program while the panel starts. */
export interface Launch {
  /** Resolves once the packages for this machine's tunnels are installed, or could not be: sentences for the operator. */
  packages?: Promise<readonly string[]>;
}

/** Starts the panel in this process, configured by the environment; it ends on a signal. */
export async function runPanel(launch: Launch = {}): Promise<void> {
  try {
    await start(readConfig(process.env), launch);
  } catch (error) {
    explain(error);
  }
}

async function start(config: Config, { packages }: Launch): Promise<void> {
  await listening(config, () => tryPort(config));
  const installation = await openInstallation(config, systemClock.now());
  const ownHost = () =>
    openOwnHost(
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
    localHost: config.localServer === "off" ? null : ownHost(),
    remotes: makeRemotes(packagedServerPrograms(), () => systemClock.now().getTime(), enginesIn(config)),
    names: systemNames,
    version: productVersion(),
    geoFiles: packagedGeoFiles(),
    webFolder: join(productFolder(), "apps", "web", "dist"),
    checkAnswers: false,
    // For a person at a terminal; a service manager and other programs get JSON.
    ...(process.stdout.isTTY && { logTo: readableLog(process.stdout) }),
  });
  const setupPath = await app.prepare();
  await listening(config, () => app.server.listen({ port: config.port, host: config.host, backlog: BACKLOG }));
  const looked = app.start();
  const host = config.host.includes(":") ? `[${config.host}]` : config.host;
  const bound = app.server.server.address();
  const port = bound !== null && typeof bound === "object" ? bound.port : config.port;
  const origin = config.publicUrl?.origin ?? `http://${host}:${port}`;
  console.log(`Круг: ${origin}`);
  const linkLines =
    setupPath === null
      ? []
      : [
          `Первый администратор / set up the first admin (one-time link): ${origin}${setupPath}`,
          ...howToOpenLink(config, { host, port }, process.env),
        ];
  const say = (sentences: readonly string[]) => {
    for (const line of [...sentences, ...linkLines]) console.log(line);
  };
  const news = async () => {
    const sentences = (await packages) ?? [];
    const before = await looked;
    // The check ran before the packages were installed.
    const lacks = packages === undefined ? before : await app.lookAround();
    return [
      ...sentences,
      ...lacks.map(
        (why) => `Туннели на этой машине: ${reasonLine(why, "ru")} / tunnels on this machine: ${reasonLine(why, "en")}`,
      ),
    ];
  };
  void sayWithNews(say, news(), config.localServer === "off" ? 0 : LOOK_PATIENCE_MS);

  const stop = stopBySignal(app.stop, process.exit);
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
}

/** The news first; if it takes longer, everything is printed again below it when it comes. */
async function sayWithNews(
  say: (news: readonly string[]) => void,
  news: Promise<readonly string[]>,
  patienceMs: number,
): Promise<void> {
  const early = patienceMs === 0 ? null : await Promise.race([news, wait(patienceMs, null)]);
  if (early !== null) return say(early);
  say([]);
  const late = await news;
  if (late.length > 0) say(late);
}

/** Before the database is touched: a newer version started next to a running panel must not change it. */
function tryPort({ port, host }: Config): Promise<void> {
  const probe = createServer();
  return new Promise((resolve, reject) => {
    probe.once("error", reject);
    probe.listen({ port, host }, () => probe.close(() => resolve()));
  });
}

/** @throws Failure that names the variable which is wrong */
async function listening({ port, host }: Config, act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE") throw failure("start.port_taken", { port, host }, { cause: error });
    if (code === "EACCES") throw failure("start.port_closed", { port }, { cause: error });
    if (["EADDRNOTAVAIL", "ENOTFOUND", "EAI_AGAIN", "EINVAL"].includes(code ?? ""))
      throw failure("start.no_host", { host }, { cause: error });
    throw error;
  }
}

/** A failed start is one sentence, not a stack. */
function explain(error: unknown): never {
  const isPlain = process.env.LOG_LEVEL === "debug" && !(error instanceof Refusal);
  console.error(isPlain ? error : sentenceOf(error, terminalLanguage(process.env)));
  process.exit(1);
}
