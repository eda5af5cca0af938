import { LINK_STATES } from "@krug/domain/routing-rules";
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { Id, Time } from "../fields.ts";
import { Why } from "../reasons.ts";

/* Beyond the specifications: servers of the club by which others' traffic leaves. */

const Link = z.object({
  /** The server whose members' traffic leaves by the other one. */
  entryId: Id,
  entryName: z.string(),
  exitId: Id,
  exitName: z.string(),
  state: z.enum(LINK_STATES),
  /** Since when it does not answer or has no internet; null: it answers, or there is none yet. */
  downSince: Time.nullable(),
  /** Why a machine could not set up its side, and which; of a missing one, what the exit lacks. */
  problems: z.array(z.object({ server: z.string(), why: Why })),
  /** UDP, on the exit: its provider's firewall must let it in. Null while there is none. */
  port: z.int().nullable(),
});

export const exits = {
  list: endpoint("GET /admin/exits", {
    needs: "interfaces.see",
    scope: "servers:read",
    summary: "Servers by which others' traffic can leave, and the links to them",
    answer: z.object({
      /** Servers that can be chosen; another one is refused with the reason. */
      servers: z.array(z.object({ id: Id, name: z.string() })),
      links: z.array(Link),
    }),
  }),
};
