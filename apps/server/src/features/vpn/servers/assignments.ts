import { chunks } from "../../../platform/database/chunks.ts";
import type { Db, Tx } from "../../../platform/database/database.ts";
import { prepared } from "../../../platform/database/prepared.ts";
import type { Members } from "../../members/members/index.ts";

type Visible = ReturnType<Members["visibleIds"]>;

/** A page of the members that something is assigned to: ids after one, only of members the reader may see. */
interface AssignedPage {
  among: Visible | null;
  after: string | undefined;
  limit: number;
}

/** Rows of two ids: a member's, and the assigned thing's. They are deleted with the thing. */
type AssignmentTables = Record<"server_assignments" | "interface_assignments", Record<string, string>>;

/** All SQL for the members who have a server, or an interface, assigned. */
export function makeAssignments(thing: "server" | "interface") {
  const table = `${thing}_assignments` as const;
  const idColumn = `${thing}_id`;
  const tables = (db: Db | Tx) => db.withTables<AssignmentTables>();
  const ofMember = prepared((db, { memberId }: { memberId: string }) =>
    tables(db).selectFrom(table).select(idColumn).where("member_id", "=", memberId),
  );
  const idsIn = (rows: readonly Record<string, unknown>[], column: string) => rows.map((row) => String(row[column]));

  return {
    /** Ids of what is assigned to a member. */
    async of(db: Db | Tx, memberId: string): Promise<string[]> {
      return idsIn(await ofMember(db, { memberId }), idColumn);
    },
    /** Which of these were not assigned to the member before. */
    async insert(tx: Tx, memberId: string, ids: readonly string[]): Promise<string[]> {
      const rows = [...new Set(ids)].map((id) => ({ member_id: memberId, [idColumn]: id }));
      if (rows.length === 0) return [];
      const written = await tables(tx)
        .insertInto(table)
        .values(rows)
        .onConflict((conflict) => conflict.doNothing())
        .returning(idColumn)
        .execute();
      return idsIn(written, idColumn);
    },
    /** Members who have any of these. */
    async holders(db: Db | Tx, ids: readonly string[]): Promise<string[]> {
      if (ids.length === 0) return [];
      const rows = await tables(db)
        .selectFrom(table)
        .select("member_id")
        .distinct()
        .where(idColumn, "in", [...ids])
        .execute();
      return idsIn(rows, "member_id");
    },
    /** Assigns one to many members; returns how many did not have it. */
    async give(tx: Tx, memberIds: readonly string[], id: string): Promise<number> {
      let given = 0;
      for (const some of chunks(memberIds)) {
        const rows = some.map((memberId) => ({ member_id: memberId, [idColumn]: id }));
        const written = await tables(tx)
          .insertInto(table)
          .values(rows)
          .onConflict((conflict) => conflict.doNothing())
          .returning("member_id")
          .execute();
        given += written.length;
      }
      return given;
    },
    /** False if it was not assigned. */
    async remove(tx: Tx, memberId: string, id: string): Promise<boolean> {
      const gone = await tables(tx)
        .deleteFrom(table)
        .where("member_id", "=", memberId)
        .where(idColumn, "=", id)
        .returning("member_id")
        .executeTakeFirst();
      return gone !== undefined;
    },
    async removeAllOf(tx: Tx, memberId: string): Promise<void> {
      await tables(tx).deleteFrom(table).where("member_id", "=", memberId).execute();
    },
    async removeAll(tx: Tx, id: string): Promise<void> {
      await tables(tx).deleteFrom(table).where(idColumn, "=", id).execute();
    },
    /** Ids of the members who have it. */
    async page(db: Db, id: string, { among, after, limit }: AssignedPage): Promise<string[]> {
      const rows = await tables(db)
        .selectFrom(table)
        .select("member_id")
        .where(idColumn, "=", id)
        .$if(among !== null, (query) => query.where("member_id", "in", among as Visible))
        .$if(after !== undefined, (query) => query.where("member_id", ">", after ?? ""))
        .orderBy("member_id")
        .limit(limit)
        .execute();
      return idsIn(rows, "member_id");
    },
    async count(db: Db, id: string, among: AssignedPage["among"]): Promise<number> {
      const row = await tables(db)
        .selectFrom(table)
        .select((e) => e.fn.countAll<number>().as("members"))
        .where(idColumn, "=", id)
        .$if(among !== null, (query) => query.where("member_id", "in", among as Visible))
        .executeTakeFirstOrThrow();
      return Number(row.members);
    },
    /** How many members have each (or only these, if given); absent if nobody. */
    async counts(db: Db, among: AssignedPage["among"]): Promise<Map<string, number>> {
      const rows = await tables(db)
        .selectFrom(table)
        .select((e) => [idColumn, e.fn.countAll<number>().as("members")])
        .$if(among !== null, (query) => query.where("member_id", "in", among as Visible))
        .groupBy(idColumn)
        .execute();
      return new Map(rows.map((row) => [String(row[idColumn]), Number(row.members)]));
    },
  };
}

export type Assignments = ReturnType<typeof makeAssignments>;
