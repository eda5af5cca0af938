import type { ServerAnswer, servers as serversContract } from "@krug/contract/servers";
import type { Handlers } from "../../platform/http/call.ts";
import { tellPage } from "../../platform/pages.ts";
import { refuse } from "../../platform/refusal.ts";
import { seesVip } from "../rights/index.ts";
import type { SecurityGate } from "../security-gate/index.ts";
import { makeAssigning } from "./assigning.ts";
import { makeServerChanges } from "./change-server.ts";
import type { Servers } from "./index.ts";
import { makeMachines } from "./machines.ts";
import type { ServerCallParts } from "./parts.ts";
import * as repository from "./repository.ts";
import { statusOf, whyNotDeleted } from "./standing.ts";
import type { ServerRow } from "./table.ts";

interface Parts extends ServerCallParts {
  servers: Pick<Servers, "hostOf">;
  securityGate: Pick<SecurityGate, "countryOf">;
}

export function makeServerRoutes(parts: Parts): Handlers<typeof serversContract> {
  const { db, clock, members, usage, servers, securityGate } = parts;
  const machines = makeMachines({ ...parts, hostOf: servers.hostOf, countryOf: securityGate.countryOf });
  const changes = makeServerChanges(parts);
  const assigning = makeAssigning(parts, {
    word: "server",
    unknown: "server.not_found",
    hold: repository.lock,
    assignments: repository.assignments,
  });

  const describe = async (rows: readonly ServerRow[], withVip: boolean): Promise<ServerAnswer[]> => {
    const uses = await usage.byServer(db, withVip);
    const assigned = await repository.assignments.counts(db, withVip ? null : members.visibleIds(db, false));
    const now = clock.now().getTime();
    return rows.map((row) => {
      const use = uses.get(row.id);
      const machine = machines.of(row.id);
      const createdAt = new Date(row.created_at).toISOString();
      return {
        id: row.id,
        name: row.name,
        driver: row.driver,
        host: machine?.hostName ?? null,
        endpoint: row.endpoint,
        defaultEndpoint: row.default_endpoint,
        isMain: row.is_main === 1,
        is_main: row.is_main === 1 ? 1 : 0,
        isSetupComplete: row.is_setup_complete === 1,
        is_setup_complete: row.is_setup_complete === 1 ? 1 : 0,
        status: statusOf(row, now),
        error: row.unreachable_reason,
        errorSince: isoOf(row.unreachable_since),
        lastSync: isoOf(row.reconciled_at),
        createdAt,
        created_at: createdAt,
        stats: machine?.stats ?? null,
        interfaceCount: use?.interfaces ?? 0,
        configCount: use?.configs ?? 0,
        peerCount: use?.onWire ?? 0,
        capacity: use?.capacity ?? 0,
        toDownload: use?.toDownload ?? 0,
        assignedCount: assigned.get(row.id) ?? 0,
        whyNotDeleted: whyNotDeleted(row, {
          isLive: changes.isLive(row),
          configs: use?.configs ?? 0,
        }),
      };
    });
  };
  const shown = async (row: ServerRow): Promise<ServerAnswer> => (await describe([row], true))[0] as ServerAnswer;

  return {
    list: async ({ actor, query }) => describe(await repository.all(db), seesVip(actor, query.as)),

    change: async ({ actor, params, body }) => shown(await changes.change(actor, params.id, body)),

    remove: async ({ actor, params }) => void (await changes.remove(actor, params.id)),

    async refresh({ params }) {
      await machines.refresh((await repository.find(db, params.id)) ?? refuse("server.not_found"));
      return shown((await repository.find(db, params.id)) ?? refuse("server.not_found"));
    },

    setMain: async ({ actor, params }) => shown(await changes.setMain(actor, params.id)),

    assign: ({ actor, body }) => assigning.assign(actor, body.userId, body.serverId),

    unassign: async ({ actor, params }) => void (await assigning.unassign(actor, params.userId, params.serverId)),

    async assignments({ actor, params, query, reply }) {
      if ((await repository.find(db, params.id)) !== undefined) {
        const withVip = seesVip(actor, query.as);
        const { rows, next, total } = await assigning.list(params.id, {
          ...query,
          withVip,
          q: query.q,
          cursor: query.cursor,
        });
        tellPage(reply, { next, total });
        return rows;
      }
      const member = await assigning.seen(db, actor, params.id);
      const own = new Set(await repository.assignments.of(db, member.id));
      return (await repository.all(db)).filter(({ id }) => own.has(id)).map(({ id, name }) => ({ serverId: id, name }));
    },
  };
}

const isoOf = (at: number | null) => (at === null ? null : new Date(at).toISOString());
