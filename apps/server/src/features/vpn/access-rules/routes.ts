import type { Contract } from "@krug/contract/api";
import { lineOrNull, whyOrNull } from "@krug/contract/reasons";
import type { AccessRuleAnswer } from "@krug/contract/vpn/access-rules";
import { isoOf } from "@krug/domain/moment";
import { accessTargetForPeople } from "@krug/wireguard/access-target";
import type { Actor, Handlers } from "../../../platform/http/call.ts";
import { pageOf, readCursor, tellPage, writeCursor } from "../../../platform/pages.ts";
import { refuse } from "../../../platform/refusal.ts";
import { seesServerSecrets, seesVip } from "../../club/rights/index.ts";
import { makeRuleChanges } from "./change-rules.ts";
import { makeAccessCheck } from "./check-access.ts";
import { groupsOf } from "./groups-of.ts";
import { addressesOf } from "./names.ts";
import type { AccessRuleParts } from "./parts.ts";
import * as repository from "./repository.ts";
import type { NameRow, RuleRow } from "./table.ts";

/** Long enough for a reachable server to get the change: it is in force within 5 s (decisions, section 7). */
const APPLY_WAIT_MS = 3_000;
/** Ids that a listed rule names; its members' call answers all of them. */
const FEW_IDS = 100;

export function makeAccessRuleRoutes(parts: AccessRuleParts): Handlers<Contract["accessRules"]> {
  const { db, jobs, members, groups, servers } = parts;
  const changes = makeRuleChanges(parts);
  const checkAccess = makeAccessCheck(parts);
  const hiddenFrom = (actor: Actor, as?: "moderator") => (seesVip(actor, as) ? null : members.vipIds(db));

  const shown = async (
    rows: readonly RuleRow[],
    hidden: ReturnType<typeof hiddenFrom>,
  ): Promise<AccessRuleAnswer[]> => {
    const selected = await repository.selectedOf(
      db,
      rows.flatMap(({ id, applies_to }) => (applies_to === "selected" ? [id] : [])),
      FEW_IDS,
      hidden,
    );
    const targets = rows.flatMap(({ kind, target }) => (kind === "name" ? [target] : []));
    const names = new Map((await repository.namesAmong(db, targets)).map((row) => [row.name, row]));
    const groupOf = await groupsOf(groups, db, rows);
    return rows.map((row) => ({
      id: row.id,
      type: row.type,
      target: accessTargetForPeople({ kind: row.kind, text: row.target }),
      appliesTo: row.applies_to === "all" ? "all" : (selected.get(row.id)?.ids ?? []),
      group: groupOf(row),
      memberCount: row.applies_to === "all" ? null : (selected.get(row.id)?.count ?? 0),
      createdAt: isoOf(row.created_at),
      domain: row.kind === "name" ? domainOf(names.get(row.target)) : null,
    }));
  };

  /** Domains whose readable spelling contains a text: 'пример.рф' is stored as 'xn--e1afmkfd.xn--p1ai'. */
  const spelledLike = async (text: string | undefined): Promise<string[]> => {
    if (text === undefined || !/[^ -~]/.test(text)) return [];
    const sought = text.toLowerCase();
    const names = await repository.foreignNames(db);
    return names.filter((name) => accessTargetForPeople({ kind: "name", text: name }).includes(sought));
  };

  return {
    async list({ actor, query, reply }) {
      const hidden = hiddenFrom(actor, query.as);
      const wish = { type: query.type, text: query.q, spelled: await spelledLike(query.q), hidden };
      const found = await repository.page(db, wish, query.limit + 1, readCursor(query.cursor, "number"));
      const { rows, next } = pageOf(found, query, (last) => writeCursor(last.created_at, last.id));
      tellPage(reply, { next, total: await repository.count(db, wish) });
      return shown(rows, hidden);
    },

    async add({ actor, body }) {
      const { rule, jobIds } = await changes.add(actor, body);
      await jobs.settled(jobIds, APPLY_WAIT_MS);
      const [answer] = await shown([rule], null);
      return answer ?? refuse("rule.not_found");
    },

    async remove({ actor, params }) {
      await jobs.settled(await changes.remove(actor, params.id), APPLY_WAIT_MS);
    },

    async members({ actor, params, query, reply }) {
      const withVip = seesVip(actor, query.as);
      (await repository.find(db, params.id, hiddenFrom(actor, query.as))) ?? refuse("rule.not_found");
      const wish = { text: query.q, state: "all", withVip, among: repository.selectedIds(db, params.id) } as const;
      const { rows, next } = await members.search(db, wish, query);
      tellPage(reply, { next, total: await members.count(db, wish) });
      return rows.map(({ id, username, display_name }) => ({ id, username, displayName: display_name }));
    },

    async servers({ actor, query }) {
      const withVip = seesVip(actor, query.as);
      // The machine's message may reveal how it is reached.
      const tellsWhy = seesServerSecrets(actor, query.as);
      const wanted = withVip ? await repository.revision(db) : await repository.openRevision(db);
      const held = new Map((await repository.onServers(db)).map((row) => [row.server_id, row]));
      return (await servers.all(db)).map(({ id, name, unreachable_reason }) => {
        const row = held.get(id);
        const failure = (withVip ? row?.failure : row?.open_failure) ?? null;
        const appliedAt = (withVip ? row?.applied_at : row?.open_applied_at) ?? null;
        const told = tellsWhy ? (unreachable_reason ?? failure) : null;
        const isInForce = row !== undefined && failure === null && row.revision >= wanted;
        return {
          id,
          name,
          state: isInForce ? ("in_force" as const) : ("pending" as const),
          appliedAt: isoOf(appliedAt),
          reason: isInForce ? null : lineOrNull(told),
          why: isInForce ? null : whyOrNull(told),
        };
      });
    },

    check: ({ actor, query }) => checkAccess(query.userId, query.target, seesVip(actor, query.as)),
  };
}

function domainOf(row: NameRow | undefined): AccessRuleAnswer["domain"] {
  if (row === undefined) return { addresses: [], foundAt: null, failingSince: null, failure: null };
  return {
    addresses: addressesOf(row),
    foundAt: isoOf(row.found_at),
    failingSince: isoOf(row.failing_since),
    failure: row.failure,
  };
}
