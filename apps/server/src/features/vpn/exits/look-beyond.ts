import { HostFailure } from "../../../hosts/host.ts";
import { laneOf, type ServerRow } from "../servers/index.ts";
import { exitsChanged } from "./events.ts";
import { echoAddress } from "./link-interfaces.ts";
import * as repository from "./repository.ts";
import type { SettleParts } from "./settle-links.ts";
import type { LinkRow } from "./table.ts";

/** An echo or two may be lost on the way. */
const MISSED = 2;

/**
 * Notices exits that answer and have no internet themselves: the entry sends an echo through each link. One that never brought an echo
 * back proves nothing, since its provider may stop them.
 */
export function makeLookBeyond({ db, transact, clock, events, servers, heldLeases }: SettleParts) {
  /** Of links that brought one back: how many were missed since. */
  const missed = new Map<string, number>();

  /** Since when nothing gets further than the exit: null if it does, undefined if that is not known. */
  const stuckSince = (link: LinkRow, isHeard: boolean | null): number | null | undefined => {
    if (isHeard === null) return undefined;
    if (isHeard) {
      missed.set(link.id, 0);
      return null;
    }
    const before = missed.get(link.id);
    if (before === undefined) return undefined;
    missed.set(link.id, before + 1);
    return before + 1 >= MISSED ? clock.now().getTime() : undefined;
  };

  const lookOn = async (entry: ServerRow, links: readonly LinkRow[]): Promise<void> => {
    const host = servers.hostOf(entry);
    if (host === null || (await heldLeases.hold(laneOf(entry).lane)) === null) return;
    for (const link of links) {
      const isHeard = await host.echoes(echoAddress(link)).catch((error: unknown) => {
        if (error instanceof HostFailure) return null;
        throw error;
      });
      const since = stuckSince(link, isHeard);
      if (since === undefined || (since === null) === (link.stuck_since === null)) continue;
      await transact(async (tx) => {
        await repository.update(tx, link.id, { stuck_since: since });
        await events.record(tx, exitsChanged, { entryIds: [entry.id] });
      });
    }
  };

  return async (): Promise<void> => {
    const links = (await repository.all(db)).filter((link) => link.down_since === null);
    const ids = new Set(links.map(({ id }) => id));
    for (const id of missed.keys()) if (!ids.has(id)) missed.delete(id);
    if (links.length === 0) return;
    const all = await servers.known(db);
    await Promise.all(
      all.map(async (entry) => {
        const own = links.filter((link) => link.entry_id === entry.id);
        if (own.length > 0) await lookOn(entry, own);
      }),
    );
  };
}
