import { type Reason, reason } from "@krug/domain/reasons";
import { z } from "zod";
import { INSTALL_RESOLVER } from "./inspect.ts";
import { type Machine, orElse, ProgramFailed, RESOLVER_PROGRAM, runForJson } from "./machine.ts";
import { busyUdpPorts, readUdpSockets } from "./occupied.ts";
import type { Resolver } from "./resolver.ts";
import { ASKED_COUNTER, REACHED_COUNTER } from "./routed-names.ts";

const PLACES = "/run/krug-resolver";
/** Questions without one arriving: then it is not a device that went away. */
const SURELY_REFUSED = 5;

export interface Answering {
  /** Slots; null if the machine cannot have any, or needs none. */
  slots: ReadonlySet<number> | null;
  /** Why members ask elsewhere, though services have names. */
  failure: Reason | null;
}

const NONE: Answering = { slots: null, failure: null };

/** Trying again leaves members without names for some seconds: first soon, in case somebody opened the firewall, then rarely. */
const AGAIN_MS = { first: 10 * 60_000, longest: 6 * 3_600_000 };

/** Keeps a machine's resolvers as they are wanted. */
export function makeResolverKeeper(now: () => number = () => performance.now()) {
  let isRefused = false;
  let refusedAt = 0;
  let pauseMs = AGAIN_MS.first;
  // Unknown before the first look.
  let mayBeThere = true;

  const markIn = async (machine: Machine, slot: number) =>
    (await machine.readFile(`${PLACES}/${slot}/is`).catch(orElse(null)))?.trim() || null;
  const run = (machine: Machine, args: string[], stdin?: string) =>
    machine.run(RESOLVER_PROGRAM, args, stdin === undefined ? {} : { stdin });

  /** Those that answer now, before anything is changed. */
  const look = async (machine: Machine, wanted: readonly Resolver[]): Promise<Answering> => {
    if (wanted.length === 0) return NONE;
    if (isRefused && now() - refusedAt >= pauseMs) {
      isRefused = false;
      pauseMs = Math.min(2 * pauseMs, AGAIN_MS.longest);
    }
    if (isRefused) return { slots: new Set(), failure: reason("names.refused", { ports: portsOf(wanted) }) };
    const [program, ...marks] = await Promise.all([
      machine.findProgram("dnsmasq"),
      ...wanted.map(({ slot }) => markIn(machine, slot)),
    ]);
    // Before a table is loaded: then its counters begin at zero.
    const { asked, reached } = marks.some(Boolean) ? await questions(machine) : { asked: 0, reached: 0 };
    if (reached > 0) pauseMs = AGAIN_MS.first;
    if (asked >= SURELY_REFUSED && reached === 0) {
      [isRefused, refusedAt] = [true, now()];
      return look(machine, wanted);
    }
    if (program === null) return { slots: null, failure: reason("names.no_program", { install: INSTALL_RESOLVER }) };
    return { slots: new Set(wanted.flatMap(({ slot }, at) => (marks[at] ? [slot] : []))), failure: null };
  };

  return {
    look,

    /**
     * Starts those that are wanted and ends the others, after such a look. The firewall already has their sets, and leads nobody
     * to those that end.
     */
    async bring(machine: Machine, wanted: readonly Resolver[], { slots, failure }: Answering): Promise<Answering> {
      const kept = slots === null || isRefused ? [] : wanted;
      if (mayBeThere || kept.length > 0) await endOthers(machine, kept);
      if (slots === null || isRefused) return { slots, failure };
      const ports = busyUdpPorts(await readUdpSockets(machine));
      const found = await Promise.all(
        wanted.map(async (each): Promise<Reason | null> => {
          const isRight = ports.has(each.port) && (await markIn(machine, each.slot)) === each.mark;
          if (isRight) return null;
          return run(machine, ["bring", String(each.slot), each.mark], each.config).then(
            () => null,
            (error: unknown) => {
              if (error instanceof ProgramFailed) return reason("names.failed", {}, error.stderr);
              throw error;
            },
          );
        }),
      );
      const answering = new Set(wanted.flatMap(({ slot }, at) => (found[at] === null ? [slot] : [])));
      return { slots: answering, failure: found.find((why) => why !== null) ?? null };
    },
  };

  async function endOthers(machine: Machine, wanted: readonly Resolver[]): Promise<void> {
    const there = (await machine.listFolder(PLACES).catch(orElse([]))).filter((name) => /^[1-9]\d?$/.test(name));
    for (const slot of there) if (!wanted.some((each) => String(each.slot) === slot)) await run(machine, ["end", slot]);
    mayBeThere = wanted.length > 0;
  }
}

const portsOf = (resolvers: readonly Resolver[]) => resolvers.map(({ port }) => port).join(", ");

const Counters = z.object({
  nftables: z
    .array(z.object({ counter: z.object({ name: z.string(), packets: z.int().nonnegative() }).optional() }))
    .optional(),
});

/** Another firewall of the machine may keep questions from its resolvers: what came and what reached them is counted. */
async function questions(machine: Machine): Promise<{ asked: number; reached: number }> {
  const args = ["-j", "list", "counters", "table", "inet", "krug"];
  // Without a table nothing is counted.
  const { nftables = [] } = await runForJson(machine, "nft", args, Counters).catch(orElse({ nftables: [] }));
  const of = (name: string) => nftables.find(({ counter }) => counter?.name === name)?.counter?.packets ?? 0;
  return { asked: of(ASKED_COUNTER), reached: of(REACHED_COUNTER) };
}
