import type { live as liveContract } from "@krug/contract/messages/live";
import type { Handlers } from "../../../platform/http/call.ts";
import type { Live } from "./index.ts";

export const makeLiveRoutes = ({ live }: { live: Live }): Handlers<typeof liveContract> => ({
  own:
    ({ actor }) =>
    ({ push, end }) =>
      live.listen(actor, { push, end }),
});
