import { MOST_NOTE_LETTERS, MOST_NOTES } from "@krug/domain/note-rules";
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { AsViewed, Id, lines, Named, Time } from "../fields.ts";
import { MemberPath } from "./members.ts";

/** What one of the staff wrote about a member, for the others; the member never sees it. */
export const Note = z.object({
  id: Id,
  content: z.string(),
  /** null if deleted or not visible to the reader. */
  by: Named.nullable(),
  createdAt: Time,
  /** The reader may delete it: their own, or any for an admin. */
  mayDelete: z.boolean(),
});

/** Beyond the specifications. */
export const notes = {
  ofMember: endpoint("GET /admin/users/{id}/notes", {
    needs: "members.see",
    scope: "members:read",
    summary: "What staff noted about a member, newest first",
    params: MemberPath,
    query: z.object(AsViewed),
    answer: z.array(Note).max(MOST_NOTES),
    refusals: ["member.not_found"],
  }),
  add: endpoint("POST /admin/users/{id}/notes", {
    needs: "notes.write",
    scope: "members:write",
    summary: "Add a note about a member, for staff only",
    params: MemberPath,
    body: z.strictObject({ content: lines(MOST_NOTE_LETTERS) }),
    answer: Note,
    status: 201,
    creation: true,
    refusals: ["member.not_found", "note.too_many"],
  }),
  remove: endpoint("DELETE /admin/users/{id}/notes/{noteId}", {
    needs: "notes.write",
    scope: "members:write",
    summary: "Delete your own note; admins can delete any",
    params: z.object({ ...MemberPath.shape, noteId: Id }),
    refusals: ["member.not_found", "note.not_found", "auth.forbidden"],
  }),
};

export type NoteAnswer = z.output<typeof Note>;
