import { reason as because, type Reason } from "@krug/domain/reasons";
import { covers } from "@krug/wireguard/addresses";
import type { DesiredInterface } from "@krug/wireguard/interface";
import type { PublicKey } from "@krug/wireguard/key-text";
import type { InterfaceConflict, ReadInterface } from "./host.ts";
import { isInterfaceName, type Link } from "./links.ts";
import type { Route } from "./occupied.ts";

interface Situation {
  interfaces: readonly DesiredInterface[];
  ownKeys: readonly PublicKey[];
  actual: readonly ReadInterface[];
  links: ReadonlyMap<string, Link>;
  busyPorts: ReadonlySet<number>;
  routes: readonly Route[];
}

interface SortedOut {
  /** To be brought to the desired state; `present` is the current one. */
  wanted: { desired: DesiredInterface; present: ReadInterface | null }[];
  /** Ours, and no longer wanted. */
  unwanted: Ours[];
  conflicts: InterfaceConflict[];
}

type Ours = ReadInterface & { publicKey: PublicKey };

/** Sorts the desired state into what we can make on this machine and what something else blocks. */
export function sortOut({ interfaces, ownKeys, actual, links, busyPorts, routes }: Situation): SortedOut {
  const ours = new Set([...ownKeys, ...interfaces.map(({ publicKey }) => publicKey)]);
  const isOurs = (it: ReadInterface): it is Ours => it.publicKey !== null && ours.has(it.publicKey);
  const names = new Set(interfaces.map(({ name }) => name));
  const ourPorts = new Set(actual.filter(isOurs).map(({ listenPort }) => listenPort));
  const ourDevices = new Set(actual.filter(isOurs).map(({ name }) => name));
  const foreign = routes.filter(({ devices }) => devices.some((device) => !ourDevices.has(device)));
  const claimed = new Set<number>();
  const answer: SortedOut = {
    wanted: [],
    conflicts: [],
    unwanted: actual.filter(isOurs).filter(({ name }) => !names.has(name)),
  };

  for (const desired of interfaces) {
    const { name, listenPort } = desired;
    const present = actual.find((tunnel) => tunnel.name === name) ?? null;
    const conflict = (reason: InterfaceConflict["reason"], why: Reason) => answer.conflicts.push({ name, reason, why });
    if (!isInterfaceName(name)) {
      conflict("failed", because("interface.not_a_name"));
      continue;
    }
    if (present === null && links.has(name)) {
      conflict("foreign_interface", because("interface.other_kind", { name }));
      continue;
    }
    // A crash between creating and configuring leaves one without key and peers: nobody owns it, so we may take it.
    if (present !== null && !isOurs(present) && (present.publicKey !== null || present.peers.length > 0)) {
      conflict("foreign_interface", because("interface.foreign_key", { name }));
      continue;
    }
    // An existing one keeps running. A wider network does not affect our route; one inside ours would take devices' packets.
    const met = present === null ? foreign.find(({ network }) => covers(desired.addresses, network)) : undefined;
    if (met !== undefined) {
      conflict(
        "subnet_busy",
        because("interface.subnet_busy", { network: met.network, devices: met.devices.join(", ") }),
      );
      continue;
    }
    const parameters = parametersFor(desired, present);
    if (parameters === null) {
      conflict("failed", because("interface.key_lost"));
      continue;
    }
    const isListening = present?.listenPort === listenPort && (links.get(name)?.isUp ?? false);
    const isTaken = claimed.has(listenPort) || (!isListening && busyPorts.has(listenPort) && !ourPorts.has(listenPort));
    if (isTaken) conflict("port_busy", because("interface.port_busy_unseen", { port: listenPort }));
    claimed.add(listenPort);
    // The same object where nothing differs: `plan` compares its peers once.
    const possible = desired.parameters === null ? { ...desired, parameters } : desired;
    // A running one keeps its port and serves its peers; a new one waits for the port.
    if (!isTaken) answer.wanted.push({ desired: possible, present });
    else if (present !== null)
      answer.wanted.push({ desired: { ...possible, listenPort: present.listenPort }, present });
  }
  return answer;
}

/** Those that cannot be read are the machine's own. Null: it has none either. */
function parametersFor({ type, parameters = {}, publicKey }: DesiredInterface, present: ReadInterface | null) {
  if (parameters !== null) return parameters;
  const isOurs = present?.publicKey === publicKey && present.type === type;
  return isOurs ? (present.parameters ?? {}) : null;
}
