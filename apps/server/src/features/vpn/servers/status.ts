import type { ServerAnswer } from "@krug/contract/vpn/servers";
import type { ServerRow } from "./table.ts";
import { isMoving } from "./tunnel-place.ts";

/** A server is read every minute; after three missed readings its state is unknown. */
const SILENT_MS = 3 * 60_000;

/** Whether it was not read for longer than a running panel would allow. */
const isSilent = (server: Pick<ServerRow, "reconciled_at" | "created_at">, now: number) =>
  now - (server.reconciled_at ?? server.created_at) > SILENT_MS;

/** Whether the panel's helper is there, so that tunnels can be reconciled. */
export const isWorkable = ({ driver, is_prepared, is_setup_complete }: ServerRow): boolean =>
  driver === "local" || (is_prepared === 1 && is_setup_complete === 1);

/** Set-up has steps left. */
export const needsSetup = (server: ServerRow): boolean =>
  server.driver === "ssh" && (!isWorkable(server) || isMoving(server));

/** The two flags under both of their names. */
export const flagsOf = ({ is_main, is_setup_complete }: Pick<ServerRow, "is_main" | "is_setup_complete">) => {
  const [isMain, isSetupComplete] = [is_main === 1, is_setup_complete === 1];
  return {
    isMain,
    is_main: isMain ? 1 : 0,
    isSetupComplete,
    is_setup_complete: isSetupComplete ? 1 : 0,
  } as const;
};

/** A server's status, as far as its last reading shows. */
export function statusOf(server: ServerRow, now: number): ServerAnswer["status"] {
  if (server.unreachable_since !== null) return "error";
  // Met at first contact, and not read again until its set-up.
  if (!isWorkable(server)) return server.host_key === null ? "pending" : "connected";
  if (server.reconciled_at === null) return "pending";
  return isSilent(server, now) ? "silent" : "connected";
}

/**
 * `isLive`: a running panel has this machine as its own, and would make it a server again. `hasOthers`: another server could be
 * the main one. `isExit`: others' traffic leaves by it.
 */
export function whyNotDeleted(
  server: Pick<ServerRow, "is_main">,
  { isLive, configs, hasOthers, isExit }: { isLive: boolean; configs: number; hasOthers: boolean; isExit: boolean },
): ServerAnswer["whyNotDeleted"] {
  if (isLive) return "server.is_local";
  if (server.is_main === 1 && hasOthers) return "server.is_main";
  if (isExit) return "server.is_exit";
  return configs > 0 ? "server.in_use" : null;
}
