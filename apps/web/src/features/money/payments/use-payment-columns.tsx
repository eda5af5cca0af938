import { moneyText } from "@krug/domain/money-text";
import { clubDay, sheetNumber, writtenShortDay } from "../../../lib/format.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import cells from "../../../ui/cells.module.css";
import type { Column } from "../../../ui/data-table.tsx";
import { StaffLink } from "../../club/staff/index.ts";
import classes from "./staff-payments.module.css";
import type { Payment } from "./staff-queries.ts";
import { useStaffPaymentsWords } from "./staff-words.ts";
import { hasSum, StatusWords, statusText, subscriptionWords } from "./status.tsx";

/** The columns of a month's list. */
export function usePaymentColumns(nowMs: number): Column<Payment>[] {
  const words = useStaffPaymentsWords();
  const { language } = useSpeech();
  const { list } = words;
  return [
    {
      key: "name",
      title: list.member,
      fixed: true,
      sortable: true,
      cell: ({ username, displayName }) => (
        <StaffLink to={`users/${username}`} className={cells.name}>
          <b>{displayName}</b>
          <span>{username}</span>
        </StaffLink>
      ),
      text: ({ displayName }) => displayName,
    },
    {
      key: "status",
      title: list.status,
      fixed: true,
      cell: (payment) => <StatusWords ring payment={payment} />,
      text: (payment) => statusText(payment, words),
    },
    {
      key: "amount",
      title: list.amount,
      right: true,
      cell: (payment) => <Amount payment={payment} />,
      text: (payment) => (hasSum(payment) ? sheetNumber(payment.amount ?? "", language) : ""),
    },
    {
      key: "due",
      title: list.due,
      right: true,
      cell: ({ free, dueDate }) => <span className={cells.quiet}>{free === null ? writtenShortDay(dueDate) : ""}</span>,
      text: ({ free, dueDate }) => (free === null ? dueDate : ""),
    },
    {
      key: "paid",
      title: list.paid,
      right: true,
      cell: ({ paidDate }) => <span className={cells.quiet}>{paidDate && writtenShortDay(clubDay(paidDate))}</span>,
      text: ({ paidDate }) => (paidDate ? clubDay(paidDate) : ""),
    },
    {
      key: "subscription",
      title: list.subscription,
      sortable: true,
      cell: (payment) => <span className={cells.nowrap}>{subscriptionWords(payment, words, nowMs)}</span>,
      text: (payment) => subscriptionWords(payment, words, nowMs),
    },
    {
      key: "note",
      title: list.note,
      cell: ({ note }) => note && <span className={classes.note}>{note}</span>,
      text: ({ note }) => note ?? "",
    },
    // Only in the exported file: the table shows them under the name, the sum and the subscription.
    { key: "username", title: list.username, text: ({ username }) => username },
    { key: "currency", title: list.currency, text: ({ currency }) => currency },
    {
      key: "subscriptionEnd",
      title: list.subscriptionEnd,
      text: ({ subscriptionEnd }) => (subscriptionEnd ? clubDay(subscriptionEnd) : ""),
    },
  ];
}

function Amount({ payment }: { payment: Payment }) {
  const { language } = useSpeech();
  const { amount, currency, status } = payment;
  if (amount === null || !hasSum(payment)) return null;
  return <span className={status === "paid" ? undefined : cells.quiet}>{moneyText(amount, currency, language)}</span>;
}

/** Columns that a table does not show until they are asked for. */
export const HIDDEN_FIRST = { always: ["note"], narrow: ["paid"] };
