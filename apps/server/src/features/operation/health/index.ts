import type { HealthAnswer } from "@krug/contract/operation/system";
import type { Database } from "../../../platform/database/database.ts";

export type Health = ReturnType<typeof makeHealth>;

/** Whether the panel can serve. Anyone may ask, so it reveals nothing else (decisions, section 15). */
export function makeHealth({ answers, slow }: Pick<Database, "answers" | "slow">) {
  return async (reply: { status(code: number): void }): Promise<HealthAnswer> => {
    // With a full disk it answers, but nobody can sign in or change anything; with a slow one everything still works.
    if (await answers()) return { status: slow() === null ? "ok" : "slow_disk" };
    reply.status(503);
    return { status: "failing" };
  };
}
