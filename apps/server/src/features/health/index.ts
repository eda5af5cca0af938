import type { HealthAnswer } from "@krug/contract/system";
import { sql } from "kysely";
import type { Db } from "../../platform/database/database.ts";

/** Whether the panel can serve. Anyone may ask, so it tells nothing else (decisions, section 15). */
export function makeHealth(db: Db) {
  const canServe = () =>
    sql`select 1`.execute(db).then(
      () => true,
      () => false,
    );
  return async (reply: { status(code: number): void }): Promise<HealthAnswer> => {
    if (await canServe()) return { status: "ok" };
    reply.status(503);
    return { status: "failing" };
  };
}
