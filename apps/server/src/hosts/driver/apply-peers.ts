import { reason } from "@krug/domain/reasons";
import type { PublicKey } from "@krug/wireguard/key-text";
import type { TunnelProtocol } from "@krug/wireguard/protocol";
import { type Control, incarnation } from "../control.ts";
import type { PeerChange, PeersApplied } from "../host.ts";
import { type Machine, MachineFailure, NoLonger, onlyWhile } from "../machine.ts";
import type { Tools } from "./calls.ts";
import type { KnownInterface } from "./known-interfaces.ts";
import type { DriverState } from "./state.ts";

/** Changes a few peers of an interface that is provably ours. */
export async function applyPeers(state: DriverState, change: PeerChange, tools: Tools): Promise<PeersApplied> {
  const { known, unreported } = state;
  const { interfaceName: name, interfaceKey, remove } = change;
  const memory = known.get(name);
  // Stored again once we know that it was done.
  known.delete(name);
  const isDone =
    memory?.publicKey === interfaceKey && remove.length === 0 && (await changeUnread(state, change, memory, tools));
  if (!isDone) await changeAfterReading(state, change, memory, tools);
  return unreported.take();
}

/**
 * The machine itself checks that it is still the interface we know, so one request is enough. False, with nothing done, if it is
 * not.
 */
async function changeUnread(
  state: DriverState,
  change: PeerChange,
  memory: KnownInterface,
  { machine }: Tools,
): Promise<boolean> {
  const { interfaceName: name, upsert, silence = [], remove } = change;
  const { path, identity } = memory.incarnation;
  try {
    await controlOfKnown(state, memory, onlyWhile(path, identity, machine)).change(name, { remove, silence, upsert });
  } catch (error) {
    if (error instanceof NoLonger) return false;
    throw error;
  }
  noteAdded(state, change, memory.peers());
  rememberPeers(state, change, memory);
  return true;
}

async function changeAfterReading(
  state: DriverState,
  change: PeerChange,
  memory: KnownInterface | undefined,
  tools: Tools,
): Promise<void> {
  const { interfaceName: name, interfaceKey, upsert, silence = [], remove } = change;
  const protocol = memory?.protocol ?? (await protocolOn(state, tools, name));
  const control = memory ? controlOfKnown(state, memory, tools.machine) : tools.controlOf(protocol.type);
  const [now, present] = await Promise.all([incarnation(tools.machine, protocol, name), readOwnPeers(control, change)]);
  const isKnown =
    memory?.publicKey === interfaceKey &&
    memory.incarnation.path === now?.path &&
    memory.incarnation.identity === now.identity;
  const presentKeys = new Set(present.map((peer) => peer.publicKey));
  const leaving = new Set(remove);
  const last = present.filter(({ publicKey }) => leaving.has(publicKey));
  await state.unreported.whileRemoving({ interfaceKey, life: isKnown ? memory.life : null, last }, () =>
    control.change(name, { remove, silence, upsert }),
  );
  noteAdded(state, change, presentKeys);
  if (isKnown) rememberPeers(state, change, memory);
}

/** For an interface that we know: the kernel's have no socket to try first. */
function controlOfKnown(
  { controls }: DriverState,
  { protocol, incarnation: { kind } }: KnownInterface,
  machine: Machine,
): Control {
  return controls.over(machine, protocol, kind === "socket" ? controls.way : "program");
}

/** For an unknown interface: a protocol that only engines run is wherever its socket answers. */
async function protocolOn({ controls }: DriverState, { controlOf }: Tools, name: string): Promise<TunnelProtocol> {
  for (const protocol of controls.all)
    if (protocol.program === null && (await controlOf(protocol.type).read(name, [])) !== null) return protocol;
  return controls.wireguard;
}

/** The peers that change, as they are on an interface that is provably ours. */
async function readOwnPeers(control: Control, { interfaceName: name, interfaceKey, upsert, remove }: PeerChange) {
  const present = await control.read(name, [...upsert.map((peer) => peer.publicKey), ...remove]);
  if (present === null) throw new MachineFailure("refused", reason("interface.missing", { name }));
  if (present.publicKey !== interfaceKey) throw new MachineFailure("refused", reason("interface.other_key", { name }));
  return present.peers;
}

function noteAdded(
  { unreported }: DriverState,
  { interfaceKey, upsert }: PeerChange,
  presentKeys: ReadonlySet<PublicKey>,
): void {
  const added = upsert.flatMap(({ publicKey }) => (presentKeys.has(publicKey) ? [] : [publicKey]));
  unreported.noteAdded(interfaceKey, added);
}

function rememberPeers(
  { known }: DriverState,
  { interfaceName, upsert, remove }: PeerChange,
  memory: KnownInterface,
): void {
  for (const publicKey of remove) memory.peers().delete(publicKey);
  for (const { publicKey } of upsert) memory.peers().add(publicKey);
  known.set(interfaceName, memory);
}
