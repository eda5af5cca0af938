import type { serverHistory as contract } from "@krug/contract/vpn/server-history";
import { isoOf } from "@krug/domain/moment";
import type { Handlers } from "../../../platform/http/call.ts";
import type { Platform } from "../../../platform/platform.ts";
import { refuse } from "../../../platform/refusal.ts";
import type { Servers } from "../servers/index.ts";
import { beginningOf, SPANS } from "./index.ts";
import * as repository from "./repository.ts";
import type { SampleRow } from "./table.ts";

interface Parts extends Platform {
  servers: Pick<Servers, "find">;
}

export const makeServerHistoryRoutes = ({ db, clock, servers }: Parts): Handlers<typeof contract> => ({
  async read({ params, query }) {
    const server = (await servers.find(db, params.id)) ?? refuse("server.not_found");
    const { step, count } = SPANS[query.span];
    // The current step is answered once it is over.
    const to = beginningOf(step, clock.now().getTime()) - step * 1_000;
    const from = to - (count - 1) * step * 1_000;
    const rows = await repository.samplesOf(db, { serverId: server.id, step, from, to });
    return { step, from: isoOf(from), to: isoOf(to), points: rows.map(toPoint) };
  },
});

const toPoint = (row: SampleRow) => {
  const mean = (sum: number) => Math.round(sum / row.readings);
  return {
    at: isoOf(row.at),
    cpu: mean(row.cpu) / 10,
    memory: mean(row.memory),
    memoryTotal: mean(row.memory_total),
    load: mean(row.load) / 1_000,
    received: mean(row.network_in),
    sent: mean(row.network_out),
  };
};
