import { moneyText } from "@krug/domain/money-text";
import { Button } from "@mantine/core";
import { IconCash, IconChartBar } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { AdminSearch } from "../../../lib/admin-search.ts";
import { useStaffWords } from "../../../lib/i18n/staff.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { useNow } from "../../../lib/use-now.ts";
import { useSelection } from "../../../lib/use-selection.ts";
import { ColumnsMenu } from "../../../ui/columns-menu.tsx";
import { CountFilter } from "../../../ui/count-filter.tsx";
import { DataTable } from "../../../ui/data-table.tsx";
import { Following } from "../../../ui/following.tsx";
import { lazyPart } from "../../../ui/lazy.tsx";
import { lazyDialog } from "../../../ui/lazy-dialog.tsx";
import { CsvButton, ListTools, SearchField } from "../../../ui/list-tools.tsx";
import { MoreMenu } from "../../../ui/more-menu.tsx";
import { NothingFound } from "../../../ui/nothing-found.tsx";
import { Ring } from "../../../ui/ring.tsx";
import { SortMenu } from "../../../ui/sort-menu.tsx";
import { useCsv } from "../../../ui/use-csv.ts";
import { Screen, useIsReadOnlyBySilence, useMay, useRight, useStaffList, useViewed } from "../../club/staff/index.ts";
import { ClaimsQueue } from "./claims-queue.tsx";
import { ConfirmButton } from "./confirm-button.tsx";
import { MonthSwitch } from "./month-switch.tsx";
import { PaymentCard } from "./payment-card.tsx";
import classes from "./staff-payments.module.css";
import { type MonthSummary, type MonthView, monthList, queueQuery, summaryQuery } from "./staff-queries.ts";
import { useStaffPaymentsWords } from "./staff-words.ts";
import { ringOf } from "./status.tsx";
import { usePaymentActions } from "./use-payment-actions.tsx";
import { HIDDEN_FIRST, usePaymentColumns } from "./use-payment-columns.tsx";
import { PAGE_SIZE, sortKept } from "./use-queue-page.ts";

const BulkPayments = lazyPart(() => import("./bulk-payments.tsx").then(({ BulkPayments }) => BulkPayments));
const RevenueDialog = lazyDialog(() => import("./revenue-dialog.tsx").then(({ RevenueDialog }) => RevenueDialog));
const SettingsDialog = lazyDialog(() => import("./settings-dialog.tsx").then(({ SettingsDialog }) => SettingsDialog));

type Status = NonNullable<MonthView["status"]>;
const STATUSES: readonly Status[] = ["all", "pending", "paid", "overdue", "not_required", "unlimited"];
const PERIOD = /^[1-9]\d{3}-(0[1-9]|1[0-2])$/;

const viewOf = ({ q, status, sort, order }: AdminSearch): MonthView => ({
  status: STATUSES.find((name) => name === status) ?? "all",
  sort: sort === "subscription" ? "subscription" : "name",
  order: order === "desc" ? "desc" : "asc",
  ...(q ? { q } : {}),
});

/** What members pay, month by month (specification, operator's side 2). */
export function PaymentsScreen() {
  const { screens, table } = useStaffWords();
  const words = useStaffPaymentsWords();
  const { viewedRole } = useViewed();
  const mayModify = useMay("settings.change");
  const maySetPrice = useRight("settings.change");
  const mayAct = !useIsReadOnlyBySilence();
  const nowMs = useNow(15_000);

  // The panel decides which month the club is in. The browser's clock only chooses which one to request first.
  const here = periodHere(nowMs);
  const { currentPeriod = here, lastPeriod = currentPeriod } = useQuery(summaryQuery(here, viewedRole)).data ?? {};
  const periodOf = (asked: AdminSearch) =>
    asked.period !== undefined && PERIOD.test(asked.period) && asked.period <= lastPeriod
      ? asked.period
      : currentPeriod;
  const list = useStaffList((asked) => ({ list: monthList(periodOf(asked)), view: viewOf(asked) }), HIDDEN_FIRST);
  const { asked, change, view, q, hiding, rows } = list;
  const period = periodOf(asked);
  const { status = "all", sort = "name" } = view;
  const down = view.order === "desc";
  const order = (by: string, isDown: boolean) =>
    change({ sort: by === "name" ? null : by, order: isDown ? "desc" : null });
  const isDueFirst = status === "pending" && sort === "subscription" && !down;
  const selection = useSelection(
    list.listed,
    useMemo(() => rows?.map((row) => ({ ...row, id: row.userId })), [rows]),
  );
  const summary = useQuery(summaryQuery(period, viewedRole)).data;
  const isQueueComing = useQuery(queueQuery({ limit: PAGE_SIZE, sort: sortKept() }, viewedRole)).isLoading;
  const actions = usePaymentActions({ currentPeriod });
  const columns = usePaymentColumns(nowMs);
  const csv = useCsv({
    name: words.list.file(period),
    columns,
    page: list.pageFrom,
  });
  const isCurrent = period === currentPeriod;
  const sortable = columns.filter(({ sortable }) => sortable).map(({ key, title }) => ({ key, title }));

  return (
    <Screen title={screens.payments}>
      <ClaimsQueue nowMs={nowMs} />
      <Following waits={isQueueComing}>
        <div className={classes.head}>
          <MonthSwitch
            period={period}
            currentPeriod={currentPeriod}
            lastPeriod={lastPeriod}
            onChange={(to) => change({ period: to === currentPeriod ? null : to })}
          />
          <Button
            variant="subtle"
            className={classes.revenue ?? ""}
            leftSection={<IconChartBar size={20} stroke={1.6} aria-hidden="true" />}
            onClick={() => change({ set: "revenue" })}
          >
            {words.revenue.open}
          </Button>
          {mayModify && (
            <Button
              variant="outline"
              className={classes.settings ?? ""}
              leftSection={<IconCash size={20} stroke={1.6} aria-hidden="true" />}
              onClick={() => change({ set: "price" })}
            >
              {words.settings.open}
            </Button>
          )}
          {!isCurrent && (
            <p className={classes.onlyCurrent}>
              <Ring state="idle" size={20} />
              {words.onlyCurrent}
            </p>
          )}
        </div>
        <CountFilter
          label={words.filter.label}
          value={status}
          onChange={(value) => change({ status: value === "all" ? null : value })}
          choices={STATUSES.map((value) => ({
            value,
            label: words.filter[value],
            count: summary?.counts[value],
            ...(value === "paid" && summary ? { more: <Sums sums={summary.received} /> } : {}),
          }))}
        />
        {summary && summary.receivedFromDeleted.length > 0 && <FromDeleted sums={summary.receivedFromDeleted} />}
        <ListTools>
          <SearchField label={words.list.search} value={q} onChange={list.search} />
          {isCurrent && (
            <Button
              variant={isDueFirst ? "light" : "outline"}
              aria-pressed={isDueFirst}
              onClick={() =>
                change(
                  isDueFirst ? { status: null, sort: null } : { status: "pending", sort: "subscription", order: null },
                )
              }
            >
              {words.list.due1st}
            </Button>
          )}
          <SortMenu columns={sortable} sort={{ by: sort, down }} onSort={({ by, down }) => order(by, down)} />
          <ColumnsMenu columns={columns} {...hiding} />
          <CsvButton {...csv} />
        </ListTools>
        <DataTable
          label={words.list.label}
          columns={columns}
          keyOf={({ userId }) => userId}
          nameOf={({ displayName }) => displayName}
          hidden={hiding.hidden}
          sort={{ by: sort, down }}
          onSort={({ by, down }) => order(by, down)}
          {...(isCurrent && mayAct
            ? {
                selection: {
                  keys: selection.keys,
                  onChange: selection.choose,
                  actions: (
                    <BulkPayments
                      payments={selection.rows}
                      actions={actions}
                      onDone={() => selection.choose(new Set())}
                    />
                  ),
                },
              }
            : {})}
          card={(payment) => <PaymentCard payment={payment} nowMs={nowMs} />}
          lead={(payment) => <Ring state={ringOf(payment)} size={24} />}
          act={(payment) => <ConfirmButton payment={payment} actions={actions} />}
          menu={(payment) => (
            <MoreMenu label={table.actions(payment.displayName)} groups={actions.groupsFor(payment)} />
          )}
          {...list.pages(words.loadFailed)}
          empty={
            q === "" && status === "all" ? (
              words.list.nobody
            ) : (
              <NothingFound
                text={words.list.nothing}
                clear={words.list.clear}
                onClear={() => change({ q: null, status: null })}
              />
            )
          }
        />
        {actions.dialogs}
        {asked.set === "revenue" && <RevenueDialog onClose={() => change({ set: null })} />}
        {maySetPrice && asked.set === "price" && <SettingsDialog onClose={() => change({ set: null })} />}
      </Following>
    </Screen>
  );
}

const periodHere = (nowMs: number) => {
  const now = new Date(nowMs);
  return `${now.getFullYear()}-${String(now.getMonth() + 1).padStart(2, "0")}`;
};

function Sums({ sums }: { sums: MonthSummary["received"] }) {
  const { language } = useSpeech();
  return sums.map(({ amount, currency }) => moneyText(amount, currency, language)).join(" + ");
}

function FromDeleted({ sums }: { sums: MonthSummary["received"] }) {
  const words = useStaffPaymentsWords();
  const { language } = useSpeech();
  const sum = sums.map(({ amount, currency }) => moneyText(amount, currency, language)).join(" + ");
  return <p className={classes.fromDeleted}>{words.fromDeleted(sum)}</p>;
}
