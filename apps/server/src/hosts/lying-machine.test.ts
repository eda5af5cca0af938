import type { PrivateKey } from "@krug/wireguard/key-text";
import { generateKeyPair, publicKeyOf } from "@krug/wireguard/keys";
import { describe, expect, test } from "vitest";
import { makeMemoryEngines } from "../../testing/memory-engines.ts";
import { makeMemoryMachine } from "../../testing/memory-machine.ts";
import { makeEngineHost, makeHost } from "./driver.ts";
import { type DesiredHost, type Host, HostFailure, NO_ACCESS_RULES } from "./host.ts";
import type { Machine } from "./machine.ts";

/*
 * A server may be compromised. Whatever it answers, a call of the port either returns what its type says or fails as that
 * server's failure; anything else would be the panel's own error, and affect members on other servers.
 */

const peer = { publicKey: generateKeyPair().publicKey, presharedKey: null, allowedIps: ["10.8.0.2/32"] };
const wg0 = {
  name: "wg0",
  listenPort: 51820,
  ...generateKeyPair(),
  addresses: ["10.8.0.1/24"],
  mtu: null,
  peers: [peer],
};
const wish: DesiredHost = {
  interfaces: [wg0],
  ownKeys: [wg0.publicKey],
  closedTcpPorts: [25],
  openPorts: [],
  access: NO_ACCESS_RULES,
  opensForwarding: true,
};

const CALLS: Record<string, (host: Host) => Promise<unknown>> = {
  reach: (host) => host.reach(),
  inspect: (host) => host.inspect(),
  read: (host) => host.read(),
  readSome: (host) => host.readSome(["wg0"]),
  look: (host) => host.look(),
  apply: (host) => host.apply(wish),
  applyPeers: (host) =>
    host.applyPeers({ interfaceName: "wg0", interfaceKey: wg0.publicKey, upsert: [peer], remove: [peer.publicKey] }),
  applyAccess: (host) => host.applyAccess(NO_ACCESS_RULES),
  occupied: (host) => host.occupied(),
  readMachine: (host) => host.readMachine(),
  passing: (host) => host.passing(),
  refusing: (host) => host.refusing([wg0]),
  pathMtu: (host) => host.pathMtu(),
  echoes: (host) => host.echoes("198.18.0.10"),
  defaultEndpoint: (host) => host.defaultEndpoint(),
};

/** The same choices for the same seed. */
function makeRandom(seed: number) {
  let state = seed * 2_654_435_761 + 1;
  return (below: number): number => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_507) + 0x9e3779b9) >>> 0;
    return state % below;
  };
}
type Random = ReturnType<typeof makeRandom>;

const WRONG: unknown[] = [
  null,
  {},
  [],
  [null],
  "",
  "x",
  -1,
  1e300,
  0.5,
  true,
  { prefix: null },
  { toString: 1 },
  { elem: null },
  { range: [{}, null] },
  { vmap: { key: null, data: [null] } },
  "٣",
  "no address/33",
  "x".repeat(5_000),
];
const WRONG_WORDS = [
  "",
  "-",
  "NaN",
  "1e999",
  "18446744073709551616",
  "errno=0",
  "(none)",
  "0x",
  "::",
  "999.1.1.1/8",
  "\u0000",
  "x".repeat(300),
];

/** Changes one thing in it. */
function mutated(value: unknown, random: Random): unknown {
  if (typeof value !== "object" || value === null || random(4) === 0) return WRONG[random(WRONG.length)];
  const keys = Object.keys(value);
  const key = keys[random(Math.max(1, keys.length))];
  if (key === undefined) return WRONG[random(WRONG.length)];
  if (Array.isArray(value)) return value.map((each, at) => (String(at) === key ? mutated(each, random) : each));
  return { ...value, [key]: mutated((value as Record<string, unknown>)[key], random) };
}

function lieOf(text: string, random: Random): string {
  if (random(6) === 0) return JSON.stringify(WRONG[random(WRONG.length)]) ?? "";
  if (random(6) === 0) return WRONG_WORDS[random(WRONG_WORDS.length)] ?? "";
  try {
    return JSON.stringify(mutated(JSON.parse(text), random));
  } catch {
    // Not JSON: replaces one word by another.
    const words = text.split(/(?<=[\t\n =:,/])/);
    const at = random(words.length);
    words[at] = (WRONG_WORDS[random(WRONG_WORDS.length)] ?? "") + (/[\t\n =:,/]$/.exec(words[at] ?? "")?.[0] ?? "");
    return words.join("");
  }
}

/** Lies once `isLying` returns true. */
function makeLiar(machine: Machine, random: Random, isLying: () => boolean): Machine {
  const perhaps = <Answer>(truth: Answer, lie: () => Answer): Answer => (isLying() && random(3) === 0 ? lie() : truth);
  const says = (text: string) => perhaps(text, () => lieOf(text, random));
  return {
    ...machine,
    run: async (program, args, options) => says(await machine.run(program, args, options)),
    findProgram: async (program, options) => perhaps(await machine.findProgram(program, options), () => null),
    async readFile(path, options) {
      const text = await machine.readFile(path, options);
      return perhaps(text, () =>
        text === null ? (WRONG_WORDS[random(WRONG_WORDS.length)] ?? "") : lieOf(text, random),
      );
    },
    listFolder: async (path, options) =>
      perhaps(await machine.listFolder(path, options), () => ["..", "wg0.sock", "\n.sock", "x".repeat(300)]),
    canWrite: async (path, options) => perhaps(await machine.canWrite(path, options), () => random(2) === 0),
    identify: async (path, options) => perhaps(await machine.identify(path, options), () => String(random(3))),
    ask: async (path, question, end, options) => says(await machine.ask(path, question, end, options)),
  };
}

/** Anything but finite numbers would later be a database error or an unreadable answer. */
function numbersIn(value: unknown): number[] {
  if (typeof value === "number") return [value];
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(numbersIn);
  return [];
}

const PROC: [string, string][] = [
  ["/proc/stat", "cpu0 1 2 3 4 5 6 7 0 0 0\ncpu1 1 2 3 4 5 6 7 0 0 0\n"],
  ["/proc/meminfo", "MemTotal:  2048 kB\nMemAvailable:  1024 kB\n"],
  ["/proc/uptime", "100.10 50.00\n"],
  ["/proc/loadavg", "0.10 0.20 0.30 1/100 1234\n"],
  ["/proc/sys/kernel/hostname", "vpn\n"],
  ["/proc/net/dev", "  eth0: 1 2 3 4 5 6 7 8 9 10\n"],
  ["/proc/net/udp", "  1: 00000000:0035 00000000:0000 07\n"],
  ["/proc/net/route", "eth0 00000000 0100000A 0003 0 0 0 00000000 0 0 0\n"],
  ["/etc/machine-id", `${"a".repeat(32)}\n`],
  ["/sys/class/net/eth0/mtu", "1500\n"],
];

/** What `ip` and `nft` report of a machine with more than the panel's tunnels. */
const FACTS: [string, unknown][] = [
  ["ip -j -4 route show default", [{ dst: "default", dev: "eth0" }]],
  [
    "ip -j route get 1.1.1.1",
    [{ dst: "1.1.1.1", dev: "eth0", gateway: "10.0.0.1", prefsrc: "198.51.100.7", metrics: [{ mtu: 1400 }] }],
  ],
  [
    "ip -j -4 route show table all",
    [
      { dst: "172.17.0.0/16", dev: "docker0" },
      { dst: "10.9.0.0/24", nexthops: [{ dev: "a" }, { dev: "b" }] },
    ],
  ],
  ["ip -j link show type amneziawg", [{}, { ifname: "awg9" }]],
  [
    "nft -j list chains",
    {
      nftables: [
        { metainfo: {} },
        { chain: { family: "inet", table: "fw", name: "fwd", hook: "forward", policy: "drop" } },
      ],
    },
  ],
  [
    "nft -j list table inet fw",
    {
      nftables: [
        { chain: { family: "inet", table: "fw", name: "fwd", hook: "forward", policy: "drop" } },
        { chain: { family: "inet", table: "fw", name: "more" } },
        {
          rule: {
            chain: "fwd",
            handle: 1,
            expr: [{ match: { op: "==", left: { meta: { key: "iifname" } }, right: "eth1" } }, { accept: null }],
          },
        },
        {
          rule: {
            chain: "fwd",
            handle: 2,
            expr: [
              { match: { op: "in", left: { ct: { key: "state" } }, right: ["established"] } },
              { jump: { target: "more" } },
            ],
          },
        },
        {
          rule: {
            chain: "more",
            handle: 3,
            expr: [{ vmap: { key: { meta: { key: "l4proto" } }, data: { set: [["tcp", { drop: null }]] } } }],
          },
        },
        {
          rule: {
            chain: "more",
            handle: 4,
            expr: [
              {
                match: {
                  op: "==",
                  left: { payload: { protocol: "ip", field: "saddr" } },
                  right: { prefix: { addr: "10.8.0.0", len: 24 } },
                },
              },
              { xt: { type: "target", name: "DROP" } },
            ],
          },
        },
        {
          rule: {
            chain: "fwd",
            handle: 5,
            expr: [
              {
                match: {
                  op: "==",
                  left: { payload: { protocol: "tcp", field: "dport" } },
                  right: { set: [{ range: [1, 1000] }, { elem: { val: 443 } }] },
                },
              },
              { goto: { target: "more" } },
            ],
          },
        },
      ],
    },
  ],
  ["nft -j list counters table inet krug", { nftables: [{ counter: { name: "out_web_v4_begun", packets: 3 } }] }],
];

function kernelMachine(): Machine {
  const machine = makeMemoryMachine((key) => publicKeyOf(key as PrivateKey));
  for (const [path, text] of PROC) machine.files.set(path, text);
  const facts = new Map(FACTS);
  return {
    ...machine,
    run: async (program, args, options) => {
      const fact = facts.get([program, ...args].join(" "));
      return fact === undefined ? machine.run(program, args, options) : JSON.stringify(fact);
    },
  };
}
function engineMachine(): Machine {
  const machine = makeMemoryEngines();
  for (const [path, text] of PROC) machine.files.set(path, text);
  return machine;
}

const own = {
  links: () => [{ name: "eth0", addresses: ["198.51.100.7/24"] }],
  addressTowards: async () => "198.51.100.7",
};
const KINDS: Record<string, { machine: () => Machine; host: (machine: Machine) => Host }> = {
  kernel: { machine: kernelMachine, host: (machine) => makeHost(machine) },
  "only the engine": {
    machine: engineMachine,
    host: (machine) => makeEngineHost(machine, { engine: "/opt/engine", folder: "/run/krug", own }),
  },
};

/** Each lie is different; the same ones in each run. */
const LIES = 60;

describe.each(Object.entries(KINDS))(
  "a machine whose tunnels are the %s's",
  (_, { machine: makeMachine, host: makeHostOver }) => {
    test.each(Object.entries(CALLS))("answers %s, or the failure is its own, whatever it says", async (_, call) => {
      // Without a lie the call works: otherwise nothing would be tested.
      const honest = makeHostOver(makeMachine());
      await honest.apply(wish);
      await call(honest);

      const tryLie = async (seed: number) => {
        let isLying = false;
        const host = makeHostOver(makeLiar(makeMachine(), makeRandom(seed), () => isLying));
        await host.apply(wish);
        isLying = true;
        const answer = await call(host).catch((error: unknown) => {
          if (error instanceof HostFailure) return null;
          throw new Error(`lie ${seed}: ${String(error)}`, { cause: error });
        });
        expect(
          numbersIn(answer).filter((number) => !Number.isFinite(number) || number < 0),
          `lie ${seed}`,
        ).toEqual([]);
      };
      await Promise.all(Array.from({ length: LIES }, (_, seed) => tryLie(seed)));
    });
  },
);
