import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newSshKey } from "../../apps/server/src/hosts/ssh/new-key.ts";
import { openPostgres } from "../../apps/server/src/platform/database/postgres.ts";
import { type Panel, startPanel } from "../../e2e/panel.ts";
import { startDoubles, startHelper } from "../../lab/many-servers.ts";
import { startCluster } from "../../scripts/postgres-for-tests.mjs";
import { CONFIGS_OF_EACH, fillDay } from "./club.ts";
import { LOST, MEMBERS, PAGES, PANELS, SERVERS } from "./size.ts";
import { ends, timed } from "./telling.ts";

/* Starts PostgreSQL, the club, its servers, its panels and the balancer. */

/** A process may open 20,000 files. A page takes one of them here, and two in the balancer. */
export const PAGES_OF_A_PROCESS = 8_000;

export async function start() {
  const folder = await mkdtemp(join(tmpdir(), "krug-day-"));
  ends.push(() => rm(folder, { recursive: true, force: true }));
  const cluster = await startCluster({
    ...{ fsync: "on", synchronous_commit: "on", full_page_writes: "on", autovacuum: "on" },
    ...{ shared_buffers: "1GB", max_wal_size: "4GB", max_connections: 100 },
  });
  ends.unshift(() => cluster.end());
  await writeFile(join(folder, "master.key"), randomBytes(32).toString("base64"), { mode: 0o600 });
  const panelEnv = async () => ({
    DATABASE_URL: cluster.url,
    MASTER_KEY_FILE: join(folder, "master.key"),
    LOG_LEVEL: "warn",
    TRUSTED_PROXIES: "127.0.0.1",
    DATA_DIR: await mkdtemp(join(folder, "panel-")),
  });
  const first = await startPanel(await panelEnv());
  ends.unshift(() => first.stop("SIGKILL"));
  // It has created the tables. It must not find an ordinary club while the rows come in.
  await first.stop();

  const login = newSshKey();
  const [lost, rest] = [
    await startDoubles(LOST, login.publicKey),
    await startDoubles(Math.max(1, SERVERS - LOST), login.publicKey),
  ];
  for (const each of [lost, rest]) ends.unshift(() => each.end());
  const database = openPostgres(cluster.url);
  ends.unshift(() => database.close());
  const places = [...lost.places, ...rest.places];
  const club = await timed(`${MEMBERS} members, ${MEMBERS * CONFIGS_OF_EACH} configs, ${places.length} servers`, () =>
    fillDay(database, join(folder, "master.key"), { places, login, members: MEMBERS }),
  );
  await first.restart();
  const panels = [first];
  while (panels.length < PANELS) {
    const panel = await startPanel(await panelEnv());
    ends.unshift(() => panel.stop("SIGKILL"));
    panels.push(panel);
  }
  return { folder, cluster, database, club, panels, doubles: { lost, rest } };
}

export async function startBalancers(panels: readonly Panel[]): Promise<{ urls: string[]; pids: number[] }> {
  const count = Math.ceil(PAGES / PAGES_OF_A_PROCESS);
  const helpers = Array.from({ length: count }, () =>
    startHelper<{ panels: string[] }, { url: string }>("../bench/day/balancer-process.ts"),
  );
  for (const helper of helpers) ends.unshift(() => helper.end());
  const answers = await Promise.all(helpers.map((helper) => helper.ask({ panels: panels.map(({ url }) => url) })));
  return { urls: answers.map(({ url }) => url), pids: helpers.map(({ process }) => process.pid ?? 0) };
}
