import { randomUUID } from "node:crypto";
import { DAY_MS } from "@krug/domain/moment";
import { type Db, lockPlace, type Tx } from "../../../platform/database/database.ts";
import type { Actor } from "../../../platform/http/call.ts";
import { jobKind } from "../../../platform/jobs.ts";
import type { Platform } from "../../../platform/platform.ts";
import { refuse } from "../../../platform/refusal.ts";
import type { Audit } from "../../club/audit/index.ts";
import type { Groups } from "../../members/groups/index.ts";
import type { Configs, ManyMoved } from "../configs/index.ts";
import { endpointOf, type Interfaces, type Place } from "../interfaces/index.ts";
import { MAIN_SERVER, needsSetup, type ServerRow, type Servers } from "../servers/index.ts";
import * as repository from "./repository.ts";
import type { DrainRow } from "./table.ts";

interface Parts extends Platform {
  audit: Audit;
  servers: Servers;
  interfaces: Interfaces;
  groups: Pick<Groups, "membersWith" | "passOn">;
  configs: Configs;
}

export { makeRotation } from "./rotate-interface.ts";

export type Drains = ReturnType<typeof makeDrains>;

/** Members whose devices move in one transaction: others wait no longer than for that. */
const SLICE = 20;
const KEPT_MS = 30 * DAY_MS;

const emptyServer = jobKind<{ id: string }>("servers.empty");

/** Whether devices can be moved there. */
const takes = (server: ServerRow): boolean =>
  server.is_setup_complete === 1 && !needsSetup(server) && server.takes_new === 1;
export const isTarget = (server: ServerRow, from: ServerRow): boolean => server.id !== from.id && takes(server);
export const isTargetPlace = (place: Place, fromInterface: string): boolean =>
  place.interface.id !== fromInterface && takes(place.server) && isUsable(place);
/** Whether the interface lets new devices connect. */
export const isUsable = (place: Place): boolean =>
  place.interface.is_active === 1 &&
  place.interface.takes_new === 1 &&
  place.interface.conflict === null &&
  endpointOf(place) !== null;

/**
 * Moves all devices of a server or an interface to another: a slice of its members in each transaction, together with the job for
 * the next slice. However a panel ends, another continues after the last slice
 * (docs/adr/0056-a-server-is-emptied-member-by-member.md).
 */
export function makeDrains({ transact, clock, jobs, audit, servers, interfaces, groups, configs }: Parts) {
  const idsOn = async (tx: Tx, serverId: string) => (await interfaces.ofServer(tx, serverId)).map(({ id }) => id);
  /** Members who have the server, or an interface of it, assigned. */
  const holders = async (over: Db | Tx, serverId: string, interfaceIds: readonly string[]): Promise<string[]> => [
    ...new Set([...(await servers.holders(over, [serverId])), ...(await interfaces.holders(over, interfaceIds))]),
  ];
  const toInterface = async (tx: Tx, { to_interface }: DrainRow) =>
    to_interface === null ? {} : { to_interface: (await interfaces.find(tx, to_interface))?.name ?? null };
  const goOn = (tx: Tx, { id }: DrainRow) =>
    jobs.enqueue(tx, emptyServer, { payload: { id }, lane: `emptying:${id}`, unlessWaiting: true });

  const end = async (tx: Tx, row: DrainRow, state: "done" | "stopped"): Promise<void> => {
    await repository.update(tx, row.id, { state, ended_at: clock.now().getTime() });
    const stayed = Object.values(stayedOf(row)).reduce((sum, count) => sum + count, 0);
    const to_server = (await servers.find(tx, row.to_server))?.name ?? null;
    const after = { to_server, ...(await toInterface(tx, row)), moved: row.moved, stayed };
    await audit.record(tx, row.actor_id, row.from_interface === null ? "server.emptied" : "interface.emptied", {
      target: row.from_interface ?? row.from_server,
      after,
    });
  };

  const slice = async (tx: Tx, id: string): Promise<void> => {
    const row = await repository.lock(tx, id);
    if (row === undefined || row.state !== "running") return;
    const from = row.from_interface === null ? await idsOn(tx, row.from_server) : [row.from_interface];
    const owners = from.length === 0 ? [] : await configs.ownersOn(tx, from, { after: row.after_member, limit: SLICE });
    if (owners.length === 0) return end(tx, row, "done");
    const server = await servers.find(tx, row.to_server);
    const there = server === undefined ? [] : [...(await interfaces.placesOn(tx, server)).values()];
    const to = there.filter((place) => row.to_interface === null || place.interface.id === row.to_interface);
    const load = await configs.loadNow(tx, to);
    const all: ManyMoved = { moved: row.moved, stayed: stayedOf(row) };
    for (const memberId of owners) {
      const move = { memberId, from, to, stayUntil: row.stay_until ?? undefined };
      const { moved, stayed } = await configs.moveMany(tx, move, load, row.actor_id);
      all.moved += moved;
      for (const [why, count] of Object.entries(stayed) as [keyof typeof stayed, number][])
        all.stayed[why] = (all.stayed[why] ?? 0) + count;
    }
    const change = { after_member: owners.at(-1) ?? null, moved: all.moved, stayed: JSON.stringify(all.stayed) };
    await repository.update(tx, id, change);
    if (owners.length < SLICE) await end(tx, { ...row, ...change }, "done");
    else await goOn(tx, row);
  };

  const insert = async (
    tx: Tx,
    actor: Actor,
    wish: Pick<DrainRow, "from_server" | "to_server" | "from_interface" | "to_interface" | "stay_until">,
    ids: readonly string[],
  ): Promise<DrainRow> => {
    const row: DrainRow = {
      id: randomUUID(),
      ...wish,
      actor_id: actor.memberId,
      started_at: clock.now().getTime(),
      after_member: null,
      total: (await configs.countOn(tx, ids)).devices,
      moved: 0,
      stayed: "{}",
      state: "running",
      ended_at: null,
    };
    await repository.insert(tx, row);
    await goOn(tx, row);
    return row;
  };

  jobs.handle(emptyServer, async (payloads) => {
    for (const id of new Set(payloads.map((payload) => payload.id))) await transact((tx) => slice(tx, id));
  });

  return {
    /**
     * Starts, or answers the running drain. The server then takes no new configs; members it is assigned to get the other one
     * too, and if it was the main one, the other becomes that.
     */
    begin: (actor: Actor, fromId: string, toId: string): Promise<DrainRow> =>
      transact(async (tx) => {
        await lockPlace(tx, MAIN_SERVER);
        const from = (await servers.lock(tx, fromId)) ?? refuse("server.not_found");
        const to = (await servers.find(tx, toId)) ?? refuse("server.not_found");
        const running = await repository.runningOf(tx, { serverId: fromId, interfaceId: null });
        if (running !== undefined) {
          if (running.to_server !== toId)
            refuse("server.being_emptied", { name: (await servers.find(tx, running.to_server))?.name ?? "" });
          await goOn(tx, running);
          return running;
        }
        if (
          !isTarget(to, from) ||
          (await repository.runningOf(tx, { serverId: toId, interfaceId: null })) !== undefined
        )
          refuse("server.takes_none", { name: to.name });
        const ids = await idsOn(tx, fromId);
        const wish = {
          from_server: fromId,
          to_server: toId,
          from_interface: null,
          to_interface: null,
          stay_until: null,
        };
        const row = await insert(tx, actor, wish, ids);
        if (from.takes_new === 1) await servers.update(tx, fromId, { takes_new: 0 });
        await audit.record(tx, actor.memberId, "server.emptying_started", {
          target: fromId,
          before: { takes_new: from.takes_new === 1 },
          after: { takes_new: false, to_server: to.name, configs: row.total },
        });
        if (from.is_main === 1) await servers.makeMain(tx, actor.memberId, to);
        await servers.give(tx, await holders(tx, fromId, ids), toId);
        await groups.passOn(tx, ids, await idsOn(tx, toId));
        return row;
      }),

    /** The same for one interface, whose devices may stay on its server; members it is assigned to get the other one too. */
    beginInterface: (actor: Actor, fromId: string, toId: string, stayUntil: number | null = null): Promise<DrainRow> =>
      transact(async (tx) => {
        const from = (await interfaces.lock(tx, fromId)) ?? refuse("interface.not_found");
        const to = (await interfaces.places(tx)).get(toId) ?? refuse("interface.not_found");
        const running =
          (await repository.runningOf(tx, { serverId: from.server_id, interfaceId: fromId })) ??
          (stayUntil === null ? undefined : await repository.rotationOf(tx, fromId, clock.now().getTime()));
        if (running !== undefined) {
          if (running.to_interface !== toId)
            refuse("interface.being_emptied", {
              name: (await interfaces.find(tx, running.to_interface ?? ""))?.name ?? "",
            });
          await goOn(tx, running);
          return running;
        }
        if (!isTargetPlace(to, fromId)) refuse("interface.takes_none", { name: to.interface.name });
        const wish = {
          from_server: from.server_id,
          to_server: to.server.id,
          from_interface: fromId,
          to_interface: toId,
          stay_until: stayUntil,
        };
        const row = await insert(tx, actor, wish, [fromId]);
        if (from.takes_new === 1) await interfaces.update(tx, fromId, { takes_new: 0 });
        await audit.record(tx, actor.memberId, "interface.emptying_started", {
          target: fromId,
          before: { takes_new: from.takes_new === 1 },
          after: { takes_new: false, to_server: to.server.name, to_interface: to.interface.name, configs: row.total },
        });
        await interfaces.give(tx, await interfaces.holders(tx, [fromId]), toId);
        await groups.passOn(tx, [fromId], [toId]);
        return row;
      }),

    /** Stops it between two slices; returns the one that ran, null if none did. `interfaceId`: null for a whole server. */
    endOf: (serverId: string, interfaceId: string | null): Promise<DrainRow | null> =>
      transact(async (tx) => {
        if ((await servers.find(tx, serverId)) === undefined) refuse("server.not_found");
        const running = await repository.runningOf(tx, { serverId, interfaceId });
        const row = running && (await repository.lock(tx, running.id));
        if (row === undefined || row.state !== "running") return null;
        await end(tx, row, "stopped");
        return { ...row, state: "stopped", ended_at: clock.now().getTime() };
      }),

    /** How many members get the other one too, because of what is assigned to them or to their groups. */
    async countAssigned(over: Db, interfaceIds: readonly string[], serverId: string | null): Promise<number> {
      const own =
        serverId === null ? await interfaces.holders(over, interfaceIds) : await holders(over, serverId, interfaceIds);
      return new Set([...own, ...(await groups.membersWith(over, interfaceIds))]).size;
    },

    forgetOld: (): Promise<void> => transact((tx) => repository.removeBefore(tx, clock.now().getTime() - KEPT_MS)),
  };
}

export const stayedOf = ({ stayed }: Pick<DrainRow, "stayed">): ManyMoved["stayed"] => JSON.parse(stayed);
