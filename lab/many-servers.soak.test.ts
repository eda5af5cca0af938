import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newSshKey } from "../apps/server/src/hosts/ssh/new-key.ts";
import { median, printTable, times } from "../bench/table.ts";
import { type Doubles, type RoundsPanel, startDoubles, startRounds } from "./many-servers.ts";
import type { RoundCost } from "./rounds-panel.ts";
import { fillWithServers, newDataDir, removeDataDir, serversAt } from "./servers-club.ts";

/*
 * One panel with very many servers. They are doubles, each ssh2's own SSH server in front of a machine in memory, so that only the
 * panel is measured: its SSH, its database and its computations.
 */
const PEERS = 500;
const SIZES = [50, 100, 200] as const;
const [FEWEST, , MOST] = SIZES;
/** A tenth of the maximum. They come first, so that waiting for them would delay all others. */
const HANGING = MOST / 10;
const IDLE_ROUNDS = 3;
/** How long before a server that did not answer is tried again (connection.ts). */
const NOT_KNOCKED_FOR_MS = 5_500;
/** Limit for a server's cost among many relative to among few: in the panel's own CPU and memory, and by the clock. */
const HARDLY_MORE = 1.4;
const HARDLY_LONGER = 2;

interface Side {
  count: number;
  dataDir: string;
  doubles: Doubles[];
  panel: RoundsPanel;
}
/** For one kind of round, by the number of servers. */
type Costs = Map<number, RoundCost[]>;

const login = newSshKey();
const sides: Side[] = [];
let many: Side;
let hanging: Doubles;
let healthy: Doubles;
/** A round over the most servers, none of which hangs. */
let fullMs: number;
let idleMs: number;
const ended: (() => Promise<void>)[] = [];

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
const mb = (bytes: number) => `${(bytes / 2 ** 20).toFixed(0)} MB`;
const columns = [...SIZES.map((count) => `${count} servers`), `each, of ${MOST} next to ${FEWEST}`];

/** A line of the table, and the ratio of a server's cost among the most to its cost among the fewest. */
function compared(what: string, costs: Costs, of: (cost: RoundCost) => number, text: (value: number) => string) {
  const values = SIZES.map((count) => median((costs.get(count) ?? []).map(of)));
  const ratio = (values.at(-1) ?? 0) / MOST / ((values[0] ?? 0) / FEWEST);
  return { row: [what, ...values.map(text), times(ratio)], ratio };
}

beforeAll(async () => {
  const counts = [...SIZES.slice(0, -1), HANGING, MOST - HANGING];
  const doubles = await Promise.all(counts.map((count) => startDoubles(count, login.publicKey)));
  ended.push(...doubles.map(({ end }) => end));
  [hanging, healthy] = doubles.splice(-2) as [Doubles, Doubles];
  for (const [index, count] of SIZES.entries()) {
    const here = count === MOST ? [hanging, healthy] : doubles.slice(index, index + 1);
    const dataDir = await newDataDir();
    ended.push(() => removeDataDir(dataDir));
    // It creates its own tables and key.
    await (await startRounds(dataDir)).end();
    await fillWithServers(dataDir, { places: here.flatMap(({ places }) => places), peersOfEach: PEERS, login });
    const side: Side = { count, dataDir, doubles: here, panel: await startRounds(dataDir) };
    ended.unshift(() => side.panel.end());
    sides.push(side);
  }
  many = sides.at(-1) as Side;
});
afterAll(async () => {
  for (const end of ended) await end();
});

test("a round that has to write everything costs as much per server for any number of servers", async () => {
  const costs: Costs = new Map();
  for (const { count, doubles, panel } of sides) {
    costs.set(count, [await panel.round()]);
    const peers = await Promise.all(doubles.map((each) => each.peers()));
    expect(peers.flat()).toEqual(Array(count).fill(PEERS));
  }
  const kept = ({ heapBytes }: RoundCost) => heapBytes - many.panel.heapBytes;
  const time = compared("time", costs, ({ tookMs }) => tookMs, seconds);
  const cpu = compared("the panel's CPU", costs, ({ cpuMs }) => cpuMs, seconds);
  const memory = compared("memory kept for them", costs, kept, mb);
  const peak = compared("maximum resident", costs, ({ peakBytes }) => peakBytes, mb);
  printTable([["full round", ...columns], time.row, cpu.row, memory.row, peak.row]);
  expect(cpu.ratio).toBeLessThan(HARDLY_MORE);
  expect(memory.ratio).toBeLessThan(HARDLY_MORE);
  expect(peak.ratio).toBeLessThan(HARDLY_MORE);
  fullMs = costs.get(MOST)?.[0]?.tookMs ?? 0;
  expect(time.ratio).toBeLessThan(HARDLY_LONGER);
});

test("a round that changes nothing costs as much per server for any number of servers", async () => {
  // The first round after a full one reads what that one has stored.
  for (const { panel } of sides) await panel.round();
  const costs: Costs = new Map(SIZES.map((count) => [count, []]));
  // They alternate, so other load on the machine affects all of them.
  for (let round = 0; round < IDLE_ROUNDS; round += 1)
    for (const { count, panel } of sides) costs.get(count)?.push(await panel.round());
  const time = compared("time", costs, ({ tookMs }) => tookMs, seconds);
  const cpu = compared("the panel's CPU", costs, ({ cpuMs }) => cpuMs, seconds);
  printTable([["idle round", ...columns], time.row, cpu.row]);
  expect(cpu.ratio).toBeLessThan(HARDLY_MORE);
  expect(time.ratio).toBeLessThan(HARDLY_LONGER);
  idleMs = median((costs.get(MOST) ?? []).map(({ tookMs }) => tookMs));
});

/** The results of the others in a round that started with hanging servers. */
async function besideHanging({ beganAt }: RoundCost) {
  const done = (await serversAt(healthy.places, many.dataDir)).map((row) => Number(row.reconciled_at) - beganAt);
  const hung = (await serversAt(hanging.places, many.dataDir)).map((row) => Number(row.unreachable_since) - beganAt);
  for (const afterMs of [...done, ...hung]) expect(afterMs).toBeGreaterThan(0);
  const givenUpMs = Math.min(...hung);
  return {
    lastDoneMs: Math.max(...done),
    givenUpMs,
    doneBefore: done.filter((afterMs) => afterMs < givenUpMs).length,
  };
}
const hangingColumns = (what: string) => [
  what,
  "none hangs",
  `${HANGING} of ${MOST} hang`,
  "ratio",
  "first given up",
  "done before",
];
const hangingRow = (
  noneHangsMs: number,
  { lastDoneMs, givenUpMs, doneBefore }: Awaited<ReturnType<typeof besideHanging>>,
) => [
  "time until the others are done",
  seconds(noneHangsMs),
  seconds(lastDoneMs),
  times(lastDoneMs / noneHangsMs),
  seconds(givenUpMs),
  `${doneBefore} of ${MOST - HANGING}`,
];

test("servers that fall silent delay no other", async () => {
  hanging.freeze();
  const fared = await besideHanging(await many.panel.round(HANGING));
  hanging.thaw();
  printTable([hangingColumns("idle round"), hangingRow(idleMs, fared)]);
  expect(fared.doneBefore).toBe(MOST - HANGING);
});

test("servers that accept connections and never answer delay no other, though all peers have to be added", async () => {
  await wait(NOT_KNOCKED_FOR_MS);
  await many.panel.round();
  const back = await serversAt(hanging.places, many.dataDir);
  expect(back.map((row) => row.unreachable_since)).toEqual(Array(HANGING).fill(null));
  await many.panel.end();
  await healthy.empty();
  hanging.freeze();
  many.panel = await startRounds(many.dataDir);
  const fared = await besideHanging(await many.panel.round(HANGING));
  hanging.thaw();
  printTable([hangingColumns("full round"), hangingRow(fullMs, fared)]);
  expect(await healthy.peers()).toEqual(Array(MOST - HANGING).fill(PEERS));
  // It takes longer than the timeout of the hanging ones, so its end proves nothing.
  expect(fared.doneBefore).toBeGreaterThan(0);
});
