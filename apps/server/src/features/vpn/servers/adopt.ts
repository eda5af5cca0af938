import type { Host, HostReport } from "../../../hosts/host.ts";
import type { Db } from "../../../platform/database/database.ts";
import { takeOverJobs } from "../../../platform/jobs/table.ts";
import type { ServerParts } from "./parts.ts";
import * as repository from "./repository.ts";
import type { ServerRow } from "./table.ts";
import { laneOf } from "./wire-job.ts";

/** Public keys of every interface ever made on the server. */
export type KeysEverOn = (db: Db, serverId: string) => Promise<string[]>;

/**
 * A panel that lost its identity (its `panel-id` is missing) finds the server that this machine was and continues with it,
 * instead of making a second one while nobody removes deleted devices from the first.
 */
export function makeAdopting(parts: ServerParts) {
  const { db, transact, log, panelId, heldLeases } = parts;
  const firstHeldUntil = new Map<string, number>();

  /** Whether its panel is running: null until the lease was renewed since the first check. */
  const isAtWork = async (server: ServerRow): Promise<boolean | null> => {
    const heldUntil = await heldLeases.heldElsewhere(laneOf(server).lane);
    if (heldUntil === null) {
      firstHeldUntil.delete(server.id);
      return false;
    }
    const first = firstHeldUntil.get(server.id) ?? heldUntil;
    firstHeldUntil.set(server.id, first);
    return first === heldUntil ? null : true;
  };

  return {
    /**
     * `wait`: there is such a server, and a later check shows whether its panel is gone. `taken`: another panel works on this
     * very machine.
     */
    async adopt(host: Host, report: HostReport, keysOn: KeysEverOn): Promise<"adopted" | "wait" | "taken" | "none"> {
      const others = (await repository.all(db)).filter(({ panel_id }) => panel_id !== null && panel_id !== panelId);
      if (others.length === 0) return "none";
      const standing = new Set<string>((await host.read()).flatMap(({ publicKey }) => publicKey ?? []));
      let answer: "wait" | "taken" | "none" = "none";
      for (const server of others) {
        // Its keys identify a machine, and after a reboot its id does.
        const hasItsKeys = (await keysOn(db, server.id)).some((key) => standing.has(key));
        if (!hasItsKeys && (server.machine === null || server.machine !== report.machine)) continue;
        const working = await isAtWork(server);
        if (working === null) answer = "wait";
        // A copy of a machine has its id too, and becomes a separate server.
        else if (working && hasItsKeys) answer = "taken";
        if (working !== false) continue;
        const isOurs = await transact(async (tx) => {
          const now = await repository.lock(tx, server.id);
          if (now === undefined || now.panel_id !== server.panel_id) return false;
          if (!(await heldLeases.take(tx, laneOf(server).lane))) return false;
          await repository.update(parts, tx, server.id, { panel_id: panelId, machine: report.machine });
          if (server.panel_id !== null) await takeOverJobs(tx, server.panel_id, panelId);
          return true;
        });
        if (!isOurs) return "wait";
        log.warn({ server: server.id }, "this panel had lost its identity, and takes over this machine's server");
        return "adopted";
      }
      return answer;
    },
  };
}
