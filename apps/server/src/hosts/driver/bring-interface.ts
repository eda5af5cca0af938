import { reason } from "@krug/domain/reasons";
import type { DesiredInterface } from "@krug/wireguard/interface";
import type { PublicKey } from "@krug/wireguard/key-text";
import { isEmptyPlan, plan, setsAnything } from "@krug/wireguard/plan";
import { incarnation } from "../control.ts";
import type { ReadInterface } from "../host.ts";
import type { Link } from "../links.ts";
import { MachineFailure } from "../machine.ts";
import type { Tools } from "./calls.ts";
import { remember } from "./known-interfaces.ts";
import type { DriverState } from "./state.ts";

interface Bringing {
  desired: DesiredInterface;
  /** As it is now; null if it does not exist. */
  present: ReadInterface | null;
  link: Link | undefined;
  /** Without a firewall it only removes peers: that is always right and opens nothing. */
  isGuarded: boolean;
}

/** Brings an interface and its peers to the desired state. */
export async function bringInterface(
  state: DriverState,
  tools: Tools,
  { desired, present, link, isGuarded }: Bringing,
): Promise<void> {
  const { machine } = tools;
  const { carrier, known, unreported } = state;
  const { name, type = "wireguard", publicKey: interfaceKey } = desired;
  const protocol = state.controls.protocolOf(type);
  const control = tools.controlOf(type);
  const steps = plan(desired, present, protocol);
  const isRecreated = present !== null && (steps.recreate || present.type !== type);
  // Before anything is removed or created that could not be completed.
  if (desired.privateKey === null && (steps.setPrivateKey || isRecreated))
    throw new MachineFailure("refused", reason("interface.key_lost"));
  if (isRecreated) {
    if (!isGuarded) return;
    await removeInterface(state, tools, present, interfaceKey);
    return bringInterface(state, tools, { desired, present: null, link: undefined, isGuarded });
  }
  if (steps.create) await carrier.create(machine, protocol, name);
  if (steps.remove.length > 0) {
    const last = (await control.read(name, steps.remove))?.peers ?? [];
    await unreported.whileRemoving({ interfaceKey, life: present?.life ?? null, last }, () =>
      control.change(name, { remove: steps.remove, upsert: [] }),
    );
  }
  if (!isGuarded) return;
  if (setsAnything(steps)) {
    await control.change(name, {
      ...(steps.setPrivateKey && desired.privateKey !== null ? { privateKey: desired.privateKey } : {}),
      ...(steps.setListenPort ? { listenPort: desired.listenPort } : {}),
      parameters: steps.setParameters,
      remove: [],
      upsert: steps.upsert,
    });
    unreported.noteAdded(interfaceKey, steps.add);
  }
  if (present === null || !isEmptyPlan(steps)) {
    const now = await incarnation(machine, protocol, name);
    remember(known, { ...desired, life: present?.life ?? null }, protocol, now);
  }
  await carrier.bringLinkTo(machine, protocol, desired, link);
}

/** Removes an interface of ours, and reports its peers' last counters. */
export async function removeInterface(
  { carrier, controls, known, unreported }: DriverState,
  { machine, controlOf }: Tools,
  present: ReadInterface,
  interfaceKey: PublicKey,
): Promise<void> {
  const { name, type, life } = present;
  const { peers: last } = (await controlOf(type).read(name)) ?? present;
  await unreported.whileRemoving({ interfaceKey, life, last }, () =>
    carrier.remove(machine, controls.protocolOf(type), name),
  );
  known.delete(name);
}
