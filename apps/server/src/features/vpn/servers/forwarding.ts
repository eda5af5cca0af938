import { type ForwardingWatch, judgeForwarding } from "@krug/domain/forwarding";
import type { Reason } from "@krug/domain/reasons";
import type { Passing, Refusing } from "../../../hosts/host.ts";
import { forwardingBack, forwardingRefused } from "./events.ts";
import type { ServerParts } from "./parts.ts";
import * as repository from "./repository.ts";
import type { ServerRow } from "./table.ts";

/** Why a server does not forward members' packets, as far as is known. */
export interface ForwardingTold {
  state: "refused" | "suspected";
  /** ms since 1970. */
  since: number;
  causes: Refusing[];
  /** Why its machine could not be opened as requested. */
  failure: Reason | null;
}

export const forwardingOf = ({ forwarding }: Pick<ServerRow, "forwarding">): ForwardingTold | null =>
  forwarding === null ? null : (JSON.parse(forwarding) as ForwardingTold);

/**
 * Records whether servers forward members' packets, and notifies staff when one does not
 * (docs/adr/0099-forwarding-is-counted.md).
 */
export function makeForwarding(parts: ServerParts) {
  const { transact, clock, events } = parts;
  const watched = new Map<string, ForwardingWatch>();

  /** Takes a reading of its machine; writes only changes. */
  return async (
    { id }: Pick<ServerRow, "id">,
    seen: { counted: Passing[] | null; refusing: Refusing[]; failure: Reason | null },
  ): Promise<void> => {
    const { watch, verdict } = judgeForwarding(watched.get(id) ?? null, seen.counted, seen.refusing);
    watched.set(id, watch);
    const server = await repository.find(parts.db, id);
    if (server === undefined) return;
    const before = forwardingOf(server);
    const now = clock.now().getTime();
    const next: ForwardingTold | null = verdict && { ...verdict, since: before?.since ?? now, failure: seen.failure };
    const text = next && JSON.stringify(next);
    if (text === server.forwarding) return;
    await transact(async (tx) => {
      await repository.update(parts, tx, id, { forwarding: text });
      if ((before === null) === (next === null)) return;
      if (next !== null) await events.record(tx, forwardingRefused, { serverId: id, name: server.name });
      else
        await events.record(tx, forwardingBack, {
          serverId: id,
          name: server.name,
          since: before?.since ?? now,
          until: now,
        });
    });
  };
}
