import type { HealthAnswer } from "@krug/contract/system";
import { sql } from "kysely";
import type { Database } from "../../platform/database/database.ts";

export type Health = ReturnType<typeof makeHealth>;

/** Whether the panel can serve. Anyone may ask, so it says nothing else (decisions, section 15). */
export function makeHealth({ db, trouble }: Database) {
  // While it is full it answers, but nobody can sign in or change anything.
  const canServe = async () =>
    trouble() === null &&
    (await sql`select 1`.execute(db).then(
      () => true,
      () => false,
    ));
  return async (reply: { status(code: number): void }): Promise<HealthAnswer> => {
    if (await canServe()) return { status: "ok" };
    reply.status(503);
    return { status: "failing" };
  };
}
