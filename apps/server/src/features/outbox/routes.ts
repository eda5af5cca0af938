import type { Contract } from "@krug/contract/api";
import type { Db } from "../../platform/database/database.ts";
import type { Handlers } from "../../platform/http/call.ts";
import type { Outbox } from "./index.ts";

export function makeOutboxRoutes({ db, outbox }: { db: Db; outbox: Outbox }): Handlers<Contract["outbox"]> {
  return {
    choices: ({ actor }) => outbox.choicesOf(db, actor.memberId),
    choose: ({ actor, body }) => outbox.choose(actor.memberId, body),
    standing: async () => ({
      telegram: await outbox.standing(db, "telegram"),
      push: await outbox.standing(db, "push"),
    }),
  };
}
