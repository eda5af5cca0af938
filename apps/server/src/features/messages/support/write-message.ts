import { randomUUID } from "node:crypto";
import type { NewMessageInput } from "@krug/contract/messages/support";
import { DAY_MS } from "@krug/domain/moment";
import { MOST_IMAGES, MOST_IMAGES_A_DAY, MOST_MESSAGE_CHARACTERS, whyNotMessage } from "@krug/domain/support-rules";
import type { Tx } from "../../../platform/database/database.ts";
import type { Actor } from "../../../platform/http/call.ts";
import { requestFingerprint } from "../../../platform/http/request-fingerprint.ts";
import { refuse, refuseIf } from "../../../platform/refusal.ts";
import { conversationWaits, memberWrote, supportAnswered } from "./events.ts";
import type { SupportParts } from "./parts.ts";
import * as repository from "./repository.ts";
import type { SupportStreams } from "./streams.ts";
import type { MessageRow } from "./table.ts";
import { lockMember } from "./whose.ts";

/**
 * Writes a message into a member's chat or ticket: by the member, or by staff if `asStaff`. A key that was used for the same
 * message returns that one, so a client that lost the answer may resend.
 */
export function makeWriteMessage(parts: SupportParts, { changed }: Pick<SupportStreams, "changed">) {
  const { transact, clock, events, audit, pictures } = parts;
  return async (
    actor: Actor,
    to: { member: string; asStaff: boolean },
    input: NewMessageInput,
    idempotencyKey: string | null,
  ): Promise<MessageRow> => {
    const { content, attachments, ticketId = null } = input;
    refuseIf(whyNotMessage(content, attachments.length), {
      field: attachments.length > MOST_IMAGES ? "attachments" : "content",
      max: attachments.length > MOST_IMAGES ? MOST_IMAGES : MOST_MESSAGE_CHARACTERS,
    });
    const sent = await Promise.all(
      attachments.map(async (named, index) => (await pictures.sent(actor.memberId, named)) ?? refuseImage(index)),
    );
    const fingerprint = requestFingerprint({ to: to.member, ...input });
    return transact(async (tx) => {
      const member = await lockMember(parts, tx, actor, to);
      const earlier = await repeated(tx, actor, idempotencyKey, fingerprint);
      if (earlier !== undefined) return earlier;
      if (ticketId !== null) await refuseUnlessOpen(tx, member.id, ticketId);
      const now = clock.now().getTime();
      if (!to.asStaff && sent.length > 0) {
        const earlierSent = await repository.countImagesSince(tx, member.id, now - DAY_MS);
        if (earlierSent + sent.length > MOST_IMAGES_A_DAY) refuse("support.images_a_day", { max: MOST_IMAGES_A_DAY });
      }
      const isFirst = !to.asStaff && !(await repository.isWaiting(tx, member.id));
      const id = randomUUID();
      const message = await repository.append(
        tx,
        {
          id,
          member_id: member.id,
          ticket_id: ticketId,
          author_id: actor.memberId,
          is_admin: to.asStaff ? 1 : 0,
          content: content.trim(),
          read_at: null,
          idempotency_key: idempotencyKey,
          idempotency_hash: idempotencyKey === null ? null : fingerprint,
          created_at: now,
        },
        (await pictures.take(tx, actor.memberId, sent)).map(({ media, bytes }, position) => ({
          id: randomUUID(),
          message_id: id,
          member_id: member.id,
          position,
          media,
          bytes,
          created_at: now,
        })),
      );
      if (!to.asStaff)
        await events.record(tx, memberWrote, {
          memberId: member.id,
          ticketId,
          messageId: message.id,
          content: message.content,
          images: sent.length,
        });
      if (isFirst) await events.record(tx, conversationWaits, { memberId: member.id, ticketId });
      // Without the text: the conversation itself has that.
      if (to.asStaff) {
        await audit.record(tx, actor.memberId, "support.answered", { target: member.id });
        await events.record(tx, supportAnswered, { memberId: member.id, ticketId, messageId: message.id });
      }
      changed(tx, member);
      return message;
    });
  };
}

const refuseImage = (index: number) =>
  refuse("support.image_invalid", { field: `attachments.${index}`, number: index + 1 });

async function refuseUnlessOpen(tx: Tx, memberId: string, ticketId: string): Promise<void> {
  const ticket = await repository.lockTicket(tx, ticketId);
  if (ticket?.member_id !== memberId) refuse("support.ticket_not_found", { field: "ticketId" });
  if (ticket.status === "closed") refuse("support.ticket_closed");
}

/** The earlier message with this key, if any. */
export async function repeated(
  tx: Tx,
  actor: Actor,
  key: string | null,
  fingerprint: string,
): Promise<MessageRow | undefined> {
  const earlier = key === null ? undefined : await repository.byIdempotencyKey(tx, actor.memberId, key);
  if (earlier !== undefined && earlier.idempotency_hash !== fingerprint) refuse("request.idempotency_mismatch");
  return earlier;
}
