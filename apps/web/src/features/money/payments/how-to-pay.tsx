import { moneyText } from "@krug/domain/money-text";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { useCircle } from "../../../lib/i18n/circle.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { FormMessage } from "../../../ui/form-message.tsx";
import { detailsParts } from "./details-parts.ts";
import classes from "./payment-dialog.module.css";
import type { OwnPayments } from "./queries.ts";

const COPIED_SHOWN_MS = 3000;

/** The price of a month and how to pay it, as staff wrote it. Numbers can be copied, https links opened. */
export function HowToPay({ price, details }: Pick<OwnPayments, "price" | "details">) {
  const { payments } = useCircle();
  const { language } = useSpeech();
  const [copied, setCopied] = useState<string | null>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    if (copied === null) return;
    const timer = setTimeout(() => setCopied(null), COPIED_SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async (number: string) => {
    try {
      await navigator.clipboard.writeText(number);
      setCopied(number);
      setFailed(false);
    } catch {
      setFailed(true);
    }
  };
  return (
    <section className={classes.how} aria-labelledby="how-to-pay">
      {price && (
        <p className={classes.price}>
          <strong>{moneyText(price.amount, price.currency, language)}</strong> {payments.perMonth}
        </p>
      )}
      <h3 id="how-to-pay" className={classes.heading}>
        {payments.how}
      </h3>
      {details === null ? (
        <p className={classes.quiet}>{payments.askHow}</p>
      ) : (
        <p className={classes.details}>
          {detailsParts(details).map((part, index) =>
            part.kind === "words" ? (
              part.text
            ) : part.kind === "link" ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place
              <a key={index} href={part.text} target="_blank" rel="noopener noreferrer" className="k-focus">
                {part.text}
              </a>
            ) : (
              <button
                // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place
                key={index}
                type="button"
                className={`${classes.number} k-focus`}
                aria-label={payments.copyNumber(part.text)}
                onClick={() => void copy(part.copied)}
              >
                {part.text}
                {copied === part.copied ? (
                  <IconCheck size={18} stroke={1.6} aria-hidden="true" />
                ) : (
                  <IconCopy size={18} stroke={1.6} aria-hidden="true" />
                )}
              </button>
            ),
          )}
        </p>
      )}
      <div>
        <span className="k-spoken" role="status">
          {copied === null ? "" : payments.copied}
        </span>
        <FormMessage bad={failed ? payments.copyFailed : null} />
      </div>
    </section>
  );
}
