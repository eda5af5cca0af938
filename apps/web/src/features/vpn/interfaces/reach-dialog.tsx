import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { moment } from "../../../lib/format.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { Banner } from "../../../ui/banner.tsx";
import { Chart } from "../../../ui/chart.tsx";
import { Drawing } from "../../../ui/drawing.tsx";
import { HistorySheet, type Span } from "../../../ui/history-sheet.tsx";
import { linesUpTo } from "../../../ui/scale.ts";
import { atEachStep, markOf } from "../../../ui/steps-of-time.ts";
import type { Interface } from "../servers/index.ts";
import classes from "./interfaces.module.css";
import { type Reach, reachQuery } from "./reach.ts";
import { useInterfacesWords } from "./words.ts";

/** How many devices of an interface should have been online, and how many were: a block is a sudden drop. */
export function ReachDialog({ row, onClose }: { row: Interface; onClose: () => void }) {
  const { reach: words } = useInterfacesWords();
  const { language } = useSpeech();
  const [span, setSpan] = useState<Span>("day");
  const history = useQuery(reachQuery(row.id, span));
  const gone = row.goneSince !== null && (
    <div className={classes.above}>
      <Banner tone="broken" title={words.gone(moment(Date.parse(row.goneSince), language))}>
        {words.goneMore}
      </Banner>
    </div>
  );
  return (
    <HistorySheet
      title={words.title(row.name)}
      words={words}
      span={span}
      onSpan={setSpan}
      history={history}
      above={gone}
      onClose={onClose}
    >
      {(reach) => <ReachChart reach={reach} />}
    </HistorySheet>
  );
}

function ReachChart({ reach }: { reach: Reach }) {
  const { reach: words } = useInterfacesWords();
  const { language } = useSpeech();
  const newest = reach.points.at(-1);
  if (newest === undefined) return <p className={classes.none}>{words.none}</p>;
  const steps = atEachStep(reach);
  const count = (amount: number) => amount.toLocaleString(language, { maximumFractionDigits: 0 });
  const most = Math.max(...reach.points.map(({ expected }) => expected));
  return (
    <div className={classes.reach}>
      <Chart
        title={words.devices}
        summary={words.online(count(newest.online), moment(Date.parse(newest.at), language))}
        more={words.expected(count(newest.expected))}
      >
        <Drawing
          low
          mark={(place) => markOf(steps[place]?.at ?? 0, reach.step)}
          titles={steps.map(
            ({ at, point }) =>
              `${moment(at, language)}: ${point ? words.of(count(point.online), count(point.expected)) : words.unknown}`,
          )}
          lines={linesUpTo(most)}
          lineText={count}
          first={steps.map(({ point }) => point?.online ?? null)}
          second={steps.map(({ point }) => point?.expected ?? null)}
        />
      </Chart>
      <p>{words.explained}</p>
      {reach.points.length < steps.length && <p>{words.gaps}</p>}
    </div>
  );
}
