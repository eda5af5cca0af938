import { monthsAfter } from "@krug/domain/period";
import { ActionIcon, Button } from "@mantine/core";
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import classes from "./staff-payments.module.css";
import { useStaffPaymentsWords } from "./staff-words.ts";
import { monthText } from "./wording.ts";

interface Props {
  /** YYYY-MM */
  period: string;
  currentPeriod: string;
  /** The last month that was paid ahead. */
  lastPeriod: string;
  onChange: (period: string) => void;
}

/** Switches to another month of the club's calendar. Future months are shown as far as somebody has paid ahead. */
export function MonthSwitch({ period, currentPeriod, lastPeriod, onChange }: Props) {
  const { month: words } = useStaffPaymentsWords();
  const { language } = useSpeech();
  const isLast = period >= lastPeriod;
  return (
    <fieldset className={classes.months}>
      <legend className="k-spoken">{words.label}</legend>
      <ActionIcon aria-label={words.previous} onClick={() => onChange(monthsAfter(period, -1))}>
        <IconChevronLeft size={22} stroke={1.6} />
      </ActionIcon>
      <h2 className={classes.month} aria-live="polite">
        {monthText(period, language)}
      </h2>
      <ActionIcon
        aria-label={words.next}
        aria-disabled={isLast || undefined}
        className={classes.next ?? ""}
        onClick={() => isLast || onChange(monthsAfter(period, 1))}
      >
        <IconChevronRight size={22} stroke={1.6} />
      </ActionIcon>
      {period !== currentPeriod && (
        <Button variant="subtle" onClick={() => onChange(currentPeriod)}>
          {words.toCurrent}
        </Button>
      )}
    </fieldset>
  );
}
