import { setTimeout as wait } from "node:timers/promises";
import { startHelper } from "../lab/many-servers.ts";
import { makeAsking } from "./day/asking.ts";
import { CONFIGS_OF_EACH, type DayMember } from "./day/club.ts";
import { check, compare } from "./day/compare.ts";
import { costs } from "./day/costs.ts";
import { faults } from "./day/faults.ts";
import { AT_REST, startWork } from "./day/members-at-work.ts";
import { midnight } from "./day/midnight.ts";
import type { PagesAnswer, PagesQuestion } from "./day/pages-process.ts";
import { type Day, type Part, part } from "./day/part.ts";
import { midnightCost, printModel, serverCost } from "./day/print-model.ts";
import { ONLY_MIDNIGHT, PAGES, PEAK, SECONDS } from "./day/size.ts";
import { PAGES_OF_A_PROCESS, start, startBalancers } from "./day/start.ts";
import { complaints, ends, seconds, timed, until } from "./day/telling.ts";
import { postgresIn, watch } from "./day/watch.ts";
import { devicesNote, LAG_LIMIT_MS, takeWire } from "./day/wire.ts";
import { prepareBench } from "./run.ts";
import { signInAll } from "./sign-in.ts";
import { ms, printTable } from "./table.ts";

/*
 * `npm run bench:day [-- MEMBERS [SERVERS [SECONDS [midnight]]]]`: a club's day on three panels, one PostgreSQL and a balancer. 100,000 members
 * with 300,000 configs on 400 servers by default; SECONDS is how long each part of the day lasts (60), `midnight` leaves out all but that. The panels are the built
 * ones and work in real time: an hour of writing is pressed into each part, and midnight is moved to where it is needed by setting
 * the ends of subscriptions. Servers are SSH servers in front of machines in memory; pages are streams and the calls of a dashboard.
 */
const LONGEST_MS = 40 * 60_000;
/** Of the open pages: those whose member is looking at it. */
const PRESENT_SHARE = 0.05;

async function openPages({ pages, pageOwners, tokens, urls }: OpenedPages): Promise<void> {
  await Promise.all(
    pages.map((helper, index) =>
      helper.ask({
        open: (pageOwners[index] ?? []).map(({ id, configs }) => ({
          token: tokens.get(id) ?? "",
          configIds: configs.map((config) => config.id),
        })),
        urls,
        overMs: SECONDS * 1_000,
        presentShare: PRESENT_SHARE,
      }),
    ),
  );
}
interface OpenedPages {
  pages: Day["pages"];
  pageOwners: DayMember[][];
  tokens: ReadonlyMap<string, string>;
  urls: string[];
}

async function day(): Promise<void> {
  const { folder, cluster, database, club, panels, doubles } = await timed("the club is there", start);
  const balancer = await startBalancers(panels);
  const groups = [
    ...panels.map((panel, index) => ({ name: `panel ${index + 1}`, pids: () => [panel.pid()] })),
    { name: "PostgreSQL", pids: postgresIn(cluster.folder) },
    { name: "(servers' doubles)", pids: () => [doubles.rest.pid(), doubles.lost.pid()] },
    { name: "(balancer)", pids: () => balancer.pids },
    { name: "(pages)", pids: () => pages.map(({ process }) => process.pid ?? 0) },
    { name: "(this process)", pids: () => [process.pid] },
  ];
  const pages: Day["pages"] = [];
  const watching = watch(groups);
  ends.unshift(async () => watching.end());
  const peersWanted = club.members.length * CONFIGS_OF_EACH;
  await timed(`the empty wire gets ${peersWanted} peers`, () =>
    until(
      "all peers are on the wire",
      async () => {
        const counts = [...(await doubles.lost.peers()), ...(await doubles.rest.peers())];
        return counts.reduce((sum, count) => sum + count, 0) >= peersWanted || wait(1_000, false);
      },
      10 * 60_000,
    ),
  );
  await takeWire({ doubles, wire: [] });

  const asking = makeAsking(balancer.urls);
  const byLot = (digit: number) => club.members.filter((_, index) => index % 10 === digit);
  const pageMembers = club.members.slice(0, PAGES);
  const tokens = new Map<string, string>();
  const signIn = async (some: readonly DayMember[]) => {
    const made = await signInAll(
      database,
      some.map(({ id }) => id),
    );
    for (const [index, { id }] of some.entries()) tokens.set(id, made[index] ?? "");
    return some.map((member) => ({ ...member, token: tokens.get(member.id) ?? "" }));
  };
  await signIn(pageMembers);
  const [makers, payers, writers] = [await signIn(byLot(6)), await signIn(byLot(7)), await signIn(byLot(8))];
  const work = await startWork({ asking, adminToken: club.adminToken, makers, payers, writers });
  const count = Math.ceil(PAGES / PAGES_OF_A_PROCESS);
  for (let nth = 0; nth < count; nth += 1) {
    const helper = startHelper<PagesQuestion, PagesAnswer>("../bench/day/pages-process.ts");
    ends.unshift(() => helper.end());
    pages.push(helper);
  }
  const share = Math.ceil(PAGES / count);
  const pageOwners = pages.map((_, index) => pageMembers.slice(index * share, (index + 1) * share));
  const here: Day = { database, club, panels, work, asking, pages, pageOwners, doubles, cluster, watching, wire: [] };

  const found = await timed("what each call costs", () => costs(here));
  await part(here, `Morning: ${PAGES} pages open`, () => openPages({ pages, pageOwners, tokens, urls: balancer.urls }));
  const quiet = await part(here, "They stay open", () => wait((ONLY_MIDNIGHT ? 60 : SECONDS) * 1_000));
  if (ONLY_MIDNIGHT) return onlyMidnight(here, folder, { found, quiet });
  await part(here, "Registrations, and the day's other writing", async (notes) => {
    const from = Date.now();
    work.set(PEAK);
    await wait(SECONDS * 1_000);
    await work.settle();
    await wait(2_000);
    notes.push(await devicesNote(here, from, LAG_LIMIT_MS));
  });
  const ended = await midnight(here);
  await faults(here);
  work.set(AT_REST);
  await work.settle();
  for (const each of pages) await each.ask({ close: true });
  await work.end();
  console.log("");
  await compare(here);
  await timed("krug check", () => check(here, folder));
  printModel(found, quiet, ended);
  const errors = panels.flatMap((panel) =>
    panel
      .output()
      .split("\n")
      .filter((line) => /"level":(50|60)/.test(line)),
  );
  for (const line of new Set(errors.map((each) => each.slice(0, 400)))) complaints.push(`a panel's log: ${line}`);
}

async function onlyMidnight(
  here: Day,
  folder: string,
  { found, quiet }: { found: Awaited<ReturnType<typeof costs>>; quiet: Part },
): Promise<void> {
  const ended = await midnight(here);
  await timed("krug check", () => check(here, folder));
  const ends = midnightCost(quiet, ended);
  const idle = serverCost(found);
  printTable([
    ["what", "panels' CPU", "PostgreSQL's CPU"],
    ["a subscription that ends", ms(ends.panels), ms(ends.postgres)],
    ["a server, each second", ms(idle.panels), ms(idle.postgres)],
  ]);
}

const endAll = async () => {
  for (const end of ends.splice(0)) await end();
};
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => void endAll().finally(() => process.exit(1)));
// The bench's own end comes first: it leaves nothing running.
setTimeout(() => {
  console.error("The day took too long.");
  void endAll().finally(() => process.exit(1));
}, LONGEST_MS).unref();
await prepareBench(LONGEST_MS + 60_000);
const began = performance.now();
try {
  await day();
} catch (error) {
  complaints.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
}
await endAll();
console.log(
  `\n${seconds(performance.now() - began)} in all. ${complaints.length === 0 ? "Nothing was lost." : "What is wrong:"}`,
);
for (const complaint of complaints) console.log(`  ${complaint}`);
process.exit(complaints.length === 0 ? 0 : 1);
