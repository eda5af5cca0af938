import { randomUUID } from "node:crypto";
import type { Contract } from "@krug/contract/api";
import type { NoteAnswer } from "@krug/contract/members/notes";
import { isoOf } from "@krug/domain/moment";
import { MOST_NOTES } from "@krug/domain/note-rules";
import { may } from "@krug/domain/staff-actions";
import type { Actor, Handlers } from "../../../platform/http/call.ts";
import type { Platform } from "../../../platform/platform.ts";
import { refuse } from "../../../platform/refusal.ts";
import type { Audit } from "../../club/audit/index.ts";
import { isHidden, seesVip } from "../../club/rights/index.ts";
import type { MemberRow, Members } from "../members/index.ts";
import * as repository from "./repository.ts";
import type { NoteRow } from "./table.ts";

interface Parts extends Platform {
  audit: Audit;
  members: Members;
}

export function makeNoteRoutes({ db, transact, clock, audit, members }: Parts): Handlers<Contract["notes"]> {
  const seen = async (actor: Actor, row: MemberRow | undefined, as?: "moderator") =>
    row === undefined || isHidden(actor, row, as) ? refuse("member.not_found") : row;
  const mayDelete = (actor: Actor, note: NoteRow) =>
    note.author_id === actor.memberId || may(actor.role, "notes.delete_any");
  const answer = (actor: Actor, note: NoteRow, author: MemberRow | undefined): NoteAnswer => ({
    id: note.id,
    content: note.content,
    by: author === undefined ? null : { id: author.id, username: author.username, displayName: author.display_name },
    createdAt: isoOf(note.created_at),
    mayDelete: mayDelete(actor, note),
  });

  return {
    async ofMember({ actor, params, query }) {
      const member = await seen(actor, await members.findByIdOrUsername(db, params.id), query.as);
      const rows = await repository.ofMember(db, member.id, MOST_NOTES);
      const authors = await members.byIds(db, [...new Set(rows.map((row) => row.author_id))]);
      const withVip = seesVip(actor, query.as);
      const known = new Map(authors.filter((row) => withVip || row.is_vip === 0).map((row) => [row.id, row]));
      return rows.map((row) => answer(actor, row, known.get(row.author_id)));
    },

    add: ({ actor, params, body }) =>
      transact(async (tx) => {
        const found = await seen(actor, await members.findByIdOrUsername(tx, params.id));
        // Locked, so that two people writing the last allowed note, or a deletion meanwhile, are processed one after another.
        const member = await seen(actor, await members.lock(tx, found.id));
        const count = (await repository.countsOf(tx, [member.id])).get(member.id) ?? 0;
        if (count >= MOST_NOTES) refuse("note.too_many", { most: MOST_NOTES });
        const note: NoteRow = {
          id: randomUUID(),
          member_id: member.id,
          author_id: actor.memberId,
          content: body.content,
          created_at: clock.now().getTime(),
        };
        await repository.insert(tx, note);
        // Without its text: a note can be deleted, an audit entry cannot.
        await audit.record(tx, actor.memberId, "note.added", { target: member.id });
        return answer(actor, note, await members.find(tx, actor.memberId));
      }),

    remove: ({ actor, params }) =>
      transact(async (tx) => {
        const member = await seen(actor, await members.findByIdOrUsername(tx, params.id));
        const note = (await repository.find(tx, member.id, params.noteId)) ?? refuse("note.not_found");
        if (!mayDelete(actor, note)) refuse("auth.forbidden");
        await repository.remove(tx, note.id);
        await audit.record(tx, actor.memberId, "note.deleted", { target: member.id });
      }),
  };
}
