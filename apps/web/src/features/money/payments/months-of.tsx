import { moneyText } from "@krug/domain/money-text";
import { clubDay, longDay, writtenDay, writtenShortDay } from "../../../lib/format.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import cells from "../../../ui/cells.module.css";
import { lazyPart } from "../../../ui/lazy.tsx";
import { Line, Lines } from "../../../ui/lines.tsx";
import { PictureLink } from "../../../ui/picture-link.tsx";
import type { RingState } from "../../../ui/ring.tsx";
import { asViewed, MEMBERS, useViewed } from "../../club/staff/index.ts";
import classes from "./staff-payments.module.css";
import { type MemberPayments, receiptAddress } from "./staff-queries.ts";
import { useStaffPaymentsWords } from "./staff-words.ts";
import { ringOf } from "./status.tsx";
import { monthText } from "./wording.ts";

const LedgerOf = lazyPart(() => import("./ledger-of.tsx").then(({ LedgerOf }) => LedgerOf));

const CLAIM_RINGS: Record<MemberPayments["claims"][number]["state"], RingState> = {
  waiting: "warn",
  confirmed: "done",
  declined: "bad",
};

interface Props {
  payments: MemberPayments;
  nowMs: number;
  /** A month shown elsewhere, YYYY-MM. */
  without?: string;
}

/** A member's months and claims, newest first, and what moved their subscription. */
export function MonthsOf({ payments, nowMs, without }: Props) {
  const { history: words, filter, ofSeveral } = useStaffPaymentsWords();
  const { language } = useSpeech();
  const { viewedRole } = useViewed();
  const { claims } = payments;
  const history = payments.history.filter(({ period }) => period !== without);
  return (
    <>
      {without === undefined && history.length === 0 && claims.length === 0 && (
        <p className={cells.quiet}>{words.none}</p>
      )}
      <Lines>
        {history.map((month) => (
          <Line key={month.period} ring={ringOf({ ...month, claimId: null })} much={<Much month={month} />}>
            <b className={classes.capital}>{monthText(month.period, language)}</b>
            <span>
              {filter[month.status]}
              {month.grantedUntil && `, ${words.granted(writtenDay(clubDay(month.grantedUntil), nowMs, language))}`}
            </span>
            {month.paidMonths > 1 && <span>{ofSeveral(month.paidMonths)}</span>}
            {month.note && <span className={classes.noteLine}>{month.note}</span>}
          </Line>
        ))}
      </Lines>
      {claims.length > 0 && (
        <>
          <h3 className={classes.heading}>{words.claims}</h3>
          <Lines>
            {claims.map(({ id, state, claimedAt, reason, receipt }) => (
              <Line
                key={id}
                ring={CLAIM_RINGS[state]}
                much={
                  receipt && (
                    <PictureLink
                      address={receiptAddress(id, receipt)}
                      title={words.openReceipt}
                      className={`${cells.link} k-focus`}
                    >
                      {words.openReceipt}
                    </PictureLink>
                  )
                }
              >
                <b>{longDay(new Date(claimedAt), nowMs, language)}</b>
                <span>
                  {words.claimState[state]}
                  {reason && `: ${reason}`}
                </span>
              </Line>
            ))}
          </Lines>
        </>
      )}
      <LedgerOf member={{ id: payments.current.userId, ...asViewed(viewedRole) }} within={MEMBERS} nowMs={nowMs} />
    </>
  );
}

/** What a month cost, and when it was paid or due. */
function Much({
  month: { status, amount, currency, paidDate, dueDate },
}: {
  month: MemberPayments["history"][number];
}) {
  const { list } = useStaffPaymentsWords();
  const { language } = useSpeech();
  return (
    <>
      {status !== "not_required" && amount !== null && moneyText(amount, currency, language)}
      <span>
        {paidDate ? writtenShortDay(clubDay(paidDate)) : status === "overdue" && list.dueOn(writtenShortDay(dueDate))}
      </span>
    </>
  );
}
