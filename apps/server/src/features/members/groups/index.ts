import type { NamedGroupAnswer } from "@krug/contract/members/groups";
import type { Db, Tx } from "../../../platform/database/database.ts";
import { groupBy } from "../../../platform/group-by.ts";
import type { Actor } from "../../../platform/http/call.ts";
import type { Platform } from "../../../platform/platform.ts";
import { refuse } from "../../../platform/refusal.ts";
import type { Audit } from "../../club/audit/index.ts";
import { memberChanged, memberDeleted } from "../members/index.ts";
import { groupMembersChanged } from "./events.ts";
import * as repository from "./repository.ts";
import type { GroupRow } from "./table.ts";

export { groupChanged, groupDeleted, groupMembersChanged } from "./events.ts";

export type Groups = ReturnType<typeof makeGroups>;

/** Who joins and leaves which groups. */
interface Move {
  memberIds: readonly string[];
  joined?: readonly string[];
  left?: readonly string[];
}

export const interfaceIdsOf = ({ interface_ids }: Pick<GroupRow, "interface_ids">) =>
  JSON.parse(interface_ids) as string[];

/** Groups that staff sort members into, with what the members of each may use (ADR 195). */
export function makeGroups({ db, events, audit }: Platform & { audit: Audit }) {
  events.on(memberDeleted, (tx, { memberId }) => repository.removeAllOf(tx, memberId));

  const ofThese = async (over: Db | Tx, ids: readonly string[]): Promise<Map<string, NamedGroupAnswer[]>> => {
    const rows = groupBy(await repository.ofThese(over, ids), (row) => row.member_id);
    return new Map([...rows].map(([id, groups]) => [id, groups.map(({ id, name }) => ({ id, name }))]));
  };

  return {
    names: async (over: Db | Tx): Promise<{ id: string; name: string }[]> =>
      (await repository.all(over)).map(({ id, name }) => ({ id, name })),
    /** Every group of each of these members, by name; absent if none. */
    ofThese,
    memberIds: repository.memberIds,
    /** Those of these groups that exist. They cannot be deleted before the transaction ends. */
    hold: repository.hold,
    membersOf: repository.membersOf,
    /** Ids of interfaces that a member may use by their groups; some may no longer exist. */
    interfacesOf: async (over: Db | Tx, memberId: string): Promise<string[]> =>
      (await repository.interfacesOf(over, { memberId })).flatMap(interfaceIdsOf),
    /** Members who may use one of these interfaces by a group. */
    async membersWith(over: Db | Tx, interfaceIds: readonly string[]): Promise<string[]> {
      const groups = (await repository.all(over)).filter((row) => hasAny(row, interfaceIds));
      return repository.membersOf(
        over,
        groups.map(({ id }) => id),
      );
    },
    /** Groups with one of the interfaces `from` also get `to`. */
    async passOn(tx: Tx, from: readonly string[], to: readonly string[]): Promise<void> {
      for (const row of (await repository.all(tx)).filter((row) => hasAny(row, from))) {
        const interface_ids = JSON.stringify([...new Set([...interfaceIdsOf(row), ...to])]);
        if (interface_ids !== row.interface_ids) await repository.update(tx, row.id, { interface_ids });
      }
    },

    /** Moves locked members, audited, in as many statements for one as for all. @throws Refusal group.unknown */
    async move(tx: Tx, actor: Actor, { memberIds, joined = [], left = [] }: Move): Promise<void> {
      if ((await repository.hold(tx, joined)).length < joined.length) refuse("group.unknown", { field: "groups" });
      const before = await ofThese(tx, memberIds);
      await repository.join(
        tx,
        memberIds.flatMap((member_id) => joined.map((group_id) => ({ group_id, member_id }))),
      );
      await repository.leave(tx, left, memberIds);
      const after = await ofThese(tx, memberIds);
      const namesIn = (groups: typeof before, id: string) => (groups.get(id) ?? []).map(({ name }) => name);
      const changed = memberIds
        .map((id) => ({ id, before: namesIn(before, id), after: namesIn(after, id) }))
        .filter((one) => one.before.join("\n") !== one.after.join("\n"));
      if (changed.length === 0) return;
      await audit.recordAll(
        tx,
        changed.map(({ id, ...groups }) => ({
          actorId: actor.memberId,
          action: "member.changed",
          target: id,
          before: { groups: groups.before },
          after: { groups: groups.after },
        })),
      );
      const ids = changed.map(({ id }) => id);
      await events.recordAll(
        tx,
        memberChanged,
        ids.map((memberId) => ({ memberId })),
      );
      await events.record(tx, groupMembersChanged, { groupIds: [...joined, ...left], memberIds: ids });
    },

    dataExport: {
      groups: async (memberId: string) => ((await ofThese(db, [memberId])).get(memberId) ?? []).map(({ name }) => name),
    },
  };
}

const hasAny = (row: GroupRow, ids: readonly string[]) => interfaceIdsOf(row).some((id) => ids.includes(id));
