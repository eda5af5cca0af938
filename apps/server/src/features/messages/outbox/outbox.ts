import { DAY_MS } from "@krug/domain/moment";
import { type NoticeKind, traitsOf } from "@krug/domain/notices";
import { NOTICE_GROUPS, type NoticeGroup, OFF_BY_DEFAULT } from "@krug/domain/notices/groups";
import { endOfQuiet } from "@krug/domain/quiet-hours";
import type { Db, Tx } from "../../../platform/database/database.ts";
import { groupBy } from "../../../platform/group-by.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { Settings } from "../../club/settings/index.ts";
import { memberDeleted } from "../../members/members/index.ts";
import * as repository from "./repository.ts";
import type { WayName } from "./table.ts";

/** Signals every panel; one of them sends. */
export const OUTBOX_WRITTEN = "outbox";
/** Long enough for staff to see what could not be sent, and why. */
const FAILED_KEPT_MS = 7 * DAY_MS;

/** A notice that the inbox has just written. */
interface Written {
  id: string;
  memberId: string;
  kind: NoticeKind;
  /** Not sent before, ms. */
  heldUntil?: number | undefined;
}

/** Where one member can be reached on a channel. */
interface Target {
  memberId: string;
  target: string;
}
/** Those of these members who can be reached, and where. */
type FindTargets = (tx: Tx, memberIds: readonly string[]) => Promise<readonly Target[]>;

export type NoticeChoices = Record<NoticeGroup, boolean>;
export type Outbox = ReturnType<typeof makeOutbox>;

interface Parts extends Platform {
  settings: Settings;
}

/**
 * Notices waiting to leave the panel: written in the transaction of their cause, so that nothing is lost (send-notices.ts sends
 * them).
 */
export function makeOutbox({ db, transact, clock, clubTime, events, signals, settings }: Parts) {
  const ways = new Map<WayName, FindTargets>();
  let lastTurn = 0;

  const choicesOf = async (over: Db | Tx, memberId: string): Promise<NoticeChoices> => {
    const chosen = new Map((await repository.choices(over, [memberId])).map((row) => [row.notices, row.wanted === 1]));
    return Object.fromEntries(
      NOTICE_GROUPS.map((group) => [group, chosen.get(group) ?? !OFF_BY_DEFAULT.includes(group)]),
    ) as NoticeChoices;
  };

  events.on(memberDeleted, async (tx, { memberId }) => {
    await repository.deleteOf(tx, memberId);
    await repository.deleteChoicesOf(tx, memberId);
  });

  return {
    /** Later notices go through this channel too. */
    addWay: (way: WayName, findTargets: FindTargets) => void ways.set(way, findTargets),

    choicesOf,
    choose: (memberId: string, change: { [Group in NoticeGroup]?: boolean | undefined }): Promise<NoticeChoices> =>
      transact(async (tx) => {
        for (const group of NOTICE_GROUPS) {
          const isWanted = change[group];
          if (isWanted !== undefined)
            await repository.choose(tx, { member_id: memberId, notices: group, wanted: Number(isWanted) });
        }
        return choicesOf(tx, memberId);
      }),

    /** Those of these members who asked for notices that are off by default. */
    async wanting(over: Db | Tx, memberIds: readonly string[], group: NoticeGroup): Promise<string[]> {
      const rows = await repository.choices(over, memberIds);
      return rows.filter(({ notices, wanted }) => notices === group && wanted === 1).map((row) => row.member_id);
    },

    /** Sends these through every channel, to members who can be reached there and want them. */
    async put(tx: Tx, notices: readonly Written[]): Promise<void> {
      if (ways.size === 0 || notices.length === 0) return;
      const ids = [...new Set(notices.map(({ memberId }) => memberId))];
      const targets: (Target & { way: WayName })[] = [];
      for (const [way, findTargets] of ways)
        for (const found of await findTargets(tx, ids)) targets.push({ ...found, way });
      if (targets.length === 0) return;
      const reached = groupBy(targets, ({ memberId }) => memberId);
      const unwanted = new Set(
        (await repository.choices(tx, [...reached.keys()]))
          .filter(({ wanted }) => wanted === 0)
          .map((row) => `${row.member_id} ${row.notices}`),
      );
      const now = clock.now().getTime();
      const { quietFrom, quietUntil } = await settings.read(tx);
      const end = endOfQuiet(clubTime.toWall(now), { from: quietFrom, until: quietUntil });
      const afterQuiet = end === null ? now : clubTime.fromWall(end);
      const rows = notices
        .filter(({ memberId, kind }) => !unwanted.has(`${memberId} ${traitsOf(kind).group}`))
        .flatMap(({ id, memberId, kind, heldUntil = now }) => {
          lastTurn = Math.max(lastTurn + 1, now * 1_000);
          const not_before = Math.max(traitsOf(kind).canWait ? afterQuiet : now, heldUntil);
          const common = { notice_id: id, member_id: memberId, turn: lastTurn, not_before, attempts: 0 };
          return (reached.get(memberId) ?? []).map(({ way, target }) => ({ ...common, way, target }));
        });
      if (rows.length === 0) return;
      await repository.insert(tx, rows);
      signals.send(tx, OUTBOX_WRITTEN);
    },

    backlog: (over: Db, way: WayName) => repository.backlog(over, way),
    /** How many wait and how many were given up, on each channel. */
    async counts(over: Db): Promise<repository.WayCount[]> {
      const found = await repository.counts(over, clock.now().getTime());
      return [...ways.keys()].map(
        (way) => found.find((count) => count.way === way) ?? { way, waiting: 0, failed: 0, oldestAt: null },
      );
    },
    /** Cancels what waits for these targets. */
    forgetTargets: (tx: Tx, way: WayName, targets: readonly string[]) => repository.deleteWaiting(tx, way, targets),
    /** Deletes notices given up long ago; once an hour is often enough. */
    forgetOld: (): Promise<void> =>
      transact((tx) => repository.deleteFailedBefore(tx, clock.now().getTime() - FAILED_KEPT_MS)),
    dataExport: { noticeChoices: (memberId: string) => choicesOf(db, memberId) },
  };
}
