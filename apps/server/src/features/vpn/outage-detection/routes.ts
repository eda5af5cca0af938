import type { outageDetection as contract } from "@krug/contract/vpn/outage-detection";
import { isoOf } from "@krug/domain/moment";
import type { Handlers } from "../../../platform/http/call.ts";
import type { Platform } from "../../../platform/platform.ts";
import { refuse } from "../../../platform/refusal.ts";
import { type Interfaces, tunnelOf } from "../interfaces/index.ts";
import { beginningOf, SPANS } from "../server-history/index.ts";
import * as repository from "./repository.ts";

interface Parts extends Platform {
  interfaces: Pick<Interfaces, "find">;
}

export const makeOutageDetectionRoutes = ({ db, clock, interfaces }: Parts): Handlers<typeof contract> => ({
  async read({ params, query }) {
    const row = (await interfaces.find(db, params.id)) ?? refuse("interface.not_found");
    const { step, count } = SPANS[query.span];
    // The current step is answered once it is over.
    const to = beginningOf(step, clock.now().getTime()) - step * 1_000;
    const from = to - (count - 1) * step * 1_000;
    const rows = await repository.samples(db, { step, from, to }, row.id);
    return {
      tunnel: tunnelOf(row),
      step,
      from: isoOf(from),
      to: isoOf(to),
      points: rows.map(({ at, looks, expected, online }) => ({
        at: isoOf(at),
        expected: Math.round(expected / looks),
        online: Math.round(online / looks),
      })),
    };
  },
});
