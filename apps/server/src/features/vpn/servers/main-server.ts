import type { Tx } from "../../../platform/database/database.ts";
import type { ServerParts } from "./parts.ts";
import * as repository from "./repository.ts";
import type { ServerRow } from "./table.ts";

/** Locked (`lockPlace`) while the main server is decided. */
export const MAIN_SERVER = "main server";

/** Makes a server the main one, as an admin's act. */
export async function makeMain(
  parts: Pick<ServerParts, "signals" | "audit">,
  tx: Tx,
  actorId: string,
  { id, name }: ServerRow,
): Promise<void> {
  const before = (await repository.all(tx)).find(({ is_main }) => is_main === 1);
  await repository.setMain(parts, tx, id);
  await parts.audit.record(tx, actorId, "server.set_main", {
    target: id,
    before: { main: before?.name ?? null },
    after: { main: name },
  });
}
