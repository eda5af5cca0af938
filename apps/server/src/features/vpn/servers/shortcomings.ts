import type { Reason } from "@krug/domain/reasons";
import type { ServerParts } from "./parts.ts";
import * as repository from "./repository.ts";
import type { ServerRow } from "./table.ts";

/**
 * Records why a server's machine does not do what else it should: resolve services' names where it routes (ADR 141), limit
 * members' speed (ADR 197).
 */
export const makeNoteShortcoming =
  (parts: Pick<ServerParts, "db" | "transact" | "signals">, column: "names_failure" | "speed_failure") =>
  async ({ id }: Pick<ServerRow, "id">, failure: Reason | null): Promise<void> => {
    const known = await repository.find(parts.db, id);
    if (known === undefined || known[column] === failure) return;
    await parts.transact((tx) => repository.update(parts, tx, id, { [column]: failure }));
  };
