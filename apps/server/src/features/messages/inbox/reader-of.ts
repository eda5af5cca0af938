import { isStaff } from "@krug/domain/roles";
import { seesVip } from "../../club/rights/index.ts";
import type { MemberRow } from "../../members/members/index.ts";
import type { InboxParts } from "./parts.ts";
import type { Reader } from "./repository.ts";

/** Among friends only staff may be kept from seeing someone, as in their lists (rights). */
export const makeReaderOf =
  ({ db, members }: Pick<InboxParts, "db" | "members">) =>
  ({ id, role }: Pick<MemberRow, "id" | "role">): Reader => ({
    memberId: id,
    role,
    hidden: isStaff(role) && !seesVip({ role }) ? members.vipIds(db) : null,
  });
