import { createHash } from "node:crypto";
import { CLOSED_TCP_PORTS } from "@krug/domain/access-rules";
import type { Entitlement } from "@krug/domain/entitlement";
import type { DesiredInterface, DesiredPeer } from "@krug/wireguard/interface";
import type { PublicKey } from "@krug/wireguard/key-text";
import type { DesiredHost, SpeedLimit } from "../../../hosts/host.ts";
import { groupBy } from "../../../platform/group-by.ts";
import type { ConfigOnServer, UnknownPeerRow } from "../configs/index.ts";
import type { InterfaceRow, Place } from "../interfaces/index.ts";
import type { ServerRow } from "../servers/index.ts";
import { desiredSpeeds } from "./desired-speeds.ts";
import type { ReconcilerParts } from "./parts.ts";

/** A server's desired state. */
export interface Desired {
  wish: DesiredHost;
  /** Of its access rules. */
  revision: number;
  /** All of its interfaces, inactive ones included. */
  interfaces: InterfaceRow[];
  /** The rows of the peers in `wish`, by id. */
  peers: ReadonlyMap<string, PeerColumns>;
  /** Whether the same state was applied to the machine before, and recorded. */
  isNoted: boolean;
  note(): void;
}

type PeerColumns = Pick<
  ConfigOnServer,
  "interface_id" | "place_of" | "public_key" | "sealed_preshared_key" | "address" | "address_v6"
>;
interface Cached {
  fingerprint: string;
  wish: DesiredHost;
  /** `peer`: null if its preshared key cannot be opened. */
  peers: Map<string, PeerColumns & { peer: DesiredPeer | null }>;
  isNoted: boolean;
  /** What decides the access rules and the routing here; while it does not change, `rules` are not built again. */
  accessBy: string;
  rules: Awaited<ReturnType<ReconcilerParts["routing"]["desiredOn"]>>;
  /** The same of `speeds`. */
  speedsBy: string;
  speeds: SpeedLimit[];
}

const interfacesOf = (places: ReadonlyMap<string, Place>) => [...places.values()].map((place) => place.interface);

const isSame = (a: PeerColumns, b: PeerColumns) =>
  a.interface_id === b.interface_id &&
  a.public_key === b.public_key &&
  a.sealed_preshared_key === b.sealed_preshared_key &&
  a.address === b.address &&
  a.address_v6 === b.address_v6;

/**
 * Computes servers' desired state. It is cached with a fingerprint of everything that decides it: while that does not change,
 * which one statement shows, no rows are read and no secret is opened.
 */
export function makeDesired({
  db,
  log,
  interfaces,
  configs,
  members,
  routing,
  probe,
  exits,
  openPorts,
}: ReconcilerParts) {
  const kept = new Map<string, Cached>();

  /** Null if its preshared key cannot be opened (damaged or foreign): others must not wait for it. */
  const peerUnlessUnreadable = <Row extends { id: string }>(row: Row, peerOf: (row: Row) => DesiredPeer) => {
    try {
      return peerOf(row);
    } catch {
      log.error({ peer: row.id }, "a preshared key cannot be opened, its peer stays as it is");
      return null;
    }
  };

  const withPeers = (rows: readonly ConfigOnServer[], before?: Cached["peers"]) =>
    rows.map((row) => {
      const known = before?.get(row.id);
      const peer = known !== undefined && isSame(known, row) ? known.peer : null;
      return { row, peer: peer ?? peerUnlessUnreadable(row, configs.peerOf) };
    });

  /** Which configs' peers are wanted. `unknown`: peers that keep their addresses until an admin decides. */
  const wantedBy = (
    entitled: ReadonlyMap<string, Entitlement>,
    places: ReadonlyMap<string, Place>,
    unknown: readonly UnknownPeerRow[],
  ) => {
    const held = new Set(unknown.map((peer) => `${peer.interface_id} ${peer.address}`));
    const isHeld = (row: ConfigOnServer) => held.has(`${row.interface_id} ${row.address}`);
    const isWanted = (row: ConfigOnServer) =>
      !isHeld(row) &&
      configs.isWanted(row, places.get(row.interface_id), entitled.get(row.member_id)?.allowed === true);
    return { isWanted, isHeld };
  };

  /** Peers of unknown devices. A config with the same key replaces one. */
  const unknownPeersOn = (row: InterfaceRow, unknown: readonly UnknownPeerRow[], keys: ReadonlySet<string>) =>
    unknown
      .filter((each) => each.interface_id === row.id && !keys.has(each.public_key))
      .map((each) => ({ row: each, peer: peerUnlessUnreadable(each, configs.unknownPeers.peerOf) }));

  const build = async (
    fingerprint: string,
    places: ReadonlyMap<string, Place>,
    {
      rest,
      links,
      unknown,
    }: { rest: Omit<DesiredHost, "interfaces">; links: DesiredInterface[]; unknown: readonly UnknownPeerRow[] },
    before: Cached | undefined,
  ): Promise<Omit<Cached, "accessBy" | "rules" | "speedsBy" | "speeds">> => {
    const living = await configs.onInterfaces(db, [...places.keys()]);
    const entitled = await members.entitlements(db, [...new Set(living.map((row) => row.member_id))]);
    const { isWanted } = wantedBy(entitled, places, unknown);
    const wanted = withPeers(living.filter(isWanted), before?.peers);
    const byInterface = groupBy(wanted, ({ row }) => row.interface_id);
    const interfaceOf = async (row: InterfaceRow) => {
      const own = byInterface.get(row.id) ?? [];
      const all = [...own, ...unknownPeersOn(row, unknown, new Set(own.map((each) => each.row.public_key)))];
      const unreadable = all.flatMap((each) => (each.peer === null ? configs.unreadablePeerOf(each.row) : []));
      return {
        ...interfaces.desired(row, [...all.flatMap(({ peer }) => peer ?? []), probe.peerOf(row)]),
        ...(unreadable.length > 0 && { unreadable }),
        ...(row.first_look_due === 1 ? { known: await configs.unknownPeers.knownKeys(db, row.id) } : {}),
      };
    };
    const active = interfacesOf(places).filter((row) => row.is_active === 1);
    return {
      fingerprint,
      wish: { interfaces: [...(await Promise.all(active.map(interfaceOf))), ...links], ...rest },
      peers: new Map(
        wanted.map(({ row, peer }) => {
          const { interface_id, place_of, public_key, sealed_preshared_key, address, address_v6 } = row;
          return [row.id, { interface_id, place_of, public_key, sealed_preshared_key, address, address_v6, peer }];
        }),
      ),
      isNoted: false,
    };
  };

  const desiredOn = async (server: ServerRow): Promise<Desired> => {
    const here = await interfaces.placesOn(db, server);
    const rows = interfacesOf(here);
    const before = kept.get(server.id);
    // The fingerprint of the peers includes who has which address here.
    const revisionNow = await routing.revision(db);
    const peersBy = await configs.fingerprintOfPeers(db, [...here.keys()]);
    const unknown = await configs.unknownPeers.on(db, [...here.keys()]);
    const accessBy = `${revisionNow} ${peersBy} ${unknown.map(({ address }) => address)}`;
    const { revision, access } = before?.accessBy === accessBy ? before.rules : await routing.desiredOn(db, server);
    const limits = await members.speedLimits(db);
    const speedsBy = `${JSON.stringify([...limits])} ${limits.size === 0 ? "" : peersBy}`;
    const speeds =
      before?.speedsBy === speedsBy ? before.speeds : await desiredSpeeds({ db, configs }, limits, [...here.keys()]);
    const rest = {
      ownKeys: (await interfaces.keysEverOn(db, server.id)) as PublicKey[],
      closedTcpPorts: [...CLOSED_TCP_PORTS],
      openPorts: openPorts(),
      access,
      opensForwarding: server.opens_forwarding === 1,
      speeds,
    };
    const links = (await exits.interfacesOn(db, server)).filter(
      ({ isExit }) => !isExit || access.routing !== undefined,
    );
    // An interface's conflict in the last run decides nothing.
    const places = rows.map((row) => ({ ...row, conflict: null }));
    const fingerprint = createHash("sha256")
      .update(JSON.stringify([places, rest, links, unknown]))
      .update(peersBy)
      .digest("base64");
    const built =
      before?.fingerprint === fingerprint ? before : await build(fingerprint, here, { rest, links, unknown }, before);
    const now: Cached = Object.assign(built, { accessBy, rules: { revision, access }, speedsBy, speeds });
    kept.set(server.id, now);
    const note = () => {
      now.isNoted = true;
    };
    return { wish: now.wish, revision, interfaces: rows, peers: now.peers, isNoted: now.isNoted, note };
  };

  return { desiredOn, withPeers, wantedBy };
}
