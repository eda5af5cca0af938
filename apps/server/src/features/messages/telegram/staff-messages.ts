import type { NoticeAnswer } from "@krug/contract/messages/inbox";
import { DAY_MS } from "@krug/domain/moment";
import { may } from "@krug/domain/staff-actions";
import type { Api } from "grammy";
import type { Tx } from "../../../platform/database/database.ts";
import { jobKind } from "../../../platform/jobs.ts";
import { elevationsEnded, sessionsEnded } from "../../access/auth/index.ts";
import { type MemberRow, memberDeleted, staffLeft } from "../../members/members/index.ts";
import { claimChanged } from "../../money/payments/index.ts";
import type { Keyboard } from "./conversation.ts";
import { failureOf, isOfBot } from "./failure.ts";
import type { StaffClaims } from "./staff-claims.ts";
import type { StaffParts } from "./staff-parts.ts";
import { isRepliedTo } from "./staff-replies.ts";
import * as repository from "./staff-repository.ts";
import { staffWords } from "./staff-words.ts";

type About = { by: "subject" | "about_id"; id: string };
const refreshMessages = jobKind<About>("telegram.refresh_messages");
/** So long a message changes with what it tells. */
const KEPT_MS = 30 * DAY_MS;

/** The messages that staff may act on. Once somebody has decided, or the member is deleted, all of them change. */
export function makeStaffMessages(parts: StaffParts, claims: StaffClaims, openApi: () => Promise<Api>) {
  const { db, transact, clock, events, jobs, settings, members, payments, aboutOf } = parts;
  const page = parts.publicUrl?.protocol === "https:" ? parts.publicUrl.origin : null;

  const jobOf = (about: About) => ({ payload: about, lane: `telegram:${about.id}` });
  const refresh = (tx: Tx, about: About) => jobs.enqueue(tx, refreshMessages, jobOf(about));

  const said = async (row: repository.Sent): Promise<{ text: string; keyboard: Keyboard } | null> => {
    const reader = await members.find(db, row.reader_id);
    if (reader === undefined) return null;
    if (row.kind === "payment_claimed" && row.subject !== null) {
      const { text, keyboard = [] } = await claims.render(reader, row.subject);
      return { text, keyboard };
    }
    const about = await members.find(db, row.about_id);
    const isGone = about === undefined || about.deleted_at !== null;
    return isGone ? { text: staffWords[reader.telegram_language ?? "ru"].gone, keyboard: [] } : null;
  };

  const change = async (api: Api, row: repository.Sent): Promise<void> => {
    const now = await said(row);
    if (now === null) return;
    try {
      await api.editMessageText(row.chat_id, Number(row.message_id), now.text, {
        link_preview_options: { is_disabled: true },
        reply_markup: { inline_keyboard: now.keyboard },
      });
    } catch (error) {
      const failure = failureOf(error);
      if (failure === null || isOfBot(failure)) throw error;
      if (/message is not modified/.test(failure.reason)) return;
      await transact((tx) => repository.forgetSent(tx, row));
    }
  };

  jobs.handle(refreshMessages, async (payloads) => {
    for (const { by, id } of payloads) {
      const rows = await repository.sentOf(db, parts.bot, by, id);
      if (rows.length === 0) continue;
      const api = await openApi();
      for (const row of rows) await change(api, row);
    }
  });

  // A message that is being sent meanwhile is looked at again once it is kept.
  events.onAll(claimChanged, async (tx, changes) => {
    const ids = changes.map(({ claimId }) => claimId);
    const jobsOfSent = (await repository.subjectsSent(tx, ids)).map((id) => jobOf({ by: "subject", id }));
    await jobs.enqueueAll(tx, refreshMessages, jobsOfSent);
  });
  events.on(memberDeleted, async (tx, { memberId }) => {
    await repository.forgetStaff(tx, [memberId]);
    await repository.forgetSentTo(tx, memberId);
    await refresh(tx, { by: "about_id", id: memberId });
  });
  // The account counts as confirmed no longer than its owner's other entries.
  for (const happened of [staffLeft, elevationsEnded])
    events.onAll(happened, (tx, all) =>
      repository.forgetStaff(
        tx,
        all.map(({ memberId }) => memberId),
      ),
    );
  events.onAll(sessionsEnded, (tx, ended) =>
    repository.forgetStaff(
      tx,
      ended.flatMap(({ memberId, all }) => (all === undefined ? [] : [memberId])),
    ),
  );

  return {
    /** The buttons under a notice that staff can act on; null: it has none of its own. */
    async keyboardOf(notice: NoticeAnswer, reader: MemberRow): Promise<Keyboard | null> {
      if (notice.kind === "payment_claimed")
        return (await claims.render(reader, notice.params.claimId)).keyboard ?? null;
      if (notice.kind !== "server_gone" || notice.params.serverId === undefined || !may(reader.role, "servers.change"))
        return null;
      if (!(await settings.read(db)).telegramStaffActs) return null;
      const say = staffWords[reader.telegram_language ?? "ru"];
      const { serverId } = notice.params;
      return [
        [{ text: say.check, callback_data: `server-check:${serverId}` }],
        [{ text: say.move, callback_data: `server-move:${serverId}` }],
        ...(page === null ? [] : [[{ text: say.open, url: `${page}/admin/servers` }]]),
      ];
    },

    /** The notice was sent as this message. */
    async keep(notice: NoticeAnswer, reader: MemberRow, messageId: number): Promise<void> {
      const chat_id = reader.telegram_id;
      if (chat_id === null) return;
      const sent_at = clock.now().getTime();
      const bot_id = repository.botIdOf(parts.bot.token);
      if (isRepliedTo(notice)) {
        const about_id = await aboutOf(db, reader, notice.id);
        if (about_id === null) return;
        const row = {
          bot_id,
          chat_id,
          message_id: messageId,
          reader_id: reader.id,
          kind: notice.kind,
          about_id,
          sent_at,
        };
        return transact(async (tx) => {
          await repository.keepSent(tx, { ...row, subject: notice.params.ticketId });
          const about = await members.find(tx, about_id);
          if (about === undefined || about.deleted_at !== null) await refresh(tx, { by: "about_id", id: about_id });
        });
      }
      if (notice.kind !== "payment_claimed") return;
      const { claimId, receipt } = notice.params;
      await transact(async (tx) => {
        const seen = await payments.claims.byId(tx, claimId);
        // Under the member's lock, as decisions are: whoever comes later knows of the other.
        if (seen === undefined || (await members.lock(tx, seen.member_id)) === undefined) return;
        await repository.keepSent(tx, {
          bot_id,
          chat_id,
          message_id: messageId,
          reader_id: reader.id,
          kind: notice.kind,
          subject: claimId,
          about_id: seen.member_id,
          sent_at,
        });
        const claim = await payments.claims.byId(tx, claimId);
        if (claim?.state !== "waiting" || (claim.receipt_id !== null) !== receipt)
          await refresh(tx, { by: "subject", id: claimId });
      });
    },

    forgetOld: (): Promise<void> => transact((tx) => repository.forgetSentBefore(tx, clock.now().getTime() - KEPT_MS)),
  };
}

export type StaffMessages = ReturnType<typeof makeStaffMessages>;
