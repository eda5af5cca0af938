import { randomUUID } from "node:crypto";
import type { Contract } from "@krug/contract/api";
import type { GroupAnswer } from "@krug/contract/members/groups";
import { groupKey, MOST_GROUPS } from "@krug/domain/group-rules";
import { isoOf } from "@krug/domain/moment";
import { changedMeanwhile } from "../../../platform/changed-meanwhile.ts";
import { type Db, lockPlace, type Tx } from "../../../platform/database/database.ts";
import type { Handlers } from "../../../platform/http/call.ts";
import type { Platform } from "../../../platform/platform.ts";
import { refuse } from "../../../platform/refusal.ts";
import type { Audit } from "../../club/audit/index.ts";
import { seesVip } from "../../club/rights/index.ts";
import type { Members } from "../members/index.ts";
import { type Groups, groupChanged, groupDeleted, interfaceIdsOf } from "./index.ts";
import * as repository from "./repository.ts";
import type { GroupRow } from "./table.ts";

interface Parts extends Platform {
  audit: Audit;
  members: Members;
  groups: Groups;
  /** Of a feature above this one. */
  interfaces: {
    all(db: Db | Tx): Promise<readonly { id: string }[]>;
    exist(db: Db | Tx, ids: readonly string[]): Promise<boolean>;
  };
  /** The same. */
  accessRules: { countsByGroup(db: Db | Tx): Promise<ReadonlyMap<string, number>> };
}

export function makeGroupRoutes(parts: Parts): Handlers<Contract["groups"]> {
  const { db, transact, clock, events, audit, members, groups, interfaces, accessRules } = parts;

  /** As shown: without interfaces that no longer exist. */
  const shown = async (over: Db | Tx, counts: ReadonlyMap<string, number>) => {
    const known = new Set((await interfaces.all(over)).map(({ id }) => id));
    const rules = await accessRules.countsByGroup(over);
    return (row: GroupRow): GroupAnswer => ({
      id: row.id,
      name: row.name,
      interfaces: interfaceIdsOf(row).filter((id) => known.has(id)),
      memberCount: counts.get(row.id) ?? 0,
      ruleCount: rules.get(row.id) ?? 0,
      createdAt: isoOf(row.created_at),
    });
  };
  /** After the lock on all groups: names and their number depend on each other. */
  const begin = async (tx: Tx) => {
    await lockPlace(tx, "member_groups");
    return repository.all(tx);
  };
  const refuseTaken = (all: readonly GroupRow[], name: string, ownId?: string) => {
    if (all.some((row) => row.name_key === groupKey(name) && row.id !== ownId))
      refuse("group.name_taken", { field: "name" });
  };
  const refuseUnknown = async (tx: Tx, ids: readonly string[]) => {
    if (!(await interfaces.exist(tx, ids))) refuse("interface.unknown", { field: "interfaces" });
  };
  const told = ({ name, interfaces }: Pick<GroupAnswer, "name" | "interfaces">) => ({ name, interfaces });

  return {
    async list({ actor, query }) {
      const hidden = seesVip(actor, query.as) ? null : members.vipIds(db).$asScalar();
      return (await repository.all(db)).map(await shown(db, await repository.counts(db, hidden)));
    },

    add: ({ actor, body }) =>
      transact(async (tx) => {
        const all = await begin(tx);
        if (all.length >= MOST_GROUPS) refuse("group.too_many", { most: MOST_GROUPS });
        refuseTaken(all, body.name);
        await refuseUnknown(tx, body.interfaces);
        const row: GroupRow = {
          id: randomUUID(),
          name: body.name,
          name_key: groupKey(body.name),
          interface_ids: JSON.stringify([...new Set(body.interfaces)]),
          created_at: clock.now().getTime(),
        };
        await repository.insert(tx, row);
        const answer = (await shown(tx, new Map()))(row);
        await audit.record(tx, actor.memberId, "group.added", { target: row.id, after: told(answer) });
        await events.record(tx, groupChanged, { memberIds: [] });
        return answer;
      }),

    change: ({ actor, params, body: { expected, ...input } }) =>
      transact(async (tx) => {
        const all = await begin(tx);
        const row = (await repository.lock(tx, params.id)) ?? refuse("group.not_found");
        const memberIds = await repository.membersOf(tx, [row.id]);
        const answer = await shown(tx, new Map([[row.id, memberIds.length]]));
        const before = answer(row);
        const fields = changedMeanwhile(told(before), input, expected);
        if (fields.length > 0) refuse("group.changed_meanwhile", { fields });
        if (input.name !== undefined) refuseTaken(all, input.name, row.id);
        if (input.interfaces !== undefined) await refuseUnknown(tx, input.interfaces);
        const { name = before.name, interfaces = before.interfaces } = input;
        // Any change also removes interfaces that no longer exist.
        const change = { name, name_key: groupKey(name), interface_ids: JSON.stringify([...new Set(interfaces)]) };
        const after = answer({ ...row, ...change });
        if (JSON.stringify(told(after)) === JSON.stringify(told(before))) return before;
        await repository.update(tx, row.id, change);
        await audit.record(tx, actor.memberId, "group.changed", {
          target: row.id,
          before: told(before),
          after: told(after),
        });
        await events.record(tx, groupChanged, { memberIds });
        return after;
      }),

    remove: ({ actor, params }) =>
      transact(async (tx) => {
        await begin(tx);
        const row = (await repository.lock(tx, params.id)) ?? refuse("group.not_found");
        const memberIds = await repository.membersOf(tx, [row.id]);
        await events.record(tx, groupDeleted, { groupId: row.id, name: row.name, byId: actor.memberId });
        await repository.remove(tx, row.id);
        await audit.record(tx, actor.memberId, "group.deleted", {
          target: row.id,
          before: { ...told((await shown(tx, new Map()))(row)), memberCount: memberIds.length },
        });
        await events.record(tx, groupChanged, { memberIds });
      }),

    ofMember: ({ actor, params, body: { groups: wished, expected } }) =>
      transact(async (tx) => {
        const found = (await members.findByIdOrUsername(tx, params.id)) ?? refuse("member.not_found");
        const { id } = (await members.lock(tx, found.id)) ?? refuse("member.not_found");
        const now = ((await groups.ofThese(tx, [id])).get(id) ?? []).map((group) => group.id);
        const fields = changedMeanwhile({ groups: now }, { groups: wished }, expected);
        if (fields.length > 0) refuse("member.changed_meanwhile", { fields });
        await groups.move(tx, actor, {
          memberIds: [id],
          joined: [...new Set(wished)].filter((one) => !now.includes(one)),
          left: now.filter((one) => !wished.includes(one)),
        });
        return (await groups.ofThese(tx, [id])).get(id) ?? [];
      }),
  };
}
