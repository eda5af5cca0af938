import type { drain as contract, DrainAnswer } from "@krug/contract/vpn/drain";
import { DAY_MS, isoOf } from "@krug/domain/moment";
import type { Handlers } from "../../../platform/http/call.ts";
import type { Platform } from "../../../platform/platform.ts";
import { refuse } from "../../../platform/refusal.ts";
import type { Members } from "../../members/members/index.ts";
import type { Configs } from "../configs/index.ts";
import type { Interfaces } from "../interfaces/index.ts";
import type { Servers } from "../servers/index.ts";
import { type Drains, stayedOf } from "./index.ts";
import { makeDrainPlans } from "./plan.ts";
import * as repository from "./repository.ts";
import type { Rotation } from "./rotate-interface.ts";
import type { DrainRow } from "./table.ts";

interface Parts extends Platform {
  members: Members;
  servers: Servers;
  interfaces: Interfaces;
  configs: Configs;
  drains: Drains;
  rotation: Rotation;
}

/** How long a finished drain's outcome is shown. */
const SHOWN_MS = DAY_MS;

export function makeDrainRoutes(parts: Parts): Handlers<typeof contract> {
  const { db, clock, members, servers, interfaces, drains, rotation } = parts;
  const plans = makeDrainPlans(parts);

  const describe = async (rows: readonly DrainRow[]): Promise<DrainAnswer[]> => {
    const names = new Map((await servers.ever(db)).map(({ id, name }) => [id, name]));
    const people = await members.byIds(db, [...new Set(rows.map((row) => row.actor_id))]);
    const nameOf = new Map(people.map(({ id, username }) => [id, username]));
    const server = (id: string) => ({ id, name: names.get(id) ?? "" });
    const ever = rows.some((row) => row.from_interface !== null) ? await interfaces.everWere(db) : null;
    const what = (serverId: string, id: string | null) =>
      id === null ? server(serverId) : { id, name: ever?.get(id)?.name ?? "" };
    return rows.map((row) => ({
      kind: row.from_interface === null ? ("server" as const) : ("interface" as const),
      from: what(row.from_server, row.from_interface),
      to: what(row.to_server, row.to_interface),
      by: nameOf.get(row.actor_id) ?? null,
      state: row.state,
      startedAt: isoOf(row.started_at),
      endedAt: isoOf(row.ended_at),
      total: row.total,
      moved: row.moved,
      stayed: stayedOf(row),
      goesAt: isoOf(row.stay_until),
    }));
  };
  const shown = async (row: DrainRow): Promise<DrainAnswer> => (await describe([row]))[0] as DrainAnswer;

  return {
    async list() {
      const latest = new Map<string, DrainRow>();
      for (const row of await repository.since(db, clock.now().getTime() - SHOWN_MS))
        if (!latest.has(row.from_interface ?? row.from_server)) latest.set(row.from_interface ?? row.from_server, row);
      return describe([...latest.values()]);
    },

    plan: ({ params }) => plans.ofServer(params.id),

    start: async ({ actor, params, body }) => shown(await drains.begin(actor, params.id, body.toServerId)),

    async stop({ params }) {
      const row = await drains.endOf(params.id, null);
      return row === null ? null : shown(row);
    },

    planOfInterface: ({ params }) => plans.ofInterface(params.id),

    startOfInterface: async ({ actor, params, body }) =>
      shown(await drains.beginInterface(actor, params.id, body.toInterfaceId)),

    rotate: async ({ actor, params, body }) => shown(await rotation.rotate(actor, params.id, body)),

    async stopOfInterface({ params }) {
      const from = (await interfaces.find(db, params.id)) ?? refuse("interface.not_found");
      const row = await drains.endOf(from.server_id, from.id);
      return row === null ? null : shown(row);
    },
  };
}
