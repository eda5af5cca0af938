import { expect, test } from "vitest";
import type { Machine } from "./machine.ts";
import type { Resolver } from "./resolver.ts";
import { makeResolverKeeper } from "./resolver-keeper.ts";

const wanted: Resolver[] = [
  { slot: 1, port: 5301, at: { 4: "10.8.0.1", 6: null }, config: "", mark: "0123456789abcdef" },
];

/** A machine whose firewall lets no question through until it is opened. */
function makeMachine() {
  const state = { isRunning: false, isOpen: false, starts: 0 };
  const counters = () => ({
    nftables: [
      { counter: { name: "names_asked", packets: state.isRunning ? 9 : 0 } },
      { counter: { name: "names_reached", packets: state.isRunning && state.isOpen ? 9 : 0 } },
    ],
  });
  const machine = {
    findProgram: async () => "/usr/sbin/dnsmasq",
    async readFile(path: string) {
      if (!state.isRunning) return null;
      return path === "/proc/net/udp" ? "   1: 0100080A:14B5 00000000:0000 07\n" : (wanted[0]?.mark ?? null);
    },
    listFolder: async () => (state.isRunning ? ["1"] : []),
    async run(program: string, [verb]: string[]) {
      if (program === "nft") return JSON.stringify(counters());
      if (verb === "bring") state.starts++;
      if (program === "krug-resolver") state.isRunning = verb === "bring";
      return "";
    },
  } as unknown as Machine;
  return { machine, state };
}

test("a resolver that a firewall refused is tried again after ten minutes, then ever less often, and soon after it answered", async () => {
  const { machine, state } = makeMachine();
  let at = 0;
  const keeper = makeResolverKeeper(() => at);
  const round = async () => keeper.bring(machine, wanted, await keeper.look(machine, wanted));
  /** At which minutes it was started within these hours, looked at each minute. */
  const startedWithin = async (hours: number) => {
    const minutes: number[] = [];
    const from = at;
    for (; at < from + hours * 3_600_000; at += 60_000) {
      const before = state.starts;
      await round();
      if (state.starts > before) minutes.push((at - from) / 60_000);
    }
    return minutes;
  };
  const tried = await startedWithin(24);
  expect(tried.slice(0, 4)).toEqual([0, 11, 32, 73]);
  expect(tried.length).toBeLessThan(11);
  expect((await round()).failure).toMatch(/names\.refused/);
  state.isOpen = true;
  expect(await startedWithin(7)).toHaveLength(1);
  expect((await round()).failure).toBeNull();
  state.isOpen = false;
  expect(await startedWithin(0.5)).toEqual([10, 31].slice(0, 1));
});
