import type { OwnEventData } from "@krug/contract/messages/live";
import { type QueryFilters, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { endedQuery, meQuery } from "../features/access/auth/queries.ts";
import { CLUB_INVITES, FRIENDS } from "../features/access/invites/queries.ts";
import { maintenanceQuery } from "../features/access/maintenance/index.ts";
import { ALARMS, MEMBERS } from "../features/club/staff/key.ts";
import { TEMPLATES } from "../features/members/templates/key.ts";
import { INBOX } from "../features/messages/inbox/queries.ts";
import { unreadQuery } from "../features/messages/support/index.ts";
import { telegramQuery } from "../features/messages/telegram/queries.ts";
import { CLUB_PAYMENTS, ownPaymentsQuery } from "../features/money/payments/queries.ts";
import { RULES } from "../features/vpn/access-rules/key.ts";
import { CATALOG } from "../features/vpn/catalog/key.ts";
import { configsQuery, interfacesQuery } from "../features/vpn/configs/queries.ts";
import { EXITS } from "../features/vpn/exits/key.ts";
import { SERVERS } from "../features/vpn/servers/key.ts";
import { listenLive } from "../lib/live.ts";

type Topic = OwnEventData["changed"]["topic"];

const me: QueryFilters = { queryKey: meQuery.queryKey, exact: true };
const configs: QueryFilters = { queryKey: configsQuery.queryKey, exact: true };
const interfaces: QueryFilters = { queryKey: interfacesQuery.queryKey, exact: true };
const inbox: QueryFilters = { queryKey: INBOX };
const friends: QueryFilters = { queryKey: FRIENDS };
const payments: QueryFilters = { queryKey: ownPaymentsQuery.queryKey, exact: true };
const telegram: QueryFilters = { queryKey: telegramQuery.queryKey, exact: true };
/** All support queries: the count, the open threads, the tickets. */
const support: QueryFilters = { queryKey: [unreadQuery.queryKey[0]] };
const alarms: QueryFilters = { queryKey: ALARMS };
/** Club-wide settings as staff see them, and whether the club is under maintenance. */
const club: QueryFilters[] = [
  { queryKey: ["system"] },
  { queryKey: ["settings"] },
  { queryKey: maintenanceQuery.queryKey, exact: true },
  alarms,
];
/** What is refetched when a topic changed: who may use the VPN, and what the cards show. */
const CONCERNED: Record<Topic, readonly QueryFilters[]> = {
  account: [me, configs, payments, telegram, friends],
  configs: [configs, interfaces],
  inbox: [inbox, friends],
  payments: [payments],
  support: [support],
  accessRules: [{ queryKey: RULES }],
  clubPayments: [{ queryKey: CLUB_PAYMENTS }, alarms],
  clubInvites: [{ queryKey: CLUB_INVITES }, { queryKey: TEMPLATES }],
  club,
  clubMembers: [{ queryKey: MEMBERS }],
  clubAlarms: [alarms],
  clubServers: [{ queryKey: SERVERS }, { queryKey: EXITS }],
  clubCatalog: [{ queryKey: CATALOG }],
};
/** Changes come in bursts. Random delays spread the refetches of all members. */
const GATHER_MS = 100;
const SPREAD_MS = 300;

/** Keeps the page current without a reload, also after changes during a gap in the connection. */
export function useLiveChanges(enabled: boolean): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (!enabled) return;
    const changed = new Set<Topic>();
    let soon: ReturnType<typeof setTimeout> | undefined;
    const ask = () => {
      soon = undefined;
      const concerned = new Set([...changed].flatMap((topic) => CONCERNED[topic]));
      changed.clear();
      for (const filters of concerned) void queryClient.invalidateQueries(filters);
    };
    const note = (topics: readonly Topic[]) => {
      for (const topic of topics) changed.add(topic);
      soon ??= setTimeout(ask, GATHER_MS + Math.random() * SPREAD_MS);
    };
    const stop = listenLive<OwnEventData>({
      path: "/events",
      events: {
        changed: ({ topic }) => note([topic]),
        ended: ({ why }) => queryClient.setQueryData(endedQuery.queryKey, why),
      },
      onGap: () => note(Object.keys(CONCERNED) as Topic[]),
      onBroken: () => note(["account"]),
    });
    return () => {
      clearTimeout(soon);
      stop();
    };
  }, [queryClient, enabled]);
}
