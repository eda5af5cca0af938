import type { Contract } from "@krug/contract/api";
import type { AnswerOf } from "@krug/contract/endpoint";
import type { FileMemberInput } from "@krug/contract/members/member-import";
import { type RefusalCode, refusalText } from "@krug/contract/refusals";
import { isReservedUsername, whyNotDisplayName, whyNotUsername } from "@krug/domain/account-rules";
import { LONGEST_LINK_MS } from "@krug/domain/invite-rules";
import { isStaff } from "@krug/domain/roles";
import type { Db, Tx } from "../../../platform/database/database.ts";
import type { Actor, Handlers } from "../../../platform/http/call.ts";
import { Refusal } from "../../../platform/refusal.ts";
import { type AddMembers, makeAddMembers } from "./add-members.ts";
import type { MemberUseParts } from "./parts.ts";
import * as repository from "./repository.ts";
import { promisedRole } from "./standing.ts";
import type { MemberRow } from "./table.ts";

interface Parts extends Omit<MemberUseParts, "quotas"> {
  groups: MemberUseParts["groups"] & { names(over: Db | Tx): Promise<readonly { id: string }[]> };
}

type Problem = Omit<AnswerOf<Contract["memberImport"]["look"]>["problems"][number], "message" | "code"> & {
  code: RefusalCode;
};

/** They were added, and never signed in. A link for staff is made on their page, one by one. */
const isWaiting = (row: MemberRow) =>
  row.password_hash === null && row.telegram_id === null && row.is_active === 1 && !isStaff(promisedRole(row));

/** Adds members from the lines of a file, each call all of its lines or none (ADR 220). */
export function makeImportMembers(parts: Parts): Handlers<Contract["memberImport"]> {
  const { db, transact, clock, clubTime, audit, auth, groups } = parts;
  const addMembers = makeAddMembers(parts);

  /** What would become of the lines. */
  const look = async (over: Db | Tx, lines: readonly FileMemberInput[]) => {
    const rows = await repository.byUsernames(
      over,
      lines.map(({ username }) => username),
    );
    const known = new Map(rows.map((row) => [row.username_key, row]));
    const groupIds = new Set((await groups.names(over)).map(({ id }) => id));
    const today = clubTime.dayOf(clock.now().getTime());
    const seen = new Set<string>();
    const newcomers: FileMemberInput[] = [];
    const here: number[] = [];
    const waiting: { line: number; row: MemberRow }[] = [];
    const problems: Problem[] = [];
    for (const each of lines) {
      const { line, username } = each;
      const key = username.toLowerCase();
      const row = known.get(key);
      const problem = (field: Problem["field"], code: RefusalCode) => problems.push({ line, field, code });
      if (seen.has(key)) problem("username", "member.username_taken");
      else if (row !== undefined && isWaiting(row)) waiting.push({ line, row });
      else if (row !== undefined) here.push(line);
      else {
        if (whyNotUsername(username) !== null) problem("username", "member.username_invalid");
        else if (isReservedUsername(username)) problem("username", "member.username_taken");
        if (each.displayName !== undefined && whyNotDisplayName(each.displayName) !== null)
          problem("displayName", "member.display_name_invalid");
        if (!each.groups.every((id) => groupIds.has(id))) problem("groups", "group.unknown");
        newcomers.push(each);
      }
      seen.add(key);
    }
    const hasEnded = ({ subscriptionEnd: end }: FileMemberInput) => end !== undefined && end < today;
    return { newcomers, here, waiting, problems, hasEnded };
  };

  const join = async (
    tx: Tx,
    actor: Actor,
    lines: readonly FileMemberInput[],
    added: Awaited<ReturnType<AddMembers>>,
  ) => {
    const joining = new Map<string, string[]>();
    for (const [at, line] of lines.entries())
      for (const id of line.groups) joining.set(id, [...(joining.get(id) ?? []), added[at]?.row.id ?? ""]);
    for (const [id, memberIds] of [...joining].sort()) await groups.move(tx, actor, { memberIds, joined: [id] });
  };

  /** Another link for each who still has no password. */
  const inviteAgain = async (tx: Tx, actor: Actor, rows: readonly MemberRow[], origin: string) => {
    if (rows.length === 0) return [];
    const locked = await repository.lockAll(
      tx,
      rows.map(({ id }) => id),
    );
    const still = locked.filter(isWaiting);
    await audit.recordAll(
      tx,
      still.map(({ id }) => ({ actorId: actor.memberId, action: "member.password_link", target: id })),
    );
    const links = await auth.makePasswordLinks(tx, still, origin, LONGEST_LINK_MS);
    return still.flatMap((row, at) => (links[at] ? [{ row, link: links[at] }] : []));
  };

  return {
    async look({ body, language }) {
      const { newcomers, here, waiting, problems, hasEnded } = await look(db, body.members);
      return {
        here,
        waiting: waiting.map(({ line }) => line),
        ended: newcomers.filter(hasEnded).map(({ line }) => line),
        problems: problems.map((each) => ({ ...each, message: refusalText(each.code, language) })),
      };
    },

    add: ({ actor, body: { members: lines, templateId }, origin }) =>
      transact(async (tx) => {
        const { newcomers, waiting, problems, hasEnded } = await look(tx, lines);
        for (const each of problems) refuseLine(each);
        const again = await inviteAgain(
          tx,
          actor,
          waiting.map(({ row }) => row),
          origin,
        );
        const inputs = newcomers.map((each) => {
          const { line: _, groups: __, subscriptionEnd, ...account } = each;
          return {
            ...account,
            ...(templateId == null ? {} : { templateId }),
            ...(subscriptionEnd === undefined || hasEnded(each) ? {} : { subscriptionEnd }),
          };
        });
        const added = await addMembers(tx, actor, inputs, { origin, linkLifeMs: LONGEST_LINK_MS });
        await join(tx, actor, newcomers, added);
        return {
          invited: [...added, ...again].map(({ row: { id, username, display_name: displayName }, link }) => ({
            id,
            username,
            displayName,
            ...link,
          })),
        };
      }),
  };
}

function refuseLine({ line, field, code }: Problem): never {
  throw new Refusal(
    "member.line_refused",
    { line, field, why: code, problem: refusalText(code, "en") },
    { ru: { problem: refusalText(code, "ru") }, en: { problem: refusalText(code, "en") } },
  );
}
