import { readdirSync, readFileSync } from "node:fs";

/* What processes use, as Linux counts it. */

const TICKS_PER_SECOND = 100;
const SAMPLE_EVERY_MS = 1_000;

/** A group of processes that is counted as one. `pids`: whoever belongs to it now. */
export interface Group {
  name: string;
  pids(): number[];
}
export interface Used {
  cpuS: number;
  peakMb: number;
}

/** Of all panels together, s. */
export const panelsOf = (used: Map<string, Used>) =>
  [...used].reduce((sum, [name, { cpuS }]) => sum + (name.startsWith("panel") ? cpuS : 0), 0);
export const postgresOf = (used: Map<string, Used>) => used.get("PostgreSQL")?.cpuS ?? 0;

const read = (path: string): string => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
};

/** In seconds. */
function cpuOf(pid: number): number {
  const fields = read(`/proc/${pid}/stat`).split(") ").at(-1)?.split(" ") ?? [];
  const [user = 0, system = 0] = fields.slice(11, 13).map(Number);
  return (user + system) / TICKS_PER_SECOND;
}

const PAGE_MB = 4_096 / 2 ** 20;
/** Of a group: each process's own, and what they share once. (`smaps_rollup` divides it, and takes a second for all.) */
function residentMbOf(pids: readonly number[]): number {
  const sizes = pids.map((pid) => read(`/proc/${pid}/statm`).split(" ").map(Number));
  const own = sizes.reduce((sum, [, resident = 0, shared = 0]) => sum + resident - shared, 0);
  return (own + Math.max(0, ...sizes.map(([, , shared = 0]) => shared))) * PAGE_MB;
}

export const childrenOf = (pid: number): number[] =>
  read(`/proc/${pid}/task/${pid}/children`).split(" ").filter(Boolean).map(Number);

/** Busy and all seconds of the machine. */
function machine(): { busyS: number; allS: number } {
  const [, ...fields] = (read("/proc/stat").split("\n")[0] ?? "").split(/\s+/).map(Number);
  const all = fields.slice(0, 8).reduce((sum, value) => sum + value, 0);
  const idle = (fields[3] ?? 0) + (fields[4] ?? 0);
  return { busyS: (all - idle) / TICKS_PER_SECOND, allS: all / TICKS_PER_SECOND };
}

export function watch(groups: readonly Group[]) {
  const used = new Map(groups.map(({ name }) => [name, { cpuS: 0, peakMb: 0, last: new Map<number, number>() }]));
  const look = () => {
    for (const { name, pids } of groups) {
      const known = used.get(name);
      if (known === undefined) continue;
      const now = new Map(pids().map((pid) => [pid, cpuOf(pid)]));
      for (const [pid, cpuS] of now) known.cpuS += Math.max(0, cpuS - (known.last.get(pid) ?? 0));
      known.last = now;
      known.peakMb = Math.max(known.peakMb, residentMbOf([...now.keys()]));
    }
  };
  const timer = setInterval(look, SAMPLE_EVERY_MS);
  let before = machine();
  return {
    /** Since the last call, by name; `busy`: the share of the machine's processors. */
    take(): { used: Map<string, Used>; busy: number } {
      look();
      const taken = new Map([...used].map(([name, { cpuS, peakMb }]) => [name, { cpuS, peakMb }]));
      for (const each of used.values()) Object.assign(each, { cpuS: 0, peakMb: 0 });
      const now = machine();
      const busy = (now.busyS - before.busyS) / Math.max(0.01, now.allS - before.allS);
      before = now;
      return { used: taken, busy };
    },
    end: () => clearInterval(timer),
  };
}
export type Watch = ReturnType<typeof watch>;

/** PostgreSQL's own processes, by its data folder. */
export function postgresIn(folder: string): () => number[] {
  return () => {
    const pid = Number.parseInt(read(`${folder}/data/postmaster.pid`), 10);
    return Number.isNaN(pid) || readdirSync("/proc").includes(String(pid)) === false ? [] : [pid, ...childrenOf(pid)];
  };
}
