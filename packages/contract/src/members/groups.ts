import { MOST_GROUP_INTERFACES, MOST_GROUP_NAME_LETTERS, MOST_GROUPS } from "@krug/domain/group-rules";
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { AsViewed, Id, line, NamedGroup, Time } from "../fields.ts";
import { MemberPath } from "./members.ts";

/** A group of members; a member may be in several. */
const Group = z.object({
  ...NamedGroup.shape,
  /** Interfaces that its members may use besides their own. */
  interfaces: z.array(Id),
  memberCount: z.int().nonnegative(),
  /** Access rules for its members, which are deleted with it. */
  ruleCount: z.int().nonnegative(),
  createdAt: Time,
});

const interfaces = z.array(Id).max(MOST_GROUP_INTERFACES);
const groupsOf = z.array(Id).max(MOST_GROUPS);
const name = line(MOST_GROUP_NAME_LETTERS);

const refusals = ["group.name_taken", "interface.unknown"] as const;

/** Beyond the specifications. */
export const groups = {
  list: endpoint("GET /admin/groups", {
    needs: "members.see",
    scope: "members:read",
    summary: "The groups of members, by name; a moderator's counts leave out VIP members",
    query: z.object(AsViewed),
    answer: z.array(Group).max(MOST_GROUPS),
  }),
  add: endpoint("POST /admin/groups", {
    needs: "members.change",
    scope: "members:write",
    summary: "Add a group of members",
    body: z.strictObject({ name, interfaces: interfaces.default([]) }),
    answer: Group,
    status: 201,
    creation: true,
    refusals: ["group.too_many", ...refusals],
  }),
  change: endpoint("PUT /admin/groups/{id}", {
    needs: "members.change",
    scope: "members:write",
    summary: "Rename a group, or change the interfaces that its members may use for new configs; existing configs stay",
    body: z.strictObject({
      name: name.optional(),
      interfaces: interfaces.optional(),
      expected: z
        .strictObject({ name: z.string().max(MOST_GROUP_NAME_LETTERS).optional(), interfaces: interfaces.optional() })
        .optional(),
    }),
    answer: Group,
    refusals: ["group.not_found", "group.changed_meanwhile", ...refusals],
  }),
  remove: endpoint("DELETE /admin/groups/{id}", {
    needs: "members.change",
    scope: "members:write",
    summary:
      "Delete a group and its access rules: its members stay, with their configs, but may no longer use its interfaces for new ones",
    refusals: ["group.not_found"],
  }),
  ofMember: endpoint("PUT /admin/users/{id}/groups", {
    needs: "members.change",
    scope: "members:write",
    summary: "Put a member into exactly these groups",
    params: MemberPath,
    body: z.strictObject({ groups: groupsOf, expected: z.strictObject({ groups: groupsOf }).optional() }),
    answer: z.array(NamedGroup),
    refusals: ["member.not_found", "group.unknown", "member.changed_meanwhile"],
  }),
};

export type GroupAnswer = z.output<typeof Group>;
export type NamedGroupAnswer = z.output<typeof NamedGroup>;
