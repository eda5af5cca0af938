import { HostFailure } from "../../../hosts/host.ts";
import { laneOf, type ServerRow } from "../servers/index.ts";
import { exitsChanged } from "./events.ts";
import { linkName } from "./link-interfaces.ts";
import * as repository from "./repository.ts";
import type { SettleParts } from "./settle-links.ts";
import type { LinkRow } from "./table.ts";
import { makeTellOfGone } from "./tell-of-gone.ts";

/** The exit sends every 10 s, and it is asked every 10 s: two such packets may be lost on the way. */
const SILENT_MS = 30_000;

/** What was last heard from an exit, by the entry's counter of bytes. */
interface Heard {
  key: string;
  rxBytes: number;
  at: number;
}

/** Notices exits that stop or start to answer, by what their entries hear of them. */
export function makeWatch(parts: SettleParts) {
  const { db, transact, clock, events, servers, heldLeases } = parts;
  const tellOfGone = makeTellOfGone(parts);
  const heard = new Map<string, Heard>();

  /** Since when it does not answer: null if it does, undefined if that is not known yet. */
  const downSince = (link: LinkRow, rxBytes: number | null): number | null | undefined => {
    const now = clock.now().getTime();
    const last = heard.get(link.id);
    const isSame = last?.key === link.exit_public_key;
    if (rxBytes !== null && isSame && rxBytes > last.rxBytes) {
      heard.set(link.id, { key: link.exit_public_key, rxBytes, at: now });
      return null;
    }
    // The first check proves nothing, unless the link is gone. A counter that fell was restarted.
    if (!isSame || (rxBytes !== null && rxBytes < last.rxBytes)) {
      heard.set(link.id, { key: link.exit_public_key, rxBytes: rxBytes ?? 0, at: now });
      return undefined;
    }
    return now - last.at >= SILENT_MS ? last.at : undefined;
  };

  const lookOn = async (entry: ServerRow, links: readonly LinkRow[]): Promise<void> => {
    const host = servers.hostOf(entry);
    // Of several panels, the one that works on the entry looks.
    if (host === null || (await heldLeases.hold(laneOf(entry).lane)) === null) return;
    const seen = await host.readSome(links.map((link) => linkName(link, "entry"))).catch((error: unknown) => {
      // Only the machine itself knows, and nothing can be changed there now.
      if (error instanceof HostFailure) return null;
      throw error;
    });
    if (seen === null) return;
    const changed = links.flatMap((link) => {
      const tunnel = seen.find(({ name }) => name === linkName(link, "entry"));
      const peer = tunnel?.peers.find(({ publicKey }) => publicKey === link.exit_public_key);
      const since = downSince(link, peer?.rxBytes ?? null);
      return since === undefined || (since === null) === (link.down_since === null) ? [] : [{ link, since }];
    });
    if (changed.length === 0) return;
    await transact(async (tx) => {
      for (const { link, since } of changed)
        await repository.update(tx, link.id, { down_since: since, has_answered: 1 });
      await events.record(tx, exitsChanged, { entryIds: [entry.id] });
    });
  };

  return async (): Promise<void> => {
    const links = await repository.all(db);
    const ids = new Set(links.map(({ id }) => id));
    for (const id of heard.keys()) if (!ids.has(id)) heard.delete(id);
    if (links.length === 0) return;
    await tellOfGone(links);
    const all = await servers.known(db);
    await Promise.all(
      all.map(async (entry) => {
        const own = links.filter((link) => link.entry_id === entry.id);
        if (own.length > 0) await lookOn(entry, own);
      }),
    );
  };
}
