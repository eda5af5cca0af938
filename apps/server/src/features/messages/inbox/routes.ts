import type { Contract } from "@krug/contract/api";
import type { Actor, Handlers } from "../../../platform/http/call.ts";
import { pageOf, readCursor, tellPage, writeCursor } from "../../../platform/pages.ts";
import { refuse } from "../../../platform/refusal.ts";
import type { InboxParts } from "./parts.ts";
import { makeReaderOf } from "./reader-of.ts";
import * as repository from "./repository.ts";
import { makeTell } from "./tell.ts";
import { toNotice } from "./to-notice.ts";

export function makeInboxRoutes(parts: Omit<InboxParts, "dayFigures">): Handlers<Contract["inbox"]> {
  const { db, transact, clock, clubTime, audit, members, live } = parts;
  const tell = makeTell(parts);
  const readerOf = makeReaderOf(parts);
  const reading = ({ memberId: id, role }: Actor) => readerOf({ id, role });
  const unreadOf = async (actor: Actor) => ({ unread: await repository.countUnread(db, reading(actor)) });
  return {
    async list({ actor, query, reply }) {
      const after = readCursor(query.cursor, "number");
      const found = await repository.page(db, reading(actor), query.limit + 1, after);
      const { rows, next } = pageOf(found, query, (last) => writeCursor(last.created_at, last.id));
      tellPage(reply, { next });
      return rows.map((row) => toNotice(clubTime, row));
    },

    unread: ({ actor }) => unreadOf(actor),

    async read({ actor, body }) {
      await transact(async (tx) => {
        const now = clock.now().getTime();
        const marked = body.ids
          ? await repository.markRead(tx, actor.memberId, body.ids, now)
          : await repository.markAllRead(tx, actor.memberId, now);
        // Their other pages show the same number.
        if (marked > 0) live.tell(tx, [actor.memberId], "inbox");
      });
      return unreadOf(actor);
    },

    async notify({ actor, params, body }) {
      await transact(async (tx) => {
        const member = (await members.findByIdOrUsername(tx, params.userId)) ?? refuse("member.not_found");
        await tell(tx, [{ memberId: member.id, told: { kind: "staff_message", params: { text: body.message } } }]);
        await audit.record(tx, actor.memberId, "inbox.message_sent", {
          target: member.id,
          after: { message: body.message },
        });
      });
      return { success: true };
    },
  };
}
