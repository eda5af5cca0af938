import { covers, wholeFamilies } from "@krug/wireguard/addresses";
import type { DesiredPeer } from "@krug/wireguard/interface";
import type { Db, Tx } from "../../../platform/database/database.ts";
import { memberDeleted, memberStandingChanged } from "../../members/members/index.ts";
import { catalogChanged } from "../catalog/index.ts";
import { exitsChanged } from "../exits/index.ts";
import { endpointMoved, interfaceChanged, interfaceDeleted, interfaceGivenBack } from "../interfaces/index.ts";
import { serverDeleted, serverEndpointChanged } from "../servers/index.ts";
import * as addresses from "./addresses.ts";
import { makeConfigChanges } from "./change-config.ts";
import { LEASE_MS, makeCutEnded } from "./cut-ended.ts";
import { makeOwnConfigs } from "./data-export.ts";
import { isWanted, makeDescribe } from "./describe-configs.ts";
import { makeDeviceEnd } from "./device-end.ts";
import { makeDormant } from "./dormant.ts";
import { configsChanged } from "./events.ts";
import { makeFileLinks } from "./file-links.ts";
import { makeGiveFile } from "./give-file.ts";
import { presharedKeyOf, unreadablePeerOf } from "./keys.ts";
import { makeConfigList } from "./list.ts";
import { makeMoves } from "./move-config.ts";
import { makeMoveMany } from "./move-many.ts";
import { makeOutdatedFiles } from "./outdated-files.ts";
import type { ConfigParts } from "./parts.ts";
import { peerCounts } from "./peer-counts.ts";
import * as peers from "./peers-repository.ts";
import * as repository from "./repository.ts";
import type { ConfigOnServer, ConfigRow } from "./table.ts";
import { makeTakeIn } from "./take-in.ts";
import { makeUnknownPeers } from "./unknown-peers.ts";
import { makeUsage } from "./usage.ts";
import { reachOf } from "./usage-repository.ts";
import { enqueueApply } from "./wire-jobs.ts";

export {
  addressesRanLow,
  configChoiceChanged,
  configCreated,
  configMadeByStaff,
  configMoved,
  configMovedByStaff,
  configRestored,
  configServicesChanged,
  configsChanged,
  configsDeleted,
  configsDeletedByStaff,
  configsMovedByStaff,
  devicesEnd,
  devicesUnseen,
  filesOutdated,
} from "./events.ts";
export { sealedInConfigs } from "./keys.ts";
export type { ManyMoved } from "./move-many.ts";
export type { PeerRow } from "./peers-repository.ts";
export type { ConfigOnServer, ConfigRow, UnknownPeerRow } from "./table.ts";
export type { GivenDevice } from "./take-in.ts";
export { sealedInUnknownPeers } from "./unknown-peers.ts";
export { type ApplyConfigs, applyConfigs } from "./wire-jobs.ts";

export type Configs = ReturnType<typeof makeConfigs>;

/** A config that was put on or taken off the wire; without a member if nobody can see it any more. */
type OnWire = { id: string; interface_id: string; public_key: string; member_id?: string };

/** Configs, one for each device, and their peers. */
export function makeConfigs(parts: ConfigParts) {
  const { db, clock, jobs, events, settings, interfaces, catalog, members, sealing, auth } = parts;
  const changes = makeConfigChanges(parts);
  const moves = makeMoves(parts);
  const many = makeMoveMany(parts);
  const describe = makeDescribe(parts);
  const outdated = makeOutdatedFiles(parts);
  const fileLinks = makeFileLinks(parts);
  const dormant = makeDormant(parts);
  const ended = makeCutEnded(parts);

  events.onAll(memberStandingChanged, async (tx, changes) => {
    const idsWith = (wish: boolean) =>
      changes.flatMap(({ memberId, blockConfigs }) => (blockConfigs === wish ? [memberId] : []));
    for (const blocked of [true, false]) await repository.setBlocked(tx, idsWith(blocked), blocked);
    const memberIds = changes.map(({ memberId }) => memberId);
    const rows = await repository.ofMembers(tx, memberIds);
    const inactive = (await members.byIds(tx, memberIds)).filter((row) => row.is_active === 0).map((row) => row.id);
    const blocked = new Set([...idsWith(true), ...inactive]);
    await auth.voidConfigLinks(
      tx,
      rows.filter((row) => blocked.has(row.member_id)).map((row) => row.id),
    );
    await enqueueApply({ jobs, interfaces }, tx, rows);
  });
  events.on(memberDeleted, (tx, { memberId }) => changes.purgeMember(tx, memberId));
  const markStale = async (tx: Tx, of: Parameters<typeof repository.markStale>[1]) => {
    const memberIds = await repository.markStale(tx, of);
    await events.record(tx, configsChanged, { memberIds });
  };
  events.on(catalogChanged, (tx, change) => ("dnsId" in change ? markStale(tx, change) : outdated.follow(tx, change)));
  events.on(endpointMoved, async (tx, { interfaceIds, added }) => {
    // All of IPv4 or IPv6 is written as that, whatever the server's addresses.
    const concerned = ({ ips }: { ips: readonly string[] }) =>
      wholeFamilies(ips).length === 0 && added.some((address) => covers(ips, address));
    const serviceIds = (await catalog.services(tx)).filter(concerned).map(({ id }) => id);
    const dnsIds = (await catalog.dns(tx)).filter(concerned).map(({ id }) => id);
    // Where the server routes, the file names none of them.
    const routed = await interfaces.routedIds(tx);
    const ids = interfaceIds.filter((id) => !routed.includes(id));
    await markStale(tx, { interfaceIds: ids, having: { serviceIds, dnsIds } });
  });
  events.on(serverEndpointChanged, async (tx, { serverId }) => {
    // An interface's own endpoint still applies.
    const concerned = (await interfaces.ofServer(tx, serverId)).filter((row) => row.endpoint === null);
    await markStale(tx, { interfaceIds: concerned.map((row) => row.id) });
  });
  events.on(interfaceChanged, async (tx, { interfaceId, files }) => {
    await addresses.forgetFreeWhereEmpty(tx, interfaceId);
    if (files) await repository.markStale(tx, { interfaceIds: [interfaceId] });
    await events.record(tx, configsChanged, { memberIds: await repository.holdersOn(tx, interfaceId) });
  });
  // Their cards name exits that do not answer.
  events.on(exitsChanged, async (tx, { entryIds }) => {
    for (const { interface: row, server } of (await interfaces.places(tx)).values())
      if (row.routing === "server" && entryIds.includes(server.id))
        await events.record(tx, configsChanged, { memberIds: await repository.holdersOn(tx, row.id) });
  });
  // No machine will ever report that it has dropped them.
  events.on(serverDeleted, async (tx, { serverId }) => {
    const ids = (await interfaces.everOn(tx, serverId)).map(({ id }) => id);
    await peers.noteOnWire(tx, await peers.undroppedOn(tx, ids), false);
    await peers.noteCounted(tx, ids);
  });
  events.on(interfaceDeleted, (tx, { interfaceId }) => changes.deleteOn(tx, interfaceId));
  events.on(interfaceGivenBack, (tx, { interfaceId }) => repository.releaseKeys(tx, interfaceId));

  return {
    usage: { ...makeUsage(parts), toDownloadForService: outdated.wouldLack },
    /** How many devices of each interface should be online at `now`, ms, and how many are; by interface id. */
    reach: (over: Db, now: number) => reachOf(over, parts.traffic.counters(over), now),
    /** A member's own configs, the oldest first, at most `limit`. */
    ofMember: async (memberId: string, limit: number) => describe(db, await repository.ofMember(db, memberId, limit)),
    giveFile: makeGiveFile(parts).file,
    fileLinks,
    forgetOld: fileLinks.forgetOld,
    idsOf: async (memberId: string) => (await repository.ofMember(db, memberId)).map(({ id }) => id),
    dataExport: { configs: makeOwnConfigs(parts) },
    byIds: peers.byIds,
    onServersByIds: peers.onServersByIds,
    /** A member's own configs that are not deleted, the oldest first. */
    async keptOf(over: Db | Tx, memberId: string): Promise<ConfigRow[]> {
      const ids = (await repository.ofMember(over, memberId)).map(({ id }) => id);
      return (await peers.byIds(over, ids)).toSorted((a, b) => a.created_at - b.created_at);
    },
    replaceLostKey: changes.replaceLostKey,
    servicesOf: repository.servicesOf,
    onInterfaces: peers.onInterfaces,
    undroppedOn: peers.undroppedOn,
    /** Changes with everything that decides the peers of these interfaces; costs one statement. */
    async fingerprintOfPeers(over: Db, interfaceIds: readonly string[]): Promise<string> {
      const { graceHours } = await settings.read(over);
      const entitled = members.entitledIds(over, clock.now().getTime(), graceHours);
      return peers.fingerprintOfPeers(over, interfaceIds, entitled);
    },
    /** How many peers each interface should have and is recorded to have, by id; costs one statement. */
    async peerCounts(over: Db) {
      const { graceHours } = await settings.read(over);
      const now = clock.now().getTime();
      const entitled = members.entitledIds(over, now, graceHours);
      return peerCounts(over, { entitled, unentitled: members.unentitledIds(over, now, graceHours) });
    },
    addressesOf: repository.addressesOf,
    peersByKeys: peers.peersByKeys,
    lockToMove: moves.lockToMove,
    moveConfig: moves.moveConfig,
    ...many,
    takeIn: makeTakeIn(parts),
    unknownPeers: makeUnknownPeers(parts),
    keysTaken: repository.keysTaken,
    isUntouched: repository.isUntouched,
    ownersOn: repository.ownersOn,
    countOn: repository.countOn,
    arrived: moves.arrived,
    ownersOf: repository.ownersOf,
    holdersOf: repository.holdersOf,
    countsOf: repository.countsOf,
    countFor: repository.countFor,
    kinds: repository.kinds,
    owners: repository.owners,
    idsOwnedBy: repository.idsOwnedBy,
    idsOfOwner: repository.idsOfOwner,
    list: makeConfigList(parts),
    /** Records what the server confirmed, only while the key is still the one that was applied. */
    async noteOnWire(tx: Tx, rows: readonly OnWire[], onWire: boolean): Promise<void> {
      await peers.noteOnWire(tx, rows, onWire);
      await events.record(tx, configsChanged, { memberIds: rows.flatMap((row) => row.member_id ?? []) });
    },
    /**
     * Records that these peers carry nothing any more; their keys still tell whose last bytes they are. `shown`: those whose cards
     * change with it, as not for a member who may not use the VPN.
     */
    async noteSilenced(tx: Tx, rows: readonly ConfigOnServer[], shown: readonly ConfigOnServer[]): Promise<void> {
      await peers.noteSilenced(tx, rows);
      const memberIds = shown.filter((row) => row.on_wire === 1).map((row) => row.member_id);
      await events.record(tx, configsChanged, { memberIds });
    },
    /** Records that these interfaces have no silenced peer left, with the last bytes of each counted. */
    noteCounted: peers.noteCounted,
    isWanted,
    /** @throws if its preshared key cannot be opened; then `unreadablePeerOf` */
    peerOf: (row: ConfigOnServer): DesiredPeer => ({
      ...unreadablePeerOf(row),
      presharedKey: presharedKeyOf(sealing, row),
    }),
    unreadablePeerOf,
    purgePast: changes.purgePast,
    endMoves: moves.endOverdue,
    cutEnded: ended.cut,
    timed: [
      { name: "subscriptions", at: "*/2 * * * * *", leaseMs: LEASE_MS, elsewhere: ended.leave, run: ended.cut },
      {
        name: "deleted configs",
        at: "*/20 * * * * *",
        leaseMs: 10_000,
        forgets: true,
        run: changes.purgePast,
      },
      { name: "outdated files", at: "35 * * * * *", leaseMs: 30_000, run: outdated.markDue },
      { name: "devices not seen", at: "0 20 * * * *", leaseMs: 60_000, run: dormant.watch },
      { name: "devices long off", at: "0 25 * * * *", leaseMs: 60_000, forgets: true, run: dormant.deleteOld },
      { name: "devices that end", at: "*/20 * * * * *", leaseMs: 15_000, run: makeDeviceEnd(parts).watch },
      { name: "overdue moves", at: "*/20 * * * * *", leaseMs: 10_000, forgets: true, run: moves.endOverdue },
    ],
  };
}
