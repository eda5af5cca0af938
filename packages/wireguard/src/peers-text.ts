import type { DesiredInterface, DesiredPeer } from "./interface.ts";

declare function todo(...x: unknown[]): never;
/** For the stdin of `wg addconf IF /dev/stdin`: adds these peers or sets them right, leaves all others. Holds secrets. */
export function writePeers(peers: readonly DesiredPeer[]): string {
  return todo(peers);
}
/** For the stdin of `wg syncconf IF /dev/stdin`: the whole interface. Holds secrets. */
export function writeSyncconf(desired: DesiredInterface): string {
  return todo(desired);
}
