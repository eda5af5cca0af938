import { isStoppedBy, nextStep } from "@krug/domain/next-step";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { type Me, meQuery } from "../features/access/auth/queries.ts";
import { stoppedQuery } from "../features/access/maintenance/queries.ts";
import { UnderMaintenance } from "../features/access/maintenance/under-maintenance.tsx";
import { OtherWays } from "../features/access/security-gate/other-ways.tsx";
import { waysQuery } from "../features/access/security-gate/ways-query.ts";
import { SubscriptionLine } from "../features/members/members/subscription-line.tsx";
import { askSupport, SupportPlace } from "../features/messages/support/index.ts";
import { telegramQuery } from "../features/messages/telegram/queries.ts";
import { PaymentButton } from "../features/money/payments/payment-button.tsx";
import { Devices, DevicesSkeleton } from "../features/vpn/configs/devices.tsx";
import { Empty } from "../features/vpn/configs/empty.tsx";
import { configsQuery, dnsQuery, interfacesQuery, monthQuery, servicesQuery } from "../features/vpn/configs/queries.ts";
import { inClub } from "../lib/club-clock.ts";
import { isFrugal } from "../lib/fetch-ahead.ts";
import { useMemberText } from "../lib/i18n/member.ts";
import { useSilentSince } from "../lib/use-availability.ts";
import { useNow } from "../lib/use-now.ts";
import { useSettled } from "../lib/use-settled.ts";
import { lazyPart } from "../ui/lazy.tsx";
import { lazyDialog } from "../ui/lazy-dialog.tsx";
import { usePageTitle } from "../ui/use-page-title.ts";
import classes from "./dashboard.module.css";
import { DevicesHead } from "./devices-head.tsx";
import { Dock } from "./dock.tsx";
import { MemberFrame } from "./member-frame.tsx";
import { ObstacleBanner } from "./obstacle.tsx";
import { isSilence, KnownAt, Unreachable } from "./unreachable.tsx";

const Guide = lazyPart(() => import("../features/vpn/configs/guide.tsx").then(({ Guide }) => Guide));
const LiveCards = lazyPart(() => import("../features/vpn/configs/live-cards.tsx").then(({ LiveCards }) => LiveCards));
const OwnCopy = lazyPart(() => import("./own-copy.tsx").then(({ OwnCopy }) => OwnCopy));
const Weather = lazyPart(() => import("../features/vpn/configs/weather.tsx").then(({ Weather }) => Weather));
const CreateDialog = lazyDialog(() =>
  import("../features/vpn/configs/create-dialog.tsx").then(({ CreateDialog }) => CreateDialog),
);
const BindDialog = lazyDialog(() =>
  import("../features/messages/telegram/bind-dialog.tsx").then(({ BindDialog }) => BindDialog),
);
const LimitLines = lazyPart(() =>
  import("../features/members/members/limit-lines.tsx").then(({ LimitLines }) => LimitLines),
);
const InviteDialog = lazyDialog(() =>
  import("../features/access/invites/invite-dialog.tsx").then(({ InviteDialog }) => InviteDialog),
);
const PaymentDialog = lazyDialog(() =>
  import("../features/money/payments/payment-dialog.tsx").then(({ PaymentDialog }) => PaymentDialog),
);

/** The route's guard lets only signed-in people in. Shows nothing for the moment after signing out. */
export function Dashboard() {
  const { data: me } = useQuery(meQuery);
  const stopped = useQuery(stoppedQuery).data;
  // The panel has refused, and it never refuses staff.
  if (stopped && (!me || isStoppedBy(stopped, me.role))) return <UnderMaintenance />;
  return me ? <Welcome me={me} maintenance={stopped} /> : null;
}

function Welcome({ me, maintenance }: { me: Me; maintenance: boolean }) {
  const { dashboard } = useMemberText();
  usePageTitle(dashboard.title);
  const [creating, setCreating] = useState(false);
  const [inviting, setInviting] = useState(false);
  const [binding, setBinding] = useState(false);
  const [paying, setPaying] = useState(false);
  const nowMs = useNow(15_000);
  const settled = useSettled();
  const list = useQuery(configsQuery);
  const interfaces = useQuery(interfacesQuery);
  const configs = list.data;
  const telegram = useQuery(telegramQuery).data;
  const { obstacle, door, empty } = nextStep({
    role: me.role,
    maintenance,
    entitlement: me.entitlement,
    hadSubscription: me.subscriptionEnd !== null,
    devices: configs?.length ?? 0,
    limit: me.vpnConfigLimit,
    mustLink: telegram ? telegram.required && !telegram.telegramConnected : null,
    hasInterface: interfaces.data ? interfaces.data.some(({ reason }) => reason === null) : null,
  });
  // Shown when the panel is silent, when it is too late to ask.
  useQuery({ ...waysQuery, enabled: settled });
  const queryClient = useQueryClient();
  /** The form and its data in parallel: on a slow connection each costs a second. */
  const createAhead = () => {
    void CreateDialog.load();
    void queryClient.prefetchQuery(servicesQuery);
    void queryClient.prefetchQuery(dnsQuery);
  };
  const mayCreate = Boolean(configs) && !list.isError && !obstacle;
  useEffect(() => {
    // Before everything else that is prefetched: it is what most members come for.
    if (settled && mayCreate && !isFrugal()) void CreateDialog.load();
  }, [settled, mayCreate]);
  const create = () => {
    createAhead();
    setBinding(false);
    setCreating(true);
  };
  /** Opens the bind prompt instead of what requires it. */
  const bind = () => {
    setCreating(false);
    setBinding(true);
  };
  const refresh = () => {
    void list.refetch();
    void queryClient.invalidateQueries({ queryKey: monthQuery.queryKey });
  };
  const broken = list.isError;
  const isSilent = useSilentSince() !== null;
  const shownObstacle = broken || obstacle === "quota" ? null : obstacle;
  /** What can be shown as cards. */
  const standing = broken && !(isSilence(list.error) && configs?.length) ? undefined : configs;
  const hasQuota = me.quotaBytes !== null && !me.isUnlimited;
  const wayToPay = { me, onOpen: () => setPaying(true), onOpenAhead: PaymentDialog.load };

  const hindrance = shownObstacle && (
    <ObstacleBanner
      obstacle={shownObstacle}
      door={door}
      hasDevices={configs?.length !== 0}
      onBind={bind}
      wayToPay={<PaymentButton {...wayToPay} variant="outline" />}
    />
  );

  // What the second device needs comes below the first, which works without it. Below more cards nobody would find it.
  const isBelow = shownObstacle === "telegram" && configs?.length === 1;

  return (
    <MemberFrame me={me} doors={{ invite: () => setInviting(true), payment: () => setPaying(true) }}>
      <main className={classes.page}>
        <h1 className={classes.welcome} tabIndex={-1}>
          {dashboard.welcome(me.displayName || me.username)}
        </h1>
        <div className={classes.subscription}>
          <SubscriptionLine me={me} nowMs={nowMs} />
          {(shownObstacle === null || door !== "pay") && (
            <PaymentButton {...wayToPay} variant="subtle" className={classes.door ?? ""} />
          )}
        </div>
        {(hasQuota || me.speedMbit !== null) && (
          <div className={hasQuota ? classes.quota : undefined}>
            <LimitLines me={me} hasQuota={hasQuota} cut={obstacle === "quota"} nowMs={nowMs} onAsk={askSupport} />
          </div>
        )}
        <section aria-labelledby="devices" className={classes.devices}>
          <DevicesHead
            me={me}
            count={broken ? null : (configs?.length ?? null)}
            nowMs={nowMs}
            updatedAtMs={broken || !list.dataUpdatedAt ? null : inClub(list.dataUpdatedAt)}
            refreshing={list.isFetching}
            onRefresh={refresh}
            onCreate={broken || obstacle || !configs?.length ? null : create}
            onCreateAhead={createAhead}
          />
          {!isSilent && standing?.some(({ serverAwaySince }) => serverAwaySince !== null) && (
            <Weather configs={standing} nowMs={nowMs} />
          )}
          {!isBelow && hindrance}
          {broken && (
            <Unreachable
              error={list.error}
              onRetry={() => void list.refetch()}
              retrying={list.isFetching}
              known={configs}
              knownAtMs={inClub(list.dataUpdatedAt)}
              right={me.entitlement}
            />
          )}
          {isSilent && !broken && configs && configs.length > 0 && (
            <>
              <OtherWays />
              <KnownAt atMs={inClub(list.dataUpdatedAt)} nowMs={nowMs} />
            </>
          )}
          {configs && (
            <Devices
              configs={configs}
              isListed={standing !== undefined}
              right={me.entitlement}
              nowMs={nowMs}
              listedAtMs={list.dataUpdatedAt}
              empty={
                <Empty onCreate={empty === "later" ? null : create} onBind={empty === "createAndLink" ? bind : null} />
              }
              onAskSupport={askSupport}
              onPay={() => setPaying(true)}
            />
          )}
          {isBelow && hindrance}
          {!broken && !configs && <DevicesSkeleton />}
        </section>
        {!broken && configs && settled && <Guide configs={configs} />}
      </main>
      <Dock
        me={me}
        onInvite={() => setInviting(true)}
        onInviteAhead={InviteDialog.load}
        onCreate={!broken && configs && !obstacle ? create : null}
        onCreateAhead={createAhead}
      />
      {creating && (
        <CreateDialog
          me={me}
          configCount={configs?.length ?? 0}
          needsTelegram={obstacle === "telegram"}
          onBind={bind}
          onClose={() => setCreating(false)}
        />
      )}
      {binding && (
        <BindDialog me={me} onClose={() => setBinding(false)} onLinked={obstacle ? () => setBinding(false) : create} />
      )}
      {paying && (
        <PaymentDialog
          me={me}
          onClose={() => setPaying(false)}
          onAsk={(question) => {
            setPaying(false);
            askSupport(question);
          }}
        />
      )}
      <SupportPlace me={me} />
      {settled && <OwnCopy me={me} />}
      {settled && !broken && (configs?.length ?? 0) > 0 && me.entitlement.allowed && <LiveCards />}
      {inviting && (
        <InviteDialog
          me={me}
          onClose={() => setInviting(false)}
          onPay={() => {
            setInviting(false);
            setPaying(true);
          }}
        />
      )}
    </MemberFrame>
  );
}
