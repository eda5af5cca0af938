import type { LiveStatsAnswer } from "@krug/contract/vpn/configs";
import type { Place } from "../interfaces/index.ts";
import type { ConfigParts } from "./parts.ts";
import * as repository from "./repository.ts";
import type { ConfigRow } from "./table.ts";

export interface LiveStatsParts extends Pick<ConfigParts, "db" | "interfaces" | "traffic"> {
  /** Brings a server's counters up to date if the last reading is older than this, in ms. */
  readStats(serverId: string, freshMs?: number): Promise<void>;
  /** Whether they are as new as `readStats` would bring them by default. */
  isRead(serverId: string): boolean;
  speedOf(serverId: string, configId: string): LiveStatsAnswer["speed"];
}

type Placed = Pick<ConfigRow, "id" | "interface_id">;

/** What configs transfer now, by the machines that carry them. */
export function makeLiveStats({ db, interfaces, traffic, readStats, isRead, speedOf }: LiveStatsParts) {
  const of = async (rows: readonly Placed[]): Promise<(row: Placed) => LiveStatsAnswer> => {
    const statsOfOne = await traffic.statsOf(
      db,
      rows.map(({ id }) => id),
    );
    const places = await interfaces.knownPlaces(db);
    return ({ id, interface_id }) => {
      const serverId = places.get(interface_id)?.server.id;
      return { ...statsOfOne(id), speed: serverId === undefined ? null : speedOf(serverId, id) };
    };
  };
  /** The servers of these rows that answer. */
  const serversOf = (rows: readonly Placed[], places: ReadonlyMap<string, Place>) =>
    new Set(
      rows.flatMap((row) => {
        const server = places.get(row.interface_id)?.server;
        return server?.unreachable_since === null ? server.id : [];
      }),
    );
  return {
    of,
    /** A member's rows, after reading the machines that answer. */
    async freshRows(memberId: string, limit: number, freshMs?: number) {
      const rows = await repository.ofMember(db, memberId, limit);
      const serverIds = serversOf(rows, await interfaces.knownPlaces(db));
      await Promise.all([...serverIds].map((id) => readStats(id, freshMs)));
      return rows;
    },
    /** Tells, as often as it is asked, whether `freshRows` would read no machine for these. */
    areRead(rows: readonly Placed[], places: ReadonlyMap<string, Place>): () => boolean {
      let ids: string[] | undefined;
      return () => {
        ids ??= [...serversOf(rows, places)];
        return ids.every(isRead);
      };
    },
    /** The row itself, after reading its machine. */
    async fresh<Row extends Placed>(row: Row): Promise<Row> {
      const place = await interfaces.find(db, row.interface_id);
      if (place !== undefined) await readStats(place.server_id);
      return row;
    },
    ofOne: async (row: Placed): Promise<LiveStatsAnswer> => (await of([row]))(row),
  };
}
