import { MINUTE_MS } from "@krug/domain/moment";
import type { Tx } from "../../../platform/database/database.ts";
import { exitBack, exitGone } from "./events.ts";
import * as repository from "./repository.ts";
import type { SettleParts } from "./settle-links.ts";
import type { LinkRow } from "./table.ts";

/** As long as for a server. */
const GONE_MS = 2 * MINUTE_MS;

const sinceOf = ({ down_since, stuck_since }: LinkRow) => down_since ?? stuck_since;

/**
 * Notifies staff of exits by which traffic has not left for a while, and once it leaves again. Not while a server at either end is
 * away: they are notified of that, and it is the cause.
 */
export const makeTellOfGone = ({ db, transact, clock, events, servers }: SettleParts) => {
  const tell = async (tx: Tx, row: LinkRow, server: string, exit: string) => {
    const since = sinceOf(row);
    await repository.update(tx, row.id, { gone_since: since });
    if (since !== null)
      await events.record(tx, exitGone, { server, exit, since, because: row.down_since === null ? "stuck" : "silent" });
    else {
      const until = clock.now().getTime();
      await events.record(tx, exitBack, { server, exit, since: row.gone_since ?? until, until });
    }
  };

  return async (links: readonly LinkRow[]): Promise<void> => {
    const before = clock.now().getTime() - GONE_MS;
    const mayBeNews = (row: LinkRow) => {
      const since = sinceOf(row);
      return row.gone_since === null ? since !== null && since <= before : since === null;
    };
    const candidates = links.filter(mayBeNews);
    if (candidates.length === 0) return;
    const known = new Map((await servers.known(db)).map((server) => [server.id, server]));
    for (const { id, entry_id, exit_id } of candidates) {
      const [entry, exit] = [known.get(entry_id), known.get(exit_id)];
      const isAway = [entry, exit].some((server) => server === undefined || server.unreachable_since !== null);
      await transact(async (tx) => {
        const row = await repository.lock(tx, id);
        if (row === undefined || !mayBeNews(row) || (isAway && sinceOf(row) !== null)) return;
        await tell(tx, row, entry?.name ?? "", exit?.name ?? "");
      });
    }
  };
};
