import type { Contract } from "@krug/contract/api";
import { whyOrNull } from "@krug/contract/reasons";
import { isoOf } from "@krug/domain/moment";
import type { Handlers } from "../../../platform/http/call.ts";
import type { Sources } from "./index.ts";

export function makeSourceRoutes({ sources }: { sources: Sources }): Handlers<Contract["sources"]> {
  const ofService = async (id: string) =>
    (await sources.standing(id)).map((row) => ({
      id: row.id,
      source: row.source,
      networks: (JSON.parse(row.networks) as string[]).length,
      unread: row.unread,
      goodAt: isoOf(row.good_at),
      failingSince: row.failing_since === null ? null : isoOf(row.failing_since),
      why: whyOrNull(row.problem),
    }));
  return {
    ofService: ({ params }) => ofService(params.id),
    async lookNow({ params }) {
      await sources.lookNow(params.id);
      return ofService(params.id);
    },
  };
}
