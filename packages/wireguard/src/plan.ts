import type { ActualInterface, DesiredInterface, DesiredPeer } from "./interface.ts";
import type { PublicKey } from "./keys.ts";

declare function todo(...x: unknown[]): never;
/** What brings an interface from what it is to what it should be. */
export interface InterfacePlan {
  create: boolean;
  setPrivateKey: boolean;
  setListenPort: boolean;
  /** Peers to add or to set right, whole. */
  upsert: DesiredPeer[];
  /** Those of `upsert` that are absent now. */
  add: PublicKey[];
  remove: PublicKey[];
}
/** Throws where one public key stands twice in `desired`, or two peers claim one address. */
export function plan(desired: DesiredInterface, actual: ActualInterface | null): InterfacePlan {
  return todo(desired, actual);
}
export function isEmptyPlan(plan: InterfacePlan): boolean {
  return todo(plan);
}
