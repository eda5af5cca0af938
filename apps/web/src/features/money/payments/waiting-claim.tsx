import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, explain } from "../../../lib/api.ts";
import { callsAt } from "../../../lib/base.ts";
import { useCircle } from "../../../lib/i18n/circle.ts";
import { useText } from "../../../lib/i18n/use-text.tsx";
import { useCommand } from "../../../lib/use-command.ts";
import { FormMessage } from "../../../ui/form-message.tsx";
import { PictureLink } from "../../../ui/picture-link.tsx";
import classes from "./payment-dialog.module.css";
import { type OwnPayments, ownPaymentsQuery } from "./queries.ts";
import { ReceiptButton } from "./receipt-button.tsx";
import type { ReceiptProblem } from "./receipt-picture.ts";
import { useClaim } from "./use-claim.ts";

/** The receipt of a waiting claim, and its actions. */
export function WaitingClaim({ claim }: { claim: NonNullable<OwnPayments["claim"]> }) {
  const { payments } = useCircle();
  const { failure } = useText();
  const queryClient = useQueryClient();
  const [problem, setProblem] = useState<ReceiptProblem | null>(null);
  const send = useClaim();
  const withdraw = useCommand({
    mutationFn: () => api("DELETE /payments/claim"),
    onSettled: () => queryClient.invalidateQueries(ownPaymentsQuery),
  });
  const bad = problem
    ? payments[problem]
    : send.error
      ? explain(send.error, payments.claimFailed, failure.silent)
      : withdraw.error
        ? explain(withdraw.error, payments.withdrawFailed, failure.silent)
        : null;
  // Another receipt has another address, so that the browser does not show the previous one.
  const address = `${callsAt}/payments/claim/receipt?of=${claim.receipt}`;
  return (
    <div className={classes.receipt}>
      {claim.receipt !== null && (
        <PictureLink address={address} title={payments.openReceipt} className={`${classes.preview} k-focus`}>
          <img src={address} alt={payments.openReceipt} />
        </PictureLink>
      )}
      <div className={classes.actions}>
        <ReceiptButton
          label={send.isPending ? payments.claiming : claim.receipt === null ? payments.attach : payments.replace}
          busy={send.isPending}
          onPicture={(receipt) => send.mutate({ receipt, months: claim.months })}
          onProblem={setProblem}
        />
        <Button
          variant="subtle"
          aria-disabled={withdraw.isPending || undefined}
          onClick={() => withdraw.isPending || withdraw.mutate()}
        >
          {withdraw.isPending ? payments.withdrawing : payments.withdraw}
        </Button>
      </div>
      <FormMessage bad={bad} />
    </div>
  );
}
