import { expect, test } from "vitest";
import type { ActualInterface, ActualPeer, DesiredInterface, DesiredPeer } from "./interface.ts";
import type { PublicKey } from "./key-text.ts";
import { generateKeyPair, generatePresharedKey } from "./keys.ts";
import { isEmptyPlan, plan } from "./plan.ts";
import { withSpared } from "./spare.ts";

const own = generateKeyPair();
const aKey = () => generateKeyPair().publicKey;

const wanted = (peers: DesiredPeer[]): DesiredInterface => ({
  name: "wg0",
  ...own,
  listenPort: 51820,
  addresses: ["10.8.0.1/24", "fd00:8::1/64"],
  mtu: null,
  peers,
});
const device = (...allowedIps: string[]): DesiredPeer => ({ publicKey: aKey(), presharedKey: null, allowedIps });
const on = (peer: DesiredPeer): ActualPeer => ({
  ...peer,
  hasEndpoint: true,
  lastHandshakeAt: 1,
  rxBytes: 10,
  txBytes: 20,
  persistentKeepalive: null,
});
const standing = (...peers: DesiredPeer[]): ActualInterface => ({
  name: "wg0",
  publicKey: own.publicKey,
  listenPort: 51820,
  fwmark: null,
  peers: peers.map(on),
});
const keysOf = (peers: readonly { publicKey: PublicKey }[]) => peers.map(({ publicKey }) => publicKey);

test("a forgotten device is not touched, a known but unwanted one is removed", () => {
  const [kept, forgotten, deleted] = [
    device("10.8.0.2/32"),
    device("10.8.0.9/32", "fd00:8::9/128"),
    device("10.8.0.3/32"),
  ];
  const actual = standing(kept, forgotten, deleted);
  const { desired, spared } = withSpared(
    { ...wanted([kept]), known: new Set([kept.publicKey, deleted.publicKey]) },
    actual,
  );
  expect(keysOf(spared)).toEqual([forgotten.publicKey]);
  expect(plan(desired, actual)).toMatchObject({ upsert: [], add: [], remove: [deleted.publicKey] });
  // Without it, as usual.
  expect(plan(wanted([kept]), actual).remove).toEqual([forgotten.publicKey, deleted.publicKey]);
});

test("a device that the panel would add waits for the address that a forgotten one uses", () => {
  const forgotten = device("10.8.0.5/32");
  const [late, other] = [device("10.8.0.5/32"), device("10.8.0.6/32")];
  const actual = standing(forgotten);
  const { desired } = withSpared({ ...wanted([late, other]), known: new Set() }, actual);
  expect(plan(desired, actual)).toMatchObject({ add: [other.publicKey], remove: [] });
});

test("an interface that is recreated gets its forgotten devices back", () => {
  const forgotten = device("10.8.0.5/32");
  const { desired } = withSpared({ ...wanted([]), known: new Set() }, standing(forgotten));
  expect(plan(desired, null).add).toEqual([forgotten.publicKey]);
});

test("a peer with an unreadable preshared key keeps the one it has; one that is not there is not added", () => {
  const [kept, gone] = [device("10.8.0.2/32"), device("10.8.0.3/32")];
  const actual = standing({ ...kept, presharedKey: generatePresharedKey() });
  const { desired, lost } = withSpared({ ...wanted([]), unreadable: [kept, gone] }, actual);
  expect(isEmptyPlan(plan(desired, actual))).toBe(true);
  expect(lost).toEqual([gone.publicKey]);
  // Silenced meanwhile, it gets its address back.
  const silenced = standing({ ...kept, allowedIps: [] });
  const again = withSpared({ ...wanted([]), unreadable: [kept] }, silenced).desired;
  expect(plan(again, silenced).upsert).toEqual([kept]);
});

test.each([
  ["no address", []],
  ["a network", ["10.8.0.0/25"]],
  ["everything", ["0.0.0.0/0", "::/0"]],
  ["two addresses", ["10.8.0.2/32", "10.8.0.3/32"]],
  ["the interface's own address", ["10.8.0.1/32"]],
  ["the subnet's last address", ["10.8.0.255/32"]],
  ["an address elsewhere", ["10.9.0.2/32"]],
  ["an address and another network's", ["10.8.0.2/32", "192.168.1.0/24"]],
  ["only v6", ["fd00:8::5/128"]],
])("%s is nothing a panel gives a device, so its peer goes as usual", (_, allowedIps) => {
  const strange = device(...allowedIps);
  const actual = standing(strange);
  const { desired, spared } = withSpared({ ...wanted([]), known: new Set() }, actual);
  expect(spared).toEqual([]);
  expect(plan(desired, actual).remove).toEqual([strange.publicKey]);
});

test("if there is no interface yet, or nothing unknown on it, nothing changes", () => {
  const all = wanted([device("10.8.0.2/32")]);
  const known = new Set<PublicKey>();
  expect(withSpared({ ...all, known }, null).desired).toEqual(all);
  expect(withSpared({ ...all, known }, standing(...all.peers)).desired).toEqual(all);
  expect(withSpared(all, standing(device("10.8.0.3/32"))).spared, "at any other time").toEqual([]);
});
