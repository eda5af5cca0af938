import type { Actor } from "../../../platform/http/call.ts";
import { refuse } from "../../../platform/refusal.ts";
import { isHidden, requireRight } from "../../club/rights/index.ts";
import type { ConfigParts } from "./parts.ts";
import * as peers from "./peers-repository.ts";
import type { ConfigRow } from "./table.ts";

/** Whose configs a caller may see; VIP members don't exist for a moderator (decisions, section 2). */
export function makeWhoseConfig({ db, members }: Pick<ConfigParts, "db" | "members">) {
  return {
    /** Oneself, or anyone for elevated staff. @throws Refusal */
    async memberFor(actor: Actor, idOrName: string): Promise<string> {
      if (idOrName === actor.memberId || idOrName.toLowerCase() === actor.username.toLowerCase()) return actor.memberId;
      requireRight(actor, "configs.see_all", "auth.not_yourself");
      const member = await members.findByIdOrUsername(db, idOrName);
      if (member === undefined || isHidden(actor, member)) refuse("member.not_found");
      return member.id;
    },
    /** Anyone's config, for staff. @throws Refusal */
    async anyones(actor: Actor, id: string, as?: "moderator"): Promise<ConfigRow> {
      const [row] = await peers.byIds(db, [id]);
      const owner = row && (await members.find(db, row.member_id));
      if (!row || row.place_of !== null || row.deleted_at !== null || !owner || isHidden(actor, owner, as))
        return refuse("config.not_found");
      return row;
    },
  };
}
