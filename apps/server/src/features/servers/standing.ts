import type { ServerAnswer } from "@krug/contract/servers";
import type { ServerRow } from "./table.ts";

/** A server is looked at every minute; after three missed looks nobody knows its state. */
const SILENT_MS = 3 * 60_000;

/** Nobody has looked at it for longer than a working panel would leave it. */
const isSilent = (server: Pick<ServerRow, "reconciled_at" | "created_at">, now: number) =>
  now - (server.reconciled_at ?? server.created_at) > SILENT_MS;

/** How the server is, as far as the last look at it says. */
export function statusOf(server: ServerRow, now: number): ServerAnswer["status"] {
  if (server.unreachable_since !== null) return "error";
  if (server.reconciled_at === null) return "pending";
  return isSilent(server, now) ? "silent" : "connected";
}

/** `isLive`: a panel that runs now has this machine as its own, and would make it a server again. */
export function whyNotDeleted(
  server: Pick<ServerRow, "is_main">,
  { isLive, configs }: { isLive: boolean; configs: number },
): ServerAnswer["whyNotDeleted"] {
  if (isLive) return "server.is_local";
  if (server.is_main === 1) return "server.is_main";
  return configs > 0 ? "server.in_use" : null;
}
