import type { Contract } from "@krug/contract/api";
import { lineOrNull, whyOf, whyOrNull } from "@krug/contract/reasons";
import { isoOf } from "@krug/domain/moment";
import { reasonLine } from "@krug/domain/reasons";
import { sql } from "kysely";
import type { Database } from "../../../platform/database/database.ts";
import type { Handlers } from "../../../platform/http/call.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { Audit } from "../../club/audit/index.ts";
import type { Backups } from "../../club/backup/index.ts";
import type { Fencing } from "../../club/fencing/index.ts";
import type { Interfaces } from "../../vpn/interfaces/index.ts";
import { type Servers, serverStatusOf } from "../../vpn/servers/index.ts";

interface Parts extends Platform {
  database: Database;
  audit: Pick<Audit, "record">;
  servers: Servers;
  interfaces: Pick<Interfaces, "all">;
  backups: Pick<Backups, "state">;
  fencing: Pick<Fencing, "newer">;
  version: string;
  /** From the environment; the panel cannot set any of it. */
  environment: { securityGate: "on" | "off"; geoServices: readonly string[]; localServer: "auto" | "off" };
}

type OwnCalls = Pick<Contract["system"], "overview" | "simulateWipe">;

/** The panel as its operators see it, and 'Delete everything', which deletes nothing (decisions, section 11). */
export function makeSystemRoutes(parts: Parts): Handlers<OwnCalls> {
  const { database, clock, jobs, audit, servers, interfaces, backups, fencing, forgetting, version, environment } =
    parts;
  const startedAt = isoOf(clock.now().getTime());

  return {
    async overview() {
      const [jobsStatus, all, allInterfaces, size, migration, ofBackups, newer, believed] = await Promise.all([
        jobs.status(),
        servers.all(database.db),
        interfaces.all(database.db),
        sizeOf(database),
        lastMigration(database),
        backups.state(),
        fencing.newer(),
        forgetting.heldSince(),
      ]);
      const local = servers.localState();
      return {
        version,
        node: process.versions.node,
        startedAt,
        // By name: nobody may read the rest of the environment.
        securityGate: environment.securityGate,
        geoServices: [...environment.geoServices],
        localServer: environment.localServer,
        database: { engine: database.engine, size, migration, trouble: database.trouble(), slowMs: database.slow() },
        clockDoubtedSince: isoOf(believed),
        newerPanel: newer && { ...newer, since: isoOf(newer.since), seenAt: isoOf(newer.seenAt) },
        backups: ofBackups,
        jobs: {
          ...jobsStatus,
          oldestDueAt: isoOf(jobsStatus.oldestDueAt),
          troubled: jobsStatus.troubled.map(({ lastError, ...some }) => ({
            ...some,
            lastError: lineOrNull(lastError),
            why: whyOrNull(lastError),
          })),
        },
        servers: all.map((server) => ({
          id: server.id,
          name: server.name,
          isMain: server.is_main === 1,
          status: serverStatusOf(server, clock.now().getTime()),
          reason: lineOrNull(server.unreachable_reason),
          why: whyOrNull(server.unreachable_reason),
          unreachableSince: isoOf(server.unreachable_since),
          heldInterfaces: allInterfaces.flatMap(({ id, server_id, name, interface_name, is_active, conflict }) =>
            server_id === server.id && is_active === 1 && conflict !== null
              ? [{ id, name, interfaceName: interface_name, reason: reasonLine(conflict, "en"), why: whyOf(conflict) }]
              : [],
          ),
          reconciledAt: isoOf(server.reconciled_at),
        })),
        local: {
          backend: local.report?.backend ?? null,
          reason: local.state === "disabled" ? reasonLine(local.why, "en") : null,
          why: local.state === "disabled" ? whyOf(local.why) : null,
          problems: (local.report?.missing ?? []).map(({ code, why }) => ({
            code,
            detail: reasonLine(why, "en"),
            why: whyOf(why),
          })),
          install: local.report?.install ?? null,
        },
      };
    },

    simulateWipe: ({ actor }) =>
      database.transact((tx) => audit.record(tx, actor.memberId, "system.wipe_simulated", {})).then(() => undefined),
  };
}

/** Bytes. */
async function sizeOf({ engine, db }: Database): Promise<number> {
  const asked =
    engine === "postgres"
      ? sql<{ size: number }>`select pg_database_size(current_database()) as size`
      : sql<{ size: number }>`select page_count * page_size as size from pragma_page_count, pragma_page_size`;
  return Number((await asked.execute(db)).rows[0]?.size ?? 0);
}

async function lastMigration({ db }: Database): Promise<string | null> {
  const found = await sql<{ name: string | null }>`select max(name) as name from migrations`.execute(db);
  return found.rows[0]?.name?.replace(/(\.(sqlite|postgres))?\.sql$/, "") ?? null;
}
