import { moneyText } from "@krug/domain/money-text";
import { useQuery } from "@tanstack/react-query";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import cells from "../../../ui/cells.module.css";
import type { Column } from "../../../ui/data-table.tsx";
import figures from "../../../ui/figures.module.css";
import { CsvButton } from "../../../ui/list-tools.tsx";
import { Loading } from "../../../ui/loading.tsx";
import { Sheet } from "../../../ui/sheet.tsx";
import { useCsv } from "../../../ui/use-csv.ts";
import { useRight, useViewed } from "../../club/staff/index.ts";
import classes from "./revenue.module.css";
import { type RevenueMonth, revenueQuery } from "./staff-queries.ts";
import { useStaffPaymentsWords } from "./staff-words.ts";
import { monthText } from "./wording.ts";

/** What the club was paid in two years, month by month, and how many paid again. */
export function RevenueDialog({ onClose }: { onClose: () => void }) {
  const { revenue: words } = useStaffPaymentsWords();
  const { language } = useSpeech();
  const { viewedRole } = useViewed();
  const seesVip = useRight("members.see_vip");
  const { data: months, ...query } = useQuery(revenueQuery(viewedRole));
  const columns = useFileColumns(months ?? []);
  const isEmpty = months?.every((month) => !hasAny(month)) ?? false;
  const most = Math.max(1, ...(months ?? []).map(({ newPayers, repeatPayers }) => newPayers + repeatPayers));
  // Skips the months before the first payment.
  const begin = months?.findIndex((month) => hasAny(month) || month.ended > 0) ?? 0;
  const told = months?.slice(Math.max(0, begin)) ?? [];
  const csv = useCsv({
    name: words.file,
    columns,
    page: async () => ({ rows: told, next: null }),
  });
  const sumsIn = (sums: RevenueMonth["received"]) =>
    sums.map(({ amount, currency }) => moneyText(amount, currency, language)).join(" + ");
  return (
    <Sheet onClose={onClose} title={words.title} wide>
      <p className={cells.quiet}>{seesVip ? words.lead : words.leadModerator}</p>
      <Loading of={query} failed={words.failed} room={240} />
      {isEmpty && <p className={classes.none}>{words.none}</p>}
      {months && !isEmpty && (
        <>
          <div className={classes.legend} aria-hidden="true">
            <i className={classes.again} />
            {words.repeatPayers}
            <i className={classes.new} />
            {words.newPayers}
          </div>
          <div className={classes.bars} aria-hidden="true">
            {told.map(({ period, newPayers, repeatPayers }) => (
              <span
                key={period}
                title={`${monthText(period, language)}: ${words.newPayers} ${newPayers}, ${words.repeatPayers} ${repeatPayers}`}
              >
                <i className={classes.new} style={{ height: `${(100 * newPayers) / most}%` }} />
                <i className={classes.again} style={{ height: `${(100 * repeatPayers) / most}%` }} />
              </span>
            ))}
          </div>
          <div className={classes.tools}>
            <CsvButton {...csv} />
          </div>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be scrolled by keys */}
          <section className={`${figures.table} k-focus`} tabIndex={0} aria-label={words.title}>
            <table>
              <thead>
                <tr>
                  <th scope="col">{words.month}</th>
                  <th scope="col">{words.received}</th>
                  <th scope="col">{words.cameIn}</th>
                  <th scope="col">{words.gifts}</th>
                  <th scope="col">{words.newPayers}</th>
                  <th scope="col">{words.repeatPayers}</th>
                  <th scope="col">{words.renewed}</th>
                </tr>
              </thead>
              <tbody>
                {told.toReversed().map((month, back) => (
                  <tr key={month.period}>
                    <th scope="row">
                      {monthText(month.period, language)}
                      {back === 0 && <span className={classes.running}> {words.running}</span>}
                    </th>
                    <td>{sumsIn(month.received) || words.nothing}</td>
                    <td>{sumsIn(month.cameIn) || words.nothing}</td>
                    <td>{month.gifts}</td>
                    <td>{month.newPayers}</td>
                    <td>{month.repeatPayers}</td>
                    <td>{month.ended === 0 ? "" : words.share(shareOf(month), month.ended)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        </>
      )}
    </Sheet>
  );
}

const hasAny = ({ newPayers, repeatPayers, gifts, received, cameIn }: RevenueMonth) =>
  newPayers + repeatPayers + gifts + received.length + cameIn.length > 0;

/** Of the members whose time ended, the share that paid for a later month, in whole percent. */
const shareOf = ({ ended, paidAgain }: RevenueMonth) => Math.round((100 * paidAgain) / ended);

/** In the file each currency has its own column of plain numbers. */
function useFileColumns(months: readonly RevenueMonth[]): Column<RevenueMonth>[] {
  const { revenue: words } = useStaffPaymentsWords();
  const sums = months.flatMap(({ received, cameIn }) => [...received, ...cameIn]);
  const currencies = [...new Set(sums.map(({ currency }) => currency))].sort();
  const of = (received: RevenueMonth["received"], currency: string) =>
    Number(received.find((sum) => sum.currency === currency)?.amount ?? 0);
  return [
    { key: "month", title: words.month, text: ({ period }) => period },
    ...currencies.flatMap((currency) => [
      { key: currency, title: words.receivedIn(currency), text: (month: RevenueMonth) => of(month.received, currency) },
      {
        key: `in ${currency}`,
        title: words.cameInAs(currency),
        text: (month: RevenueMonth) => of(month.cameIn, currency),
      },
    ]),
    { key: "gifts", title: words.gifts, text: ({ gifts }) => gifts },
    { key: "new", title: words.newPayers, text: ({ newPayers }) => newPayers },
    { key: "repeat", title: words.repeatPayers, text: ({ repeatPayers }) => repeatPayers },
    { key: "ended", title: words.ended, text: ({ ended }) => ended },
    { key: "again", title: words.paidAgain, text: ({ paidAgain }) => paidAgain },
  ];
}
