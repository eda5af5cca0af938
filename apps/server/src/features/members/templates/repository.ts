import { MOST_TEMPLATES } from "@krug/domain/template-rules";
import { chunks } from "../../../platform/database/chunks.ts";
import { type Db, isPostgres, lockRows, type Tx } from "../../../platform/database/database.ts";
import type { TemplateRow, TemplateTables } from "./table.ts";

const tables = (db: Db | Tx) => db.withTables<TemplateTables>();
const templates = (db: Db | Tx) => tables(db).selectFrom("templates").selectAll();

/** Names are unique without regard to case, in any script. */
export const nameKey = (name: string) => name.normalize("NFC").toLowerCase();

export const all = (db: Db | Tx): Promise<TemplateRow[]> =>
  templates(db).orderBy("name_key").limit(MOST_TEMPLATES).execute();

/** It cannot be deleted before the transaction ends. */
export const hold = (tx: Tx, id: string): Promise<TemplateRow | undefined> =>
  templates(tx)
    .where("id", "=", id)
    .$if(isPostgres(tx), (query) => query.forKeyShare())
    .executeTakeFirst();

export const lock = (tx: Tx, id: string): Promise<TemplateRow | undefined> =>
  templates(tx).where("id", "=", id).$call(lockRows(tx)).executeTakeFirst();

export const theDefault = (db: Db | Tx): Promise<TemplateRow | undefined> =>
  templates(db).where("is_default", "=", 1).executeTakeFirst();

export async function insert(tx: Tx, row: TemplateRow): Promise<void> {
  await tables(tx).insertInto("templates").values(row).execute();
}

export async function update(tx: Tx, id: string, change: Partial<Omit<TemplateRow, "id">>): Promise<void> {
  await tables(tx).updateTable("templates").set(change).where("id", "=", id).execute();
}

export async function remove(tx: Tx, id: string): Promise<void> {
  await tables(tx).deleteFrom("templates").where("id", "=", id).execute();
}

/** Makes all other templates non-default. */
export async function takeDefaultOffOthers(tx: Tx, id: string): Promise<void> {
  await tables(tx)
    .updateTable("templates")
    .set({ is_default: 0 })
    .where("is_default", "=", 1)
    .where("id", "<>", id)
    .execute();
}

export const ofMember = (db: Db | Tx, memberId: string) =>
  tables(db).selectFrom("member_templates").selectAll().where("member_id", "=", memberId).executeTakeFirst();

/** Replaces what they had. */
export async function writeOfMembers(tx: Tx, rows: readonly TemplateTables["member_templates"][]): Promise<void> {
  for (const some of chunks(rows))
    await tables(tx)
      .insertInto("member_templates")
      .values(some)
      .onConflict((conflict) =>
        conflict.column("member_id").doUpdateSet((e) => ({
          name: e.ref("excluded.name"),
          service_ids: e.ref("excluded.service_ids"),
          interface_id: e.ref("excluded.interface_id"),
        })),
      )
      .execute();
}

export async function removeOfMember(tx: Tx, memberId: string): Promise<void> {
  await tables(tx).deleteFrom("member_templates").where("member_id", "=", memberId).execute();
}
