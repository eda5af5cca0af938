import type { Role } from "@krug/domain/roles";
import { sql } from "kysely";
import type { Db } from "../../../platform/database/database.ts";
import { isEntitledAt } from "./list.ts";
import { rows } from "./repository.ts";

/** Members of one role, either active or blocked. */
export interface CensusLine {
  role: Role;
  isActive: boolean;
  members: number;
  /** May use the VPN now. */
  entitled: number;
}

/** Counts members in one statement. `now` in ms. */
export async function census(db: Db, now: number, graceHours: number): Promise<CensusLine[]> {
  const lines = await rows(db)
    .clearSelect()
    .select((e) => [
      "role",
      "is_active",
      e.fn.countAll().as("members"),
      sql<number | string>`sum(case when ${isEntitledAt(now, graceHours)(e)} then 1 else 0 end)`.as("entitled"),
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
