import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cidrsOverlap } from "./addresses.ts";
import type { ActualInterface, ActualPeer, DesiredInterface, DesiredPeer } from "./interface.ts";
import { asPresharedKey, asPublicKey, type PrivateKey, type PublicKey } from "./key-text.ts";
import { DesiredStateError, type InterfacePlan, isEmptyPlan, plan } from "./plan.ts";

const key = (number: number) => Buffer.alloc(32, number + 1).toString("base64");
const publicKey = (number: number) => asPublicKey(key(number))!;
const peer = (number: number, ...allowedIps: string[]): DesiredPeer => ({
  publicKey: publicKey(number),
  presharedKey: asPresharedKey(key(100 + number))!,
  allowedIps,
});
const wg0 = (...peers: DesiredPeer[]): DesiredInterface => ({
  name: "wg0",
  privateKey: key(200) as PrivateKey,
  publicKey: publicKey(201),
  listenPort: 51820,
  addresses: ["10.8.0.1/24"],
  mtu: null,
  peers,
});
const standing = (desired: DesiredPeer, more: Partial<ActualPeer> = {}): ActualPeer => ({
  ...desired,
  hasEndpoint: true,
  lastHandshakeAt: 1_732_153_500_000,
  rxBytes: 1,
  txBytes: 2,
  persistentKeepalive: null,
  ...more,
});
const actual = (...peers: ActualPeer[]): ActualInterface => ({
  name: "wg0",
  publicKey: publicKey(201),
  listenPort: 51820,
  fwmark: null,
  peers,
});

const anna = peer(0, "10.8.0.2/32", "fd00::2/128");
const boris = peer(1, "10.8.0.3/32");
const nothing: InterfacePlan = {
  create: false,
  recreate: false,
  setPrivateKey: false,
  setListenPort: false,
  setParameters: {},
  upsert: [],
  add: [],
  remove: [],
};

describe("the plan", () => {
  test("for a missing interface contains everything", () => {
    expect(plan(wg0(anna, boris), null)).toEqual({
      create: true,
      recreate: false,
      setPrivateKey: true,
      setListenPort: true,
      setParameters: {},
      upsert: [anna, boris],
      add: [anna.publicKey, boris.publicKey],
      remove: [],
    });
  });

  test("for a correct interface is empty, however its addresses are written or ordered", () => {
    const same = standing(anna, { allowedIps: ["fd00:0:0::2/128", "10.8.0.2"] });
    expect(plan(wg0(anna, boris), actual(standing(boris), same))).toEqual(nothing);
  });

  test.each<[string, DesiredInterface, ActualInterface, Partial<InterfacePlan>]>([
    [
      "a new peer is added and the others are left alone",
      wg0(anna, boris),
      actual(standing(anna)),
      { upsert: [boris], add: [boris.publicKey] },
    ],
    ["an unwanted peer is removed", wg0(anna), actual(standing(anna), standing(boris)), { remove: [boris.publicKey] }],
    [
      "a wrong preshared key is corrected",
      wg0(anna),
      actual(standing(anna, { presharedKey: boris.presharedKey })),
      { upsert: [anna] },
    ],
    ["a missing preshared key is set", wg0(anna), actual(standing(anna, { presharedKey: null })), { upsert: [anna] }],
    [
      "an unwanted preshared key is removed",
      wg0({ ...anna, presharedKey: null }),
      actual(standing(anna)),
      { upsert: [{ ...anna, presharedKey: null }] },
    ],
    [
      "a missing address is added",
      wg0(anna),
      actual(standing(anna, { allowedIps: ["10.8.0.2/32"] })),
      { upsert: [anna] },
    ],
    [
      "an extra address is removed",
      wg0(boris),
      actual(standing(boris, { allowedIps: ["10.8.0.3/32", "10.8.0.4/32"] })),
      { upsert: [boris] },
    ],
    [
      "a network wider than wanted is removed",
      wg0(boris),
      actual(standing(boris, { allowedIps: ["10.8.0.3/31"] })),
      { upsert: [boris] },
    ],
    ["a foreign private key is replaced", wg0(), { ...actual(), publicKey: publicKey(99) }, { setPrivateKey: true }],
    ["a missing private key is set", wg0(), { ...actual(), publicKey: null }, { setPrivateKey: true }],
    ["a wrong port is corrected", wg0(), { ...actual(), listenPort: 4242 }, { setListenPort: true }],
  ])("%s", (_, desired, now, changes) => {
    const made = plan(desired, now);
    expect(made).toEqual({ ...nothing, ...changes });
    expect(isEmptyPlan(made)).toBe(false);
  });
});

describe("a desired state that contradicts itself", () => {
  test.each([
    ["one key for two peers", wg0(anna, { ...boris, publicKey: anna.publicKey })],
    ["one address for two peers", wg0(anna, peer(2, "10.8.0.2/32"))],
    ["one IPv6 address for two peers, written differently", wg0(anna, peer(2, "FD00:0::2"))],
    ["a network around another peer's address", wg0(boris, peer(2, "10.8.0.0/24"))],
    [
      "an address inside the first of another's networks",
      wg0(peer(2, "10.0.0.0/8", "10.0.0.0/30", "192.0.2.0/24"), boris),
    ],
  ])("is refused: %s", (_, desired) => {
    expect(() => plan(desired, null)).toThrow(DesiredStateError);
  });

  test("is not one peer's own networks nested, nor neighbouring networks", () => {
    const desired = wg0(peer(2, "10.9.0.0/24", "10.9.0.7/32"), peer(3, "10.9.1.0/24"), boris);
    expect(plan(desired, null).upsert.length).toBe(3);
  });

  test("is not all of IPv4 for one peer and all of IPv6 for another", () => {
    expect(plan(wg0(peer(2, "0.0.0.0/0"), peer(3, "::/0")), null).upsert.length).toBe(2);
  });

  test("an invalid address is refused, too", () => {
    expect(() => plan(wg0(peer(2, "10.8.0.2/33")), null)).toThrow(RangeError);
  });
});

/** What a kernel does with a plan: a peer takes its addresses from any peer that has them. */
function apply(made: InterfacePlan, desired: DesiredInterface, now: ActualInterface | null): ActualInterface {
  const peers = new Map((now?.peers ?? []).map((each) => [each.publicKey, { ...each }]));
  for (const gone of made.remove) expect(peers.delete(gone)).toBe(true);
  for (const wanted of made.upsert) {
    for (const other of peers.values()) {
      other.allowedIps = other.allowedIps.filter((ip) => !wanted.allowedIps.includes(ip));
    }
    peers.set(wanted.publicKey, standing(wanted));
  }
  return {
    name: desired.name,
    publicKey: made.setPrivateKey ? desired.publicKey : (now?.publicKey ?? null),
    listenPort: made.setListenPort ? desired.listenPort : (now?.listenPort ?? 0),
    fwmark: null,
    peers: [...peers.values()],
  };
}

const anyPeers = fc
  .uniqueArray(
    fc.record({ number: fc.nat(9), psk: fc.option(fc.nat(2)), ips: fc.uniqueArray(fc.nat(14), { maxLength: 4 }) }),
    { selector: ({ number }) => number, maxLength: 8 },
  )
  .map((list) => {
    // Each address goes to the first peer that asks, as on a real interface.
    const claimed = new Set<number>();
    return list.map(({ number, psk, ips }): DesiredPeer => {
      const mine = ips.filter((ip) => !claimed.has(ip));
      for (const ip of mine) claimed.add(ip);
      return {
        publicKey: publicKey(number),
        presharedKey: psk === null ? null : asPresharedKey(key(100 + psk)),
        allowedIps: mine.map((ip) => (ip % 2 === 0 ? `10.8.0.${ip}/32` : `fd00::${ip.toString(16)}/128`)),
      };
    });
  });
const anyActual = fc.option(
  fc.tuple(anyPeers, fc.constantFrom(201, 202), fc.constantFrom(51820, 4242)).map(([peers, own, listenPort]) => ({
    ...actual(...peers.map((each) => standing(each))),
    publicKey: publicKey(own) as PublicKey | null,
    listenPort,
  })),
);

test("a peer that has to be found is set while it has no endpoint, or another interval", () => {
  const found = { ...boris, endpoint: { host: "192.0.2.1", port: 1 }, keepaliveS: 10 };
  const there = (about: Partial<ActualPeer>) =>
    plan(wg0(found), actual(standing(boris, { persistentKeepalive: 10, ...about }))).upsert;
  expect(there({})).toEqual([]);
  expect(there({ hasEndpoint: false })).toEqual([found]);
  expect(there({ persistentKeepalive: null })).toEqual([found]);
});

describe("from any actual to any desired state", () => {
  const comparable = (peers: readonly DesiredPeer[]) =>
    peers
      .map(({ publicKey: of, presharedKey, allowedIps }) => ({ of, presharedKey, allowedIps: [...allowedIps].sort() }))
      .sort((a, b) => a.of.localeCompare(b.of));

  test("applying the plan gives the desired state, and a second plan is empty", () => {
    fc.assert(
      fc.property(anyPeers, anyActual, (peers, before) => {
        const desired = wg0(...peers);
        const after = apply(plan(desired, before), desired, before);
        expect(comparable(after.peers)).toEqual(comparable(desired.peers));
        expect(after).toMatchObject({ publicKey: desired.publicKey, listenPort: desired.listenPort });
        expect(isEmptyPlan(plan(desired, after))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test("the order in which peers are set does not matter", () => {
    fc.assert(
      fc.property(anyPeers, anyActual, (peers, before) => {
        const desired = wg0(...peers);
        const made = plan(desired, before);
        const after = apply({ ...made, upsert: [...made.upsert].reverse() }, desired, before);
        expect(comparable(after.peers)).toEqual(comparable(desired.peers));
      }),
      { numRuns: 300 },
    );
  });

  test("a correct peer is not touched, and only an absent peer is added", () => {
    fc.assert(
      fc.property(anyPeers, anyActual, (peers, before) => {
        const { upsert, add, remove } = plan(wg0(...peers), before);
        const rightBefore = new Set(
          comparable(peers)
            .filter((each) =>
              comparable(before?.peers ?? []).some((other) => JSON.stringify(other) === JSON.stringify(each)),
            )
            .map(({ of }) => of),
        );
        const there = new Set(before?.peers.map((each) => each.publicKey));
        expect(upsert.some((each) => rightBefore.has(each.publicKey))).toBe(false);
        expect(remove.some((each) => rightBefore.has(each))).toBe(false);
        expect(add).toEqual(upsert.map((each) => each.publicKey).filter((each) => !there.has(each)));
      }),
      { numRuns: 500 },
    );
  });

  test("networks of different peers are accepted exactly when none overlap", () => {
    const network = fc
      .tuple(fc.nat(15), fc.integer({ min: 28, max: 32 }))
      .map(([at, prefix]) => `10.8.0.${at}/${prefix}`);
    const networks = fc.array(network, { maxLength: 3 });
    fc.assert(
      fc.property(fc.tuple(networks, networks, networks), (lists) => {
        const clash = lists.some((list, index) =>
          lists.slice(index + 1).some((other) => list.some((a) => other.some((b) => cidrsOverlap(a, b)))),
        );
        const act = () => plan(wg0(...lists.map((list, number) => peer(number, ...list))), null);
        if (clash) expect(act).toThrow(DesiredStateError);
        else expect(act).not.toThrow();
      }),
      { numRuns: 500 },
    );
  });

  test("10,000 peers are compared quickly", () => {
    const peers = Array.from({ length: 10_000 }, (_, number) => ({
      publicKey: Buffer.from(String(number).padStart(32, "k")).toString("base64") as PublicKey,
      presharedKey: null,
      allowedIps: [`10.8.${number >> 8}.${number & 255}/32`],
    }));
    // By the processor's time: the machine may be busy with something else.
    const before = process.cpuUsage();
    expect(isEmptyPlan(plan(wg0(...peers), actual(...peers.map((each) => standing(each)))))).toBe(true);
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(3000);
  });
});
