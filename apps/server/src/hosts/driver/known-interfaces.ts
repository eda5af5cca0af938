import type { ActualInterface } from "@krug/wireguard/interface";
import type { PublicKey } from "@krug/wireguard/key-text";
import type { TunnelProtocol } from "@krug/wireguard/protocol";
import type { Incarnation } from "../control.ts";

/** What we know is on an interface of ours, so that adding a peer need not read all the others. */
export interface KnownInterface {
  protocol: TunnelProtocol;
  publicKey: PublicKey;
  listenPort: number;
  incarnation: Incarnation;
  /** Of its counters; null if they were not read yet. */
  life: string | null;
  peers(): Set<PublicKey>;
}

/** An interface that was read or just set. */
type Seen = Pick<ActualInterface, "name" | "publicKey" | "listenPort"> & {
  life?: string | null;
  peers: readonly { publicKey: PublicKey }[];
};

/** By name. */
export type KnownInterfaces = Map<string, KnownInterface>;

export function remember(
  known: KnownInterfaces,
  { name, publicKey, listenPort, life = null, peers }: Seen,
  protocol: TunnelProtocol,
  incarnation: Incarnation | null,
): void {
  if (publicKey === null || incarnation === null) known.delete(name);
  else known.set(name, { protocol, publicKey, listenPort, incarnation, life, peers: keysOf(peers) });
}

/** Built on first use: most rounds need none. */
function keysOf(peers: readonly { publicKey: PublicKey }[]): () => Set<PublicKey> {
  let keys: Set<PublicKey> | undefined;
  return () => {
    keys ??= new Set(peers.map((peer) => peer.publicKey));
    return keys;
  };
}
