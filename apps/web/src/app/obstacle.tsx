import type { Api } from "@krug/contract/api";
import { NO_LIMIT } from "@krug/domain/config-rules";
import { Button } from "@mantine/core";
import type { Me } from "../features/auth/queries.ts";
import { askSupport } from "../features/support/index.ts";
import type { TelegramStatus } from "../features/telegram/queries.ts";
import { useMemberText } from "../lib/i18n/member.ts";
import { Banner } from "../ui/banner.tsx";
import { DoorLink } from "../ui/door-link.tsx";

/** Why no config can be created now. */
export type Obstacle = "quota" | "expired" | "none" | "limit" | "noInterfaces" | "telegram";

type Interfaces = Api["GET /vpn/available-interfaces"]["answer"];

interface Known {
  count: number;
  /** undefined while it is not known: then the server's verdict is waited for. */
  telegram: TelegramStatus | undefined;
  interfaces: Interfaces | undefined;
}

export function obstacleOf(me: Me, { count, telegram, interfaces }: Known): Obstacle | null {
  if (me.entitlement.reason === "quota") return "quota";
  if (!me.entitlement.allowed) return me.subscriptionEnd ? "expired" : "none";
  if (me.vpnConfigLimit !== NO_LIMIT && count >= me.vpnConfigLimit) return "limit";
  if (interfaces && !interfaces.some(({ reason }) => reason === null)) return "noInterfaces";
  // Last: linking an account is worth the trouble only where a device can then be added.
  return telegram?.required && !telegram.telegramConnected && count > 0 ? "telegram" : null;
}

/** Paying is what takes it away. */
export const isUnpaid = (obstacle: Obstacle | null) => obstacle === "expired" || obstacle === "none";

/** Every dead end has a door: what is missing and whom to ask. That of a used up quota is with the quota. */
export function ObstacleBanner({
  obstacle,
  mayRepair,
  onBind,
  wayToPay,
}: {
  obstacle: Exclude<Obstacle, "quota">;
  /** They may look at what the panel's own host lacks (decisions, section 7). */
  mayRepair: boolean;
  onBind: () => void;
  wayToPay: React.ReactNode;
}) {
  const { dashboard } = useMemberText();
  const toSystem = (
    <DoorLink to="/admin/$" params={{ _splat: "system" }}>
      {dashboard.toServers}
    </DoorLink>
  );
  const words = {
    telegram: { title: dashboard.bindTelegram, door: dashboard.bindTelegramMore },
    expired: { title: dashboard.subscriptionNeeded, door: dashboard.subscriptionDoor },
    none: { title: dashboard.subscriptionNone, door: dashboard.subscriptionDoor },
    noInterfaces: mayRepair
      ? { title: dashboard.noInterfacesHere, door: toSystem }
      : { title: dashboard.noInterfaces, door: null },
    limit: { title: dashboard.limitReached, door: dashboard.limitDoor },
  }[obstacle];
  const action =
    obstacle === "telegram" ? (
      <Button variant="outline" onClick={onBind}>
        {dashboard.bind}
      </Button>
    ) : (
      (isUnpaid(obstacle) && wayToPay) ||
      (obstacle === "limit" && (
        <Button variant="outline" onClick={() => askSupport(dashboard.limitQuestion)}>
          {dashboard.limitMore}
        </Button>
      ))
    );
  return (
    <Banner tone="move" title={words.title} action={action}>
      {words.door}
    </Banner>
  );
}
