import type { LinkState } from "@krug/domain/routing-rules";
import type { LinkRow } from "./table.ts";

export interface LinkNow {
  state: LinkState;
  /** ms since 1970: since when traffic cannot leave by it; null if it can, or never could. */
  since: number | null;
}

export function linkNow(row: Pick<LinkRow, "down_since" | "stuck_since" | "has_answered"> | undefined): LinkNow {
  if (row === undefined) return { state: "missing", since: null };
  const { down_since, stuck_since, has_answered } = row;
  if (down_since !== null)
    return has_answered === 0 ? { state: "making", since: null } : { state: "down", since: down_since };
  return stuck_since === null ? { state: "up", since: null } : { state: "stuck", since: stuck_since };
}
