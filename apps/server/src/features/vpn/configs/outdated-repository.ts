import { chunks, inChunks } from "../../../platform/database/chunks.ts";
import type { Db, Tx } from "../../../platform/database/database.ts";
import type { ConfigTables, FileMark } from "./table.ts";

/* What downloaded files lack of their services (outdated-files.ts). */
const tables = (db: Db | Tx) => db.withTables<ConfigTables>();

/** A file that somebody has, and that nothing has marked since. */
export interface CurrentFile {
  id: string;
  member_id: string;
  delivered_at: number;
}

/** `exceptOn`: interfaces whose servers route, so that files name no services. */
const currentFiles = (db: Db | Tx, exceptOn: readonly string[]) =>
  tables(db)
    .selectFrom("configs")
    .select(["configs.id", "configs.member_id", "configs.delivered_at"])
    .where("configs.is_stale", "=", 0)
    .where("configs.delivered_at", "is not", null)
    .$if(exceptOn.length > 0, (query) => query.where("configs.interface_id", "not in", [...exceptOn]))
    .$narrowType<{ delivered_at: number }>();

/** Those with this service, by id, after this one. */
export const filesWith = (
  db: Db | Tx,
  { serviceId, exceptOn }: { serviceId: string; exceptOn: readonly string[] },
  after: string,
  limit: number,
): Promise<CurrentFile[]> =>
  currentFiles(db, exceptOn)
    .innerJoin("config_services", "config_services.config_id", "configs.id")
    .where("config_services.service_id", "=", serviceId)
    .where("config_services.config_id", ">", after)
    .orderBy("config_services.config_id")
    .limit(limit)
    .execute();

/** Those that wait for the end of their week. */
export const dueFiles = (db: Db | Tx, now: number, limit: number): Promise<{ config_id: string }[]> =>
  tables(db)
    .selectFrom("file_marks")
    .select("config_id")
    .where("due_at", "<=", now)
    .orderBy("due_at")
    .limit(limit)
    .execute();

export const filesByIds = (db: Db | Tx, ids: readonly string[], exceptOn: readonly string[]): Promise<CurrentFile[]> =>
  inChunks(ids, (some) => currentFiles(db, exceptOn).where("configs.id", "in", some));

/** Adds the list that a service had until now, if anybody has a file with it, and keeps the newest `most`. */
export async function addPastList(
  tx: Tx,
  { serviceId, at, ips }: { serviceId: string; at: number; ips: readonly string[] },
  most: number,
): Promise<void> {
  const last = await tables(tx)
    .selectFrom("past_lists")
    .select(["seq", "until_at"])
    .where("service_id", "=", serviceId)
    .orderBy("seq", "desc")
    .limit(1)
    .executeTakeFirst();
  const given = await tables(tx)
    .selectFrom("config_services")
    .innerJoin("configs", "configs.id", "config_services.config_id")
    .select("configs.id")
    .where("service_id", "=", serviceId)
    .where("delivered_at", ">", last?.until_at ?? 0)
    .limit(1)
    .executeTakeFirst();
  if (given === undefined) return;
  const seq = (last?.seq ?? 0) + 1;
  const row = { service_id: serviceId, seq, until_at: at, ips: JSON.stringify(ips) };
  await tables(tx).insertInto("past_lists").values(row).execute();
  await tables(tx)
    .deleteFrom("past_lists")
    .where("service_id", "=", serviceId)
    .where("seq", "<=", seq - most)
    .execute();
}

/** By service id, the oldest first. */
export async function pastLists(
  db: Db | Tx,
  serviceIds: readonly string[],
): Promise<{ service_id: string; seq: number; until_at: number }[]> {
  if (serviceIds.length === 0) return [];
  return tables(db)
    .selectFrom("past_lists")
    .select(["service_id", "seq", "until_at"])
    .where("service_id", "in", [...serviceIds])
    .orderBy("service_id")
    .orderBy("seq")
    .execute();
}

export async function pastList(db: Db | Tx, serviceId: string, seq: number): Promise<string[]> {
  const query = tables(db).selectFrom("past_lists").select("ips");
  const row = await query.where("service_id", "=", serviceId).where("seq", "=", seq).executeTakeFirst();
  return JSON.parse(row?.ips ?? "[]") as string[];
}

/** Whether a list of the config's services changed since `at`. */
export async function changedSince(db: Db | Tx, configId: string, at: number): Promise<boolean> {
  const row = await tables(db)
    .selectFrom("config_services")
    .innerJoin("past_lists", "past_lists.service_id", "config_services.service_id")
    .select("seq")
    .where("config_id", "=", configId)
    .where("until_at", ">=", at)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export type MemberMark = FileMark & { member_id: string };

/** The marks of all devices of these members. */
export const marksOf = (db: Db | Tx, memberIds: readonly string[]): Promise<MemberMark[]> =>
  inChunks(memberIds, (some) =>
    tables(db)
      .selectFrom("configs")
      .innerJoin("file_marks", "file_marks.config_id", "configs.id")
      .selectAll("file_marks")
      .select("configs.member_id")
      .where("configs.member_id", "in", some),
  );

export async function putMarks(tx: Tx, marks: readonly FileMark[]): Promise<void> {
  for (const some of chunks(marks))
    await tables(tx)
      .insertInto("file_marks")
      .values(some)
      .onConflict((conflict) =>
        conflict.column("config_id").doUpdateSet((e) => ({
          marked_at: e.ref("excluded.marked_at"),
          week_at: e.ref("excluded.week_at"),
          due_at: e.ref("excluded.due_at"),
        })),
      )
      .execute();
}

export async function setNotDue(tx: Tx, ids: readonly string[]): Promise<void> {
  for (const some of chunks(ids))
    await tables(tx).updateTable("file_marks").set({ due_at: null }).where("config_id", "in", some).execute();
}

export async function setStale(tx: Tx, ids: readonly string[]): Promise<void> {
  for (const some of chunks(ids))
    await tables(tx).updateTable("configs").set({ is_stale: 1 }).where("id", "in", some).execute();
}

/** What a notice names: devices that lists have marked and whose files have not been downloaded since. */
export async function markedNames(
  db: Db | Tx,
  memberIds: readonly string[],
): Promise<{ member_id: string; name: string }[]> {
  const found: { member_id: string; name: string }[] = [];
  for (const some of chunks(memberIds))
    found.push(
      ...(await tables(db)
        .selectFrom("configs")
        .innerJoin("file_marks", "file_marks.config_id", "configs.id")
        .select(["member_id", "name"])
        .where("member_id", "in", some)
        .where("marked_at", "is not", null)
        .where("is_stale", "=", 1)
        .where("deleted_at", "is", null)
        .orderBy("created_at")
        .orderBy("configs.id")
        .execute()),
    );
  return found;
}
