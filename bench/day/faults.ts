import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import type { Panel } from "../../e2e/panel.ts";
import { type Day, part, reported } from "./part.ts";
import { BESIDE, LOST, PAGES, PEAK, SECONDS, SERVERS, times } from "./size.ts";
import { seconds, until } from "./telling.ts";
import { devicesNote, wireIsRight } from "./wire.ts";

/* A lost server, a killed panel, and a restarted database. */

export async function faults(day: Day): Promise<void> {
  const { work, panels, doubles, cluster, database, pages } = day;
  const beside = times(PEAK, BESIDE);
  const open = async () => {
    let all = 0;
    for (const each of pages) {
      const answer = await each.ask({ report: true });
      reported(answer);
      all += answer.open ?? 0;
    }
    return all;
  };
  /** Once their streams have ended. */
  const pagesBack = async () => {
    await until("streams have ended", async () => (await open()) < PAGES || wait(100, false), 10_000);
    return pagesOpen();
  };
  const pagesOpen = () => until("every page is open", async () => (await open()) === PAGES || wait(500, false));

  await part(day, `${LOST} of ${SERVERS} servers fall silent, and come back`, async (notes) => {
    const from = Date.now();
    work.set(beside);
    doubles.lost.freeze();
    await wait(SECONDS * 500);
    doubles.lost.thaw();
    await wait(SECONDS * 500);
    await work.settle();
    const back = await until("devices made meanwhile are on the servers that were lost", () => wireIsRight(day));
    notes.push(`the wire is right ${seconds(back)} after the end`);
    notes.push(await devicesNote(day, from, null));
  });

  await part(day, "One of three panels is killed", async (notes) => {
    const from = Date.now();
    work.set(beside);
    await wait(5_000);
    const { rows } = await sql<{ holder: string }>`
      select split_part(holder, ' ', 1) as holder from leases where name like 'server:%'
      group by 1 order by count(*) desc limit 1`.execute(database.db);
    const id = rows[0]?.holder ?? "";
    const ids = await Promise.all(panels.map(({ dataDir }) => readFile(join(dataDir, "panel-id"), "utf8")));
    const dead = panels[ids.findIndex((each) => each.trim() === id)];
    const leases = async () => {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from leases where holder like ${`${id} %`}`.execute(database.db);
      return rows[0]?.count ?? 0;
    };
    const held = await leases();
    await dead?.stop("SIGKILL");
    const killedAt = performance.now();
    const takenOver = until("the dead panel's leases are taken over", async () => (await leases()) === 0);
    const back = await pagesBack();
    notes.push(`all ${PAGES} pages open again after ${seconds(back)}`);
    notes.push(`its ${held} leases taken over after ${seconds(await takenOver)}`);
    await wait(Math.max(0, SECONDS * 1_000 - (performance.now() - killedAt)));
    await work.settle();
    await dead?.restart();
    await wait(2_000);
    notes.push(await devicesNote(day, from, null));
  });

  await part(day, "PostgreSQL is restarted", async (notes) => {
    const from = Date.now();
    work.set(beside);
    await wait(5_000);
    const away = performance.now();
    const back = pagesBack();
    await cluster.stop("SIGINT");
    await wait(2_000);
    await cluster.start();
    notes.push(`away for ${seconds(performance.now() - away)}`);
    notes.push(`every panel serves after ${seconds(await until("every panel serves", () => areUp(panels)))}`);
    notes.push(`all ${PAGES} pages open again ${seconds(await back)} after it went`);
    await wait(Math.max(0, SECONDS * 1_000 - (performance.now() - away)));
    await work.settle();
    await wait(2_000);
    notes.push(await devicesNote(day, from, null));
  });
}
const areUp = async (panels: readonly Panel[]) =>
  (await Promise.all(panels.map(({ url }) => fetch(`${url}/health`).catch(() => null)))).every((answer) => answer?.ok);
