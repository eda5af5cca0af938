import type { Config } from "./queries.ts";

/** Who routes the traffic of devices on this interface; undefined if it is not offered. */
export const routingAt = (
  interfaces: readonly { id: string; routing: Config["routing"] }[] | undefined,
  interfaceId: string,
) => interfaces?.find(({ id }) => id === interfaceId)?.routing;
