import type { ConfigAnswer } from "@krug/contract/vpn/configs";
import { isoOf } from "@krug/domain/moment";
import { type Reason, reason } from "@krug/domain/reasons";
import { type Exit, type ExitDown, isOwnExit, serversAmong } from "@krug/domain/routing-rules";
import type { DesiredInterface } from "@krug/wireguard/interface";
import { type ExitLink, type Exit as HostExit, HostFailure } from "../../../hosts/host.ts";
import type { Db, Tx } from "../../../platform/database/database.ts";
import { jobKind } from "../../../platform/jobs.ts";
import { refuse, refuseBecause } from "../../../platform/refusal.ts";
import { exitChanged, serviceAdded } from "../catalog/index.ts";
import { interfaceChanged, interfaceDeleted } from "../interfaces/index.ts";
import { type ServerRow, serverDeleted, serverEndpointChanged } from "../servers/index.ts";
import { desiredSide, linkName, type Side } from "./link-interfaces.ts";
import { type LinkNow, linkNow } from "./link-state.ts";
import { makeLookBeyond } from "./look-beyond.ts";
import * as repository from "./repository.ts";
import { makeSettleLinks, type SettleParts } from "./settle-links.ts";
import type { LinkRow } from "./table.ts";
import { makeWantedLinks, pairOf, type Wanted } from "./wanted-links.ts";
import { makeWatch } from "./watch.ts";

export { exitBack, exitGone, exitsChanged } from "./events.ts";
export { sealedInExits } from "./link-interfaces.ts";

export type Exits = ReturnType<typeof makeExits>;

const settleLinks = jobKind<Record<string, never>>("exits.settle");

export interface ExitsNow {
  /** Of a server. */
  name(id: string): string;
  /** The entry's own exit is always up. */
  link(entryId: string, exitId: string): LinkNow;
  /** Those of these exits that do not answer, and what happens meanwhile on an interface with this choice. */
  downAmong(entryId: string, exits: readonly Exit[], whenDown: ExitDown): ConfigAnswer["exitsDown"];
}

/** A server's exits now. */
export interface ExitsOf {
  links: ExitLink[];
  /** Where what should leave by `exit` does leave, on an interface with this choice. */
  resolve(exit: Exit, whenDown: ExitDown): HostExit;
}

/** By which other servers of the club traffic leaves (decisions, section 16). */
export function makeExits(parts: SettleParts) {
  const { db, events, jobs, sealing, servers, interfaces, catalog } = parts;
  const settle = makeSettleLinks(parts);
  const watch = makeWatch(parts);
  const findWanted = makeWantedLinks(parts);

  const settleSoon = (tx: Tx) => jobs.enqueue(tx, settleLinks, { payload: {}, unlessWaiting: true });
  for (const event of [
    exitChanged,
    serviceAdded,
    interfaceChanged,
    interfaceDeleted,
    serverDeleted,
    serverEndpointChanged,
  ])
    events.on<object>(event, (tx) => settleSoon(tx).then(() => undefined));
  jobs.handle(settleLinks, settle);

  /** With the smaller path of both machines, and IPv6 if the entry's members have it. */
  const sidesOn = async (
    over: Db | Tx,
    server: ServerRow,
  ): Promise<{ row: LinkRow; side: Side; tunnel: DesiredInterface }[]> => {
    const links = (await repository.all(over)).filter((row) => row.entry_id === server.id || row.exit_id === server.id);
    if (links.length === 0) return [];
    // Only the ends of its own links, however many servers the club has.
    const paths = new Map<string, number | null>();
    for (const id of new Set(links.flatMap((row) => [row.entry_id, row.exit_id])))
      paths.set(id, (await servers.find(over, id))?.path_mtu ?? null);
    const withV6 = new Set<string>();
    for (const id of new Set(links.map((row) => row.entry_id))) if (await interfaces.hasV6(over, id)) withV6.add(id);
    return links.map((row) => {
      const side = row.entry_id === server.id ? ("entry" as const) : ("exit" as const);
      const known = [paths.get(row.entry_id), paths.get(row.exit_id)].filter((path) => path != null);
      const path = known.length === 0 ? null : Math.min(...known);
      return { row, side, tunnel: desiredSide(sealing, row, side, { path, hasV6: withV6.has(row.entry_id) }) };
    });
  };

  /** What a machine says of itself; null if it is away now, and is asked again when the link is made. */
  const inspected = async (server: ServerRow) =>
    (await servers
      .hostOf(server)
      ?.inspect()
      .catch((error: unknown) => {
        if (!(error instanceof HostFailure)) throw error;
        return null;
      })) ?? null;

  const refuseUnfit = async (exit: Exit | undefined, whenDown?: ExitDown): Promise<void> => {
    if (exit === "wait" || whenDown === "closed") refuse("exit.not_found");
    for (const id of serversAmong([exit ?? [], whenDown ?? []].flat())) {
      const server = (await servers.workable(db)).find((each) => each.id === id) ?? refuse("exit.not_found");
      if ((await inspected(server))?.backend === "netstack")
        refuseBecause("exit.cannot_route", reason("routing.no_kernel"), { name: server.name });
    }
  };

  return {
    /** Before such a choice is written. @throws Refusal if it names a server that cannot be an exit */
    refuseUnfit,
    /** Before its links become AmneziaWG's. @throws Refusal if a machine at either end has no engine for it */
    async refuseUndisguised(entryId: string): Promise<void> {
      const exitIds = (await repository.all(db)).flatMap((row) => (row.entry_id === entryId ? [row.exit_id] : []));
      for (const id of [entryId, ...exitIds]) {
        const server = await servers.find(db, id);
        const lacks = server && (await inspected(server))?.amneziawg.lacks;
        if (lacks) refuseBecause("exit.cannot_disguise", lacks, { name: server.name });
      }
    },

    /** The links of a server's machine, as interfaces of it. */
    interfacesOn: async (over: Db | Tx, server: ServerRow): Promise<DesiredInterface[]> =>
      (await sidesOn(over, server)).map(({ tunnel }) => tunnel),

    /** Names of its links by which others' traffic comes: other servers have applied the access rules to it. */
    async comingTo(over: Db | Tx, server: ServerRow): Promise<string[]> {
      const links = await repository.all(over);
      return links.flatMap((row) => (row.exit_id === server.id ? [linkName(row, "exit")] : []));
    },

    async of(over: Db | Tx, server: ServerRow): Promise<ExitsOf> {
      const own = (await sidesOn(over, server)).filter(({ side }) => side === "entry");
      const byExit = new Map(own.map(({ row }) => [row.exit_id, row]));
      const isUp = (id: string) => linkNow(byExit.get(id)).state === "up";
      const through = (id: string): HostExit => (id === server.id ? "direct" : (byExit.get(id)?.number ?? "closed"));
      return {
        links: own.map(({ row, tunnel }) => ({
          number: row.number,
          name: tunnel.name,
          mtu: tunnel.mtu,
          addresses: tunnel.addresses.map((each) => each.split("/")[0] ?? ""),
        })),
        resolve(exit, whenDown) {
          if (isOwnExit(exit)) return exit;
          if (exit === server.id || isUp(exit) || whenDown === "wait") return through(exit);
          if (whenDown === "direct") return "direct";
          return whenDown === server.id || isUp(whenDown) ? through(whenDown) : through(exit);
        },
      };
    },

    /** How the servers stand by which others' traffic leaves, for people. */
    async now(over: Db): Promise<ExitsNow> {
      const names = new Map((await servers.known(over)).map(({ id, name }) => [id, name]));
      const rows = new Map((await repository.all(over)).map((row) => [pairOf(row.entry_id, row.exit_id), row]));
      const link = (entry: string, exit: string): LinkNow =>
        exit === entry ? { state: "up", since: null } : linkNow(rows.get(pairOf(entry, exit)));
      return {
        name: (id) => names.get(id) ?? "",
        link,
        downAmong: (entry, exits, whenDown) =>
          serversAmong(exits).flatMap((id) => {
            const { state, since } = link(entry, id);
            if (state === "up") return [];
            const isThere = !["wait", "direct"].includes(whenDown) && link(entry, whenDown).state === "up";
            const isStraight = whenDown === "direct" || whenDown === entry;
            return [
              {
                server: names.get(id) ?? "",
                since: isoOf(since),
                instead: isStraight ? ("direct" as const) : isThere ? ("other" as const) : ("wait" as const),
                other: isThere && !isStraight ? (names.get(whenDown) ?? "") : null,
              },
            ];
          }),
      };
    },

    /** What names this server as exit, for people. */
    async usersOf(over: Db | Tx, serverId: string): Promise<string[]> {
      const byInterfaces = [...(await interfaces.places(over)).values()].filter(({ interface: row }) =>
        [row.rest_exit, row.exit_down].includes(serverId),
      );
      return [
        ...(await catalog.services(over)).filter(({ exit }) => exit === serverId).map(({ name }) => name),
        ...byInterfaces.map((place) => `${place.server.name}: ${place.interface.name}`),
      ];
    },

    async usedAmong(over: Db): Promise<ReadonlySet<string>> {
      const byInterfaces = (await interfaces.all(over)).flatMap((row) => [row.rest_exit, row.exit_down]);
      return new Set(serversAmong([...byInterfaces, ...(await catalog.services(over)).map(({ exit }) => exit)]));
    },

    /** As the audit keeps it. */
    nameOf: async (over: Db | Tx, exit: string): Promise<string> =>
      serversAmong([exit]).length === 0 ? exit : ((await servers.find(over, exit))?.name ?? exit),

    all: repository.all,
    /** Links that interfaces and services name and that could not be made yet, with what the exit lacks. */
    async missing(over: Db): Promise<Wanted[]> {
      const made = new Set((await repository.all(over)).map((row) => pairOf(row.entry_id, row.exit_id)));
      return [...(await findWanted(over))].flatMap(([pair, wanted]) => (made.has(pair) ? [] : [wanted]));
    },
    /** Those that staff were notified of. */
    async gone(over: Db): Promise<{ id: string; name: string; since: number }[]> {
      const names = new Map((await servers.known(over)).map(({ id, name }) => [id, name]));
      const name = (row: LinkRow) => `${names.get(row.entry_id) ?? ""} → ${names.get(row.exit_id) ?? ""}`;
      return (await repository.all(over)).flatMap((row) =>
        row.gone_since === null ? [] : [{ id: row.id, name: name(row), since: row.gone_since }],
      );
    },

    /** Records why a machine could not set up its links; null: it could. */
    async noteConflicts(tx: Tx, server: ServerRow, conflictOf: (name: string) => Reason | null): Promise<void> {
      for (const row of await repository.all(tx))
        for (const side of ["entry", "exit"] as const) {
          if (row[`${side}_id`] !== server.id) continue;
          const why = conflictOf(linkName(row, side));
          if (row[`${side}_conflict`] !== why) await repository.update(tx, row.id, { [`${side}_conflict`]: why });
        }
    },

    settle,
    timed: [
      { name: "links between servers", at: "25 * * * * *", leaseMs: 60_000, run: settle },
      { name: "exits", at: "*/10 * * * * *", run: watch },
      { name: "internet behind exits", at: "5,35 * * * * *", run: makeLookBeyond(parts) },
    ],
  };
}
