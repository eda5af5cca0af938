import type { live as liveContract } from "@krug/contract/live";
import { isStaff } from "@krug/domain/roles";
import type { Handlers } from "../../platform/http/call.ts";
import { seesVip } from "../rights/index.ts";
import type { Live } from "./index.ts";

export const makeLiveRoutes = ({ live }: { live: Live }): Handlers<typeof liveContract> => ({
  own:
    ({ actor }) =>
    ({ push, end }) =>
      live.listen(actor.memberId, {
        sessionId: actor.sessionId,
        ...(isStaff(actor.role) ? { staff: { seesVip: seesVip(actor) } } : {}),
        push,
        end,
      }),
});
