import { Button } from "@mantine/core";
import { IconTable } from "@tabler/icons-react";
import { useId, useState } from "react";
import { sizeText } from "../../../lib/format.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { Drawing } from "../../../ui/drawing.tsx";
import figures from "../../../ui/figures.module.css";
import { Panel } from "../../../ui/panel.tsx";
import { linesUpTo } from "../../../ui/scale.ts";
import classes from "./chart.module.css";
import type { Traffic } from "./queries.ts";
import { isRunning, stepMark, stepText } from "./step-text.ts";
import { useStatisticsWords } from "./words.ts";

interface Props {
  traffic: Traffic;
  nowMs: number;
}

/** What devices received and sent, step by step: a solid area and a dashed line, and the same as a table. `children`: shown above it. */
export function Chart({ traffic, nowMs, children }: Props & { children?: React.ReactNode }) {
  const { chart: words } = useStatisticsWords();
  const [asTable, setAsTable] = useState(false);
  const tableId = useId();
  const { steps, step } = traffic;
  const isEmpty = traffic.received + traffic.sent === 0;
  return (
    <Panel
      title={words.title[step]}
      beside={
        <span className={classes.legend} aria-hidden="true">
          <i className={classes.solid} />
          {words.received}
          <i className={classes.dashed} />
          {words.sent}
        </span>
      }
    >
      {children}
      {isEmpty ? <p className={classes.empty}>{words.empty}</p> : <TrafficDrawing traffic={traffic} nowMs={nowMs} />}
      <Button
        variant="subtle"
        className={classes.turn ?? ""}
        aria-expanded={asTable}
        aria-controls={tableId}
        leftSection={<IconTable size={20} stroke={1.6} aria-hidden="true" />}
        onClick={() => setAsTable(!asTable)}
      >
        {asTable ? words.hideTable : words.table}
      </Button>
      <div id={tableId}>{asTable && <Figures steps={steps} traffic={traffic} nowMs={nowMs} />}</div>
    </Panel>
  );
}

function TrafficDrawing({ traffic: { steps, step, zone }, nowMs }: Props) {
  const { language } = useSpeech();
  const { chart: words } = useStatisticsWords();
  const size = (bytes: number) => sizeText(bytes, language);
  const end = steps.at(-1);
  const runs = steps.length > 1 && end !== undefined && isRunning(end.at, step, zone, nowMs);
  return (
    <Drawing
      lines={linesUpTo(Math.max(...steps.map(({ received, sent }) => Math.max(received, sent))))}
      lineText={size}
      first={steps.map(({ received }) => received)}
      second={steps.map(({ sent }) => sent)}
      runs={runs}
      mark={(place) => stepMark(steps[place]?.at ?? "", step, language)}
      titles={steps.map(
        (of) =>
          `${stepText(of.at, step, nowMs, language)}${runs && of === end ? words.running : ""}: ${words.received} ${size(of.received)}, ${words.sent} ${size(of.sent)}`,
      )}
    />
  );
}

function Figures({ steps, traffic, nowMs }: Props & { steps: Traffic["steps"] }) {
  const { chart: words } = useStatisticsWords();
  const { language } = useSpeech();
  const size = (bytes: number) => sizeText(bytes, language);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be scrolled by keys
    <section className={`${classes.figures} ${figures.table} k-focus`} tabIndex={0} aria-label={words.figures}>
      <table>
        <thead>
          <tr>
            <th scope="col">{words.step[traffic.step]}</th>
            <th scope="col">{words.received}</th>
            <th scope="col">{words.sent}</th>
          </tr>
        </thead>
        <tbody>
          <tr data-total>
            <th scope="row">{words.total}</th>
            <td>{size(traffic.received)}</td>
            <td>{size(traffic.sent)}</td>
          </tr>
          {steps.toReversed().map(({ at, received, sent }, back) => (
            <tr key={at}>
              <th scope="row">
                {stepText(at, traffic.step, nowMs, language)}
                {back === 0 && isRunning(at, traffic.step, traffic.zone, nowMs) && words.running}
              </th>
              <td>{size(received)}</td>
              <td>{size(sent)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
