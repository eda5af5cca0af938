import type { Reason } from "@krug/domain/reasons";
import type { DesiredAccess } from "../../../hosts/host.ts";
import type { Db, Tx } from "../../../platform/database/database.ts";
import { groupDeleted, groupMembersChanged } from "../../members/groups/index.ts";
import { memberDeleted } from "../../members/members/index.ts";
import type { ServerRow } from "../servers/index.ts";
import { makeRuleChanges } from "./change-rules.ts";
import { desiredAccess } from "./desired.ts";
import { accessRulesChanged } from "./events.ts";
import { areVips } from "./jobs.ts";
import { makeNameWatch } from "./names.ts";
import type { AccessRuleParts } from "./parts.ts";
import * as repository from "./repository.ts";

export { accessRulesChanged } from "./events.ts";
export { applyAccessRules } from "./jobs.ts";

export type AccessRules = ReturnType<typeof makeAccessRules>;

/** What members may reach through the tunnel, apart from what is closed to everybody (decisions, section 7). */
export function makeAccessRules(parts: AccessRuleParts) {
  const { db, transact, clock, events } = parts;
  const changes = makeRuleChanges(parts);
  const watchNames = makeNameWatch(parts);
  events.on(memberDeleted, (tx, { memberId }) => changes.forgetMember(tx, memberId));
  events.on(groupMembersChanged, (tx, moved) => changes.followGroups(tx, moved));
  events.on(groupDeleted, (tx, { groupId, name, byId }) => changes.forgetGroup(tx, { id: groupId, name, byId }));
  /** A panel from before such rules may have moved members. */
  const followGroups = async () => {
    if ((await repository.forGroups(db)).length > 0) await transact((tx) => changes.followGroups(tx, null));
  };

  return {
    /** Looks up names that are due. */
    watchNames,
    followGroups,
    timed: [
      { name: "names of rules", at: "*/10 * * * * *", leaseMs: 60_000, run: watchNames },
      { name: "members of groups' rules", at: "25 7-59/10 * * * *", run: followGroups },
    ],
    /** Grows with each change of the rules, their members and their names' addresses. */
    revision: repository.revision,
    /** The rules this server should have, and their revision. */
    desiredOn: (db: Db, server: ServerRow): Promise<{ revision: number; access: DesiredAccess }> =>
      desiredAccess(parts, db, server.id),
    /** Those of these members whom rules name, so that a change of their devices changes what servers have. */
    namedAmong: repository.namedAmong,
    /** How many rules there are for each group; absent if none. */
    countsByGroup: repository.countsByGroup,
    /**
     * Records which revision a server has, or why its machine could not load the rules. Writes only changes. `memberIds`: whose
     * devices caused the load.
     */
    async noteOnServer(
      tx: Tx,
      serverId: string,
      {
        revision,
        failure,
        memberIds = [],
      }: { revision: number; failure: Reason | null; memberIds?: readonly string[] },
    ): Promise<void> {
      const before = (await repository.onServers(tx)).find((row) => row.server_id === serverId);
      if (before?.failure === failure && (failure !== null || before.revision >= revision)) return;
      const open = await repository.openRevision(tx);
      // Everything new is for VIP members only; a load that works also heals what everybody saw fail.
      const isHealed = failure === null && before !== undefined && before.open_failure !== null;
      const isVips =
        !isHealed &&
        ((await areVips(parts, tx, memberIds)) ||
          (before !== undefined && before.revision >= open && revision > before.revision));
      const applied_at = failure === null ? clock.now().getTime() : (before?.applied_at ?? null);
      await repository.saveOnServer(tx, {
        server_id: serverId,
        revision: failure === null ? revision : (before?.revision ?? -1),
        applied_at,
        failure,
        open_applied_at: isVips ? (before?.open_applied_at ?? null) : applied_at,
        open_failure: isVips ? (before?.open_failure ?? null) : failure,
      });
      await events.record(tx, accessRulesChanged, { isVips });
    },
  };
}
