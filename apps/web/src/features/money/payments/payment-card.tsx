import { moneyText } from "@krug/domain/money-text";
import { clubDay, writtenShortDay } from "../../../lib/format.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import cells from "../../../ui/cells.module.css";
import { Fact } from "../../../ui/fact.tsx";
import { StaffLink } from "../../club/staff/index.ts";
import type { Payment } from "./staff-queries.ts";
import { useStaffPaymentsWords } from "./staff-words.ts";
import { hasSum, StatusWords, subscriptionWords } from "./status.tsx";

/** A row on a phone: the name, the month's state, and three facts. */
export function PaymentCard({ payment, nowMs }: { payment: Payment; nowMs: number }) {
  const words = useStaffPaymentsWords();
  const { language } = useSpeech();
  const { username, displayName, amount, currency, paidDate, dueDate } = payment;
  const day =
    paidDate !== null
      ? words.list.paidOn(writtenShortDay(clubDay(paidDate)))
      : hasSum(payment)
        ? words.list.dueOn(writtenShortDay(dueDate))
        : "";
  return (
    <StaffLink to={`users/${username}`} className={cells.card}>
      <b>{displayName}</b>
      <span className={cells.more}>
        <StatusWords payment={payment} />
        {day && <span> · {day}</span>}
      </span>
      <span className={cells.facts}>
        <Fact of={words.list.subscription}>{subscriptionWords(payment, words, nowMs)}</Fact>
        <span>{hasSum(payment) && amount !== null && moneyText(amount, currency, language)}</span>
      </span>
    </StaffLink>
  );
}
