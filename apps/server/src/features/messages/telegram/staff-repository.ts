import { chunks } from "../../../platform/database/chunks.ts";
import type { Db, Tx } from "../../../platform/database/database.ts";
import type { Pending, SentRow, StaffTables } from "./staff-table.ts";

export type Sent = SentRow;
const tables = (db: Db | Tx) => db.withTables<StaffTables>();

export const staffRow = (db: Db | Tx, memberId: string) =>
  tables(db).selectFrom("telegram_staff").selectAll().where("member_id", "=", memberId).executeTakeFirst();

/** From another Telegram account than before, nothing of the former one counts. */
async function write(
  tx: Tx,
  {
    member_id,
    telegram_id,
    ...change
  }: Partial<StaffTables["telegram_staff"]> & { member_id: string; telegram_id: string },
): Promise<void> {
  const none = { confirmed_at: null, pending: null, pending_at: null };
  const before = await staffRow(tx, member_id);
  const isOther = before !== undefined && before.telegram_id !== telegram_id;
  await tables(tx)
    .insertInto("telegram_staff")
    .values({ member_id, telegram_id, ...none, ...change })
    .onConflict((conflict) =>
      conflict.column("member_id").doUpdateSet({ telegram_id, ...(isOther ? none : {}), ...change }),
    )
    .execute();
}

export const confirm = (tx: Tx, memberId: string, telegramId: string, at: number) =>
  write(tx, { member_id: memberId, telegram_id: telegramId, confirmed_at: at });

export const ask = (tx: Tx, memberId: string, telegramId: string, pending: Pending, at: number) =>
  write(tx, { member_id: memberId, telegram_id: telegramId, pending: JSON.stringify(pending), pending_at: at });

/** What was asked; it is asked no more, except for `rest`. Of two messages at once one gets it. */
export async function takePending(
  tx: Tx,
  memberId: string,
  pending: string,
  rest: string | null = null,
): Promise<boolean> {
  const taken = await tables(tx)
    .updateTable("telegram_staff")
    .set({ pending: rest, ...(rest === null ? { pending_at: null } : {}) })
    .where("member_id", "=", memberId)
    .where("pending", "=", pending)
    .returning("member_id")
    .executeTakeFirst();
  return taken !== undefined;
}

export async function forgetStaff(tx: Tx, memberIds: readonly string[]): Promise<void> {
  for (const some of chunks(memberIds))
    await tables(tx).deleteFrom("telegram_staff").where("member_id", "in", some).execute();
}

/** A message of another bot with the same number is no longer known: nobody can reply to it. */
export async function keepSent(tx: Tx, row: SentRow): Promise<void> {
  const { chat_id: _, message_id: __, ...rest } = row;
  await tables(tx)
    .insertInto("telegram_messages")
    .values(row)
    .onConflict((conflict) => conflict.columns(["chat_id", "message_id"]).doUpdateSet(rest))
    .execute();
}

/** A bot's messages: its token begins with its id, and a renewed token with the same. */
const messagesOf = (db: Db, { token }: { token: string | null }) =>
  tables(db)
    .selectFrom("telegram_messages")
    .selectAll()
    .where((e) => e.or([e("bot_id", "is", null), e("bot_id", "=", botIdOf(token) ?? "")]));
export const botIdOf = (token: string | null): string | null => token?.split(":")[0] ?? null;

export const sent = (
  db: Db,
  bot: { token: string | null },
  chatId: string,
  messageId: number,
): Promise<SentRow | undefined> =>
  messagesOf(db, bot).where("chat_id", "=", chatId).where("message_id", "=", messageId).executeTakeFirst();

export const sentOf = (
  db: Db,
  bot: { token: string | null },
  by: "subject" | "about_id",
  id: string,
): Promise<SentRow[]> => messagesOf(db, bot).where(by, "=", id).execute();

/** Which of these claims or tickets messages were sent about. */
export async function subjectsSent(tx: Tx, subjects: readonly string[]): Promise<string[]> {
  const found = new Set<string>();
  for (const some of chunks(subjects))
    for (const { subject } of await tables(tx)
      .selectFrom("telegram_messages")
      .select("subject")
      .distinct()
      .where("subject", "in", some)
      .execute())
      if (subject !== null) found.add(subject);
  return [...found];
}

export async function forgetSent(tx: Tx, { chat_id, message_id }: SentRow): Promise<void> {
  await tables(tx)
    .deleteFrom("telegram_messages")
    .where("chat_id", "=", chat_id)
    .where("message_id", "=", message_id)
    .execute();
}

export async function forgetSentTo(tx: Tx, readerId: string): Promise<void> {
  await tables(tx).deleteFrom("telegram_messages").where("reader_id", "=", readerId).execute();
}

export async function forgetSentBefore(tx: Tx, at: number): Promise<void> {
  await tables(tx).deleteFrom("telegram_messages").where("sent_at", "<", at).execute();
}

export async function dropPending(tx: Tx, memberId: string): Promise<void> {
  await tables(tx)
    .updateTable("telegram_staff")
    .set({ pending: null, pending_at: null })
    .where("member_id", "=", memberId)
    .execute();
}
