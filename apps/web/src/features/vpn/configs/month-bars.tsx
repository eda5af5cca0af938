import { daysUpTo } from "@krug/domain/traffic";
import { sizeText, writtenDay } from "../../../lib/format.ts";
import { useMemberText } from "../../../lib/i18n/member.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import classes from "./month-bars.module.css";
import type { DayOfTraffic, Month } from "./queries.ts";

const DAYS = 30;
/** Drawn in units of one day by one pixel. A day with any use is visible. */
const HEIGHT = 40;
const LEAST = 3;
const NONE = 1.5;
const GAP = 0.28;

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

function Bars({ month, days, nowMs }: { month: Month; days: readonly DayOfTraffic[]; nowMs: number }) {
  const { language } = useSpeech();
  const usedOn = new Map(days.map(({ day, received, sent }) => [day, received + sent]));
  const most = Math.max(...usedOn.values());
  return (
    <svg className={classes.bars} viewBox={`0 0 ${DAYS} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {daysUpTo(month.to, DAYS).map((day, place) => {
        const used = usedOn.get(day) ?? 0;
        const height = used === 0 ? NONE : Math.max(LEAST, (used / most) * HEIGHT);
        return (
          <g key={day} className={classes.day}>
            <title>{`${writtenDay(day, nowMs, language)}: ${sizeText(used, language)}`}</title>
            <rect className={classes.reach} x={place} y={0} width={1} height={HEIGHT} />
            <rect
              className={day === month.to ? classes.today : classes.bar}
              x={place + GAP / 2}
              y={HEIGHT - height}
              width={1 - GAP}
              height={height}
            />
          </g>
        );
      })}
    </svg>
  );
}
