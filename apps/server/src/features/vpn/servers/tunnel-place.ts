import type { WhySystem } from "@krug/contract/vpn/server-setup";
import type { TunnelPlace } from "../../../hosts/remote.ts";
import { aboutOf } from "./connections.ts";
import type { ServerRow } from "./table.ts";

/** A machine sold as 1 GB has somewhat less for programs. */
const LEAST_MEMORY = 900 * 1024 ** 2;
const LEAST_ROOM = 2e9;

/** Why Docker does not suit this machine, as far as it was inspected; null: it does, as specified. */
export function whySystem(server: Pick<ServerRow, "about">): WhySystem | null {
  const about = aboutOf(server);
  if (about === null) return null;
  if (about.hasDocker) return "foreign_docker";
  if (about.memory !== null && about.memory < LEAST_MEMORY) return "little_memory";
  return about.room != null && about.room < LEAST_ROOM ? "little_room" : null;
}

/** Where a server's tunnels should be: as chosen, else as they are, else as fits its machine. */
export function tunnelPlace(server: Pick<ServerRow, "about" | "tunnels_in" | "is_setup_complete">): TunnelPlace {
  if (server.tunnels_in !== null) return server.tunnels_in;
  return server.is_setup_complete === 1 || whySystem(server) !== null ? "system" : "docker";
}

/** Whether they should be elsewhere, or are on their way. */
export const isMoving = (server: ServerRow): boolean =>
  server.is_setup_complete === 1 && tunnelPlace(server) !== (server.tunnels_now_in ?? "system");
