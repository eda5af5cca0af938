import type { Contract } from "@krug/contract/api";
import { lineOrNull, whyOrNull } from "@krug/contract/reasons";
import type { Db } from "../../../platform/database/database.ts";
import type { Handlers } from "../../../platform/http/call.ts";
import type { Outbox } from "./index.ts";
import type { WayStanding } from "./repository.ts";

const shown = ({ reason, ...counts }: WayStanding) => ({
  ...counts,
  reason: lineOrNull(reason),
  why: whyOrNull(reason),
});

export function makeOutboxRoutes({ db, outbox }: { db: Db; outbox: Outbox }): Handlers<Contract["outbox"]> {
  return {
    choices: ({ actor }) => outbox.choicesOf(db, actor.memberId),
    choose: ({ actor, body }) => outbox.choose(actor.memberId, body),
    standing: async () => ({
      telegram: shown(await outbox.backlog(db, "telegram")),
      push: shown(await outbox.backlog(db, "push")),
    }),
  };
}
