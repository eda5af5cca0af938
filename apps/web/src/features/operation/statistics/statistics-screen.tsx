import { ActionIcon } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { AdminSearch } from "../../../lib/admin-search.ts";
import { inClub } from "../../../lib/club-clock.ts";
import { ageText, writtenDay } from "../../../lib/format.ts";
import { useStaffWords } from "../../../lib/i18n/staff.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { useListAddress } from "../../../lib/use-list-address.ts";
import { useNow } from "../../../lib/use-now.ts";
import cells from "../../../ui/cells.module.css";
import type { Column } from "../../../ui/data-table.tsx";
import { CsvButton, ListTools } from "../../../ui/list-tools.tsx";
import { LoadFailed } from "../../../ui/load-failed.tsx";
import { Columns } from "../../../ui/panel.tsx";
import { Ring } from "../../../ui/ring.tsx";
import { useCsv } from "../../../ui/use-csv.ts";
import { Waiting } from "../../../ui/waiting.tsx";
import { Screen, StaffLink, useViewed } from "../../club/staff/index.ts";
import { Chart } from "./chart.tsx";
import { Online } from "./online.tsx";
import {
  type Breakdown,
  breakdownQuery,
  nowQuery,
  SPANS,
  type Traffic,
  trafficQuery,
  type View,
  wholeBreakdown,
} from "./queries.ts";
import { type Ranked, Ranking } from "./ranking.tsx";
import { ServersNow } from "./servers-now.tsx";
import { SpanChoice } from "./span-choice.tsx";
import classes from "./statistics.module.css";
import { Tiles } from "./tiles.tsx";
import { useStatisticsWords } from "./words.ts";

/** The view in the address; the last 24 hours if it is invalid. */
function viewOf({ span, from, to }: AdminSearch): View {
  if (from !== undefined && to !== undefined && from <= to) return { from, to };
  return { span: SPANS.find((known) => known === span) ?? "day" };
}

/** How the club's VPN is used: now, over a span, and by whom (specification, operator's side 2). */
export function StatisticsScreen() {
  const { screens, table } = useStaffWords();
  const words = useStatisticsWords();
  const { text, language } = useSpeech();
  const { viewedRole } = useViewed();
  const { asked, change } = useListAddress(1);
  const nowMs = useNow(15_000);
  const queryClient = useQueryClient();
  const view = viewOf(asked);
  const now = useQuery(nowQuery(viewedRole));
  const traffic = useQuery(trafficQuery(view, viewedRole));
  const breakdown = useQuery(breakdownQuery(view, viewedRole));
  const failed = [now, traffic, breakdown].find(({ isError }) => isError);
  const refreshing = now.isFetching || traffic.isFetching || breakdown.isFetching;
  const refresh = () => void queryClient.invalidateQueries({ queryKey: ["statistics"] });
  const columns: Column<Traffic["steps"][number]>[] = [
    { key: "at", title: words.chart.step[traffic.data?.step ?? "day"], text: ({ at }) => at },
    { key: "received", title: words.top.received, text: ({ received }) => received },
    { key: "sent", title: words.top.sent, text: ({ sent }) => sent },
  ];
  const csv = useCsv({
    name: words.chart.file,
    columns,
    page: async () => ({ rows: traffic.data?.steps ?? [], next: null }),
  });
  const during =
    "from" in view
      ? words.during.custom(writtenDay(view.from, nowMs, language), writtenDay(view.to, nowMs, language))
      : words.during[view.span];
  const readAt = Math.min(now.dataUpdatedAt, traffic.dataUpdatedAt);
  const age = table.dataAge(ageText(inClub(readAt), nowMs, text.age));

  return (
    <Screen title={screens.vpn}>
      <ListTools>
        <SpanChoice
          key={JSON.stringify(view)}
          view={view}
          onChange={(next) =>
            change(
              "from" in next
                ? { span: null, ...next }
                : { span: next.span === "day" ? null : next.span, from: null, to: null },
            )
          }
        />
        <span className={classes.tools}>
          {readAt > 0 && <span className={classes.age}>{age}</span>}
          <ActionIcon aria-label={table.refresh} onClick={refresh}>
            {refreshing ? <Ring state="wait" size={20} /> : <IconRefresh size={20} stroke={1.6} />}
          </ActionIcon>
          <CsvButton {...csv} />
        </span>
      </ListTools>
      {failed && (
        <div className={classes.failed}>
          <LoadFailed title={words.failed} error={failed.error} onRetry={refresh} />
        </div>
      )}
      {!(failed && !now.data && !traffic.data) && <Tiles now={now.data} traffic={traffic.data} during={during} />}
      <Columns shape="aside">
        {traffic.data ? (
          <Chart traffic={traffic.data} nowMs={nowMs} />
        ) : (
          !failed && <Waiting label={words.loading} room={360} />
        )}
        <div data-beside>
          <Online role={viewedRole} count={now.data?.online} nowMs={nowMs} />
          {breakdown.data && now.data && <ServersNow servers={now.data.servers} />}
          {breakdown.data && <What breakdown={breakdown.data} />}
        </div>
        {breakdown.data && <Who breakdown={breakdown.data} view={view} during={during} />}
      </Columns>
      {traffic.data && <p className={classes.note}>{words.zone(traffic.data.zone)}</p>}
    </Screen>
  );
}

/** Members by their traffic in a span. */
function Who({ breakdown, view, during }: { breakdown: Breakdown; view: View; during: string }) {
  const { top: words } = useStatisticsWords();
  const { viewedRole } = useViewed();
  const asRanked = (rows: Breakdown["members"]): Ranked[] =>
    rows.map(({ member, ...used }) => ({
      key: member.id,
      name: member.displayName,
      more: member.username,
      link: (
        <StaffLink to={`users/${member.username}`} className={cells.person}>
          <b>{member.displayName}</b>
        </StaffLink>
      ),
      ...used,
    }));
  return (
    <Ranking
      title={`${words.members} ${during}`}
      note={words.membersNote}
      rows={asRanked(breakdown.members)}
      whole={async () => asRanked((await wholeBreakdown(view, viewedRole)).members)}
      file="krug-members"
      numbered
    />
  );
}

/** Servers, interfaces, kinds of device and services by their traffic in a span. */
function What({ breakdown }: { breakdown: Breakdown }) {
  const { top: words } = useStatisticsWords();
  const interfaces = breakdown.interfaces.map(({ id, serverName, ...used }) => ({
    key: id,
    more: serverName,
    ...used,
  }));
  const devices = breakdown.devices.map(({ deviceType, ...used }) => ({
    key: deviceType,
    name: words[deviceType],
    ...used,
  }));
  return (
    <>
      <Ranking title={words.servers} rows={byServer(breakdown)} file="krug-servers" />
      <Ranking title={words.interfaces} rows={interfaces} file="krug-interfaces" />
      <Ranking title={words.devices} rows={devices} file="krug-devices" />
      <Ranking
        title={words.services}
        note={words.servicesNote}
        rows={breakdown.services.map(({ id, ...used }) => ({ key: id, ...used }))}
        file="krug-services"
      />
    </>
  );
}

/** A config belongs to one interface, and an interface to one server, so their sums add up to the server's. */
function byServer({ interfaces }: Breakdown): Ranked[] {
  const servers = new Map<string, Ranked>();
  for (const { serverId, serverName, configs, received, sent } of interfaces) {
    const before = servers.get(serverId) ?? { key: serverId, name: serverName, configs: 0, received: 0, sent: 0 };
    servers.set(serverId, {
      ...before,
      configs: before.configs + configs,
      received: before.received + received,
      sent: before.sent + sent,
    });
  }
  return [...servers.values()].sort((a, b) => b.received + b.sent - (a.received + a.sent));
}
