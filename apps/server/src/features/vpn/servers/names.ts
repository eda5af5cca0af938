import type { Reason } from "@krug/domain/reasons";
import type { ServerParts } from "./parts.ts";
import * as repository from "./repository.ts";
import type { ServerRow } from "./table.ts";

/** Records why a server's machine does not resolve services' names, though it routes services that have some (ADR 141). */
export const makeNoteNames =
  (parts: Pick<ServerParts, "db" | "transact" | "signals">) =>
  async ({ id }: Pick<ServerRow, "id">, failure: Reason | null): Promise<void> => {
    const known = await repository.find(parts.db, id);
    if (known === undefined || known.names_failure === failure) return;
    await parts.transact((tx) => repository.update(parts, tx, id, { names_failure: failure }));
  };
