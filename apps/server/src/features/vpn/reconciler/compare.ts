import { amneziawgBy } from "@krug/wireguard/amneziawg";
import { plan } from "@krug/wireguard/plan";
import { WIREGUARD } from "@krug/wireguard/protocol";
import { withSpared } from "@krug/wireguard/spare";
import type { DesiredHost, HostLook } from "../../../hosts/host.ts";

/** A difference between a machine and the database. Interfaces by their system names. */
export type Difference =
  /** `down`: its link is not up. `foreign`: its key was not made by the panel. `left`: ours, and no longer wanted. */
  | { kind: "interface"; interfaceName: string; how: "missing" | "down" | "foreign" | "left" | "settings" }
  /** `wrong`: other addresses or another preshared key than wanted. `foreign`: an unknown key. */
  | { kind: "peers"; interfaceName: string; how: "missing" | "wrong" | "foreign"; count: number }
  | { kind: "forwarding"; family: "v4" | "v6" }
  | { kind: "firewall" }
  /** `count`: members whose speed should be limited, and is not. */
  | { kind: "speeds"; count: number };

/** Only for their fields, so the engine's place does not matter. */
const PROTOCOLS = { wireguard: WIREGUARD, amneziawg: amneziawgBy("") };

/** All differences, in the order of the machine's layers. */
export function differencesOf(wish: DesiredHost, look: HostLook): Difference[] {
  const found: Difference[] = [];
  const wanted = wish.interfaces;
  if (wanted.length > 0) {
    if (look.forwarding.v4 === false) found.push({ kind: "forwarding", family: "v4" });
    const hasV6 = wanted.some(({ addresses }) => addresses.some((address) => address.includes(":")));
    if (hasV6 && look.forwarding.v6 === false) found.push({ kind: "forwarding", family: "v6" });
    if (!look.hasFirewall) found.push({ kind: "firewall" });
  }
  for (const desired of wanted) {
    const interfaceName = desired.name;
    const tell = (how: Extract<Difference, { kind: "interface" }>["how"]) =>
      found.push({ kind: "interface", interfaceName, how });
    const actual = look.interfaces.find(({ name }) => name === interfaceName);
    if (actual === undefined) {
      tell("missing");
      continue;
    }
    if (actual.publicKey !== desired.publicKey) {
      tell("foreign");
      continue;
    }
    if (look.down.includes(interfaceName)) tell("down");
    const type = desired.type ?? "wireguard";
    if (actual.type !== type) {
      tell("settings");
      continue;
    }
    const steps = plan(withSpared(desired, actual).desired, actual, PROTOCOLS[type]);
    if (steps.recreate) {
      tell("settings");
      continue;
    }
    if (steps.setListenPort || Object.keys(steps.setParameters).length > 0) tell("settings");
    // A silenced peer passes nothing and keeps its counters until the next round removes it.
    const silenced = new Set(actual.peers.filter((peer) => peer.allowedIps.length === 0).map((peer) => peer.publicKey));
    const counts = {
      missing: steps.add.length,
      wrong: steps.upsert.length - steps.add.length,
      foreign: steps.remove.filter((key) => !silenced.has(key)).length,
    };
    for (const how of ["missing", "wrong", "foreign"] as const)
      if (counts[how] > 0) found.push({ kind: "peers", interfaceName, how, count: counts[how] });
  }
  const ours = new Set<string>(wish.ownKeys);
  for (const { name, publicKey } of look.interfaces)
    if (publicKey !== null && ours.has(publicKey) && !wanted.some((desired) => desired.name === name))
      found.push({ kind: "interface", interfaceName: name, how: "left" });
  return found;
}
