import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { clubDay, writtenDay } from "../../../lib/format.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { LoadFailed } from "../../../ui/load-failed.tsx";
import { useViewed } from "../../club/staff/index.ts";
import { MonthsOf } from "./months-of.tsx";
import classes from "./staff-payments.module.css";
import { paymentsOfQuery } from "./staff-queries.ts";
import { useStaffPaymentsWords } from "./staff-words.ts";
import { StatusWords } from "./status.tsx";
import { usePaymentActions } from "./use-payment-actions.tsx";
import { monthText } from "./wording.ts";

interface Props {
  memberId: string;
  nowMs: number;
  /** The subscription may have changed. */
  onSet: () => void;
}

/** A member's payments on the member's page: the current month with its actions, and earlier ones. */
export function PaymentsOf({ memberId, nowMs, onSet }: Props) {
  const words = useStaffPaymentsWords();
  const { language } = useSpeech();
  const { viewedRole } = useViewed();
  const payments = useQuery(paymentsOfQuery(memberId, viewedRole));
  const current = payments.data?.current;
  const actions = usePaymentActions({ currentPeriod: current?.period ?? "", onSet });
  return (
    <>
      {payments.isError && (
        <LoadFailed title={words.loadFailed} error={payments.error} onRetry={() => void payments.refetch()} />
      )}
      {current && payments.data && (
        <>
          <div className={classes.now}>
            <b className={classes.capital}>{monthText(current.period, language)}</b>
            <StatusWords ring payment={current} />
            {current.grantedUntil && (
              <span className={classes.quiet}>
                {words.history.granted(writtenDay(clubDay(current.grantedUntil), nowMs, language))}
              </span>
            )}
            {current.note && <span className={classes.noteLine}>{current.note}</span>}
          </div>
          {current.isUnlimited ? (
            <p className={classes.quiet}>{words.unlimitedMember}</p>
          ) : (
            <div className={classes.nowActs}>
              {actions.canPayAhead(current) && (
                <Button variant="outline" data-flush="always" onClick={() => actions.set(current, "paid", true)}>
                  {words.actions.ahead}
                </Button>
              )}
              {actions.offered(current).map(({ status }) => (
                <Button
                  key={status}
                  variant={status === "paid" ? "outline" : "subtle"}
                  data-flush="always"
                  data-danger={status === "overdue" || undefined}
                  onClick={() => actions.set(current, status)}
                >
                  {words.actions[status]}
                </Button>
              ))}
            </div>
          )}
          <MonthsOf payments={payments.data} nowMs={nowMs} without={current.period} />
        </>
      )}
      {actions.dialogs}
    </>
  );
}
