import { ActionIcon } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { useCircle } from "../../../lib/i18n/circle.ts";
import { FormMessage } from "../../../ui/form-message.tsx";
import classes from "./payment-dialog.module.css";
import { ReceiptButton } from "./receipt-button.tsx";
import type { ReceiptProblem } from "./receipt-picture.ts";

interface Props {
  /** A data URL. */
  receipt: string | null;
  onReceipt: (receipt: string | null) => void;
}

/** The receipt sent with 'I have paid': choose, preview, remove. */
export function ReceiptField({ receipt, onReceipt }: Props) {
  const { payments } = useCircle();
  const [problem, setProblem] = useState<ReceiptProblem | null>(null);
  return (
    <section className={classes.receipt} aria-labelledby="receipt">
      <h3 id="receipt" className={classes.heading}>
        {payments.receipt}
      </h3>
      {receipt !== null && (
        <div className={classes.preview}>
          <img src={receipt} alt={payments.yourReceipt} />
          <ActionIcon
            aria-label={payments.removeReceipt}
            title={payments.removeReceipt}
            onClick={() => onReceipt(null)}
          >
            <IconTrash size={20} stroke={1.6} />
          </ActionIcon>
        </div>
      )}
      <ReceiptButton
        label={receipt === null ? payments.attach : payments.replace}
        onPicture={onReceipt}
        onProblem={setProblem}
      />
      {problem === null && receipt === null && <p className={classes.quiet}>{payments.receiptHint}</p>}
      <FormMessage bad={problem && payments[problem]} />
    </section>
  );
}
