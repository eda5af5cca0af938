import type { Platform } from "../../../platform/platform.ts";
import { refuse } from "../../../platform/refusal.ts";
import type { Audit } from "../../club/audit/index.ts";
import * as repository from "./repository.ts";
import { enqueueReconcile } from "./wire-job.ts";

interface Parts extends Platform {
  audit: Audit;
}

/** Keeps others' firewalls on a server open for the club's tunnels, or no longer. False if it was so before. */
export const openForwarding = (parts: Parts, actorId: string | null, id: string, opens: boolean): Promise<boolean> =>
  parts.transact(async (tx) => {
    const server = (await repository.lock(tx, id)) ?? refuse("server.not_found");
    const opens_forwarding = opens ? 1 : 0;
    if (server.opens_forwarding === opens_forwarding) return false;
    await repository.update(parts, tx, id, { opens_forwarding });
    await parts.audit.record(tx, actorId, "server.changed", {
      target: id,
      before: { opens_forwarding: server.opens_forwarding },
      after: { opens_forwarding },
    });
    await enqueueReconcile(parts.jobs, tx, server);
    return true;
  });
