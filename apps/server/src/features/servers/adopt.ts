import type { Host, HostReport } from "../../hosts/host.ts";
import { type Db, isPostgres } from "../../platform/database/database.ts";
import { takeOverJobs } from "../../platform/jobs.ts";
import type { ServerParts } from "./parts.ts";
import * as repository from "./repository.ts";
import { isSilent } from "./standing.ts";
import type { ServerRow } from "./table.ts";

/** Public keys of every interface that was ever made on the server. */
export type KeysEverOn = (db: Db, serverId: string) => Promise<string[]>;

/**
 * A panel that lost its identity (its `panel-id` is gone) finds the server that this machine was to it, and goes on with it in
 * place of making a second one beside devices that nobody would take off the first.
 */
export function makeAdopting(parts: ServerParts) {
  const { db, transact, clock, log, panelId } = parts;
  const lastSeen = new Map<string, number | null>();

  /** A machine knows its own by the keys that stand on it, and after a reboot by what it is. */
  const isThisMachine = async (server: ServerRow, report: HostReport, standing: Set<string>, keysOn: KeysEverOn) =>
    (server.machine !== null && server.machine === report.machine) ||
    (await keysOn(db, server.id)).some((key) => standing.has(key));

  /**
   * Whether its panel is at work: `unknown` while that was heard of lately and nothing since this panel looks. A SQLite database
   * has one panel, and that is this one.
   */
  const isAtWork = (server: ServerRow): boolean | "unknown" => {
    if (!isPostgres(db) || isSilent(server, clock.now().getTime())) return false;
    const before = lastSeen.get(server.id);
    if (before === undefined) lastSeen.set(server.id, server.reconciled_at);
    return before === undefined || before === server.reconciled_at ? "unknown" : true;
  };

  return {
    /** `wait`: there is such a server, and a later look tells whether its panel is gone. */
    async adopt(host: Host, report: HostReport, keysOn: KeysEverOn): Promise<"adopted" | "wait" | "none"> {
      const others = (await repository.all(db)).filter(({ panel_id }) => panel_id !== null && panel_id !== panelId);
      if (others.length === 0) return "none";
      const standing = new Set((await host.read()).flatMap(({ publicKey }) => publicKey ?? []));
      let answer: "wait" | "none" = "none";
      for (const server of others) {
        if (!(await isThisMachine(server, report, standing, keysOn))) continue;
        const working = isAtWork(server);
        if (working === "unknown") answer = "wait";
        if (working !== false) continue;
        const isOurs = await transact(async (tx) => {
          const now = await repository.lock(tx, server.id);
          if (now === undefined || now.panel_id !== server.panel_id || now.reconciled_at !== server.reconciled_at)
            return false;
          await repository.update(parts, tx, server.id, { panel_id: panelId, machine: report.machine });
          if (server.panel_id !== null) await takeOverJobs(tx, server.panel_id, panelId);
          return true;
        });
        if (!isOurs) return "wait";
        log.warn({ server: server.id }, "this panel did not know who it was, and goes on with this machine's server");
        return "adopted";
      }
      return answer;
    },
  };
}
