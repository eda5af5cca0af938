import { MOST_ANSWER_TEMPLATES } from "@krug/domain/answer-templates";
import { type Db, lockRows, type Tx } from "../../../platform/database/database.ts";
import type { AnswerTemplateRow, AnswerTemplateTables } from "./table.ts";

const tables = (db: Db | Tx) => db.withTables<AnswerTemplateTables>();
const rows = (db: Db | Tx) => tables(db).selectFrom("answer_templates").selectAll();

/** Titles are unique without regard to case, in any script. */
export const titleKey = (title: string) => title.normalize("NFC").toLowerCase();

/** By title. */
export const all = (db: Db | Tx): Promise<AnswerTemplateRow[]> =>
  rows(db).orderBy("title_key").limit(MOST_ANSWER_TEMPLATES).execute();

export const lock = (tx: Tx, id: string): Promise<AnswerTemplateRow | undefined> =>
  rows(tx).where("id", "=", id).$call(lockRows(tx)).executeTakeFirst();

export async function insert(tx: Tx, row: AnswerTemplateRow): Promise<void> {
  await tables(tx).insertInto("answer_templates").values(row).execute();
}

export async function update(tx: Tx, { id, ...change }: AnswerTemplateRow): Promise<void> {
  await tables(tx).updateTable("answer_templates").set(change).where("id", "=", id).execute();
}

export async function remove(tx: Tx, id: string): Promise<void> {
  await tables(tx).deleteFrom("answer_templates").where("id", "=", id).execute();
}
