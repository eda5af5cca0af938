import { setTimeout as wait } from "node:timers/promises";
import { makeApp } from "../apps/server/src/app.ts";
import { readConfig } from "../apps/server/src/config.ts";
import { laneOf, reconcileServer } from "../apps/server/src/features/vpn/servers/index.ts";
import { makeRemotes } from "../apps/server/src/hosts/ssh/remotes.ts";
import {
  enginesIn,
  openInstallation,
  packagedGeoFiles,
  packagedServerPrograms,
} from "../apps/server/src/installation.ts";
import { systemClock } from "../apps/server/src/platform/clock.ts";
import { makeFakeNames } from "../apps/server/testing/fake-names.ts";

/* The panel in its own process. It checks its servers on request instead of on schedule, and reports the cost. */

export interface RoundCost {
  /** ms since 1970. */
  beganAt: number;
  tookMs: number;
  /** The panel's own, including all threads. */
  cpuMs: number;
  /** Bytes in use after garbage collection, and the process's maximum ever. */
  heapBytes: number;
  peakBytes: number;
}

export interface RoundQuestion {
  first: number;
}

const LONGEST_MS = 200_000;
const MOMENT_MS = 300;

const config = readConfig(process.env);
const app = await makeApp({
  config,
  ...(await openInstallation(config, systemClock.now())),
  clock: systemClock,
  localHost: null,
  remotes: makeRemotes(packagedServerPrograms(), Date.now, enginesIn(config)),
  names: makeFakeNames(),
  version: "0.0.0-test",
  geoFiles: packagedGeoFiles(),
  webFolder: "",
  checkAnswers: false,
});
await app.prepare();
app.jobs.start();

/** Compares and corrects all servers. `first`: this many of the oldest start a moment earlier, as if left from an earlier round. */
async function beginRound(first: number): Promise<string[]> {
  if (first === 0) return app.lookAtServers();
  const { transact, servers } = app.parts;
  const all = await transact((tx) => servers.workable(tx));
  const enqueue = (some: typeof all) =>
    transact((tx) =>
      Promise.all(
        some.map((server) =>
          app.jobs.enqueue(tx, reconcileServer, { payload: { serverId: server.id }, ...laneOf(server) }),
        ),
      ),
    );
  const ids = await enqueue(all.slice(0, first));
  await wait(MOMENT_MS);
  return [...ids, ...(await enqueue(all.slice(first)))];
}

async function round({ first }: RoundQuestion): Promise<RoundCost> {
  const [beganAt, began, cpuBefore] = [Date.now(), performance.now(), process.cpuUsage()];
  const isDone = await app.jobs.settled(await beginRound(first), LONGEST_MS);
  if (!isDone) throw new Error("the round did not end");
  const tookMs = performance.now() - began;
  const { user, system } = process.cpuUsage(cpuBefore);
  globalThis.gc?.();
  return {
    beganAt,
    tookMs,
    cpuMs: (user + system) / 1_000,
    heapBytes: process.memoryUsage().heapUsed,
    peakBytes: process.resourceUsage().maxRSS * 1024,
  };
}

process.on("message", async (question: RoundQuestion) => {
  process.send?.(await round(question));
});
process.once("disconnect", () => process.exit());
globalThis.gc?.();
process.send?.({ heapBytes: process.memoryUsage().heapUsed });
