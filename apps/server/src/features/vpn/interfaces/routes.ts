import { lineOrNull, whyOrNull } from "@krug/contract/reasons";
import type { InterfaceAnswer, interfaces as interfacesContract, ProbeAnswer } from "@krug/contract/vpn/interfaces";
import { INTERFACE_FIELDS } from "@krug/domain/fields/interface";
import { isoOf } from "@krug/domain/moment";
import { reason } from "@krug/domain/reasons";
import { amneziaMtu } from "@krug/wireguard/amneziawg";
import type { ClubTime } from "../../../platform/club-time.ts";
import type { Db } from "../../../platform/database/database.ts";
import { answeredOf, columnsOf } from "../../../platform/described-fields.ts";
import type { Handlers } from "../../../platform/http/call.ts";
import { tellPage } from "../../../platform/pages.ts";
import { refuse, refuseBecause } from "../../../platform/refusal.ts";
import { seesVip } from "../../club/rights/index.ts";
import { makeAssigning } from "../servers/index.ts";
import { refuseUnreachable } from "./ask-machine.ts";
import { type Changed, type ExitCheck, makeInterfaceChanges } from "./change-interface.ts";
import { makeCreateInterface } from "./create-interface.ts";
import { type Interfaces, type Place, placeName } from "./index.ts";
import type { InterfaceParts, InterfaceUse } from "./parts.ts";
import { drawProfile, refuseUnfit, shownProfile, shownTexts } from "./profile.ts";
import * as repository from "./repository.ts";
import { capacityOf } from "./subnet-capacity.ts";
import type { InterfaceRow } from "./table.ts";

/** How long an answer waits for the machine: a later result shows in the next answer. */
const APPLY_WAIT_MS = 6_000;

interface Parts extends InterfaceParts {
  clubTime: ClubTime;
  interfaces: Pick<Interfaces, "knownPlaces">;
  /** Of features above this one. */
  probe: { of(db: Db, places: readonly Place[]): Promise<ReadonlyMap<string, ProbeAnswer>> };
  outageDetection: { goneSince(over: Db): Promise<Map<string, number>> };
}

/** Interfaces as staff see them. */
export function makeShownInterfaces(parts: Parts) {
  const { db, clubTime, jobs, members, servers, interfaces, probe, outageDetection, usage } = parts;
  const describe = async (rows: readonly InterfaceRow[], withVip: boolean): Promise<InterfaceAnswer[]> => {
    if (rows.length === 0) return [];
    const uses = await usage.byInterface(db, withVip);
    const assigned = await repository.assignments.counts(db, withVip ? null : members.visibleIds(db, false));
    const places = await interfaces.knownPlaces(db);
    const serverNames = new Map((await servers.known(db)).map(({ id, name }) => [id, name]));
    const probes = await probe.of(
      db,
      rows.flatMap((row) => places.get(row.id) ?? []),
    );
    const gone = await outageDetection.goneSince(db);
    return rows.map((row) =>
      toAnswer(row, clubTime, {
        serverName: serverNames.get(row.server_id) ?? "",
        use: uses.get(row.id),
        assignedCount: assigned.get(row.id) ?? 0,
        probe: probes.get(row.id),
        goneSince: gone.get(row.id),
      }),
    );
  };
  return {
    describe,
    /** One interface, once its machine has answered, or after a moment. */
    async settled(id: string, jobIds: readonly string[], withVip = true): Promise<InterfaceAnswer> {
      await jobs.settled(jobIds, APPLY_WAIT_MS);
      const [answer] = await describe([(await repository.find(db, id)) ?? refuse("interface.not_found")], withVip);
      return answer ?? refuse("interface.not_found");
    },
  };
}

export function makeInterfaceRoutes(parts: Parts & { exits: ExitCheck }): Handlers<typeof interfacesContract> {
  const { db, jobs, servers, interfaces } = parts;
  const create = makeCreateInterface(parts);
  const changes = makeInterfaceChanges(parts);
  const { describe, settled: settledOne } = makeShownInterfaces(parts);
  const assigning = makeAssigning(parts, {
    word: "interface",
    unknown: "interface.not_found",
    async hold(tx, id) {
      if ((await repository.lock(tx, id)) === undefined) return undefined;
      const place = (await interfaces.knownPlaces(tx)).get(id);
      return place && { name: placeName(place) };
    },
    assignments: repository.assignments,
  });
  const settled = ({ row, jobIds }: Changed, withVip: boolean) => settledOne(row.id, jobIds, withVip);

  return {
    list: async ({ actor, query }) => describe(await repository.all(db), seesVip(actor, query.as)),

    async ofServer({ actor, params, query }) {
      const server = (await servers.find(db, params.id)) ?? refuse("server.not_found");
      return describe(await repository.ofServer(db, server.id), seesVip(actor, query.as));
    },

    async create({ actor, params, body: { amneziawg, routing, restExit, exitDown, exitLink, ...wished } = {} }) {
      await parts.exits.refuseUnfit(restExit, exitDown);
      if (exitLink === "amneziawg") await parts.exits.refuseUndisguised(params.serverId);
      const profile = amneziawg && drawProfile(amneziawg);
      if (profile && wished.mtu != null) refuseUnfit(profile, wished.mtu);
      const routed = columnsOf(INTERFACE_FIELDS, { routing, restExit, exitDown, exitLink });
      const made = await create(actor, params.serverId, { ...wished, profile, routed });
      return { success: true, interface: await settled(made, true) };
    },

    async amneziawg({ params }) {
      const server = (await servers.find(db, params.id)) ?? refuse("server.not_found");
      const host = servers.hostOf(server) ?? refuseBecause("server.unreachable", reason("panel.another"));
      const { lacks, module } = (await host.inspect().catch(refuseUnreachable)).amneziawg;
      return { lacks: lineOrNull(lacks), why: whyOrNull(lacks), module };
    },

    async rename({ actor, params, body }) {
      return settled(
        await changes.change(actor, { serverId: params.serverId, id: params.interfaceId }, body),
        seesVip(actor),
      );
    },

    async remove({ actor, params, query }) {
      const jobIds = await changes.remove(actor, params.serverId, params.interfaceId, query.configs);
      await jobs.settled(jobIds, APPLY_WAIT_MS);
    },

    change: async ({ actor, params, body }) => settled(await changes.change(actor, params, body), true),

    assign: ({ actor, body }) => assigning.assign(actor, body.userId, body.interfaceId),

    unassign: async ({ actor, params }) => void (await assigning.unassign(actor, params.userId, params.interfaceId)),

    async ofMember({ actor, params }) {
      const member = await assigning.seen(db, actor, params.userId);
      const own = new Set(await repository.assignments.of(db, member.id));
      const rows = await repository.all(db);
      return describe(
        rows.filter(({ id }) => own.has(id)),
        seesVip(actor),
      );
    },

    async assigned({ actor, params, query, reply }) {
      const row = (await repository.find(db, params.id)) ?? refuse("interface.not_found");
      const { rows, next, total } = await assigning.list(row.id, {
        withVip: seesVip(actor, query.as),
        q: query.q,
        cursor: query.cursor,
        limit: query.limit,
      });
      tellPage(reply, { next, total });
      return rows;
    },
  };
}

interface About {
  serverName: string;
  use: InterfaceUse | undefined;
  assignedCount: number;
  probe: ProbeAnswer | undefined;
  goneSince: number | undefined;
}

function amneziaAnswer(row: InterfaceRow): InterfaceAnswer["amneziawg"] {
  const profile = shownProfile(row);
  const parameters = shownTexts(row);
  return profile && parameters && { version: profile.version, parameters, mtu: amneziaMtu(profile) };
}

const toAnswer = (
  row: InterfaceRow,
  clubTime: ClubTime,
  { serverName, use, assignedCount, probe, goneSince }: About,
): InterfaceAnswer => ({
  id: row.id,
  ...answeredOf(INTERFACE_FIELDS, row, clubTime),
  type: row.type,
  amneziawg: amneziaAnswer(row),
  serverName,
  conflict: row.is_active === 1 ? lineOrNull(row.conflict) : null,
  why: row.is_active === 1 ? whyOrNull(row.conflict) : null,
  probe: probe ?? null,
  goneSince: isoOf(goneSince),
  configCount: use?.configs ?? 0,
  capacity: capacityOf(row.subnet),
  peerCount: use?.onWire ?? 0,
  toDownload: use?.delivered ?? 0,
  leavingCount: use?.leaving ?? 0,
  assignedCount,
});
