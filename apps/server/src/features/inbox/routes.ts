import type { Contract } from "@krug/contract/api";
import type { Actor, Handlers } from "../../platform/http/call.ts";
import { refuse } from "../../platform/refusal.ts";
import type { InboxParts } from "./parts.ts";
import * as repository from "./repository.ts";
import { makeTell } from "./tell.ts";
import { toNotice } from "./to-notice.ts";

export function makeInboxRoutes(parts: InboxParts): Handlers<Contract["inbox"]> {
  const { db, transact, clock, audit, members, live } = parts;
  const tell = makeTell(parts);
  const unreadOf = async ({ memberId }: Actor) => ({ unread: await repository.countUnread(db, memberId) });
  return {
    async list({ actor, query, reply }) {
      const after = query.cursor === undefined ? null : readCursor(query.cursor);
      const rows = await repository.page(db, actor.memberId, query.limit + 1, after);
      const page = rows.slice(0, query.limit);
      const last = page.at(-1);
      if (rows.length > page.length && last) reply.header("x-next-cursor", `${last.created_at}.${last.id}`);
      return page.map(toNotice);
    },

    unread: ({ actor }) => unreadOf(actor),

    async read({ actor, body }) {
      await transact(async (tx) => {
        const marked = await repository.markRead(tx, actor.memberId, body.ids, clock.now().getTime());
        // His other pages show the same number.
        if (marked > 0) live.tell(tx, [actor.memberId], "inbox");
      });
      return unreadOf(actor);
    },

    async notify({ actor, params, body }) {
      await transact(async (tx) => {
        const member = (await members.findByIdOrUsername(tx, params.userId)) ?? refuse("member.not_found");
        await tell(tx, [{ memberId: member.id, told: { kind: "staff_message", params: { text: body.message } } }]);
        await audit.record(tx, {
          actorId: actor.memberId,
          action: "inbox.message_sent",
          target: member.id,
          after: { message: body.message },
        });
      });
      return { success: true };
    },
  };
}

function readCursor(cursor: string): repository.Place {
  const [at = "", id = ""] = cursor.split(".");
  if (!/^\d{1,15}$/.test(at) || /\0/.test(id))
    refuse("request.invalid", { field: "cursor", problem: cursor.slice(0, 40) });
  return { at: Number(at), id };
}
