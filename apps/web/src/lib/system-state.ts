import { MINUTE_MS } from "@krug/domain/moment";
import { polledQuery } from "./query.ts";

/** The state of the panel and its host, for admins. Refreshed while it is shown. */
export const systemQuery = polledQuery(["system", "state"], "GET /admin/system", { refetchInterval: MINUTE_MS / 2 });
