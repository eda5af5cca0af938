import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Exit, NO_ACCESS_RULES } from "../apps/server/src/hosts/host.ts";
import { seenBy } from "./exit-network.ts";
import { lookUp } from "./look-up.ts";
import * as lab from "./network.ts";
import { makeTwoExits, type Rules, type TwoExits } from "./two-exits.ts";

/*
 * What a server routes, by packets, where it takes long: every service by every exit, a name that moves, a choice that changes
 * under downloads, and a thousand reloads.
 */
/** A test of five services has the target's own addresses for the last two. */
const V4 = ["203.0.113.20", "203.0.113.21", "203.0.113.22", "203.0.113.23", lab.TARGET_ADDRESS];
const V6 = [..."0123"].map((last) => `2001:db8:113::2${last}`).concat(lab.TARGET_ADDRESS_V6);
const RESOLVER = "203.0.113.53";
const BY = { 2: "exit 1", 3: "exit 2", direct: "entry" } as const;
const RELOADS = 1_000;

let two: TwoExits;
let anna: string[];
let boris: string[];
const client = (place = 0) => two.network.clients[place]!;
const route = (rules: Rules) => two.entry.applyAccess({ ...NO_ACCESS_RULES, routing: two.routing(rules) });
const service = (sources: string[], at: number, exit: Exit) => ({
  sources,
  networks: [`${V4[at]}/32`, `${V6[at]}/128`],
  exit,
});
const rest = (exit: Exit = "direct") => ({ sources: [...anna, ...boris], networks: null, exit });

beforeAll(async () => {
  two = await makeTwoExits({ clients: 2 });
  const { network, devices, exits } = two;
  [anna = [], boris = []] = devices.map(two.sources);
  for (const [at, address] of V4.slice(0, -1).entries()) {
    await network.target.exec("ip", ["address", "add", `${address}/32`, "dev", "lo"]);
    await network.target.exec("ip", ["address", "add", `${V6[at]}/128`, "dev", "lo", "nodad"]);
    await network.host.exec("ip", ["route", "add", address, "via", lab.TARGET_ADDRESS]);
    await network.host.exec("ip", ["-6", "route", "add", V6[at] ?? "", "via", lab.TARGET_ADDRESS_V6]);
    for (const [index, { server }] of exits.entries()) {
      await server.exit.exec("ip", ["route", "add", address, "via", `203.0.${114 + index}.10`]);
      await server.exit.exec("ip", ["-6", "route", "add", V6[at] ?? "", "via", `2001:db8:${114 + index}::10`]);
    }
  }
  await network.target.exec("ip", ["address", "add", `${RESOLVER}/24`, "dev", "eth0"]);
});
afterAll(() => two?.close());

test("five services leave by either exit or straight, each by its own, over IPv4 and IPv6", async () => {
  const exits = [2, 3, "direct"] as const;
  for (let shift = 0; shift < exits.length; shift++) {
    const exitOf = (at: number) => exits[(at + shift) % exits.length] ?? 2;
    await route([...V4.map((_, at) => service(anna, at, exitOf(at))), rest("closed")]);
    const wanted = V4.map((_, at) => BY[exitOf(at)]);
    const seen = (places: string[]) => Promise.all(places.map((place) => two.by(place)));
    await lab.until(`IPv4 as ${wanted}`, async () => String(await seen(V4)) === String(wanted));
    await lab.until(
      `IPv6 as ${wanted}`,
      async () => String(await seen(V6.map((place) => `[${place}]`))) === String(wanted),
    );
    expect(await two.by(V4[0] ?? "", client(1)), "another member's choice is theirs").toBeNull();
  }
});

test("a name whose address changes every 2 s always leaves by its service's exit", async () => {
  const records = join(two.network.folder, "moving-names");
  const move = (at: number) => writeFile(records, `moving.example ${V4[at % 4]}\nmoving.example ${V6[at % 4]}\n`);
  await move(0);
  await lab.startScript(two.network.target, "./name-server.ts", [RESOLVER, records]);
  await two.network.host.exec("ip", ["route", "replace", RESOLVER, "dev", "eth1"]);
  // The name is asked by the exit.
  for (const [index, { server }] of two.exits.entries())
    await server.exit.exec("ip", ["route", "replace", RESOLVER, "via", `203.0.${114 + index}.10`]);
  const dns = { sources: anna, networks: [`${RESOLVER}/32`], onlyDns: true as const, exit: "direct" as const };
  const moving = { sources: anna, networks: [], names: { key: "moving", domains: ["moving.example"] }, exit: 3 };
  expect(await two.entry.apply(two.wished([dns, moving, rest()]))).toMatchObject({ namesFailure: null });
  const asks = () => lookUp(client(), "203.0.113.99", "moving.example");
  await lab.until("the name is answered", async () => (await asks()).length === 2);
  const seen = new Map<string, Set<string | null>>();
  let at = 0;
  const isMoving = setInterval(() => void move(++at), 2_000);
  while (at < 6) {
    for (const address of await asks()) {
      const place = address.includes(":") ? `[${address}]` : address;
      seen.set(address, (seen.get(address) ?? new Set()).add(await two.by(place)));
    }
  }
  clearInterval(isMoving);
  expect([...seen.keys()].sort()).toEqual([...V4.slice(0, 4), ...V6.slice(0, 4)].sort());
  for (const [address, exits] of seen) expect([...exits], address).toEqual(["exit 2"]);
});

test("downloads keep the exit that they began with, the member's own and others', while the choice changes and addresses leave their service", async () => {
  const both = [...anna, ...boris];
  const begin = [service(both, 4, 2), rest()];
  await route(begin);
  const download = async (place: 0 | 1, address: string) => {
    const url = `http://${address}/?bytes=3000000`;
    const args = ["--silent", "--noproxy", "*", "--max-time", "30", "--limit-rate", "400k", url];
    const { stdout } = await client(place).attempt("curl", args);
    return [seenBy(stdout), stdout.length > 3_000_000];
  };
  const target = [lab.TARGET_ADDRESS, `[${lab.TARGET_ADDRESS_V6}]`] as const;
  await lab.until("they leave by the first exit", async () => (await two.by(target[0], client(1))) === "exit 1");
  const downloads = Promise.all([download(0, target[0]), download(0, target[1]), download(1, target[0])]);
  const flows = async () => {
    const { stdout } = await two.network.host.attempt("nft", ["list", "chain", "inet", "krug", "routing"]);
    return stdout;
  };
  await wait(1_000);
  const others: [Exit, string | null][] = [
    [3, "exit 2"],
    ["direct", "entry"],
    ["closed", null],
  ];
  for (let turn = 0; turn < 9; turn++) {
    const [exit, wanted] = others[turn % others.length] ?? ["direct", "entry"];
    // Anna changes; Boris' choice stays, and in every third table the address is in no service.
    await route([
      ...(exit === "closed" ? [] : [service(anna, 4, exit), service(boris, 4, 2)]),
      rest(exit === "closed" ? "closed" : "direct"),
    ]);
    expect(await two.by(target[0], client(0)), await flows()).toBe(wanted);
  }
  expect(await downloads).toEqual([
    ["exit 1", true],
    ["exit 1", true],
    ["exit 1", true],
  ]);
});

test("an exit that is killed and comes back: members wait, leave by the other one, or straight, as is chosen", async () => {
  const [first] = two.exits;
  const seen = async () => [await two.by(lab.TARGET_ADDRESS), await two.by(`[${lab.TARGET_ADDRESS_V6}]`)];
  const isAs = (wanted: string | null) =>
    lab.until(`as ${wanted}`, async () => String(await seen()) === String([wanted, wanted]));
  const kill = () => first?.server.exit.exec("ip", ["link", "delete", "entry2"]);
  for (const [choice, wanted] of [
    [2, null],
    [3, "exit 2"],
    ["direct", "entry"],
  ] as const) {
    await route([service(anna, 4, 2), rest()]);
    await isAs("exit 1");
    await kill();
    await isAs(null);
    await route([service(anna, 4, choice), rest()]);
    await isAs(wanted);
    await first?.host.apply(two.atExit(two.links[0]!));
    await route([service(anna, 4, 2), rest()]);
    await isAs("exit 1");
  }
});

test(`nothing leaves straight while the table is replaced ${RELOADS} times`, async () => {
  const { network, entry } = two;
  const spy = `table inet spy {
    chain leaks {
      type filter hook postrouting priority 300; policy accept;
      ip daddr ${lab.TARGET_ADDRESS} oifname != { "exit2", "exit3" } counter
      ip6 daddr ${lab.TARGET_ADDRESS_V6} oifname != { "exit2", "exit3" } counter
    }
    chain sent {
      type filter hook postrouting priority 300; policy accept;
      ip daddr ${lab.TARGET_ADDRESS} oifname { "exit2", "exit3" } ct state new counter
      ip6 daddr ${lab.TARGET_ADDRESS_V6} oifname { "exit2", "exit3" } ct state new counter
    }
  }`;
  const counted = async (chain: string) =>
    [...(await network.host.exec("nft", ["list", "chain", "inet", "spy", chain])).matchAll(/packets (\d+)/g)].map(
      ([, packets]) => Number(packets),
    );
  const toSite = (exit: Exit): Rules => [service([...anna, ...boris], 4, exit), rest()];
  await entry.apply(two.wished(toSite(2)));
  await network.host.exec("nft", ["-f", "-"], { stdin: spy });
  let isOver = false;
  const answers = new Map<string | null, number>();
  const fetching = Promise.all(
    [0, 1].flatMap((place) =>
      [lab.TARGET_ADDRESS, `[${lab.TARGET_ADDRESS_V6}]`].map(async (address) => {
        while (!isOver) {
          const answer = seenBy(await lab.fetchFrom(client(place), `http://${address}/`, 0.3));
          answers.set(answer, (answers.get(answer) ?? 0) + 1);
        }
      }),
    ),
  );
  for (let reload = 0; reload < RELOADS; reload++) {
    await route(toSite(reload % 2 === 0 ? 3 : 2));
    if (reload % 100 === 50) await network.host.attempt("nft", ["delete", "table", "inet", "krug"]);
  }
  isOver = true;
  await fetching;
  console.log(`${RELOADS} reloads under ${[...answers].map(([by, count]) => `${count} × ${by}`).join(", ")}`);
  expect(await counted("leaks")).toEqual([0, 0]);
  expect(answers.get("entry")).toBeUndefined();
  expect(Math.min(...(await counted("sent"))), "connections began meanwhile").toBeGreaterThan(100);
  // The count itself works.
  await route(toSite("direct"));
  await lab.until("straight", async () => (await two.by(lab.TARGET_ADDRESS)) === "entry");
  expect((await counted("leaks"))[0]).toBeGreaterThan(0);
}, 1_800_000);
