import { type RawBuilder, sql } from "kysely";
import type { Members } from "../../members/members/index.ts";

/** For a `select`: a code's uses that staff may know of. A moderator does not learn that a VIP member used a code. */
export const usesSeen = (members: Members, withVip: boolean): RawBuilder<number> =>
  withVip
    ? sql<number>`current_uses`
    : sql<number>`(current_uses - ${members.vipJoinedBy(sql.ref("invite_codes.id"))})`;
