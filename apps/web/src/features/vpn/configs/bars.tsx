import { daysUpTo } from "@krug/domain/traffic";
import { sizeText, writtenDay } from "../../../lib/format.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import classes from "./bars.module.css";
import type { DayOfTraffic, Month } from "./queries.ts";

const DAYS = 30;
/** Drawn in units of one day by one pixel. A day with any use is visible. */
const HEIGHT = 40;
const LEAST = 3;
const NONE = 1.5;
const GAP = 0.28;

/** One bar a day. What is around them keeps their room until they have loaded. */
export function Bars({ month, days, nowMs }: { month: Month; days: readonly DayOfTraffic[]; nowMs: number }) {
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
