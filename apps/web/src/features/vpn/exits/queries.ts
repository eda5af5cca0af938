import { query } from "../../../lib/query.ts";
import { EXITS } from "./key.ts";

/** Servers by which the traffic of others can leave, and the links to them. */
export const exitsQuery = query(EXITS, "GET /admin/exits");
