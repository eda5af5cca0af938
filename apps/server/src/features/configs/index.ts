import type { Clock } from "../../platform/clock.ts";
import type { ClubTime } from "../../platform/club-time.ts";
import type { Db, Transact, Tx } from "../../platform/database/database.ts";
import type { Events } from "../../platform/events.ts";
import type { Jobs } from "../../platform/jobs.ts";
import type { Sealing } from "../../platform/sealing.ts";
import type { Audit } from "../audit/index.ts";
import { type Catalog, catalogChanged } from "../catalog/index.ts";
import { type Interfaces, interfaceChanged, interfaceDeleted } from "../interfaces/index.ts";
import { type Members, memberChanged, memberDeleted, memberStandingChanged } from "../members/index.ts";
import { serverEndpointChanged } from "../servers/index.ts";
import type { Settings } from "../settings/index.ts";
import type { Telegram } from "../telegram/index.ts";
import type { Traffic } from "../traffic/index.ts";
import { makeConfigChanges } from "./change-config.ts";
import { isWanted, makeDescribe } from "./describe-configs.ts";
import { configsChanged } from "./events.ts";
import { presharedKeyOf, publicKeyOf } from "./keys.ts";
import { makeConfigList } from "./list.ts";
import { makeOwnConfigs } from "./own-data.ts";
import * as repository from "./repository.ts";
import { makeConfigRoutes } from "./routes.ts";
import { makeUsage } from "./usage.ts";
import { enqueueApply } from "./wire-jobs.ts";

export { addressesRanLow, configsChanged, configsDeletedByStaff } from "./events.ts";
export { sealedInConfigs } from "./keys.ts";
export type { ConfigRow } from "./table.ts";
export { type ApplyConfigs, applyConfigs } from "./wire-jobs.ts";

export interface ConfigParts {
  db: Db;
  transact: Transact;
  clock: Clock;
  clubTime: ClubTime;
  sealing: Sealing;
  jobs: Jobs;
  events: Events;
  settings: Settings;
  audit: Audit;
  members: Members;
  interfaces: Interfaces;
  catalog: Catalog;
  traffic: Traffic;
  telegram: Pick<Telegram, "isRequired">;
}

export type Configs = ReturnType<typeof makeConfigs>;

/** A config that was brought to or off the wire; without a member where nobody looks at it any more. */
type OnWire = { id: string; public_key: string; member_id?: string };

/** Configs: one a device, and the peers they should be. */
export function makeConfigs(parts: ConfigParts) {
  const { db, transact, jobs, events, interfaces, members, sealing } = parts;
  const changes = makeConfigChanges(parts);
  const describe = makeDescribe(parts);
  const list = makeConfigList(parts);

  events.on(memberStandingChanged, async (tx, { memberId, blockConfigs }) => {
    if (blockConfigs !== undefined) await repository.setBlocked(tx, memberId, blockConfigs);
    await enqueueApply({ jobs, interfaces }, tx, await repository.ofMembers(tx, [memberId]));
  });
  events.on(memberDeleted, (tx, { memberId }) => changes.purgeMember(tx, memberId));
  const markStale = async (tx: Tx, of: Parameters<typeof repository.markStale>[1]) => {
    const memberIds = await repository.markStale(tx, of);
    await events.record(tx, configsChanged, { memberIds });
  };
  events.on(catalogChanged, markStale);
  events.on(serverEndpointChanged, async (tx, { serverId }) => {
    // An interface with an endpoint of its own goes on with that.
    const concerned = (await interfaces.ofServer(tx, serverId)).filter((row) => row.endpoint === null);
    await markStale(tx, { interfaceIds: concerned.map((row) => row.id) });
  });
  events.on(interfaceChanged, async (tx, { interfaceId, files }) => {
    if (files) await repository.markStale(tx, { interfaceIds: [interfaceId] });
    await events.record(tx, configsChanged, { memberIds: await repository.holdersOn(tx, interfaceId) });
  });
  events.on(interfaceDeleted, (tx, { interfaceId }) => changes.deleteOn(tx, interfaceId));

  return {
    usage: makeUsage(parts),
    routes: (readStats: (serverId: string) => Promise<void>) =>
      makeConfigRoutes(parts, { changes, describe, list, readStats }),
    /** A member's own, the oldest first, at most `limit`. */
    ofMember: async (memberId: string, limit: number) => describe(db, await repository.ofMember(db, memberId, limit)),
    idsOf: async (memberId: string) => (await repository.ofMember(db, memberId)).map(({ id }) => id),
    ownData: makeOwnConfigs(parts),
    byIds: repository.byIds,
    onInterfaces: repository.onInterfaces,
    addressesOf: repository.addressesOf,
    idsByKeys: repository.idsByKeys,
    ownersOf: repository.ownersOf,
    holdersOf: repository.holdersOf,
    countsOf: repository.countsOf,
    kinds: repository.kinds,
    owners: repository.owners,
    idsOwnedBy: repository.idsOwnedBy,
    list,
    /** Notes what the server confirmed. Only while the key is still the one that was applied. */
    async noteOnWire(tx: Tx, rows: readonly OnWire[], onWire: boolean): Promise<void> {
      await repository.noteOnWire(tx, rows, onWire);
      await events.record(tx, configsChanged, { memberIds: rows.flatMap((row) => row.member_id ?? []) });
    },
    isWanted,
    peerOf: (row: Parameters<typeof presharedKeyOf>[1]) => ({
      publicKey: publicKeyOf(row),
      presharedKey: presharedKeyOf(sealing, row),
      allowedIps: row.address_v6 === null ? [`${row.address}/32`] : [`${row.address}/32`, `${row.address_v6}/128`],
    }),
    purgePast: changes.purgePast,
    /** Members whose subscription ended between two moments (ms): their peers leave the wire. */
    async cutEnded(from: number, to: number): Promise<void> {
      const memberIds = await members.endedBetween(db, from, to);
      if (memberIds.length === 0) return;
      const rows = await repository.ofMembers(db, memberIds);
      await transact(async (tx) => {
        await enqueueApply({ jobs, interfaces }, tx, rows);
        for (const memberId of memberIds) await events.record(tx, memberChanged, { memberId });
      });
    },
  };
}
