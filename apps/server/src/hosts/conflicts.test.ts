import type { DesiredInterface } from "@krug/wireguard/interface";
import { generateKeyPair } from "@krug/wireguard/keys";
import { expect, test } from "vitest";
import { sortOut } from "./conflicts.ts";
import type { ReadInterface } from "./host.ts";
import type { Link } from "./links.ts";
import type { Route } from "./occupied.ts";

const desired = (name: string, listenPort: number): DesiredInterface => ({
  name,
  listenPort,
  ...generateKeyPair(),
  addresses: ["10.8.0.1/24"],
  mtu: null,
  peers: [],
});

const standing = (it: DesiredInterface, change: Partial<ReadInterface> = {}): ReadInterface => ({
  name: it.name,
  publicKey: it.publicKey,
  listenPort: it.listenPort,
  fwmark: null,
  type: "wireguard",
  life: null,
  peers: [],
  ...change,
});

function sort(
  interfaces: DesiredInterface[],
  actual: ReadInterface[],
  busy: number[] = [],
  otherLinks: string[] = [],
  routes: Route[] = [],
) {
  const names = [...actual.map(({ name }) => name), ...otherLinks];
  const links = new Map(
    names.map((name): [string, Link] => [name, { name, index: null, mtu: 1420, isUp: true, addresses: [] }]),
  );
  const ownKeys = interfaces.map(({ publicKey }) => publicKey);
  const sorted = sortOut({ interfaces, ownKeys, actual, links, busyPorts: new Set(busy), routes });
  return {
    wanted: sorted.wanted.map((each) => [each.desired.name, each.desired.listenPort]),
    unwanted: sorted.unwanted.map(({ name }) => name),
    conflicts: sorted.conflicts.map(({ name, reason }) => [name, reason]),
  };
}

const wg0 = desired("wg0", 51820);
const wg1 = desired("wg1", 51821);

test.each([
  ["nothing stands there", [], [], [["wg0", 51820]], []],
  ["it stands there already, on its own port", [standing(wg0)], [51820], [["wg0", 51820]], []],
  ["a crash left it without a key", [standing(wg0, { publicKey: null })], [], [["wg0", 51820]], []],
  ["a stranger has the name", [standing(wg0, { publicKey: wg1.publicKey })], [], [], [["wg0", "foreign_interface"]]],
  ["a stranger has the port", [], [51820], [], [["wg0", "port_busy"]]],
  ["it shall move to a taken port", [standing(wg0, { listenPort: 4 })], [51820], [["wg0", 4]], [["wg0", "port_busy"]]],
] as const)("an interface is wanted or in conflict when %s", (_, actual, busy, wanted, conflicts) => {
  expect(sort([wg0], [...actual], [...busy])).toEqual({ wanted, unwanted: [], conflicts });
});

test("a name of another kind of interface, or an invalid name, is a conflict", () => {
  expect(sort([desired("eth0", 1), desired('x" drop', 2)], [], [], ["eth0"])).toEqual({
    wanted: [],
    unwanted: [],
    conflicts: [
      ["eth0", "foreign_interface"],
      ['x" drop', "failed"],
    ],
  });
});

test("ports may move between our own interfaces, but two cannot use one", () => {
  const swapped = [standing(wg0, { listenPort: 51821 }), standing(wg1, { listenPort: 51820 })];
  expect(sort([wg0, wg1], swapped, [51820, 51821]).conflicts).toEqual([]);
  expect(sort([wg0, { ...wg1, listenPort: 51820 }], []).conflicts).toEqual([["wg1", "port_busy"]]);
});

test.each<[string, string, string[], boolean]>([
  ["the same network", "10.8.0.0/24", ["tun0"], true],
  ["a part of it", "10.8.0.128/25", ["tun0"], true],
  ["one address of it", "10.8.0.7/32", ["tun0"], true],
  ["it by two devices, one of them another's", "10.8.0.0/24", ["wg1", "tun0"], true],
  ["its IPv6 network", "fd77::/64", ["tun0"], true],
  ["it by an interface of the panel's own", "10.8.0.0/24", ["wg1"], false],
  ["one of its addresses refused", "10.8.0.7/32", [], false],
  ["a wider one, which leaves it its own way", "10.0.0.0/8", ["eth0"], false],
  ["another network", "10.9.0.0/24", ["tun0"], false],
  ["another network of IPv6", "fd00::/64", ["tun0"], false],
])(
  "a new interface that overlaps a route of the machine is for %s; an existing one keeps running",
  (_, network, devices, isSkipped) => {
    const it = { ...desired("wg0", 51820), addresses: ["10.8.0.1/24", "fd77::1/64"] };
    const routes = [{ network, devices }];
    const other = { ...wg1, addresses: ["10.8.1.1/24"] };
    expect(sort([it, other], [standing(other)], [], [], routes)).toEqual({
      wanted: [...(isSkipped ? [] : [["wg0", 51820]]), ["wg1", 51821]],
      unwanted: [],
      conflicts: isSkipped ? [["wg0", "subnet_busy"]] : [],
    });
    expect(sort([it, other], [standing(it), standing(other)], [], [], routes).conflicts).toEqual([]);
  },
);

test("parameters that cannot be read stay as they are on the machine; what lacks them there is not made", () => {
  const unreadable: DesiredInterface = { ...wg0, type: "amneziawg", parameters: null };
  const own = standing(unreadable, { type: "amneziawg", parameters: { s1: "7" } });
  const machine = { links: new Map(), busyPorts: new Set<number>(), routes: [] };
  const sorted = sortOut({ ...machine, interfaces: [unreadable, wg1], ownKeys: [], actual: [own] });
  expect(sorted.wanted.map((each) => each.desired.parameters)).toEqual([{ s1: "7" }, undefined]);
  for (const actual of [[], [standing(unreadable)], [standing(unreadable, { type: "amneziawg", publicKey: null })]])
    expect(sort([unreadable, wg1], actual)).toMatchObject({ conflicts: [["wg0", "failed"]], wanted: [["wg1", 51821]] });
});
