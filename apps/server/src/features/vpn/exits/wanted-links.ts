import { type Reason, reason } from "@krug/domain/reasons";
import { type Exit, type ExitDown, type ExitLink, serversAmong } from "@krug/domain/routing-rules";
import type { Db } from "../../../platform/database/database.ts";
import type { Catalog } from "../catalog/index.ts";
import type { Interfaces } from "../interfaces/index.ts";
import type { ServerRow, Servers } from "../servers/index.ts";

export interface Wanted {
  entry: ServerRow;
  exit: ServerRow;
  type: ExitLink;
  /** Where the entry reaches the exit, or why that is not known. */
  address: string | null;
  lacks: Reason | null;
}

export const pairOf = (entryId: string, exitId: string): string => `${entryId} ${exitId}`;

/** The links that interfaces and services name, by `pairOf`. */
export const makeWantedLinks = ({
  servers,
  interfaces,
  catalog,
}: {
  servers: Pick<Servers, "all" | "workable">;
  interfaces: Pick<Interfaces, "places" | "addressesBehind">;
  catalog: Pick<Catalog, "services">;
}) => {
  const addressOf = async (
    db: Db,
    server: ServerRow,
    isWorkable: boolean,
  ): Promise<Pick<Wanted, "address" | "lacks">> => {
    if (!isWorkable) return { address: null, lacks: reason("exit.not_set_up") };
    const host = server.endpoint ?? server.default_endpoint;
    if (host === null) return { address: null, lacks: reason("exit.no_endpoint") };
    const known = await interfaces.addressesBehind(db, host);
    const address = known.find((each) => !each.includes(":")) ?? known[0] ?? null;
    return { address, lacks: address === null ? reason("exit.unresolved", { name: host }) : null };
  };

  return async (db: Db): Promise<Map<string, Wanted>> => {
    const all = new Map((await servers.all(db)).map((server) => [server.id, server]));
    const workable = new Set((await servers.workable(db)).map(({ id }) => id));
    const ofServices = (await catalog.services(db)).map(({ exit }) => exit);
    const routed = [...(await interfaces.places(db)).values()].filter(
      ({ interface: row, server }) => row.routing === "server" && row.is_active === 1 && workable.has(server.id),
    );
    const named = routed.flatMap(({ interface: row, server: entry }) => {
      const exits: (Exit | ExitDown)[] = [row.rest_exit, row.exit_down, ...ofServices];
      return serversAmong(exits).flatMap((id) => {
        const exit = id === entry.id ? undefined : all.get(id);
        return exit === undefined ? [] : [{ entry, exit }];
      });
    });
    // One disguise for all of an entry's links, if any of its interfaces asks for it.
    const disguised = new Set(
      routed.flatMap(({ interface: row, server }) => (row.exit_link === "amneziawg" ? [server.id] : [])),
    );
    const exits = new Map(named.map(({ exit }) => [exit.id, exit]));
    const addresses = new Map<string, Pick<Wanted, "address" | "lacks">>();
    for (const exit of exits.values()) addresses.set(exit.id, await addressOf(db, exit, workable.has(exit.id)));
    return new Map(
      named.map(({ entry, exit }) => [
        pairOf(entry.id, exit.id),
        {
          entry,
          exit,
          type: disguised.has(entry.id) ? ("amneziawg" as const) : ("wireguard" as const),
          ...(addresses.get(exit.id) ?? { address: null, lacks: null }),
        },
      ]),
    );
  };
};
