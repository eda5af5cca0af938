import { longDay, shortDay, writtenShortDay } from "../../lib/format.ts";
import { useStaffPaymentsWords } from "../../lib/i18n/staff-payments.ts";
import { useSpeech } from "../../lib/i18n/use-text.tsx";
import { Ring, type RingState } from "../../ui/ring.tsx";
import classes from "./staff-payments.module.css";
import { type MemberPayments, receiptAddress } from "./staff-queries.ts";
import { ringOf } from "./status.tsx";
import { moneyText, monthText } from "./wording.ts";

const CLAIM_RINGS: Record<MemberPayments["claims"][number]["state"], RingState> = {
  waiting: "warn",
  confirmed: "done",
  declined: "bad",
};

interface Props {
  payments: MemberPayments;
  nowMs: number;
  /** A month that stands elsewhere, YYYY-MM. */
  without?: string;
}

/** A member's months, the newest first, and what he said of them. */
export function MonthsOf({ payments, nowMs, without }: Props) {
  const { history: words, filter, list } = useStaffPaymentsWords();
  const { language } = useSpeech();
  const { claims } = payments;
  const history = payments.history.filter(({ period }) => period !== without);
  return (
    <>
      {without === undefined && history.length === 0 && claims.length === 0 && (
        <p className={classes.quiet}>{words.none}</p>
      )}
      <ul className={classes.rows}>
        {history.map((month) => (
          <li key={month.period}>
            <Ring state={ringOf({ ...month, claimId: null })} size={20} />
            <span className={classes.what}>
              <b className={classes.capital}>{monthText(month.period, language)}</b>
              <span>
                {filter[month.status]}
                {month.grantedUntil && `, ${words.granted(longDay(new Date(month.grantedUntil), nowMs, language))}`}
              </span>
              {month.note && <span className={classes.noteLine}>{month.note}</span>}
            </span>
            <span className={classes.much}>
              {month.status !== "not_required" &&
                month.amount !== null &&
                moneyText(month.amount, month.currency, language)}
              <span>
                {month.paidDate
                  ? shortDay(new Date(month.paidDate))
                  : month.status === "overdue" && list.dueOn(writtenShortDay(month.dueDate))}
              </span>
            </span>
          </li>
        ))}
      </ul>
      {claims.length > 0 && (
        <>
          <h3 className={classes.heading}>{words.claims}</h3>
          <ul className={classes.rows}>
            {claims.map(({ id, state, claimedAt, reason, receipt }) => (
              <li key={id}>
                <Ring state={CLAIM_RINGS[state]} size={20} />
                <span className={classes.what}>
                  <b>{longDay(new Date(claimedAt), nowMs, language)}</b>
                  <span>
                    {words.claimState[state]}
                    {reason && `: ${reason}`}
                  </span>
                </span>
                {receipt && (
                  <a
                    href={receiptAddress(id, receipt)}
                    target="_blank"
                    rel="noopener"
                    className={`${classes.link} k-focus`}
                  >
                    {words.openReceipt}
                  </a>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
