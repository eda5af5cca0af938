import { randomUUID } from "node:crypto";
import { moveAt } from "@krug/domain/config-rules";
import type { TunnelType } from "@krug/wireguard/protocol";
import type { Tx } from "../../../platform/database/database.ts";
import { refuse } from "../../../platform/refusal.ts";
import { type Place, placeName } from "../interfaces/index.ts";
import { configMoved, configsChanged } from "./events.ts";
import { keysUnlessLost, newPresharedKey, presharedKeyOf, sealedPresharedKey } from "./keys.ts";
import type { Changed, ConfigParts } from "./parts.ts";
import * as places from "./places.ts";
import * as repository from "./repository.ts";
import type { ConfigRow } from "./table.ts";
import { takePlace } from "./take-place.ts";
import { enqueueApply } from "./wire-jobs.ts";

/**
 * Moves a device to another interface, on the same or another server (docs/adr/0044-a-device-that-moves.md). The config gets a
 * new address and preshared key there and keeps its own key. The place it leaves becomes a row of its own, which stays a peer
 * until the device connects at the new one, for at most 24 h.
 */
export function makeMoves(parts: ConfigParts) {
  const { db, transact, clock, events, jobs, interfaces, sealing, traffic, audit } = parts;

  const finish = async (tx: Tx, configIds: readonly string[]): Promise<string[]> => {
    const over = await places.noteMoved(tx, configIds);
    const left = await places.leave(
      tx,
      over.map(({ id }) => id),
    );
    await events.record(tx, configsChanged, { memberIds: over.map(({ member_id }) => member_id) });
    return enqueueApply({ jobs, interfaces }, tx, left);
  };

  const moves = {
    /** Locks a config and its counters, so that no bytes of its former place are counted meanwhile. */
    async lockToMove(tx: Tx, id: string): Promise<ConfigRow | undefined> {
      await traffic.hold(tx, id);
      return repository.lockAny(tx, id);
    },

    /**
     * `config` is locked to move, and `to` is open to its owner (take-place.ts). Moved again before its new file was downloaded,
     * the device gives that place up, and its remaining time continues. `stayUntil`, ms: replaces the usual time.
     * @throws Refusal interface.full, interface.unknown, config.still_there, config.secret_lost
     */
    async moveConfig(tx: Tx, config: ConfigRow, to: Place, actorId: string, stayUntil?: number): Promise<Changed> {
      const from = config.interface_id;
      if (await places.isOn(tx, config.id, to.interface.id)) refuse("config.still_there", { field: "interfaceId" });
      const seal = await sealing.sealer(tx);
      const presharedKey = keysUnlessLost(() => presharedKeyOf(sealing, config));
      const { columns, tellIfLow } = await takePlace(parts, tx, to, true);
      const now = clock.now().getTime();
      const { moves_until: movesUntil, delivered_at } = config;
      const since = movesUntil === null ? 0 : await places.movedAt(tx, config.id);
      const isFileGivenOut = delivered_at !== null && delivered_at >= since;
      const { until, stays } = moveAt({ movesUntil, isFileGivenOut }, now, stayUntil);
      const id = randomUUID();
      const left: ConfigRow = {
        ...config,
        id,
        place_of: config.id,
        public_key: `place:${id}`,
        peer_key: config.public_key,
        sealed_private_key: null,
        sealed_preshared_key: sealedPresharedKey(seal, id, presharedKey),
        moves_until: stays ? until : null,
        delivered_at: null,
        is_stale: 0,
        idempotency_key: null,
        idempotency_body: null,
        key_request: null,
        deleted_at: now,
        created_at: now,
      };
      const change = {
        ...columns,
        sealed_preshared_key: newPresharedKey(seal, config.id),
        on_wire: 0,
        leaving_key: null,
        moves_until: until,
      };
      await repository.update(tx, config.id, change);
      await places.insert(tx, left);
      await tellIfLow();
      await traffic.move(tx, config.id, id, { from, to: to.interface.id });
      await events.record(tx, configMoved, { configId: config.id, from, to: to.interface.id });
      if (actorId !== config.member_id) {
        const origin = (await interfaces.knownPlaces(tx)).get(from);
        await audit.record(tx, actorId, "config.moved", {
          target: config.id,
          memberId: config.member_id,
          before: { interface: origin === undefined ? null : placeName(origin) },
          after: { interface: placeName(to) },
        });
      }
      const moved = { ...config, ...change };
      return { config: moved, jobIds: await enqueueApply({ jobs, interfaces }, tx, [moved, left]) };
    },

    /** The same by staff: a downloaded file is marked, as nobody is there to save the new one. */
    async moveByStaff(tx: Tx, config: ConfigRow, to: Place, actorId: string, stayUntil?: number): Promise<Changed> {
      const moved = await moves.moveConfig(tx, config, to, actorId, stayUntil);
      if (config.delivered_at !== null) await repository.update(tx, config.id, { is_stale: 1 });
      return moved;
    },

    /** These devices connected at their new places: ends the old ones. Other devices do not change. */
    arrived: (configIds: readonly string[]): Promise<void> =>
      transact(async (tx) => void (await finish(tx, configIds))),

    /** Ends moves in the transaction, whatever happened to the devices; returns the jobs. */
    finish,

    /** Ends moves whose time is over. */
    async endOverdue(): Promise<void> {
      const ids = await places.overdue(db, clock.now().getTime(), 500);
      if (ids.length > 0) await transact(async (tx) => void (await finish(tx, ids)));
    },
  };
  return moves;
}

/** Whether a device that leaves an interface of this type now needs AmneziaWG's app. */
export const isOtherApp = (type: TunnelType | undefined, to: Place): boolean =>
  to.interface.type === "amneziawg" && type !== "amneziawg";
