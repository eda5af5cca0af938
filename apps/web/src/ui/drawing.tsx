import classes from "./drawing.module.css";

/** Its own units. It is stretched to the available room. */
const WIDTH = 1000;
const HEIGHT = 100;
/** Marks under the axis, as many as fit. */
const MARKS = { wide: 8, narrow: 4, few: 2 };

type Values = readonly (number | null)[];

interface Props {
  /** Amounts with a gridline, from 0 to the top. */
  lines: readonly number[];
  lineText: (amount: number) => string;
  /** A solid area, step by step. Null is unknown and leaves a gap. */
  first: Values;
  /** A dashed line. */
  second?: Values;
  /** The last step is still running, and next to a whole one it would look like a fall. */
  runs?: boolean;
  /** One of several stacked drawings. */
  low?: boolean;
  /** The label under the axis at this place. */
  mark: (place: number) => string;
  /** Each step's tooltip. */
  titles: readonly string[];
}

/** Draws one or two amounts over time, only for sighted readers: nearby text says the same. */
export function Drawing({ lines, lineText, first, second = [], runs = false, low = false, mark, titles }: Props) {
  const top = lines.at(-1) || 1;
  const count = first.length;
  const last = Math.max(1, count - 1);
  const x = (place: number) => ((place / last) * WIDTH).toFixed(2);
  const y = (amount: number) => (HEIGHT - (Math.min(top, amount) / top) * HEIGHT).toFixed(3);
  const path = (values: Values, { from, to }: Stretch) =>
    values
      .slice(from, to)
      .map((amount, at) => `${at === 0 ? "M" : "L"}${x(from + at)} ${y(amount ?? 0)}`)
      .join("");
  const area = (stretch: Stretch) =>
    `${path(first, stretch)}L${x(stretch.to - 1)} ${HEIGHT}L${x(stretch.from)} ${HEIGHT}Z`;
  const whole = runs ? count - 1 : count;
  const known = stretchesOf(first.slice(0, whole));
  const beside = stretchesOf(second.slice(0, whole));
  const running = { from: whole - 1, to: count };
  const end = first.at(-1);
  return (
    <div className={classes.drawing} data-low={low || undefined} aria-hidden="true">
      <div className={classes.amounts}>
        {lines.map((amount) => (
          <span key={amount} style={{ bottom: `${(amount / top) * 100}%` }}>
            {amount === 0 ? "0" : lineText(amount).replace(/[.,]0(?!\d)/, "")}
          </span>
        ))}
      </div>
      <div className={classes.field}>
        {/* biome-ignore lint/a11y/noSvgWithoutTitle: hidden from who cannot see it, for whom there are words */}
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none">
          {lines.map((amount) => (
            <line key={amount} className={classes.grid} x1={0} x2={WIDTH} y1={y(amount)} y2={y(amount)} />
          ))}
          {known.map((stretch) => (
            <path key={stretch.from} className={classes.area} d={area(stretch)} />
          ))}
          {known.map((stretch) => (
            <path key={stretch.from} className={classes.first} d={path(first, stretch)} />
          ))}
          {beside.map((stretch) => (
            <path key={stretch.from} className={classes.second} d={path(second, stretch)} />
          ))}
          {runs && (
            <g className={classes.running}>
              <path className={classes.first} d={path(first, running)} />
              {second.length > 0 && <path className={classes.second} d={path(second, running)} />}
            </g>
          )}
          {titles.map((title, place) => (
            <g key={title} className={classes.step}>
              <title>{title}</title>
              <rect x={x(place - 0.5)} y={0} width={WIDTH / last} height={HEIGHT} />
              <line x1={x(place)} x2={x(place)} y1={0} y2={HEIGHT} />
            </g>
          ))}
        </svg>
        {end != null && <span className={classes.end} style={{ bottom: `${(Math.min(top, end) / top) * 100}%` }} />}
        {(["wide", "narrow", "few"] as const).map((room) => (
          <div key={room} className={classes[room]}>
            {marksOf(count, MARKS[room]).map((place) => (
              <span
                key={place}
                style={{ left: `${(place / last) * 100}%` }}
                data-end={place === count - 1 || undefined}
              >
                {mark(place)}
              </span>
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}

/** Consecutive places with known values: the first one, and the one after the last. */
interface Stretch {
  from: number;
  to: number;
}

function stretchesOf(values: Values): Stretch[] {
  const found: Stretch[] = [];
  for (const [place, value] of values.entries()) {
    if (value === null) continue;
    const open = found.at(-1);
    if (open?.to === place) open.to = place + 1;
    else found.push({ from: place, to: place + 1 });
  }
  return found;
}

/** At equal distances back from the last step, which is always marked. */
function marksOf(count: number, most: number): number[] {
  const apart = Math.max(1, Math.ceil(count / most));
  const places: number[] = [];
  for (let place = count - 1; place >= apart / 2; place -= apart) places.unshift(place);
  return count === 1 ? [0] : places;
}
