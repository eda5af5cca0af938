import type { ActualPeer } from "@krug/wireguard/interface";
import type { PublicKey } from "@krug/wireguard/key-text";
import type { PeersApplied, RemovedPeer } from "../host.ts";
import { MachineFailure } from "../machine.ts";

/** Peers taken off an interface. `life`: of its counters. `last`: as they were last read. */
interface Removal {
  interfaceKey: PublicKey;
  life: string | null;
  last: readonly ActualPeer[];
}

export type Unreported = ReturnType<typeof makeUnreported>;

/** Changes done but not reported yet. The next answer or failure carries them, so that no counter is lost with an answer. */
export function makeUnreported() {
  let done: PeersApplied = { addedPeers: [], removedPeers: [] };
  return {
    /** For an answer or failure that carries them. */
    take(): PeersApplied {
      const taken = done;
      done = { addedPeers: [], removedPeers: [] };
      return taken;
    },
    noteAdded(interfaceKey: PublicKey, keys: readonly PublicKey[]): void {
      done.addedPeers.push(...keys.map((publicKey) => ({ interfaceKey, publicKey })));
    },
    /** Does a removal, and reports the counters whatever happens to its answer. */
    async whileRemoving({ interfaceKey, life, last }: Removal, remove: () => Promise<void>): Promise<void> {
      const note = () => done.removedPeers.push(...last.map((peer) => lastCounters(interfaceKey, life, peer)));
      try {
        await remove();
      } catch (error) {
        if (error instanceof MachineFailure) note();
        throw error;
      }
      note();
    },
  };
}

function lastCounters(
  interfaceKey: PublicKey,
  life: string | null,
  { publicKey, rxBytes, txBytes, lastHandshakeAt }: ActualPeer,
): RemovedPeer {
  return { interfaceKey, life, publicKey, rxBytes, txBytes, lastHandshakeAt };
}
