import { makeLimiter } from "../../../platform/limiter.ts";
import type { ServerParts } from "./parts.ts";
import * as repository from "./repository.ts";
import { isWorkable } from "./status.ts";
import type { ServerProblem } from "./table.ts";
import { enqueueReconcile } from "./wire-job.ts";

/** What may pass by itself. Nobody knocks where a login was refused: fail2ban would shut the panel out. */
const MAY_PASS = new Set<ServerProblem | null>(["unresolved", "closed", "silent", "lost"]);
const AT_ONCE = 50;

/** Looks whether servers that were away accept connections again; those are set right at once. Costs a server a connection. */
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
