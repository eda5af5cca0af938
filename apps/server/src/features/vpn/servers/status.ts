import type { ServerAnswer } from "@krug/contract/vpn/servers";
import type { ServerRow } from "./table.ts";
import { isMoving } from "./tunnel-place.ts";

/** A server is looked at every minute; after three missed looks nobody knows its state. */
const SILENT_MS = 3 * 60_000;

/** Nobody has looked at it for longer than a working panel would leave it. */
const isSilent = (server: Pick<ServerRow, "reconciled_at" | "created_at">, now: number) =>
  now - (server.reconciled_at ?? server.created_at) > SILENT_MS;

/** The panel's helper is there, and tunnels can be brought to what the database says. */
export const isWorkable = ({ driver, is_prepared, is_setup_complete }: ServerRow): boolean =>
  driver === "local" || (is_prepared === 1 && is_setup_complete === 1);

/** Set-up has steps left. */
export const needsSetup = (server: ServerRow): boolean =>
  server.driver === "ssh" && (!isWorkable(server) || isMoving(server));

/** How the server is, as far as the last look at it says. */
export function statusOf(server: ServerRow, now: number): ServerAnswer["status"] {
  if (server.unreachable_since !== null) return "error";
  // Met, and not looked at again until its set-up.
  if (!isWorkable(server)) return server.host_key === null ? "pending" : "connected";
  if (server.reconciled_at === null) return "pending";
  return isSilent(server, now) ? "silent" : "connected";
}

/**
 * `isLive`: a panel that runs now has this machine as its own, and would make it a server again. `hasOthers`: another server
 * could be the main one.
 */
export function whyNotDeleted(
  server: Pick<ServerRow, "is_main">,
  { isLive, configs, hasOthers }: { isLive: boolean; configs: number; hasOthers: boolean },
): ServerAnswer["whyNotDeleted"] {
  if (isLive) return "server.is_local";
  if (server.is_main === 1 && hasOthers) return "server.is_main";
  return configs > 0 ? "server.in_use" : null;
}
