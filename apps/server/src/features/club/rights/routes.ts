import type { rights as rightsContract } from "@krug/contract/club/rights";
import type { Db } from "../../../platform/database/database.ts";
import type { Handlers } from "../../../platform/http/call.ts";
import type { Rights } from "./index.ts";

export const makeRightsRoutes = ({ db, rights }: { db: Db; rights: Rights }): Handlers<typeof rightsContract> => ({
  own: async ({ actor, query }) => ({ actions: await rights.of(db, query.as ?? actor.role) }),
});
