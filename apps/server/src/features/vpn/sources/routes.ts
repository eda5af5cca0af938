import type { Contract } from "@krug/contract/api";
import { whyOrNull } from "@krug/contract/reasons";
import { isoOf } from "@krug/domain/moment";
import { changeBetween } from "@krug/wireguard/network-change";
import type { Handlers } from "../../../platform/http/call.ts";
import type { Sources } from "./index.ts";
import { markOf } from "./judge.ts";
import { listIn, type SourceRow } from "./table.ts";

export function makeSourceRoutes({ sources }: { sources: Sources }): Handlers<Contract["sources"]> {
  const ofService = async (id: string) =>
    (await sources.rowsOf(id)).map((row) => ({
      id: row.id,
      source: row.source,
      networks: listIn(row.networks).length,
      unread: row.unread,
      goodAt: isoOf(row.good_at),
      failingSince: row.failing_since === null ? null : isoOf(row.failing_since),
      why: whyOrNull(row.problem),
      held: row.held === 1,
      waiting: waitingIn(row),
    }));
  return {
    ofService: ({ params }) => ofService(params.id),
    async lookNow({ params }) {
      await sources.lookNow(params.id);
      return ofService(params.id);
    },
    async decide({ actor, params, body }) {
      await sources.decide(actor.memberId, params.id, params.source, body);
      return ofService(params.id);
    },
    versions: ({ params }) => sources.list(params.id, params.source),
    compare: ({ params }) => sources.compare(params.id, params.source, params.version),
    async bringBack({ actor, params, body }) {
      await sources.bringBack(actor.memberId, params.id, params.source, body.version);
      return ofService(params.id);
    },
  };
}

function waitingIn({ networks, waiting, waiting_since: since }: SourceRow) {
  if (waiting === null || since === null) return null;
  const list = listIn(waiting);
  const change = changeBetween(listIn(networks), list);
  return { since: isoOf(since), networks: list.length, mark: markOf(list), ...change };
}
