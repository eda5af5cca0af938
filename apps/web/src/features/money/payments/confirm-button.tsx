import { Button } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import classes from "./staff-payments.module.css";
import type { Payment } from "./staff-queries.ts";
import { useStaffPaymentsWords } from "./staff-words.ts";
import type { PaymentActions } from "./use-payment-actions.tsx";

/**
 * Most rows' action: the payment has arrived. If it cannot be confirmed, the button says why and does nothing. A member who never
 * pays has no button, and the menu says why.
 */
export function ConfirmButton({ payment, actions }: { payment: Payment; actions: PaymentActions }) {
  const { actions: words, queue } = useStaffPaymentsWords();
  if (payment.status === "paid" || payment.status === "not_required" || payment.isUnlimited) return null;
  const reason = actions.whyNot(payment, "paid");
  return (
    <Button
      variant="outline"
      className={classes.rowAct ?? ""}
      aria-label={queue.confirmOf(payment.displayName)}
      {...(reason === null
        ? { onClick: () => actions.set(payment, "paid") }
        : { "aria-disabled": true, "data-disabled": true, title: reason })}
    >
      <IconCheck className={classes.rowSign ?? ""} size={18} stroke={1.6} aria-hidden="true" />
      <span className={classes.rowWords}>{words.confirm}</span>
    </Button>
  );
}
