import { NO_LIMIT, RESTORE_WINDOW_MS } from "@krug/domain/config-rules";
import type { Tx } from "../../../platform/database/database.ts";
import { unlessFull } from "../../../platform/database/trouble.ts";
import { groupBy } from "../../../platform/group-by.ts";
import type { Actor } from "../../../platform/http/call.ts";
import { refuse } from "../../../platform/refusal.ts";
import { requireRight } from "../../club/rights/index.ts";
import * as addresses from "./addresses.ts";
import { refuseUnknownRoutes } from "./config-text.ts";
import { forget as forgetUnseen } from "./dormant-repository.ts";
import { configRestored, configsChanged, configsDeleted, configsDeletedByStaff } from "./events.ts";
import { isKeyTaken, newKeys } from "./keys.ts";
import { makeMoves } from "./move-config.ts";
import { changedSince } from "./outdated-repository.ts";
import type { Changed, ConfigParts } from "./parts.ts";
import * as peers from "./peers-repository.ts";
import * as places from "./places.ts";
import * as repository from "./repository.ts";
import type { ConfigRow } from "./table.ts";
import { enqueueApply } from "./wire-jobs.ts";

const isPast = (row: ConfigRow, now: Date) =>
  row.deleted_at !== null && now.getTime() - row.deleted_at > RESTORE_WINDOW_MS;

/** Changes of an existing config. Others' configs are 'not found'. */
export function makeConfigChanges(parts: ConfigParts) {
  const { db, transact, clock, jobs, events, interfaces, sealing, members, audit, auth } = parts;
  const { finish } = makeMoves(parts);

  const lockOwn = async (tx: Tx, memberId: string, id: string) => {
    const row = await repository.lockAny(tx, id);
    if (row === undefined || row.member_id !== memberId) refuse("config.not_found");
    return row;
  };

  /** Writes a change of configs, and notifies their owners' open pages. A hand-over link ends with the config, and with its key. */
  const change = async (tx: Tx, rows: readonly ConfigRow[], columns: Parameters<typeof repository.updateMany>[2]) => {
    const ids = rows.map(({ id }) => id);
    await repository.updateMany(tx, ids, columns);
    if (columns.deleted_at || columns.public_key) await auth.voidConfigLinks(tx, ids);
    await events.record(tx, configsChanged, { memberIds: [...new Set(rows.map(({ member_id }) => member_id))] });
  };

  const tellOwners = async (tx: Tx, rows: readonly Pick<ConfigRow, "member_id" | "name">[], except?: string) => {
    for (const [memberId, ofMember] of groupBy(rows, (row) => row.member_id))
      if (memberId !== except)
        await events.record(tx, configsDeletedByStaff, { memberId, names: ofMember.map(({ name }) => name) });
  };
  /** Deletes configs as staff: permanently, audited, with a notice to the owners. */
  const removeOthers = async (tx: Tx, actor: Actor, rows: readonly ConfigRow[], at: number) => {
    await change(tx, rows, { deleted_at: at, deleted_by: actor.memberId });
    await audit.recordAll(
      tx,
      rows.map((row) => ({
        actorId: actor.memberId,
        action: "config.deleted",
        target: row.id,
        memberId: row.member_id,
        before: { name: row.name },
      })),
    );
    await events.record(tx, configsDeleted, rows);
    await tellOwners(tx, rows, actor.memberId);
  };

  /** New keys for the same slot of a locked config; the old key leaves the wire at once (decisions, section 6). */
  const giveNewKey = async (
    tx: Tx,
    row: ConfigRow,
    browserKey: string | undefined,
    given: Pick<ConfigRow, "made_by" | "delivered_at" | "key_request">,
  ): Promise<Changed> => {
    const keys = newKeys(await sealing.sealer(tx), row.id, browserKey);
    if (await isKeyTaken(interfaces, tx, keys.public_key)) refuse("config.key_taken", { field: "publicKey" });
    const columns = {
      ...keys,
      on_wire: 0,
      // Assigns the old key's last bytes, once its server can report them.
      leaving_key: row.on_wire === 1 ? row.public_key : row.leaving_key,
      is_stale: 0,
      ...given,
    };
    await change(tx, [row], columns);
    // The old key ends in all places.
    const ended = await finish(tx, [row.id]);
    const gone = { configId: row.id, interfaceId: row.interface_id, publicKey: row.public_key };
    const jobIds = await enqueueApply({ jobs, interfaces }, tx, [row], [gone]);
    return { config: { ...row, ...columns, moves_until: null }, jobIds: [...ended, ...jobIds] };
  };

  return {
    /**
     * Takes the config off the wire. Its keys are kept for 60 s, and its address unless a new config needs it. A second time
     * changes nothing.
     */
    remove: (actor: Actor, id: string): Promise<string[]> =>
      transact(async (tx) => {
        const row = (await repository.lockAny(tx, id)) ?? refuse("config.not_found");
        const isOwn = row.member_id === actor.memberId;
        if (!isOwn) requireRight(actor, "configs.delete_any", "config.not_found");
        if (row.deleted_at !== null) return isOwn ? [] : refuse("config.not_found");
        const at = clock.now().getTime();
        if (isOwn) {
          await change(tx, [row], { deleted_at: at });
          await events.record(tx, configsDeleted, [row]);
        } else await removeOthers(tx, actor, [row], at);
        return enqueueApply({ jobs, interfaces }, tx, [row, ...(await places.leave(tx, [id], at))]);
      }),

    /** The same by an admin for many; those that no longer exist are skipped. */
    removeMany: (actor: Actor, ids: readonly string[]): Promise<{ deleted: string[]; jobIds: string[] }> =>
      transact(async (tx) => {
        const rows = (await repository.lockMany(tx, ids)).filter((row) => row.deleted_at === null);
        const at = clock.now().getTime();
        const deleted = rows.map(({ id }) => id);
        await removeOthers(tx, actor, rows, at);
        const left = await places.leave(tx, deleted, at);
        return { deleted, jobIds: await enqueueApply({ jobs, interfaces }, tx, [...rows, ...left]) };
      }),

    /** Restores a deleted config with the same keys and address. */
    restore: (memberId: string, id: string): Promise<Changed> =>
      transact(async (tx) => {
        const member = (await members.lock(tx, memberId)) ?? refuse("member.not_found");
        const row = await lockOwn(tx, memberId, id);
        if (row.deleted_at === null) return { config: row, jobIds: [] };
        if (row.deleted_by !== null) refuse("config.deleted_by_staff");
        if (isPast(row, clock.now())) refuse("config.restore_too_late");
        if (row.address === "") refuse("config.address_given");
        // Locked, so that nobody deletes it meanwhile.
        if ((await interfaces.lock(tx, row.interface_id)) === undefined) refuse("config.interface_gone");
        // An expired member may restore a config. Only the limit can prevent it, if they created another one meanwhile.
        const isFull =
          member.config_limit !== NO_LIMIT &&
          (await repository.countOf(tx, memberId, Math.max(1, member.config_limit))) >= member.config_limit;
        if (isFull) refuse("config.limit_reached");
        if (await repository.isNameTaken(tx, memberId, row.name)) refuse("config.name_taken", { field: "name" });
        const isMoving = row.moves_until !== null && row.moves_until > clock.now().getTime();
        const back = isMoving ? await places.comeBack(tx, row) : [];
        const columns = { deleted_at: null, moves_until: back.length > 0 ? row.moves_until : null };
        await change(tx, [row], columns);
        await events.record(tx, configRestored, row);
        const jobIds = await enqueueApply({ jobs, interfaces }, tx, [row, ...back]);
        return { config: { ...row, ...columns }, jobIds };
      }),

    /** By its owner. Repeating the request changes nothing. */
    replaceKey: (
      memberId: string,
      id: string,
      browserKey: string | undefined,
      idempotencyKey: string | null,
    ): Promise<Changed> =>
      transact(async (tx) => {
        const row = await lockOwn(tx, memberId, id);
        if (row.deleted_at !== null) refuse("config.not_found");
        if (idempotencyKey !== null && row.key_request === idempotencyKey) {
          const isSame = browserKey === undefined ? row.sealed_private_key !== null : row.public_key === browserKey;
          if (!isSame) refuse("request.idempotency_mismatch");
          return { config: row, jobIds: [] };
        }
        refuseUnknownRoutes((await repository.servicesOf(tx, [id])).get(id) ?? []);
        const delivered_at = browserKey === undefined ? null : clock.now().getTime();
        return giveNewKey(tx, row, browserKey, { made_by: null, delivered_at, key_request: idempotencyKey });
      }),

    /**
     * The same for a lost device, whether or not a file can be written for it: null if its key already differs from `seenKey`.
     * `staffId`: who confirmed it, null for the member.
     */
    async replaceLostKey(
      tx: Tx,
      { memberId, id, seenKey }: { memberId: string; id: string; seenKey: string | null },
      staffId: string | null,
    ): Promise<Changed | null> {
      const row = await lockOwn(tx, memberId, id);
      if (row.deleted_at !== null) refuse("config.not_found");
      if (seenKey !== null && !row.public_key.startsWith(seenKey)) return null;
      return giveNewKey(tx, row, undefined, { made_by: staffId, delivered_at: null, key_request: null });
    },

    /** Records that the current file was downloaded. */
    async noteDelivered(row: ConfigRow): Promise<void> {
      // What a file contains follows from its time (outdated-files.ts).
      if (row.is_stale === 0 && row.delivered_at !== null && !(await changedSince(db, row.id, row.delivered_at)))
        return;
      const given = { delivered_at: clock.now().getTime(), is_stale: 0 };
      await unlessFull(
        transact((tx) => change(tx, [row], given)),
        undefined,
      );
    },
    /** The same for a file that has left: `row` is locked, and this is still its file. */
    noteArrived: (tx: Tx, row: ConfigRow): Promise<void> =>
      change(tx, [row], { delivered_at: clock.now().getTime(), is_stale: 0 }),

    /** Destroys keys and frees addresses of configs that can no longer be restored. */
    purgePast: () =>
      transact(async (tx) => {
        const now = clock.now().getTime();
        const rows = await addresses.lockPast(tx, now - RESTORE_WINDOW_MS, 500);
        await addresses.purge(
          tx,
          rows.map((row) => row.id),
          now,
        );
      }),

    /**
     * An interface was deleted, and its configs with it; their keys go once its server has dropped them. Moves away from it end.
     */
    deleteOn: async (tx: Tx, interfaceId: string) => {
      await finish(tx, await places.leaving(tx, interfaceId));
      const rows = await repository.deleteOn(tx, interfaceId, clock.now().getTime());
      const ids = rows.map(({ id }) => id);
      await finish(tx, ids);
      await auth.voidConfigLinks(tx, ids);
      await events.record(tx, configsChanged, { memberIds: rows.map((row) => row.member_id) });
      await events.record(tx, configsDeleted, rows);
      await tellOwners(tx, rows);
    },

    /** A member was deleted: destroys the keys; jobs of the same transaction remove the peers. */
    purgeMember: async (tx: Tx, memberId: string) => {
      const rows = await peers.lockKeptOf(tx, memberId);
      const gone = rows.map((row) => ({ configId: row.id, interfaceId: row.interface_id, publicKey: row.public_key }));
      await addresses.purge(
        tx,
        rows.map((row) => row.id),
        clock.now().getTime(),
      );
      await enqueueApply({ jobs, interfaces }, tx, [], gone);
      await events.record(
        tx,
        configsDeleted,
        rows.filter((row) => row.deleted_at === null),
      );
      await forgetUnseen(
        tx,
        rows.map((row) => row.id),
      );
      // Traffic stays with the rows; the member's names do not, also of configs deleted long ago.
      await repository.forgetNames(tx, memberId);
    },
  };
}
