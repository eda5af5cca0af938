import { Button } from "@mantine/core";
import { IconTable } from "@tabler/icons-react";
import { useId, useState } from "react";
import { sizeText } from "../../lib/format.ts";
import { useSpeech } from "../../lib/i18n/use-text.tsx";
import figures from "../../ui/figures.module.css";
import { Panel } from "../../ui/panel.tsx";
import classes from "./chart.module.css";
import type { Traffic } from "./queries.ts";
import { linesUpTo } from "./scale.ts";
import { isRunning, stepMark, stepText } from "./step-text.ts";
import { useStatisticsWords } from "./words.ts";

/** The drawing's own units; it is stretched to the room there is. */
const WIDTH = 1000;
const HEIGHT = 100;
/** Marks under the axis, as many as fit. */
const MARKS = { wide: 8, narrow: 4 };

interface Props {
  traffic: Traffic;
  nowMs: number;
}

/** What devices received and sent, step by step: a solid area and a dashed line, and the same as a table. `children`: above it, what it shows. */
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
      {isEmpty ? <p className={classes.empty}>{words.empty}</p> : <Drawing traffic={traffic} nowMs={nowMs} />}
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

function Drawing({ traffic: { steps, step, zone }, nowMs }: Props) {
  const { language } = useSpeech();
  const { chart: words } = useStatisticsWords();
  const lines = linesUpTo(Math.max(...steps.map(({ received, sent }) => Math.max(received, sent))));
  const top = lines.at(-1) ?? 1;
  const last = Math.max(1, steps.length - 1);
  const x = (place: number) => (place / last) * WIDTH;
  const y = (bytes: number) => HEIGHT - (bytes / top) * HEIGHT;
  type BytesOf = (of: Traffic["steps"][number]) => number;
  const path = (bytesOf: BytesOf, from: number, to: number) =>
    steps
      .slice(from, to)
      .map((of, at) => `${at === 0 ? "M" : "L"}${x(from + at).toFixed(2)} ${y(bytesOf(of)).toFixed(3)}`)
      .join("");
  const end = steps.at(-1);
  // The hour that still runs would look like a fall.
  const runs = steps.length > 1 && end !== undefined && isRunning(end.at, step, zone, nowMs);
  const whole = runs ? steps.length - 1 : steps.length;
  const received = path((of) => of.received, 0, whole);
  const share = (place: number) => `${(place / last) * 100}%`;
  return (
    <div className={classes.drawing} aria-hidden="true">
      <div className={classes.amounts}>
        {lines.map((bytes) => (
          <span key={bytes} style={{ bottom: `${(bytes / top) * 100}%` }}>
            {bytes === 0 ? "0" : sizeText(bytes, language).replace(/[.,]0(?!\d)/, "")}
          </span>
        ))}
      </div>
      <div className={classes.field}>
        {/* biome-ignore lint/a11y/noSvgWithoutTitle: hidden from who cannot see it, for whom there is the table */}
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none">
          {lines.map((bytes) => (
            <line key={bytes} className={classes.grid} x1={0} x2={WIDTH} y1={y(bytes)} y2={y(bytes)} />
          ))}
          <path className={classes.area} d={`${received}L${x(whole - 1)} ${HEIGHT}L0 ${HEIGHT}Z`} />
          <path className={classes.received} d={received} />
          <path className={classes.sent} d={path((of) => of.sent, 0, whole)} />
          {runs && (
            <g className={classes.running}>
              <path className={classes.received} d={path((of) => of.received, whole - 1, steps.length)} />
              <path className={classes.sent} d={path((of) => of.sent, whole - 1, steps.length)} />
            </g>
          )}
          {steps.map((of, place) => (
            <g key={of.at} className={classes.step}>
              <title>
                {`${stepText(of.at, step, nowMs, language)}${runs && of === end ? words.running : ""}: ${words.received} ${sizeText(of.received, language)}, ${words.sent} ${sizeText(of.sent, language)}`}
              </title>
              <rect x={x(place - 0.5)} y={0} width={WIDTH / last} height={HEIGHT} />
              <line x1={x(place)} x2={x(place)} y1={0} y2={HEIGHT} />
            </g>
          ))}
        </svg>
        {end && <span className={classes.end} style={{ bottom: `${(end.received / top) * 100}%` }} />}
        {(["wide", "narrow"] as const).map((room) => (
          <div key={room} className={classes[room]}>
            {marksOf(steps.length, MARKS[room]).map((place) => (
              <span key={place} style={{ left: share(place) }} data-end={place === steps.length - 1 || undefined}>
                {stepMark(steps[place]?.at ?? "", step, language)}
              </span>
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}

/** At equal distances back from the last step, which is always marked. */
function marksOf(count: number, most: number): number[] {
  const apart = Math.max(1, Math.ceil(count / most));
  const places: number[] = [];
  for (let place = count - 1; place >= apart / 2; place -= apart) places.unshift(place);
  return count === 1 ? [0] : places;
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
