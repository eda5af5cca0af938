import { randomUUID } from "node:crypto";
import { isFor, type NamingKind, type Told, traitsOf } from "@krug/domain/notices";
import type { Tx } from "../../../platform/database/database.ts";
import { isFriendHidden, seesVip } from "../../club/rights/index.ts";
import type { InboxParts } from "./parts.ts";
import * as repository from "./repository.ts";

export type NewNotice = {
  memberId: string;
  /** Prevents notifying this member twice; without it, repeats are fine. */
  onceKey?: string;
  /** It leaves the panel then, ms, at the earliest: till then it may be withdrawn. */
  heldUntil?: number | undefined;
} & News;

/** A notice. If it names another member it says whom: the type requires that if a param is a `person`. */
export type News =
  | { told: Extract<Told, { kind: NamingKind }>; about: string }
  | { told: Exclude<Told, { kind: NamingKind }>; about?: undefined; countsVip?: boolean };

export type Tell = ReturnType<typeof makeTell>;

/**
 * Writes notices in the transaction of their cause, also for the outbox, and makes open pages fetch them. Members who may not
 * read a notice do not get it (NOTICES). Returns the notices written: those with a used key are skipped.
 */
export function makeTell({ clock, live, outbox, members }: Pick<InboxParts, "clock" | "live" | "outbox" | "members">) {
  const readable = async (tx: Tx, notices: readonly NewNotice[]): Promise<readonly NewNotice[]> => {
    const needsALook = ({ told, about }: NewNotice) => about !== undefined || traitsOf(told.kind).audience !== "member";
    if (!notices.some(needsALook)) return notices;
    const ids = notices.filter(needsALook).flatMap(({ memberId, about }) => [memberId, about ?? memberId]);
    const people = new Map((await members.byIds(tx, [...new Set(ids)])).map((row) => [row.id, row]));
    return notices.filter((notice) => {
      if (!needsALook(notice)) return true;
      const reader = people.get(notice.memberId);
      if (reader === undefined || !isFor(notice.told.kind, reader.role)) return false;
      if (notice.about === undefined) return notice.countsVip !== true || seesVip(reader);
      const about = people.get(notice.about);
      return about !== undefined && !isFriendHidden(reader, about);
    });
  };

  return async (tx: Tx, notices: readonly NewNotice[]) => {
    const now = clock.now().getTime();
    const written = (await readable(tx, notices)).map((notice) => ({ id: randomUUID(), notice }));
    const told = await repository.insert(
      tx,
      written.map(({ id, notice }) => ({
        id,
        member_id: notice.memberId,
        kind: notice.told.kind,
        params: JSON.stringify(notice.told.params),
        once_key: notice.onceKey ?? null,
        about_id: notice.about ?? null,
        counts_vip: Number(notice.about === undefined && notice.countsVip === true),
        created_at: now,
        read_at: null,
      })),
    );
    if (told.length === 0) return told;
    const heldOf = new Map<string, number | undefined>(written.map(({ id, notice }) => [id, notice.heldUntil]));
    await outbox.put(
      tx,
      told.map((one) => ({ ...one, heldUntil: heldOf.get(one.id) })),
    );
    live.tell(
      tx,
      told.map(({ memberId }) => memberId),
      "inbox",
    );
    return told;
  };
}
