import { makeLimiter } from "../../../platform/limiter.ts";
import type { ServerParts } from "./parts.ts";
import * as repository from "./repository.ts";
import { isWorkable } from "./status.ts";
import type { ServerProblem } from "./table.ts";
import { enqueueReconcile } from "./wire-job.ts";

/** Problems that may pass by themselves. After a refused login no attempt is made: fail2ban would ban the panel. */
const MAY_PASS = new Set<ServerProblem | null>(["unresolved", "closed", "silent", "lost"]);
const AT_ONCE = 50;

/** Checks whether servers that were down accept connections again; those are reconciled at once. Costs each server a connection. */
export async function probeTcp({
  db,
  transact,
  jobs,
  remotes,
}: Pick<ServerParts, "db" | "transact" | "jobs" | "remotes">): Promise<void> {
  const limited = makeLimiter(AT_ONCE);
  const away = (await repository.all(db)).filter(
    (server) =>
      server.driver === "ssh" &&
      server.unreachable_since !== null &&
      MAY_PASS.has(server.unreachable_problem) &&
      isWorkable(server),
  );
  await Promise.all(
    away.map((server) =>
      limited(async () => {
        if (!(await remotes.tcpProbe(server.ssh_host ?? "", server.ssh_port ?? 22))) return;
        await transact((tx) => enqueueReconcile(jobs, tx, server));
      }),
    ),
  );
}
