import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { FlagNumber, Id, Time } from "./fields.ts";

/** A WireGuard interface of a server as staff see it (admin-side, section 3). */
export const Interface = z.object({
  id: Id,
  name: z.string(),
  type: z.literal("wireguard"),
  serverId: Id,
  server_id: Id,
  interfaceName: z.string(),
  interface_name: z.string(),
  listenPort: z.int(),
  listen_port: z.int(),
  subnet: z.string(),
  endpoint: z.string().nullable(),
  mtu: z.int().nullable(),
  createdAt: Time,
  created_at: Time,
  isActive: z.boolean(),
  is_active: FlagNumber,
});

export const servers = {
  interfaces: endpoint({
    method: "GET",
    path: "/admin/servers/interfaces",
    access: "staff",
    summary: "All interfaces of all servers",
    answer: z.array(Interface),
  }),
};

export type InterfaceAnswer = z.output<typeof Interface>;
