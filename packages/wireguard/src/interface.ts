import type { PresharedKey, PrivateKey, PublicKey } from "./key-text.ts";
import type { TunnelParameters, TunnelType } from "./protocol.ts";

/** A peer as it should be on an interface. `allowedIps` are canonical CIDRs, e.g. ["10.8.0.7/32"]. */
export interface DesiredPeer {
  publicKey: PublicKey;
  presharedKey: PresharedKey | null;
  allowedIps: string[];
  /** Where it is, for a peer that we have to find; only a peer without an endpoint gets it. */
  endpoint?: { host: string; port: number };
  /** It gets something at least this often, in seconds; omitted: whatever is set. */
  keepaliveS?: number;
}

/** A peer whose preshared key the panel cannot read. */
export type UnreadablePeer = Omit<DesiredPeer, "presharedKey">;

/** An interface as it should be. `addresses` with prefix, e.g. ["10.8.0.1/24"]; mtu in bytes or null for the default. */
export interface DesiredInterface {
  name: string;
  /** Omitted: WireGuard. */
  type?: TunnelType;
  /** Null: the panel cannot read it. An existing interface keeps its own, a missing one cannot be created. */
  privateKey: PrivateKey | null;
  publicKey: PublicKey;
  /** UDP, 1-65535. */
  listenPort: number;
  addresses: string[];
  mtu: number | null;
  /** The protocol's own fields; WireGuard itself has none. Null as with `privateKey`. */
  parameters?: TunnelParameters | null;
  peers: DesiredPeer[];
  /** Those on the machine stay with the preshared key that they have there; others cannot be added (see `withSpared`). */
  unreadable?: UnreadablePeer[];
  /** Nothing comes in by it but answers: its peer is where traffic leaves. */
  isExit?: true;
  /** If given, existing peers that are neither wanted nor listed here stay (see `withSpared`). */
  known?: ReadonlySet<PublicKey>;
}

/** An interface as `wg show` reports it. */
export interface ActualInterface {
  name: string;
  /** Null if no key is set. */
  publicKey: PublicKey | null;
  listenPort: number;
  fwmark: number | null;
  /** The protocol's own fields, in canonical form; omitted if there are none. */
  parameters?: TunnelParameters;
  peers: ActualPeer[];
}

export interface ActualPeer {
  publicKey: PublicKey;
  /** Secret: compared, never logged. */
  presharedKey: PresharedKey | null;
  /** The panel does not store where a device connects from (decisions, section 6), only whether it is known. */
  hasEndpoint: boolean;
  allowedIps: string[];
  /** ms since 1970, null if never. */
  lastHandshakeAt: number | null;
  /** Bytes received by the server, i.e. sent by the device. */
  rxBytes: number;
  /** Bytes sent by the server, i.e. received by the device. */
  txBytes: number;
  /** Seconds, null when off. */
  persistentKeepalive: number | null;
}
