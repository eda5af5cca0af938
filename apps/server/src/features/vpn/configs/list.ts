import { ACTIVE_WITHIN_MS } from "@krug/domain/handshake";
import { HONEST_SKEW_MS } from "@krug/domain/moment";
import { type RawBuilder, sql } from "kysely";
import type { Db, Tx } from "../../../platform/database/database.ts";
import { type Place, pageOf, readCursor, rowsFor, writeCursor } from "../../../platform/pages.ts";
import type { ConfigParts } from "./parts.ts";
import { type ConfigTables, SHOWN, type ShownConfig } from "./table.ts";
import { countLiving } from "./usage-repository.ts";

const tables = (db: Db | Tx) => db.withTables<ConfigTables>();

export type ConfigFilter =
  | "all"
  | "online"
  | "never"
  | "blocked"
  | "dormant"
  | "ended"
  | "stale"
  | "moving"
  | "pending";
export type ConfigSort = "member" | "name" | "createdAt" | "lastHandshake" | "traffic";

/**
 * A search by staff: `text` in a config's name, its owner's name or login, or at the beginning of its address or the one it moves
 * away from.
 */
export interface ConfigSearch {
  text?: string | undefined;
  filter: ConfigFilter;
  interfaceId?: string | undefined;
  /** VIP members are for admins only (decisions, section 2). */
  withVip: boolean;
  /** Only those created at this time (ms) or later. */
  madeSince?: number;
}

export interface ConfigPage {
  sort: ConfigSort;
  order: "asc" | "desc";
  cursor?: string | undefined;
  /** Rows to skip before the page. */
  skip: number;
  limit: number;
  spare: number;
}

export type ListedConfig = ShownConfig & {
  address: string;
  address_v6: string | null;
  username: string;
  display_name: string;
};

/**
 * What orders a list; each pair of one table is an index, written exactly as there (0081_config_list.sql). A pair belongs to one
 * config: a username has no slash, so two owners of one name stay apart.
 */
const KEYS: Record<ConfigSort, { first: RawBuilder<string | number>; second: RawBuilder<string>; isText: boolean }> = {
  member: {
    first: sql`owner.display_name_key`,
    second: sql`(owner.username_key || '/' || configs.name_key)`,
    isText: true,
  },
  name: { first: sql`configs.name_key`, second: sql`configs.id`, isText: true },
  createdAt: { first: sql`configs.created_at`, second: sql`configs.id`, isText: false },
  lastHandshake: { first: sql`counter.seen_at`, second: sql`counter.config_id`, isText: false },
  traffic: { first: sql`counter.total`, second: sql`counter.config_id`, isText: false },
};

/** Up to this many matches are found first, then sorted; with more, matches soon turn up along the order's own index. */
const FEW = 3_000;

type Condition = RawBuilder<boolean>;

interface Source {
  from: RawBuilder<unknown>;
  on: Condition[];
  by: "text" | "seen" | "standing" | null;
}

/**
 * Everyone's configs, for staff. The statements fix the order of the tables: SQLite keeps to the order of a cross join, and would
 * otherwise read all of them to sort a page; PostgreSQL chooses its own.
 */
export function makeConfigList({ clock, settings, members, interfaces, traffic }: ConfigParts) {
  const counter = (db: Db) => sql`(${traffic.counters(db)}) as counter`;
  const owner = (db: Db) => sql`(${members.named(db)}) as owner`;

  /** Where to find few matches, and how to join them; the condition that finds them is then dropped. */
  const sourceOf = async (db: Db, { text, filter }: ConfigSearch): Promise<Source> => {
    if (isWord(text))
      return {
        from: sql`(select distinct id from (${named(db, text)}) as named) as hit cross join configs`,
        on: [sql`hit.id = configs.id`],
        by: "text",
      };
    if (filter === "online" || filter === "never")
      return {
        from: sql`${counter(db)} cross join configs`,
        on: [sql`counter.config_id = configs.id`, seenAs(filter)],
        by: "seen",
      };
    // Most configs off the wire belong to members who may not use the VPN: those are checked first, once each.
    if (filter === "pending")
      return {
        from: sql`(
          select distinct member_id from configs where on_wire = 0 and is_blocked = 0 and dormant_since is null and deleted_at is null
        ) as off cross join configs`,
        on: [sql`configs.member_id = off.member_id`, await isEntitled(db, sql`off.member_id`)],
        by: "standing",
      };
    return { from: sql`configs`, on: [], by: null };
  };

  const seenAs = (filter: "online" | "never"): Condition => {
    const now = clock.now().getTime();
    return filter === "never"
      ? sql`counter.seen_at = 0`
      : sql`counter.seen_at between ${now - ACTIVE_WITHIN_MS} and ${now + HONEST_SKEW_MS}`;
  };

  /** Ids of configs that move away from an address with this beginning. */
  const movingFrom = (db: Db, pattern: string) =>
    tables(db)
      .selectFrom("configs")
      .select(sql<string>`place_of`.as("id"))
      .where("moves_until", "is not", null)
      .where("place_of", "is not", null)
      .where(sql<boolean>`address like ${`${pattern}%`} escape '\\'`);

  /** Ids of configs whose name, or whose owner's name, contains a text. */
  const named = (db: Db, text: string) => {
    const pattern = patternOf(text);
    const living = tables(db).selectFrom("configs").select("id").where("deleted_at", "is", null);
    return (
      living
        // True for every name; it makes SQLite use the index of the names.
        .where("name_key", ">", "")
        .where(sql<boolean>`name_key like ${`%${pattern}%`} escape '\\'`)
        .unionAll(living.where("member_id", "in", members.visibleIds(db, true, text)))
        .$if(IS_OF_ADDRESS.test(text), (found) =>
          found
            .unionAll(living.where(sql<boolean>`address like ${`${pattern}%`} escape '\\'`))
            .unionAll(movingFrom(db, pattern)),
        )
    );
  };

  /**
   * The same for one config. As a list of ids it would be searched for each id by each member, since SQLite would look them up in the
   * index of members' configs: minutes in a club of 100,000 members with 6,000 of one surname.
   */
  const isNamed = (db: Db, text: string): Condition => {
    const pattern = patternOf(text);
    const conditions = [
      sql`configs.name_key like ${`%${pattern}%`} escape '\\'`,
      sql`configs.member_id in (${members.visibleIds(db, true, text)})`,
    ];
    if (IS_OF_ADDRESS.test(text))
      conditions.push(
        sql`configs.address like ${`${pattern}%`} escape '\\'`,
        sql`configs.id in (${movingFrom(db, pattern)})`,
      );
    return sql`(${sql.join(conditions, sql` or `)})`;
  };

  /** The conditions on each config. */
  const conditionsOf = async (db: Db, wish: ConfigSearch, foundBy: Source["by"]): Promise<Condition[]> => {
    const { text, filter, interfaceId, madeSince } = wish;
    const met: Condition[] = [sql`configs.deleted_at is null`];
    if (interfaceId !== undefined) met.push(sql`configs.interface_id = ${interfaceId}`);
    if (madeSince !== undefined) met.push(sql`configs.created_at >= ${madeSince}`);
    if (isWord(text) && foundBy !== "text") met.push(isNamed(db, text));
    if (filter === "blocked") met.push(sql`configs.is_blocked = 1`);
    if (filter === "dormant") met.push(sql`configs.dormant_since is not null and configs.has_ended = 0`);
    // Said by the day too: few have one, and an index has those.
    if (filter === "ended") met.push(sql`configs.has_ended = 1 and configs.ends_at > 0`);
    if (filter === "stale") met.push(sql`configs.is_stale = 1`);
    if (filter === "moving") met.push(sql`configs.moves_until is not null and configs.place_of is null`);
    if (filter === "pending") met.push(...(await waiting(db)));
    if (filter === "pending" && foundBy !== "standing") met.push(await isEntitled(db, sql`configs.member_id`));
    if ((filter === "online" || filter === "never") && foundBy !== "seen")
      met.push(sql`exists (select 1 from ${counter(db)} where counter.config_id = configs.id and ${seenAs(filter)})`);
    return met;
  };

  /** Not confirmed on the wire although its owner is entitled (decisions, section 1; `isPeerWanted` decides for one). */
  const waiting = async (db: Db): Promise<Condition[]> => {
    const active = (await interfaces.all(db)).filter((row) => row.is_active === 1).map(({ id }) => id);
    return [
      sql`configs.on_wire = 0 and configs.is_blocked = 0 and configs.dormant_since is null`,
      active.length === 0 ? sql`1 = 0` : sql`configs.interface_id in (${sql.join(active)})`,
    ];
  };

  const isEntitled = async (db: Db, memberId: RawBuilder<unknown>): Promise<Condition> => {
    const { graceHours } = await settings.read(db);
    const entitled = members.entitledIds(db, clock.now().getTime(), graceHours);
    return sql`exists (select 1 from (${entitled}) as entitled where entitled.id = ${memberId})`;
  };

  /** Counts of the matches; `among` narrows them. */
  const counted = async <Row>(db: Db, wish: ConfigSearch, what: RawBuilder<unknown>, among: Condition[]) => {
    const { from, on, by } = await sourceOf(db, wish);
    const met = [...on, ...(await conditionsOf(db, wish, by)), ...among];
    return (await sql<Row>`select ${what} from ${from} where ${sql.join(met, sql` and `)}`.execute(db)).rows;
  };
  const vip = (db: Db): Condition => sql`configs.member_id in (${members.vipIds(db)})`;

  /** Few members are VIP: counting and subtracting theirs is cheaper than checking everyone's. */
  const count = async (db: Db, wish: ConfigSearch): Promise<number> => {
    const of = async (among: Condition[]) =>
      Number((await counted<{ configs: number }>(db, wish, sql`count(*) as configs`, among))[0]?.configs ?? 0);
    const { text, filter, interfaceId, madeSince } = wish;
    const isWhole = !isWord(text) && filter === "all" && madeSince === undefined;
    const all = isWhole ? await countLiving(db, interfaceId) : await of([]);
    return all - (wish.withVip ? 0 : await of([vip(db)]));
  };

  /** By interface, for a filter that few match; interfaces without any are absent. */
  const countByInterface = async (db: Db, wish: ConfigSearch): Promise<Map<string, number>> => {
    const rows = await counted<{ interface_id: string }>(
      db,
      wish,
      sql`configs.interface_id`,
      wish.withVip ? [] : [sql`not ${vip(db)}`],
    );
    const counts = new Map<string, number>();
    for (const { interface_id } of rows) counts.set(interface_id, (counts.get(interface_id) ?? 0) + 1);
    return counts;
  };

  return {
    countByInterface,
    count,

    /**
     * At most `limit` configs by a text in their own names, or at the beginning of their addresses; addresses they move away from
     * come last.
     */
    async first(db: Db, text: string, { withVip, limit }: { withVip: boolean; limit: number }) {
      const pattern = patternOf(text);
      const found = (condition: Condition, order: "name_key" | "address") =>
        tables(db)
          .selectFrom("configs")
          .select(["id", "name", "address", "interface_id", "member_id"])
          .where("deleted_at", "is", null)
          .where(condition)
          .$if(!withVip, (query) => query.where("member_id", "not in", members.vipIds(db)))
          .orderBy(order)
          .orderBy("id")
          .limit(limit)
          .execute();
      if (IS_OF_ADDRESS.test(text)) {
        const placed = await found(sql`address like ${`${pattern}%`} escape '\\'`, "address");
        const moving = await found(sql`id in (${movingFrom(db, pattern)})`, "address");
        const rows = [...placed, ...moving.filter(({ id }) => placed.every((row) => row.id !== id))];
        if (rows.length > 0) return rows.slice(0, limit);
      }
      return found(sql`name_key like ${`%${pattern}%`} escape '\\'`, "name_key");
    },

    /** A page of configs with their owners' names, where the next one begins (null after the last), and how many there are. */
    async page(db: Db, wish: ConfigSearch, { sort, order, cursor, skip, ...size }: ConfigPage) {
      const total = await count(db, wish);
      const isFew = total <= FEW;
      const { first, second, isText } = KEYS[sort];
      const byCounter = sort === "lastHandshake" || sort === "traffic";
      const source = isFew ? await sourceOf(db, wish) : { ...alongIndex(db, sort), by: null };
      const met = [...source.on, ...(await conditionsOf(db, wish, source.by))];
      let { from } = source;
      if (isFew || sort !== "member") {
        from = sql`${from} cross join ${owner(db)}`;
        met.push(sql`owner.id = configs.member_id`);
      }
      if (isFew && byCounter && source.by !== "seen") {
        from = sql`${from} cross join ${counter(db)}`;
        met.push(sql`counter.config_id = configs.id`);
      }
      if (!wish.withVip) met.push(sql`owner.is_vip = 0`);
      const after = readCursor(cursor, isText ? "text" : "number");
      if (after !== undefined) met.push(beyond(after, sort, order));
      const direction = sql.raw(order);
      // An expression without an index, so the matches are sorted.
      const ordered = !isFew ? first : isText ? sql`${first} || ''` : sql`${first} + 0`;
      const columns = [...SHOWN, "address", "address_v6"].map((column) => sql.ref(`configs.${column}`));
      const { rows } = await sql<ListedConfig & { first_key: string | number; second_key: string }>`
        select ${sql.join(columns)}, owner.username, owner.display_name, ${first} as first_key, ${second} as second_key
        from ${from} where ${sql.join(met, sql` and `)}
        order by ${ordered} ${direction}, ${second} ${direction} limit ${rowsFor(size)} offset ${skip}`.execute(db);
      return { ...pageOf(rows, size, (last) => writeCursor(last.first_key, last.second_key)), total };
    },
  };

  /** The table whose index has the order, and its join to configs. */
  function alongIndex(db: Db, sort: ConfigSort): { from: RawBuilder<unknown>; on: Condition[] } {
    if (sort === "member")
      return { from: sql`${owner(db)} cross join configs`, on: [sql`configs.member_id = owner.id`] };
    if (sort === "lastHandshake" || sort === "traffic")
      return { from: sql`${counter(db)} cross join configs`, on: [sql`configs.id = counter.config_id`] };
    return { from: sql`configs`, on: [] };
  }
}

/** The rows after the last of a page. */
function beyond({ key, id }: Place<string | number>, sort: ConfigSort, order: ConfigPage["order"]): Condition {
  const after = sql.raw(order === "asc" ? ">" : "<");
  const keys = KEYS[sort];
  const pair = sql<boolean>`(${keys.first}, ${keys.second}) ${after} (${key}, ${id})`;
  // No index covers two tables: the first column leads to where the page begins.
  return sort === "member" ? sql`${keys.first} ${after}= ${key} and ${pair}` : pair;
}

/** For `like`, with a backslash as its escape. */
const patternOf = (text: string) => text.toLowerCase().replace(/[\\%_]/g, "\\$&");

/** No address contains anything else: those need not be read. */
const IS_OF_ADDRESS = /^[\d.]+$/;

const isWord = (text: string | undefined): text is string => text !== undefined && text !== "";
