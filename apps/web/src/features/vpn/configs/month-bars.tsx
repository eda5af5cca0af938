import { writtenDay } from "../../../lib/format.ts";
import { useMemberText } from "../../../lib/i18n/member.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { lazyPart } from "../../../ui/lazy.tsx";
import classes from "./month-bars.module.css";
import type { DayOfTraffic, Month } from "./queries.ts";

const Bars = lazyPart(() => import("./bars.tsx").then(({ Bars }) => Bars));

interface Props {
  name: string;
  nowMs: number;
  /** undefined while it loads, null if it failed. */
  month: Month | null | undefined;
  days: readonly DayOfTraffic[];
  /** Before the first connection the card says what to do, and this place stays empty. */
  everSeen: boolean;
  onTable: () => void;
}

/** A device's month as 30 bars, today's in the colour of text. A press shows the same as a table. */
export function MonthBars({ name, nowMs, month, days, everSeen, onTable }: Props) {
  const text = useMemberText();
  const { language } = useSpeech();
  const { card } = text;
  if (!month || days.length === 0) {
    const word = month === null ? card.monthFailed : month && everSeen ? card.monthNone : null;
    return (
      <div className={classes.month} data-empty>
        {word && <p className={classes.word}>{word}</p>}
      </div>
    );
  }
  return (
    <button
      type="button"
      className={`${classes.month} k-focus`}
      aria-label={card.monthTableOf(name)}
      aria-haspopup="dialog"
      onClick={onTable}
    >
      <Bars month={month} days={days} nowMs={nowMs} />
      <span className={classes.axis}>
        <span>{writtenDay(month.from, nowMs, language)}</span>
        <span className={classes.table}>{card.monthTable}</span>
        <span>{text.age.today}</span>
      </span>
    </button>
  );
}
