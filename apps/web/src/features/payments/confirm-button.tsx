import { Button } from "@mantine/core";
import type { Payment } from "./staff-queries.ts";
import { useStaffPaymentsWords } from "./staff-words.ts";
import type { PaymentActions } from "./use-payment-actions.tsx";

/** Most rows' action: the payment came. If it cannot be confirmed, the button says why and does nothing. */
export function ConfirmButton({ payment, actions }: { payment: Payment; actions: PaymentActions }) {
  const { actions: words, queue } = useStaffPaymentsWords();
  if (payment.status === "paid" || payment.status === "not_required") return null;
  const reason = actions.whyNot(payment, "paid");
  return (
    <Button
      variant="outline"
      aria-label={queue.confirmOf(payment.displayName)}
      {...(reason === null
        ? { onClick: () => actions.set(payment, "paid") }
        : { "aria-disabled": true, "data-disabled": true, title: reason })}
    >
      {words.confirm}
    </Button>
  );
}
