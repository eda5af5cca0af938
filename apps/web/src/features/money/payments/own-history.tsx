import { moneyText } from "@krug/domain/money-text";
import { clubDay, writtenDay } from "../../../lib/format.ts";
import { useCircle } from "../../../lib/i18n/circle.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { Ring, type RingState } from "../../../ui/ring.tsx";
import classes from "./payment-dialog.module.css";
import type { OwnPayment } from "./queries.ts";
import { monthText } from "./wording.ts";

const RINGS: Record<OwnPayment["status"], RingState> = {
  pending: "never",
  paid: "done",
  overdue: "warn",
  not_required: "idle",
};

/** The member's own months, newest first. */
export function OwnHistory({ history, nowMs }: { history: readonly OwnPayment[]; nowMs: number }) {
  const { payments } = useCircle();
  const { language } = useSpeech();
  if (history.length === 0) return null;
  return (
    <section className={classes.history} aria-labelledby="own-payments">
      <h3 id="own-payments" className={classes.heading}>
        {payments.history}
      </h3>
      <ul>
        {history.map(({ period, status, amount, currency, grantedUntil, paidMonths }) => (
          <li key={period} className={classes.month}>
            <Ring state={RINGS[status]} size={20} />
            <span className={classes.name}>{monthText(period, language)}</span>
            <span className={classes.sum}>
              {status !== "not_required" && amount !== null && moneyText(amount, currency, language)}
            </span>
            <span className={classes.quiet}>
              {payments.status[status]}
              {grantedUntil && `, ${payments.grantedUntil(writtenDay(clubDay(grantedUntil), nowMs, language))}`}
              {paidMonths > 1 && `, ${payments.ofSeveral(paidMonths)}`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
