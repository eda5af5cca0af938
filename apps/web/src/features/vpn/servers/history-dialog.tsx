import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { moment, sizeText } from "../../../lib/format.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { speedText } from "../../../lib/speed-text.ts";
import { Chart } from "../../../ui/chart.tsx";
import { Drawing } from "../../../ui/drawing.tsx";
import { HistorySheet, type Span } from "../../../ui/history-sheet.tsx";
import { linesUpTo } from "../../../ui/scale.ts";
import { atEachStep, markOf } from "../../../ui/steps-of-time.ts";
import { inTheSpan } from "./history.ts";
import classes from "./history-dialog.module.css";
import { type History, historyQuery, type Server } from "./queries.ts";
import { useServersWords } from "./words.ts";

/** The load of a server's machine over time. */
export function HistoryDialog({ server, onClose }: { server: Server; onClose: () => void }) {
  const { history: words } = useServersWords();
  const [span, setSpan] = useState<Span>("day");
  const history = useQuery(historyQuery(server.id, span));
  return (
    <HistorySheet
      title={words.title(server.name)}
      words={words}
      span={span}
      onSpan={setSpan}
      history={history}
      onClose={onClose}
    >
      {(found) => <Charts history={found} />}
    </HistorySheet>
  );
}

type Point = History["points"][number];

function Charts({ history }: { history: History }) {
  const { history: words } = useServersWords();
  const { language } = useSpeech();
  if (history.points.length === 0) return <p className={classes.none}>{words.none}</p>;
  const steps = atEachStep(history);
  const percent = (value: number) => `${value.toLocaleString(language, { maximumFractionDigits: 0 })}\u00a0%`;
  const size = (bytes: number) => sizeText(bytes, language);
  const speed = (bytes: number) => speedText(bytes, language);
  const axis = {
    low: true,
    mark: (place: number) => markOf(steps[place]?.at ?? 0, history.step),
    titles: steps.map(({ at, point }) => {
      const told = point
        ? `${words.cpu} ${percent(point.cpu)}, ${words.load} ${point.load.toLocaleString(language)}, ${words.memory} ${size(point.memory)}, ${words.received} ${speed(point.received)}, ${words.sent} ${speed(point.sent)}`
        : words.unknown;
      return `${moment(at, language)}: ${told}`;
    }),
  };
  const each = (of: (point: Point) => number) => steps.map(({ point }) => (point === null ? null : of(point)));
  const summary = (of: (point: Point) => number, text: (amount: number) => string) => {
    const { mean, most, at } = inTheSpan(history.points, of);
    return words.summary(text(mean), text(most), moment(Date.parse(at), language));
  };
  const memoryTotal = Math.max(...history.points.map((point) => point.memoryTotal));
  const fastest = Math.max(...history.points.map(({ received, sent }) => Math.max(received, sent)));
  return (
    <div className={classes.charts}>
      <Chart title={words.cpu} summary={summary(({ cpu }) => cpu, percent)}>
        <Drawing {...axis} lines={[0, 50, 100]} lineText={percent} first={each(({ cpu }) => cpu)} />
      </Chart>
      <Chart title={words.memory} summary={summary(({ memory }) => memory, size)}>
        <Drawing {...axis} lines={linesUpTo(memoryTotal)} lineText={size} first={each(({ memory }) => memory)} />
      </Chart>
      <Chart
        title={words.network}
        summary={`${words.received}: ${lower(summary(({ received }) => received, speed))}`}
        more={`${words.sent}: ${lower(summary(({ sent }) => sent, speed))}`}
      >
        <Drawing
          {...axis}
          lines={linesUpTo(fastest * 8, 1000)}
          lineText={(bits) => speed(bits / 8)}
          first={each(({ received }) => received * 8)}
          second={each(({ sent }) => sent * 8)}
        />
      </Chart>
      {history.points.length < steps.length && <p className={classes.gaps}>{words.gaps}</p>}
    </div>
  );
}

const lower = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);
