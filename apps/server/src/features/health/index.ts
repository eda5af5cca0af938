import type { HealthAnswer } from "@krug/contract/system";
import { sql } from "kysely";
import type { Database } from "../../platform/database/database.ts";
import type { Servers } from "../servers/index.ts";

/** Whether the panel can serve, and what its own machine lacks; nothing secret (decisions, section 15). */
export function makeHealth(parts: { database: Database; servers: Servers; version: string }) {
  const { database, servers, version } = parts;
  return async (): Promise<HealthAnswer> => {
    const local = servers.localState();
    const localHealth = {
      state: local.state,
      backend: local.report?.backend ?? null,
      reason: local.state === "disabled" ? local.reason : null,
      problems: local.report?.missing ?? [],
    };
    const base = { version, database: database.engine };
    try {
      await sql`select 1`.execute(database.db);
      const all = await servers.all(database.db);
      const unreachable = all.filter((server) => server.unreachable_since !== null).length;
      return { status: "ok", ...base, servers: { total: all.length, unreachable, local: localHealth } };
    } catch {
      return { status: "failing", ...base, servers: { total: 0, unreachable: 0, local: localHealth } };
    }
  };
}
