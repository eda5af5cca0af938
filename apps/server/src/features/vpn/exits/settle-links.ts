import { DAY_MS } from "@krug/domain/moment";
import { type ReasonCode, reasonCode } from "@krug/domain/reasons";
import type { Host } from "../../../hosts/host.ts";
import { HostFailure } from "../../../hosts/host.ts";
import { lockPlace, type Tx } from "../../../platform/database/database.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { Catalog } from "../catalog/index.ts";
import type { Interfaces } from "../interfaces/index.ts";
import { enqueueReconcile, type Servers } from "../servers/index.ts";
import { exitsChanged } from "./events.ts";
import { newKeys, newLink, type Used } from "./link-interfaces.ts";
import * as repository from "./repository.ts";
import type { LinkRow } from "./table.ts";
import { makeWantedLinks, pairOf, type Wanted } from "./wanted-links.ts";

/** Keys older than that are replaced, while both machines answer. */
const ROTATE_AFTER_MS = 30 * DAY_MS;

export interface SettleParts extends Platform {
  servers: Servers;
  interfaces: Interfaces;
  catalog: Pick<Catalog, "services">;
}

/**
 * Something else has its name or port on a machine. So does a link with newer keys than a restored panel knows: it is left alone,
 * and another is made.
 */
const BLOCKING: readonly string[] = [
  "interface.foreign_key",
  "interface.other_kind",
  "interface.port_busy",
  "interface.port_busy_unseen",
] satisfies ReasonCode[];
const isBlocked = ({ entry_conflict, exit_conflict }: LinkRow) =>
  [entry_conflict, exit_conflict].some((why) => why !== null && BLOCKING.includes(reasonCode(why)));

type Reached = Wanted & { address: string };
const isReached = (wanted: Wanted): wanted is Reached => wanted.address !== null;

/** Makes the links that interfaces and services name, gives them new keys, and removes the others. */
export function makeSettleLinks(parts: SettleParts) {
  const { db, transact, clock, log, jobs, events, sealing, servers, interfaces } = parts;

  const findWanted = makeWantedLinks(parts);

  /** Null if the machine cannot be asked: a port that is taken there shows as the link's conflict. */
  const usedOn = async (host: Host | null): Promise<Used> =>
    host === null
      ? null
      : await host.occupied().catch((error: unknown) => {
          if (!(error instanceof HostFailure)) throw error;
          return null;
        });

  const tellBoth = async (tx: Tx, ends: Iterable<Pick<Wanted, "entry" | "exit">>) => {
    const all = [...ends];
    if (all.length === 0) return;
    await events.record(tx, exitsChanged, { entryIds: [...new Set(all.map(({ entry }) => entry.id))] });
    const touched = new Map(all.flatMap(({ entry, exit }) => [entry, exit].map((server) => [server.id, server])));
    for (const server of touched.values()) await enqueueReconcile(jobs, tx, server);
  };

  const keepKeys = (tx: Tx, link: LinkRow) =>
    interfaces.keepLinkKeys(tx, [
      { server_id: link.entry_id, public_key: link.entry_public_key },
      { server_id: link.exit_id, public_key: link.exit_public_key },
    ]);

  const make = async (wanted: Reached) => {
    const [entry, exit] = await Promise.all([wanted.entry, wanted.exit].map((each) => usedOn(servers.hostOf(each))));
    await transact(async (tx) => {
      await lockPlace(tx, "exit_links");
      const links = await repository.all(tx);
      if (links.some((link) => link.entry_id === wanted.entry.id && link.exit_id === wanted.exit.id)) return;
      const ends = { entryId: wanted.entry.id, exitId: wanted.exit.id, address: wanted.address, type: wanted.type };
      const taken = { links, entry: entry ?? null, exit: exit ?? null };
      const link = newLink(await sealing.sealer(tx), clock.now().getTime(), ends, taken);
      if (link === null) return log.error(ends, "there is no room for another link between servers");
      await repository.insert(tx, link);
      await keepKeys(tx, link);
      await tellBoth(tx, [wanted]);
    });
  };

  /** A peer keeps the address it was given, so a moved exit gets a new peer too. */
  const renew = (link: LinkRow, wanted: Reached) =>
    transact(async (tx) => {
      const keys = newKeys(await sealing.sealer(tx), link.id, clock.now().getTime(), wanted.type);
      await repository.update(tx, link.id, { ...keys, address: wanted.address });
      await keepKeys(tx, { ...link, ...keys });
      await tellBoth(tx, [wanted]);
    });

  const isDue = (link: LinkRow, { entry, exit, address, type }: Reached) => {
    if (link.address !== address || link.type !== type) return true;
    const doAnswer = entry.unreachable_since === null && exit.unreachable_since === null;
    return doAnswer && clock.now().getTime() - link.keys_at >= ROTATE_AFTER_MS;
  };

  return async (): Promise<void> => {
    const wanted = new Map(
      [...(await findWanted(db))].flatMap(([pair, each]) => (isReached(each) ? [[pair, each] as const] : [])),
    );
    const links = await repository.all(db);
    const known = new Map(links.map((link) => [pairOf(link.entry_id, link.exit_id), link]));
    const byId = new Map((await servers.all(db)).map((server) => [server.id, server]));
    const ends = (link: LinkRow) => {
      const [entry, exit] = [byId.get(link.entry_id), byId.get(link.exit_id)];
      return [entry, exit].flatMap((server) => (server === undefined ? [] : [{ entry: server, exit: server }]));
    };
    const superfluous = [...known].flatMap(([name, link]) => (wanted.has(name) && !isBlocked(link) ? [] : [link]));
    if (superfluous.length > 0)
      await transact(async (tx) => {
        for (const link of superfluous) await repository.remove(tx, link.id);
        await tellBoth(tx, superfluous.flatMap(ends));
      });
    for (const link of superfluous) known.delete(pairOf(link.entry_id, link.exit_id));
    for (const [name, each] of wanted) {
      const link = known.get(name);
      if (link === undefined) await make(each);
      else if (isDue(link, each)) await renew(link, each);
    }
  };
}
