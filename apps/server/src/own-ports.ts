import type { FastifyInstance } from "fastify";
import { isLoopback } from "./config.ts";
import type { HostPort } from "./hosts/host.ts";

/** The panel's own port if it listens beyond loopback: members also reach it through the machine's tunnels. */
export function ownPortsOf({ server }: FastifyInstance): HostPort[] {
  const bound = server.address();
  if (bound === null || typeof bound === "string" || isLoopback(bound.address)) return [];
  return [{ protocol: "tcp", port: bound.port }];
}
