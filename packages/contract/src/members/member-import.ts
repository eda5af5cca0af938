import { MEMBER_FIELDS } from "@krug/domain/fields/member";
import { MOST_GROUPS } from "@krug/domain/group-rules";
import { MOST_LINES_AT_ONCE } from "@krug/domain/member-import";
import { z } from "zod";
import { changeable } from "../described.ts";
import { endpoint } from "../endpoint.ts";
import { Id, Named } from "../fields.ts";
import { OneTimeLink, Username } from "./members.ts";

const Line = z.int().min(1).max(1_000_000);

/** One line of a file. It has no role and nothing that only a member's page gives. */
const FileMember = z.strictObject({
  line: Line,
  username: Username,
  displayName: z.string().max(MEMBER_FIELDS.displayName.most).optional(),
  subscriptionEnd: z.iso.date().optional(),
  vpnConfigLimit: changeable(MEMBER_FIELDS).vpnConfigLimit,
  groups: z.array(Id).max(MOST_GROUPS).default([]),
});
const members = z.array(FileMember).min(1).max(MOST_LINES_AT_ONCE);
const ROOM = { bodyLimit: 1024 * 1024, bodyValues: MOST_LINES_AT_ONCE * 50 };

/** Beyond the specifications: members from the lines of a file, which the page has read (ADR 220). */
export const memberImport = {
  look: endpoint("POST /admin/users/import/preview", {
    needs: "members.change",
    summary: "Report what would become of a file's lines as members; writes nothing",
    body: z.strictObject({ members }),
    answer: z.object({
      /** Lines of members of the club, who stay as they are. */
      here: z.array(Line),
      /** The same, who have no password yet: they get another link. */
      waiting: z.array(Line),
      /** New members whose subscription has ended by the club's calendar: they begin without one. */
      ended: z.array(Line),
      problems: z.array(
        z.object({
          line: Line,
          field: z.enum(["username", "displayName", "groups"]),
          code: z.string(),
          message: z.string(),
        }),
      ),
    }),
    ...ROOM,
  }),
  add: endpoint("POST /admin/users/import", {
    needs: "members.change",
    trust: true,
    summary:
      "Add members from a file's lines, all or none of these; new members, and those who have no password yet, get a link for setting it, valid 14 days",
    body: z.strictObject({
      members,
      /** What they begin with; without one it is the default's. */
      templateId: Id.nullish(),
    }),
    answer: z.object({ invited: z.array(Named.extend(OneTimeLink.shape)) }),
    status: 201,
    creation: true,
    ...ROOM,
    refusals: ["member.line_refused", "member.username_taken", "template.unknown", "group.unknown"],
  }),
};

export type FileMemberInput = z.output<typeof FileMember>;
