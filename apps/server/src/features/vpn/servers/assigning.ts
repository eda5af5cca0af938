import type { RefusalCode } from "@krug/contract/refusals";
import type { AssignmentAnswer } from "@krug/contract/vpn/servers";
import type { Db, Tx } from "../../../platform/database/database.ts";
import type { Actor } from "../../../platform/http/call.ts";
import { pageOf } from "../../../platform/pages.ts";
import type { Platform } from "../../../platform/platform.ts";
import { refuse } from "../../../platform/refusal.ts";
import type { Audit } from "../../club/audit/index.ts";
import { isHidden } from "../../club/rights/index.ts";
import type { MemberRow, Members } from "../../members/members/index.ts";
import type { Assignments } from "./assignments.ts";
import { assignmentChanged } from "./events.ts";

/** What can be assigned to members: servers and interfaces. */
export interface Assignable {
  /** Before '.assigned' in the audit. */
  word: "server" | "interface";
  unknown: RefusalCode;
  /** Its row, locked until the transaction ends. */
  hold(tx: Tx, id: string): Promise<{ name: string } | undefined>;
  assignments: Assignments;
}

export interface AssigningParts extends Platform {
  audit: Audit;
  members: Members;
}

/** Assigns servers and interfaces to members: that affects new configs only. */
export function makeAssigning(parts: AssigningParts, thing: Assignable) {
  const { db, transact, events, audit, members } = parts;

  const seen = async (over: Db | Tx, actor: Actor, idOrUsername: string): Promise<MemberRow> => {
    const member = await members.findByIdOrUsername(over, idOrUsername);
    // A VIP member does not exist for a moderator.
    return member === undefined || isHidden(actor, member) ? refuse("member.not_found") : member;
  };
  const change = (
    actor: Actor,
    { userId, id }: { userId: string; id: string },
    how: "assigned" | "unassigned",
  ): Promise<MemberRow> =>
    transact(async (tx) => {
      const { name } = (await thing.hold(tx, id)) ?? refuse(thing.unknown);
      const member = await seen(tx, actor, userId);
      const changed =
        how === "assigned"
          ? (await thing.assignments.insert(tx, member.id, [id])).length > 0
          : await thing.assignments.remove(tx, member.id, id);
      if (!changed) return member;
      const told = { [thing.word]: name, [`${thing.word}Id`]: id };
      await audit.record(tx, actor.memberId, `${thing.word}.${how}`, {
        target: member.id,
        ...(how === "assigned" ? { after: told } : { before: told }),
      });
      await events.record(tx, assignmentChanged, { memberId: member.id });
      return member;
    });

  return {
    assign: async (actor: Actor, userId: string, id: string): Promise<AssignmentAnswer> =>
      toAnswer(await change(actor, { userId, id }, "assigned")),
    /** Repeating it changes nothing. */
    unassign: async (actor: Actor, userId: string, id: string): Promise<void> =>
      void (await change(actor, { userId, id }, "unassigned")),
    seen,
    /** A page of the members that it is assigned to, and how many there are. */
    async list(
      id: string,
      {
        withVip,
        q,
        cursor,
        limit,
      }: { withVip: boolean; q: string | undefined; cursor: string | undefined; limit: number },
    ): Promise<{ rows: AssignmentAnswer[]; next: string | null; total: number }> {
      const among = withVip && (q ?? "") === "" ? null : members.visibleIds(db, withVip, q);
      const ids = await thing.assignments.page(db, id, { among, after: cursor, limit: limit + 1 });
      const { rows, next } = pageOf(ids, { limit }, (last) => last);
      const byId = new Map((await members.byIds(db, rows)).map((row) => [row.id, row]));
      return {
        rows: rows.flatMap((memberId) => {
          const row = byId.get(memberId);
          return row === undefined ? [] : [toAnswer(row)];
        }),
        next,
        total: await thing.assignments.count(db, id, among),
      };
    },
  };
}

const toAnswer = ({ id, username, display_name }: MemberRow): AssignmentAnswer => ({
  userId: id,
  username,
  displayName: display_name,
});
