import classes from "./pulse.module.css";

const WIDTH = 100;
const HEIGHT = 32;

/** Amounts over time as an area. The figure next to it says the same. */
export function Wave({ amounts }: { amounts: readonly number[] }) {
  const most = Math.max(1, ...amounts);
  const last = Math.max(1, amounts.length - 1);
  const line = amounts
    .map((amount, place) => {
      const x = ((place / last) * WIDTH).toFixed(1);
      return `${place === 0 ? "M" : "L"}${x} ${(HEIGHT - 1 - (amount / most) * (HEIGHT - 2)).toFixed(1)}`;
    })
    .join("");
  return (
    <svg className={classes.picture} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <path className={classes.area} d={`${line}L${WIDTH} ${HEIGHT}L0 ${HEIGHT}Z`} />
      <path className={classes.line} d={line} />
    </svg>
  );
}

/** Amounts side by side; the last one is still growing. */
export function Bars({ amounts }: { amounts: readonly number[] }) {
  const most = Math.max(1, ...amounts);
  const wide = WIDTH / amounts.length;
  return (
    <svg className={classes.picture} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {amounts.map((amount, place) => {
        const height = Math.max(1, (amount / most) * HEIGHT);
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place
            key={place}
            x={place * wide + 1}
            width={wide - 2}
            y={HEIGHT - height}
            height={height}
            data-last={place === amounts.length - 1 || undefined}
          />
        );
      })}
    </svg>
  );
}

/** A part of a whole. */
export const Share = ({ of, all }: { of: number; all: number }) => (
  <svg className={classes.picture} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
    <rect data-rest x={0} width={WIDTH} y={HEIGHT - 8} height={8} />
    <rect x={0} width={all === 0 ? 0 : (of / all) * WIDTH} y={HEIGHT - 8} height={8} />
  </svg>
);
