import { DAY_MS, HOUR_MS } from "@krug/domain/moment";
import { wordsSought } from "@krug/domain/name-search";
import type { Role } from "@krug/domain/roles";
import { type Expression, type ExpressionBuilder, type RawBuilder, sql } from "kysely";
import type { Db, Tx } from "../../../platform/database/database.ts";
import { type PageOf, pageOf, readCursor, rowsFor, writeCursor } from "../../../platform/pages.ts";
import type { MemberRow, MemberTables, UseRow } from "./table.ts";

const tables = (db: Db | Tx) => db.withTables<MemberTables>();

/** What staff look for: the words of `text` in the username or display name, in any order, case and spelling. */
export interface MemberSearch {
  text: string | undefined;
  state: "all" | "active" | "blocked";
  /** VIP members are for admins only (decisions, section 2). */
  withVip: boolean;
  /** Only who joined before this moment, ms. */
  joinedBefore?: number | undefined;
  isUnlimited?: boolean | undefined;
  ends?: SubscriptionEnds | undefined;
  role?: Role | undefined;
  /** Only whose last handshake was at this moment (ms) or later. */
  seenSince?: number | undefined;
  /** Only those of whom staff have not decided on this month (YYYY-MM), nor on a later one. */
  unsettledIn?: string | undefined;
  /** Only those whose ids this query answers. */
  among?: Expression<string>;
  /** What another feature knows of a member. */
  also?: MemberCondition | undefined;
}

/** `holds`: written for the member whose id it is given; `isFew`: only few are such, so that they are found first. */
export interface MemberCondition {
  holds: (id: RawBuilder<string>) => RawBuilder<boolean>;
  isFew: boolean;
}

/** How a member's subscription ends, as the list reads it at a moment (ms). */
export interface SubscriptionEnds {
  how: "soon" | "ended" | "trial" | "unlimited";
  now: number;
  graceHours: number;
}

const SOON_MS = 7 * DAY_MS;

/** Written out where an index holds only such members. */
function endsSo({ how, now, graceHours }: SubscriptionEnds): RawBuilder<boolean> {
  if (how === "unlimited") return sql`is_unlimited = 1 and id > ''`;
  const between = (after: number, until: number) =>
    sql<boolean>`is_unlimited = 0 and subscription_end > ${after} and subscription_end <= ${until}`;
  if (how === "soon") return between(now, now + SOON_MS);
  if (how === "trial") return sql`is_unlimited = 0 and subscription_source = 'trial' and subscription_end > ${now}`;
  return sql`${between(0, now - graceHours * HOUR_MS)} and (referral_earned_at is null or is_active = 0)`;
}

export type MemberSort = "name" | "subscription" | "lastHandshake" | "monthBytes" | "createdAt";

export interface MemberPage {
  /** By name unless told. */
  sort?: MemberSort;
  order?: "asc" | "desc";
  cursor?: string | undefined;
  /** Rows left out before the page. */
  skip?: number;
  limit: number;
  spare?: number;
}

export type ListedRow = MemberRow & Pick<UseRow, "last_handshake_at" | "month_bytes">;

/** Everyone's id; asked for, it leads SQLite to the short index of the few that begins with it. */
const ANY_ID = ["id", ">", ""] as const;

const isNamed = ({ text }: Pick<MemberSearch, "text">) => text !== undefined && text.trim() !== "";

/** Contains it, whatever it has in it. */
const holding = (spelling: string) => `%${spelling.replace(/[\\%_]/g, "\\$&")}%`;

/**
 * SQLite's planner is led: `along` another index that gives the order, or, where names are searched and `along` is not that of
 * the names, to the index that has the names in it. To PostgreSQL it is all the same.
 */
const found = (db: Db | Tx, wish: MemberSearch, { along }: { along?: MemberSort } = {}) => {
  const { text, state, withVip, joinedBefore, isUnlimited, unsettledIn, among, also, ends, role, seenSince } = wish;
  // It takes no index for `+column`: a condition that most rows meet must not lead it away.
  const column = (name: "is_active" | "is_vip") =>
    along !== undefined || isNamed(wish) ? sql<number>`+${sql.ref(name)}` : sql<number>`${sql.ref(name)}`;
  return (
    tables(db)
      .selectFrom("members")
      .where("deleted_at", "is", null)
      .$if(isNamed(wish), (query) =>
        query.where((e) =>
          e.and(
            wordsSought(text ?? "").map((spellings) =>
              e.or(
                spellings.flatMap((spelling) =>
                  (["username_key", "display_name_key"] as const).map(
                    (key) => sql<boolean>`${e.ref(key)} like ${holding(spelling)} escape '\\'`,
                  ),
                ),
              ),
            ),
          ),
        ),
      )
      // Everyone's is.
      .$if(isNamed(wish) && along !== "name", (query) => query.where("display_name_key", ">", ""))
      .$if(state === "active", (query) => query.where(column("is_active"), "=", 1))
      .$if(state === "blocked", (query) => query.where("is_active", "=", 0))
      .$if(!withVip, (query) => query.where(column("is_vip"), "=", 0))
      .$if(joinedBefore !== undefined, (query) => query.where("created_at", "<", joinedBefore ?? 0))
      // Written out and not as a value: an index of the unlimited only is taken only then.
      .$if(isUnlimited === true, (query) => query.where(sql<boolean>`is_unlimited = 1`).where(...ANY_ID))
      .$if(isUnlimited === false, (query) => query.where(sql<boolean>`is_unlimited = 0`))
      .$if(ends !== undefined, (query) => query.where(endsSo(ends as SubscriptionEnds)))
      .$if(role !== undefined, (query) => query.where("role", "=", role as Role))
      .$if(seenSince !== undefined, (query) =>
        query.where("id", "in", (e) =>
          e
            .selectFrom("member_use")
            .select("member_id")
            .where("last_handshake_at", ">=", seenSince ?? 0),
        ),
      )
      .$if(unsettledIn !== undefined, (query) => query.where("settled_period", "<", unsettledIn ?? ""))
      .$if(among !== undefined, (query) => query.where("id", "in", among as Expression<string>))
      .$if(also !== undefined, (query) => query.where((also as MemberCondition).holds(sql`members.id`)))
  );
};

/**
 * For another feature's `where member_id in (…)`: everyone whom somebody with or without sight of VIP members may see, or of
 * them who bear `text` in their names.
 */
export const visibleIds = (db: Db | Tx, withVip: boolean, text?: string) =>
  found(db, { text, state: "all", withVip }).select("id");

/** For another feature's `where member_id not in (…)`: the VIP members. They are few, and found by an index of their own. */
export const vipIds = (db: Db | Tx) => tables(db).selectFrom("members").select("id").where("is_vip", "=", sql.lit(1));

/**
 * For another feature's `select`: how many VIP members joined by the code whose id stands in this column; also who has been
 * deleted since, so that a deletion is not seen in the difference.
 */
export const vipJoinedBy = (codeId: RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`(select count(*) from members where members.invite_code_id = ${codeId} and members.is_vip = 1)`;

/** The same for members of one kind: few among many, for whom there are indexes (0061_payments_of_a_month.sql). */
export function idsOfKind(db: Db | Tx, kind: "deleted" | "vip" | "unlimited") {
  const ids = tables(db).selectFrom("members").select("id");
  if (kind === "deleted") return ids.where("deleted_at", "is not", null);
  const living = ids.where("deleted_at", "is", null);
  return living.where(kind === "vip" ? sql<boolean>`is_vip = 1` : sql<boolean>`is_unlimited = 1`).where(...ANY_ID);
}

/** Ids of at most `most` of those that are found. */
export async function idsFound(db: Db, wish: MemberSearch, most: number): Promise<string[]> {
  const rows = await found(db, wish).select("id").limit(most).execute();
  return rows.map(({ id }) => id);
}

/** Some of those that are found, by id; `after` is the last of those before. */
export async function foundAfter(db: Db | Tx, wish: MemberSearch, after: string | null, limit: number) {
  const rows = await found(db, wish)
    .select("id")
    .where("id", ">", after ?? "")
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** For another feature's `where exists …`: whether the member whose id stands in this column is among them. */
export const queryForFound = (db: Db, wish: MemberSearch, column: string) =>
  found(db, wish, { along: "name" }).select("id").where("id", "=", sql.ref<string>(column));

/** Members by name, to be joined to a list of what is theirs. */
export const named = (db: Db | Tx) =>
  tables(db)
    .selectFrom("members")
    .select(["id", "username", "username_key", "display_name", "display_name_key", "is_vip"])
    .where("deleted_at", "is", null);

/** Who may use the VPN at a moment (ms), as the entitlement rule says, for another feature's `where`. */
export const entitledIds = (db: Db | Tx, now: number, graceHours: number) =>
  tables(db).selectFrom("members").select("id").where(isEntitledAt(now, graceHours));

/** Everyone else, deleted ones too. What is not known counts as no. */
export const unentitledIds = (db: Db | Tx, now: number, graceHours: number) =>
  tables(db)
    .selectFrom("members")
    .select("id")
    .where((e) => sql<boolean>`case when ${isEntitledAt(now, graceHours)(e)} then 0 else 1 end = 1`);

export const isEntitledAt = (now: number, graceHours: number) => (e: ExpressionBuilder<MemberTables, "members">) =>
  e.and([
    e("deleted_at", "is", null),
    e("is_active", "=", 1),
    e.or([
      e("is_unlimited", "=", 1),
      e.and([
        e.or([e("quota_used_up_until", "is", null), e("quota_used_up_until", "<=", now)]),
        e.or([e("subscription_end", ">", now - graceHours * HOUR_MS), e("referral_earned_at", "is not", null)]),
      ]),
    ]),
  ]);

/**
 * What orders a list: a key, then what no two members share. Each pair has its index, written letter by letter as here
 * (0060_members_use.sql, 0250_members_by_display_name.sql).
 */
const KEYS: Record<MemberSort, { key: RawBuilder<string | number>; id: RawBuilder<string> }> = {
  name: { key: sql`members.display_name_key`, id: sql`members.username_key` },
  subscription: {
    key: sql`case when is_unlimited = 1 then 9007199254740991 else coalesce(subscription_end, 0) end`,
    id: sql`members.id`,
  },
  createdAt: { key: sql`members.created_at`, id: sql`members.id` },
  lastHandshake: { key: sql`member_use.last_handshake_at`, id: sql`member_use.member_id` },
  monthBytes: { key: sql`member_use.month_bytes`, id: sql`member_use.member_id` },
};

const listed = (db: Db, wish: MemberSearch, how: { along?: MemberSort } = {}) =>
  found(db, wish, how)
    .innerJoin("member_use", "member_use.member_id", "members.id")
    .selectAll("members")
    .select(["last_handshake_at", "month_bytes"]);

/** The login that was typed whole, if one was. */
function loginSought({ text = "" }: MemberSearch): string | null {
  const login = text.trim().toLowerCase();
  return /\s/.test(login) ? null : login;
}

/** A page of members and where the next one begins; null after the last. */
export async function search(
  db: Db,
  wish: MemberSearch,
  { sort = "name", order = "asc", cursor, skip = 0, ...size }: MemberPage,
): Promise<PageOf<ListedRow>> {
  const { key, id } = KEYS[sort];
  const after = readCursor(cursor, sort === "name" ? "text" : "number");
  // Few are blocked, bear a name or are named: they are found first and put in order then, instead of looked for along a whole
  // index, except along that of the names, which is read by itself.
  const isFew =
    wish.state === "blocked" ||
    (isNamed(wish) && sort !== "name") ||
    wish.isUnlimited === true ||
    (wish.ends !== undefined && wish.ends.how !== "ended") ||
    (wish.role !== undefined && wish.role !== "user") ||
    wish.seenSince !== undefined ||
    wish.among !== undefined ||
    wish.also?.isFew === true ||
    (wish.unsettledIn !== undefined && (await areFewUnsettled(db, wish.unsettledIn)));
  // Who bears the login itself comes first, and is left out where the names would have him.
  const login = sort === "name" && order === "asc" && isNamed(wish) ? loginSought(wish) : null;
  const bearer =
    login === null ? undefined : await listed(db, wish).where("username_key", "=", login).executeTakeFirst();
  const isFirst = bearer !== undefined && after === undefined && skip === 0;
  const ordered = !isFew ? key : sort === "name" ? sql`${key} || ''` : sql`+${key}`;
  const beyond = order === "asc" ? sql`>` : sql`<`;
  const others = await listed(db, wish, { along: sort })
    .select([sql<string | number>`${key}`.as("sort_key"), sql<string>`${id}`.as("sort_id")])
    .$if(bearer !== undefined, (query) => query.where("members.username_key", "!=", login ?? ""))
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(${key}, ${id}) ${beyond} (${after?.key}, ${after?.id})`),
    )
    .orderBy(ordered, order)
    .orderBy(id, order)
    .limit(rowsFor(size) - (isFirst ? 1 : 0))
    .offset(skip - (bearer !== undefined && after === undefined && !isFirst ? 1 : 0))
    .execute();
  const rows = isFirst ? [{ ...bearer, sort_key: "", sort_id: "" }, ...others] : others;
  return pageOf(rows, size, (last) => writeCursor(last.sort_key, last.sort_id));
}

/** A share of all members that is put in order quicker than it is looked for along a whole index. */
export const FEW_MEMBERS = 2_000;

async function areFewUnsettled(db: Db, period: string): Promise<boolean> {
  const some = await tables(db)
    .selectFrom("members")
    .select("id")
    .where("deleted_at", "is", null)
    .where("settled_period", "<", period)
    .offset(FEW_MEMBERS)
    .limit(1)
    .executeTakeFirst();
  return some === undefined;
}

export async function count(db: Db, wish: MemberSearch): Promise<number> {
  const row = await found(db, wish)
    .select(({ fn }) => fn.countAll().as("members"))
    .executeTakeFirst();
  return Number(row?.members ?? 0);
}

/** How many joined, and how many subscriptions ended, from one moment up to another, ms, without those that friends keep. */
export async function countsOfSpan(
  db: Db,
  { from, until, withVip }: { from: number; until: number; withVip: boolean },
): Promise<{ joined: number; ended: number }> {
  const living = () =>
    tables(db)
      .selectFrom("members")
      .select(({ fn }) => fn.countAll().as("members"))
      .where("deleted_at", "is", null)
      .$if(!withVip, (query) => query.where(sql<boolean>`+is_vip = 0`));
  const [joined, ended] = await Promise.all([
    living().where("created_at", ">=", from).where("created_at", "<", until).executeTakeFirst(),
    living()
      .where("subscription_end", ">=", from)
      .where("subscription_end", "<", until)
      .where(sql<boolean>`+is_active = 1 and +is_unlimited = 0`)
      .where("referral_earned_at", "is", null)
      .executeTakeFirst(),
  ]);
  return { joined: Number(joined?.members ?? 0), ended: Number(ended?.members ?? 0) };
}

/** How many are active and how many blocked, of those that are found. */
export async function counts(
  db: Db,
  wish: Omit<MemberSearch, "state">,
): Promise<{ all: number; active: number; blocked: number }> {
  const row = await found(db, { ...wish, state: "all" })
    .select(({ fn }) => [fn.countAll().as("members"), fn.sum("is_active").as("active")])
    .executeTakeFirst();
  const [all, active] = [Number(row?.members ?? 0), Number(row?.active ?? 0)];
  return { all, active, blocked: all - active };
}
