import { INVITE_STATES } from "@krug/domain/invite-rules";
import { TICKET_STATUSES } from "@krug/domain/support-rules";
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { AsViewed, Id, Named } from "../fields.ts";

/** The most results of each kind that a search returns. */
export const FOUND_AT_MOST = 6;

const few = <Row extends z.ZodType>(row: Row) => z.array(row).max(FOUND_AT_MOST);

/** Beyond the specifications. */
export const search = {
  find: endpoint("GET /admin/search", {
    needs: "members.see",
    scope: "members:read",
    summary:
      "The first few members, configs, invite codes, servers, interfaces and tickets with this text; a moderator's answer leaves out servers and VIP members",
    query: z.object({ q: z.string().trim().min(1).max(100), ...AsViewed }),
    answer: z.object({
      members: few(Named.extend({ isActive: z.boolean() })),
      /** By their own name, or by the start of their address. */
      configs: few(
        z.object({ id: Id, name: z.string(), address: z.string(), interfaceName: z.string(), owner: Named }),
      ),
      /** Only a whole code is found: codes are sealed. */
      codes: few(z.object({ id: Id, code: z.string(), state: z.enum(INVITE_STATES) })),
      servers: few(z.object({ id: Id, name: z.string(), endpoint: z.string().nullable() })),
      interfaces: few(z.object({ id: Id, name: z.string(), subnet: z.string(), serverId: Id, serverName: z.string() })),
      /** The newest first, by their subject. */
      tickets: few(z.object({ id: Id, subject: z.string(), status: z.enum(TICKET_STATUSES), owner: Named })),
    }),
  }),
};
