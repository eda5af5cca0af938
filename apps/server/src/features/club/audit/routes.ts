import type { Contract } from "@krug/contract/api";
import type { AuditEntryAnswer } from "@krug/contract/club/audit";
import type { QueryOf } from "@krug/contract/endpoint";
import { AUDIT_ACTIONS, type AuditAction, type AuditArea, actionsOf, actionsSeenBy } from "@krug/domain/audit-actions";
import { isoOf } from "@krug/domain/moment";
import type { Role } from "@krug/domain/roles";
import type { Expression } from "kysely";
import type { ClubTime } from "../../../platform/club-time.ts";
import type { Db } from "../../../platform/database/database.ts";
import type { Handlers } from "../../../platform/http/call.ts";
import { pageOf, readCursor, rowsFor, tellPage, writeCursor } from "../../../platform/pages.ts";
import type { Platform } from "../../../platform/platform.ts";
import { seesVip } from "../rights/index.ts";
import { idsIn, uncounted, without } from "./hidden-members.ts";
import * as repository from "./repository.ts";

interface Person {
  id: string;
  username: string;
  display_name: string;
  role: Role;
  is_vip: number;
}

interface Search {
  text: string;
  state: "all";
  withVip: boolean;
}

interface Parts extends Platform {
  /** Of a feature above this one. */
  members: {
    byIds(db: Db, ids: readonly string[]): Promise<readonly Person[]>;
    staff(db: Db, withVip: boolean): Promise<readonly Person[]>;
    vipIds(db: Db): Expression<unknown>;
    idsFound(db: Db, wish: Search, most: number): Promise<string[]>;
    queryForFound(db: Db, wish: Search, column: string): Expression<unknown>;
  };
  /** Other named objects an entry may refer to: a club has tens of each. */
  things: readonly ((db: Db) => Promise<readonly { id: string; name: string }[]>)[];
}

/** Counting further is not worth the wait. */
const COUNTED_UP_TO = 10_000;
/**
 * A search names at most this many members one by one. More members have so many entries that a scan back in time meets them
 * soon.
 */
const NAMED_ONE_BY_ONE = 200;

type Query = QueryOf<Contract["audit"]["list"]>;

export function makeAuditRoutes(parts: Parts): Handlers<Contract["audit"]> {
  const { db, clubTime, members } = parts;

  const concernedBy = async (text: string | undefined, withVip: boolean) => {
    if (text === undefined || text === "") return null;
    const wish = { text, state: "all", withVip } as const;
    const few = await members.idsFound(db, wish, NAMED_ONE_BY_ONE + 1);
    return few.length <= NAMED_ONE_BY_ONE ? few : members.queryForFound(db, wish, "audit.member_id");
  };

  const searchOf = async (query: Query, role: Role, seesAll: boolean): Promise<repository.AuditSearch> => ({
    actions: actionsFound(query.action, role),
    actorId: query.by ?? null,
    concerned: await concernedBy(query.q, seesAll),
    from: query.from === undefined ? null : startOf(query.from, clubTime),
    to: query.to === undefined ? null : clubTime.readWritten(query.to),
    hidden: seesAll ? null : { vip: members.vipIds(db) },
  });

  /** A search over many members is not counted: that would check every entry. */
  const counted = (wish: repository.AuditSearch) =>
    wish.concerned === null || Array.isArray(wish.concerned)
      ? repository.countUpTo(db, wish, COUNTED_UP_TO + 1)
      : Number.POSITIVE_INFINITY;

  const namesOfThings = async () => {
    const lists = await Promise.all(parts.things.map((list) => list(db)));
    return new Map(lists.flat().map(({ id, name }) => [id, name]));
  };

  const shown = async (rows: readonly repository.FoundEntry[], seesAll: boolean): Promise<AuditEntryAnswer[]> => {
    const entries = rows.map((row) => ({
      row,
      before: repository.valuesOf(row.action, row.before, row.names_before, clubTime),
      after: repository.valuesOf(row.action, row.after, row.names_after, clubTime),
    }));
    const ids = new Set(
      entries.flatMap(({ row, before, after }) => [...idsIn([row.actor_id, row.member_id, before, after])]),
    );
    const people = new Map((await members.byIds(db, [...ids])).map((row) => [row.id, row]));
    const things = await namesOfThings();
    const person = (id: string) => {
      const row = people.get(id);
      return { id, username: row?.username ?? null, displayName: row?.display_name ?? null };
    };
    const isSeen = (id: string) => seesAll || people.get(id)?.is_vip !== 1;
    return entries.map(({ row, before, after }) => {
      const named = [...idsIn([row.target, before, after])].flatMap((id) => {
        const name = things.get(id) ?? (isSeen(id) ? people.get(id)?.display_name : undefined);
        return name === undefined ? [] : [[id, name] as const];
      });
      return {
        id: row.id,
        at: isoOf(row.at),
        action: row.action,
        by: row.actor_id === null ? null : person(row.actor_id),
        session: row.session_id === null ? null : { id: row.session_id, device: row.device, apiToken: row.token_name },
        via: row.via,
        target: { kind: AUDIT_ACTIONS[row.action], id: row.target },
        member: row.member_id === null ? null : person(row.member_id),
        before: without(seesAll ? before : uncounted(before), isSeen),
        after: without(seesAll ? after : uncounted(after), isSeen),
        names: Object.fromEntries(named),
      };
    });
  };

  return {
    async list({ actor, query, reply }) {
      const seesAll = seesVip(actor, query.as);
      const wish = await searchOf(query, query.as ?? actor.role, seesAll);
      const after = readCursor(query.cursor, "number");
      const found = await repository.search(db, wish, { after, skip: query.skip, limit: rowsFor(query) });
      const { rows, next } = pageOf(found, query, (last) => writeCursor(last.at, last.id));
      const isWhole = after === undefined && query.skip === 0 && next === null;
      const count = isWhole ? rows.length : await counted(wish);
      tellPage(reply, { next, ...(count <= COUNTED_UP_TO ? { total: count } : {}) });
      return shown(rows, seesAll);
    },

    async staff({ actor, query }) {
      const rows = await members.staff(db, seesVip(actor, query.as));
      return rows.map(({ id, username, display_name, role }) => ({ id, username, displayName: display_name, role }));
    },
  };
}

const actionsNamed = (name: AuditAction | AuditArea): AuditAction[] =>
  name in AUDIT_ACTIONS ? [name as AuditAction] : actionsOf(name as AuditArea);

/** The named actions that this role may see; null: all. */
function actionsFound(name: AuditAction | AuditArea | undefined, role: Role): AuditAction[] | null {
  const seen = actionsSeenBy(role);
  if (name !== undefined) return actionsNamed(name).filter((action) => seen.includes(action));
  return seen.length === Object.keys(AUDIT_ACTIONS).length ? null : seen;
}

/** The start of a day, as `readWritten` gives its end. */
const startOf = (written: string, clubTime: ClubTime) => {
  const at = clubTime.readWritten(written);
  return written.length === "YYYY-MM-DD".length ? clubTime.startOfDay(at) : at;
};
