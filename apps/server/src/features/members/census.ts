import type { Role } from "@krug/domain/roles";
import { sql } from "kysely";
import type { Db } from "../../platform/database/database.ts";
import { entitledIds } from "./list.ts";
import { rows } from "./repository.ts";

/** Members of one role who are active, or who are blocked. */
export interface CensusLine {
  role: Role;
  isActive: boolean;
  members: number;
  /** May use the VPN now. */
  entitled: number;
}

/** How many members there are; costs one statement. `now` in ms. */
export async function census(db: Db, now: number, graceHours: number): Promise<CensusLine[]> {
  const isEntitled = sql`case when id in (${entitledIds(db, now, graceHours)}) then 1 else 0 end`;
  const lines = await rows(db)
    .clearSelect()
    .select(({ fn }) => [
      "role",
      "is_active",
      fn.countAll().as("members"),
      sql<number | string>`sum(${isEntitled})`.as("entitled"),
    ])
    .groupBy(["role", "is_active"])
    .execute();
  return lines.map(({ role, is_active, members, entitled }) => ({
    role,
    isActive: is_active === 1,
    members: Number(members),
    entitled: Number(entitled),
  }));
}
