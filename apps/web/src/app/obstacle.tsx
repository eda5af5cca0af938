import type { Door, Obstacle } from "@krug/domain/next-step";
import { Button } from "@mantine/core";
import { askSupport } from "../features/messages/support/index.ts";
import { useMemberText } from "../lib/i18n/member.ts";
import { Banner } from "../ui/banner.tsx";
import { DoorLink } from "../ui/door-link.tsx";

/** No dead ends: says what is missing and whom to ask. A used up quota has its own banner. */
export function ObstacleBanner({
  obstacle,
  door,
  hasDevices,
  onBind,
  wayToPay,
}: {
  obstacle: Exclude<Obstacle, "quota">;
  door: Door | null;
  /** False only if it is known that there are none. */
  hasDevices: boolean;
  onBind: () => void;
  wayToPay: React.ReactNode;
}) {
  const { dashboard } = useMemberText();
  const askFor = (label: string, question: string) => (
    <Button variant="outline" onClick={() => askSupport(question)}>
      {label}
    </Button>
  );
  const kept = hasDevices ? dashboard.subscriptionDoor : null;
  const words = {
    telegram: { title: dashboard.bindTelegram, more: dashboard.bindTelegramMore },
    expired: { title: dashboard.subscriptionNeeded, more: kept },
    none: { title: dashboard.subscriptionNone, more: kept },
    noInterfaces: { title: door === "repair" ? dashboard.noInterfacesHere : dashboard.noInterfaces, more: null },
    limit: { title: dashboard.limitReached, more: hasDevices ? dashboard.limitDoor : dashboard.limitZero },
  }[obstacle];
  const doors = {
    link: (
      <Button variant="outline" onClick={onBind}>
        {dashboard.bind}
      </Button>
    ),
    pay: wayToPay,
    // What the panel's own host lacks is shown there (decisions, section 7).
    repair: (
      <DoorLink to="/admin/$" params={{ _splat: "system" }}>
        {dashboard.toServers}
      </DoorLink>
    ),
    support:
      obstacle === "limit"
        ? askFor(dashboard.limitMore, dashboard.limitQuestion)
        : askFor(dashboard.askSupport, dashboard.noInterfacesHere),
  };
  return (
    <Banner tone="move" title={words.title} action={door && doors[door]}>
      {words.more}
    </Banner>
  );
}
