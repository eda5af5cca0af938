import type { NoticeAnswer } from "@krug/contract/messages/inbox";
import { entitlementBesideQuota } from "@krug/domain/entitlement";
import { DAY_MS, isoOf } from "@krug/domain/moment";
import { REFERRAL_FRIENDS } from "@krug/domain/referral";
import { UNDO_UNTIL_MS } from "@krug/domain/undo";
import type { Db } from "../../../platform/database/database.ts";
import { groupBy } from "../../../platform/group-by.ts";
import { passkeyAdded, passkeyCopied, passkeysReset } from "../../access/passkeys/index.ts";
import {
  type MemberRow,
  memberDeleted,
  quotaReached,
  staffWrote,
  standingOf,
  subscriptionExtended,
} from "../../members/members/index.ts";
import { ifSeveral, paymentRecorded, paymentTakenBack } from "../../money/payments/index.ts";
import { referralEarned, referralLost } from "../../money/referral/index.ts";
import {
  configMadeByStaff,
  configMovedByStaff,
  configsDeletedByStaff,
  configsMovedByStaff,
  devicesEnd,
  devicesUnseen,
  filesOutdated,
} from "../../vpn/configs/index.ts";
import { devicesConnected } from "../../vpn/traffic/index.ts";
import { memberSeenAgain } from "../../vpn/usage/index.ts";
import { lostDeviceCutByStaff, lostDeviceReported } from "../lost-devices/index.ts";
import { supportAnswered, supportSeen, wishedServiceAdded } from "../support/index.ts";
import type { InboxParts } from "./parts.ts";
import { makeReaderOf } from "./reader-of.ts";
import { makeRemindOfEnds } from "./remind-of-ends.ts";
import * as repository from "./repository.ts";
import { makeTell } from "./tell.ts";
import { makeTellDailyDigest } from "./tell-daily-digest.ts";
import { makeTellEveryone } from "./tell-everyone.ts";
import { answerKey, makeTellOfUnseenAnswers } from "./tell-of-unseen-answers.ts";
import { tellStaff } from "./tell-staff.ts";
import { toNotice } from "./to-notice.ts";
import { whileUndoable, withdrawUndone } from "./withdraw-undone.ts";

/** Older notices are deleted. */
const KEPT_MS = 365 * DAY_MS;
/** A list in an answer has at most this many rows (decisions, section 13). */
const MOST_EXPORTED = 1_000;

/** The club's notices to members: written where their cause is, stored to be read in the panel (decisions, section 8). */
export function makeInbox(parts: InboxParts) {
  const { db, transact, clock, clubTime, events, settings, members, configs, outbox, live } = parts;
  const tell = makeTell(parts);
  const readerOf = makeReaderOf(parts);
  makeTellEveryone(parts, tell);
  tellStaff(parts, tell);
  const remindOfEnds = makeRemindOfEnds(parts, tell);

  events.on(configsDeletedByStaff, (tx, { memberId, names }) =>
    tell(tx, [{ memberId, told: { kind: "config_deleted", params: { names } } }]),
  );
  events.on(passkeyAdded, (tx, { memberId, name }) =>
    tell(tx, [{ memberId, told: { kind: "passkey_added", params: { name } } }]),
  );
  events.on(passkeyCopied, (tx, { memberId, name }) =>
    tell(tx, [{ memberId, told: { kind: "passkey_copied", params: { name } } }]),
  );
  events.on(passkeysReset, (tx, { memberId, by }) =>
    tell(tx, [{ memberId, told: { kind: "passkeys_reset", params: { by } } }]),
  );
  events.on(lostDeviceReported, (tx, { memberId, asksStaff }) =>
    tell(tx, [{ memberId, told: { kind: "lost_device_reported", params: { asksStaff } } }]),
  );
  events.on(lostDeviceCutByStaff, (tx, { memberId, name }) =>
    tell(tx, [{ memberId, told: { kind: "lost_device_cut", params: { name } } }]),
  );
  events.on(configMadeByStaff, (tx, { memberId, name }) =>
    tell(tx, [{ memberId, told: { kind: "config_made", params: { name } } }]),
  );
  events.on(devicesConnected, async (tx, configIds) => {
    const rows = await configs.byIds(tx, configIds);
    const wanting = new Set(
      await outbox.wanting(
        tx,
        rows.map((row) => row.member_id),
        "connections",
      ),
    );
    const told = rows.filter((row) => wanting.has(row.member_id) && row.deleted_at === null);
    if (told.length > 0)
      await tell(
        tx,
        told.map(({ member_id, name }) => ({
          memberId: member_id,
          told: { kind: "device_connected" as const, params: { name } },
        })),
      );
  });
  events.on(configMovedByStaff, (tx, { memberId, until, ...params }) =>
    tell(tx, [{ memberId, told: { kind: "config_moved", params: { ...params, until: isoOf(until) } } }]),
  );
  events.on(filesOutdated, async (tx, told) => {
    for (const [weekAt, ofWeek] of groupBy(told, (one) => one.weekAt)) {
      const onceKey = `files_outdated:${weekAt}`;
      const memberIds = ofWeek.map(({ memberId }) => memberId);
      // An unread one is replaced by one that names all of the devices.
      await repository.deleteUnread(tx, memberIds, onceKey);
      const notices = ofWeek.map(({ memberId, names }) => ({
        memberId,
        told: { kind: "files_outdated" as const, params: { names } },
        onceKey,
      }));
      await tell(tx, notices);
    }
  });
  events.on(devicesUnseen, (tx, told) =>
    tell(
      tx,
      told.map(({ memberId, names, stage, at }) => ({
        memberId,
        told: { kind: "devices_unseen" as const, params: { names, stage, at: clubTime.write(at) } },
      })),
    ),
  );
  events.on(devicesEnd, (tx, told) =>
    tell(
      tx,
      told.map(({ memberId, names, stage, at }) => ({
        memberId,
        told: { kind: "devices_end" as const, params: { names, stage, at: clubTime.write(at) } },
      })),
    ),
  );
  events.on(configsMovedByStaff, (tx, { memberId, until, ...params }) =>
    tell(tx, [{ memberId, told: { kind: "configs_moved", params: { ...params, until: isoOf(until) } } }]),
  );
  events.on(paymentRecorded, (tx, { memberId, period, months, until, undoing }) =>
    tell(tx, [
      {
        memberId,
        ...whileUndoable(undoing),
        told: {
          kind: "payment_recorded",
          params: { period, ...ifSeveral(months), until: clubTime.write(until) },
        },
      },
    ]),
  );
  events.on(paymentTakenBack, (tx, { memberId, period, months, until }) =>
    tell(tx, [
      {
        memberId,
        told: { kind: "payment_taken_back", params: { period, ...ifSeveral(months), until: clubTime.write(until) } },
      },
    ]),
  );
  events.onAll(staffWrote, (tx, messages) =>
    tell(
      tx,
      messages.map(({ memberId, text }) => ({ memberId, told: { kind: "staff_message", params: { text } } })),
    ),
  );
  events.onAll(subscriptionExtended, (tx, extended) =>
    tell(
      tx,
      extended.map(({ memberId, until, undoing }) => ({
        memberId,
        ...whileUndoable(undoing),
        told: { kind: "subscription_extended", params: { until: clubTime.write(until) } },
      })),
    ),
  );
  const withdrawFresh = withdrawUndone(parts, tell);
  const earnedKey = (now: number) => `referral_earned:${clubTime.dayOf(now)}`;
  events.on(memberSeenAgain, async (tx, { firstIds }) => {
    const friends = await members.byIds(tx, firstIds);
    await tell(
      tx,
      friends.flatMap(({ id, display_name, friend_of }) =>
        friend_of === null
          ? []
          : {
              memberId: friend_of,
              told: { kind: "friend_connected" as const, params: { friend: display_name } },
              about: id,
              onceKey: `friend_connected:${id}`,
            },
      ),
    );
  });
  events.on(referralEarned, async (tx, { memberId }) => {
    const row = await members.find(tx, memberId);
    // It gives nothing to a blocked member, or to one whose subscription is unlimited anyway.
    if (row === undefined || row.is_active !== 1 || row.is_unlimited === 1) return;
    const now = clock.now().getTime();
    const told = { kind: "referral_earned" as const, params: { friends: REFERRAL_FRIENDS } };
    // The payment of the friend who made it three may still be undone.
    await tell(tx, [{ memberId, told, onceKey: earnedKey(now), heldUntil: now + UNDO_UNTIL_MS }]);
  });
  events.on(referralLost, async (tx, { memberId }) => {
    const row = await members.find(tx, memberId);
    // A blocked member, or one who has also paid, loses nothing.
    if (row === undefined || row.is_active !== 1) return;
    const now = clock.now();
    if (await withdrawFresh(tx, memberId, earnedKey(now.getTime()))) return;
    if (entitlementBesideQuota(standingOf(row, await settings.read(tx)), now).allowed) return;
    const told = { kind: "referral_ended" as const, params: { endedAt: now.toISOString() } };
    // Once a day: friends may come and go, and a clock may be corrected.
    await tell(tx, [{ memberId, told, onceKey: `referral_ended:${clubTime.dayOf(now.getTime())}` }]);
  });
  events.onAll(quotaReached, (tx, all) =>
    tell(
      tx,
      all.map(({ memberId, stage, quotaBytes, atEnd, slowMbit, endsAt, onceKey }) => ({
        memberId,
        told: {
          kind: stage === "nearly" ? "quota_nearly" : "quota_used_up",
          params: {
            bytes: quotaBytes,
            atEnd,
            ...(slowMbit === null ? {} : { slowMbit }),
            resetsAt: clubTime.write(endsAt),
          },
        },
        onceKey,
      })),
    ),
  );
  const tellOfUnseenAnswers = makeTellOfUnseenAnswers(parts, tell);
  events.on(supportAnswered, async (tx, { memberId, ticketId, messageId }) => {
    // A member who is looking sees the answer itself, and one notice of unread answers is enough.
    if (live.isLooking(memberId) || (await repository.hasUnread(tx, memberId, "support_reply"))) return;
    await tell(tx, [
      { memberId, told: { kind: "support_reply", params: { ticketId } }, onceKey: answerKey(messageId) },
    ]);
  });
  events.on(wishedServiceAdded, (tx, { memberId, name }) =>
    tell(tx, [{ memberId, told: { kind: "service_added", params: { name } } }]),
  );
  events.on(supportSeen, async (tx, { memberId }) => {
    if (await repository.markKindRead(tx, memberId, "support_reply", clock.now().getTime()))
      live.tell(tx, [memberId], "inbox");
  });
  events.on(memberDeleted, async (tx, { memberId }) => {
    await repository.deleteOf(tx, memberId);
    live.tell(tx, await repository.deleteAbout(tx, memberId), "inbox");
  });

  const tellDailyDigest = makeTellDailyDigest(parts, tell);
  return {
    /** The notice for a channel to send; null if it was withdrawn or read meanwhile. */
    async noticeToSend(over: Db, id: string, reader: Pick<MemberRow, "id" | "role">): Promise<NoticeAnswer | null> {
      const row = await repository.find(over, readerOf(reader), id);
      return row === undefined || row.read_at !== null ? null : toNotice(clubTime, row);
    },
    /** Whom a notice names; null if it names nobody, or its reader may no longer see it. */
    aboutOf: async (over: Db, reader: Pick<MemberRow, "id" | "role">, id: string): Promise<string | null> =>
      (await repository.find(over, readerOf(reader), id))?.about_id ?? null,
    /** A notice by its key, read or not; null if there is none that this reader may see. */
    async noticeOf(over: Db, reader: Pick<MemberRow, "id" | "role">, onceKey: string): Promise<NoticeAnswer | null> {
      const row = await repository.findByKey(over, readerOf(reader), onceKey);
      return row === undefined ? null : toNotice(clubTime, row);
    },
    remindOfEnds,
    tellOfUnseenAnswers,
    tellDailyDigest,
    timed: [
      { name: "ends of subscriptions", at: "50 * * * * *", leaseMs: 10_000, run: remindOfEnds },
      { name: "unseen answers", at: "40 * * * * *", leaseMs: 10_000, run: tellOfUnseenAnswers },
      { name: "daily digest", at: "30 * * * * *", leaseMs: 10_000, run: tellDailyDigest },
    ],
    dataExport: {
      /** The newest first; codes, except for texts by staff. */
      inbox: async (memberId: string) => {
        const reader = await members.find(db, memberId);
        const rows = reader ? await repository.page(db, readerOf(reader), MOST_EXPORTED, undefined) : [];
        return rows.map((row) => toNotice(clubTime, row));
      },
    },
    forgetOld: () => transact((tx) => repository.deleteBefore(tx, clock.now().getTime() - KEPT_MS)),
  };
}
