import type { Database } from "../../apps/server/src/platform/database/database.ts";
import type { Panel } from "../../e2e/panel.ts";
import type { Doubles, Helper } from "../../lab/many-servers.ts";
import type { WireChange } from "../../lab/server-doubles.ts";
import type { startCluster } from "../../scripts/postgres-for-tests.mjs";
import { at, ms, printTable } from "../table.ts";
import type { Asking, Kind } from "./asking.ts";
import type { DayClub, DayMember } from "./club.ts";
import type { Work } from "./members-at-work.ts";
import type { PagesAnswer, PagesQuestion } from "./pages-process.ts";
import type { Used, Watch } from "./watch.ts";

/* A part of the day, and what was measured in it. */

export interface Part {
  name: string;
  kinds: Map<string, Kind>;
  used: Map<string, Used>;
  busy: number;
  tookS: number;
  notes: string[];
}

export interface Day {
  database: Database;
  club: DayClub;
  panels: Panel[];
  work: Work;
  asking: Asking;
  pages: Helper<PagesQuestion, PagesAnswer>[];
  /** Members with an open page, in the processes' order. */
  pageOwners: DayMember[][];
  doubles: { lost: Doubles; rest: Doubles };
  cluster: Awaited<ReturnType<typeof startCluster>>;
  watching: Watch;
  wire: WireChange[];
}

let add: (answer: PagesAnswer) => void = () => {};
/** Adds what pages report to the part under way. */
export const reported = (answer: PagesAnswer) => add(answer);

/** Runs a part of the day, and keeps what was measured in it. */
export async function part(day: Day, name: string, act: (notes: string[]) => Promise<void>): Promise<Part> {
  const { asking, pages, watching } = day;
  const kinds = new Map<string, Kind>();
  const gather = (some: Iterable<[string, Kind]>) => {
    for (const [kind, { took, failed }] of some) {
      const known = kinds.get(kind) ?? { took: [], failed: {} };
      kinds.set(kind, known);
      for (const each of took) known.took.push(each);
      for (const [why, count] of Object.entries(failed)) known.failed[why] = (known.failed[why] ?? 0) + count;
    }
  };
  add = ({ kinds: some = [] }) => gather(some);
  for (const each of pages) await each.ask({ report: true });
  watching.take();
  asking.take();
  const notes: string[] = [];
  const from = performance.now();
  await act(notes);
  const tookS = (performance.now() - from) / 1_000;
  const { used, busy } = watching.take();
  gather(asking.take());
  for (const each of pages) reported(await each.ask({ report: true }));
  const made: Part = { name, kinds, used, busy, tookS, notes };
  printPart(made);
  return made;
}

function printPart({ name, kinds, used, busy, tookS, notes }: Part): void {
  console.log(`\n${name}: ${tookS.toFixed(0)} s, the machine's processors ${(busy * 100).toFixed(0)} % busy`);
  for (const note of notes) console.log(`  ${note}`);
  const calls = [...kinds].filter(([kind]) => !kind.startsWith("("));
  if (calls.length > 0)
    printTable([
      ["call", "answered", "a second", "p50", "p99", "longest", "failed (0: no answer)"],
      ...calls.map(([kind, { took, failed }]) => [
        ...[kind, String(took.length), (took.length / tookS).toFixed(1)],
        ...[0.5, 0.99, 1].map((share) => (took.length === 0 ? "–" : ms(at(took, share)))),
        Object.entries(failed)
          .map(([why, count]) => `${why}: ${count}`)
          .join(", "),
      ]),
    ]);
  printTable([
    ["process", "CPU", "of one processor", "memory at most"],
    ...[...used].map(([who, { cpuS, peakMb }]) => [
      ...[who, `${cpuS.toFixed(1)} s`, `${((cpuS / tookS) * 100).toFixed(0)} %`, `${peakMb.toFixed(0)} MB`],
    ]),
  ]);
}
