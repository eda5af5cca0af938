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
  /** `making`: it has not answered yet. */
  state: z.enum(["up", "down", "making"]),
  /** Since when it does not answer; null: it does. */
  downSince: Time.nullable(),
  /** Why a machine could not set up its side, and which. */
  problems: z.array(z.object({ server: z.string(), why: Why })),
  /** UDP, on the exit: its provider's firewall must let it in. */
  port: z.int(),
});

export const exits = {
  list: endpoint({
    method: "GET",
    path: "/admin/exits",
    needs: "interfaces.see",
    summary: "Servers by which others' traffic can leave, and the links to them",
    answer: z.object({
      /** Servers that can be chosen; another one is refused with the reason. */
      servers: z.array(z.object({ id: Id, name: z.string() })),
      links: z.array(Link),
    }),
  }),
};
