import type { Api } from "@krug/contract/api";
import { NO_LIMIT } from "@krug/domain/config-rules";
import type { Me } from "../features/auth/queries.ts";
import { useText } from "../lib/i18n/use-text.tsx";
import { Banner } from "../ui/banner.tsx";

/** Why no config can be created now, in the order the person has to deal with it. */
export type Obstacle = "expired" | "none" | "noInterfaces" | "limit";

type Interfaces = Api["GET /vpn/available-interfaces"]["answer"];

export function obstacleOf(me: Me, count: number, interfaces: Interfaces | undefined): Obstacle | null {
  if (!me.entitlement.allowed) return me.subscriptionEnd ? "expired" : "none";
  if (interfaces && !interfaces.some(({ reason }) => reason === null)) return "noInterfaces";
  return me.vpnConfigLimit !== NO_LIMIT && count >= me.vpnConfigLimit ? "limit" : null;
}

/** Every dead end has a door: what is missing and whom to ask. */
export function ObstacleBanner({ obstacle }: { obstacle: Obstacle }) {
  const { dashboard } = useText();
  const words = {
    expired: { title: dashboard.subscriptionNeeded, door: dashboard.subscriptionDoor },
    none: { title: dashboard.subscriptionNone, door: dashboard.subscriptionDoor },
    noInterfaces: { title: dashboard.noInterfaces, door: null },
    limit: { title: dashboard.limitReached, door: dashboard.limitDoor },
  }[obstacle];
  return (
    <Banner tone="move" title={words.title}>
      {words.door}
    </Banner>
  );
}
