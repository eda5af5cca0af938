import { moneyText } from "@krug/domain/money-text";
import type { PaymentLength } from "@krug/domain/prepaid-months";
import { useId } from "react";
import { useCircle } from "../../../lib/i18n/circle.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { Question } from "../../../ui/choices.tsx";
import classes from "./length-field.module.css";

interface Length {
  months: PaymentLength;
  amount: string | null;
  currency: string;
}

interface Props {
  lengths: readonly Length[];
  value: PaymentLength;
  onChange: (months: PaymentLength) => void;
}

/** How many months are paid at once, each with its price. */
export function LengthField({ lengths, value, onChange }: Props) {
  const { payments } = useCircle();
  const { language } = useSpeech();
  const name = useId();
  return (
    <Question label={payments.length} className={classes.lengths}>
      {lengths.map(({ months, amount, currency }) => (
        <label key={months} className={classes.length} data-taken={months === value || undefined}>
          <input
            type="radio"
            name={name}
            className="k-spoken"
            checked={months === value}
            onChange={() => onChange(months)}
          />
          <span>{payments.months(months)}</span>
          {amount !== null && <b>{moneyText(amount, currency, language)}</b>}
          {amount !== null && months > 1 && (
            <small>{payments.aMonth(moneyText(String(Math.round(Number(amount) / months)), currency, language))}</small>
          )}
        </label>
      ))}
    </Question>
  );
}
