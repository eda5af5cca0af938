import classes from "./big-circle.module.css";

const SEATS = 13;
const YOURS = 172;
const R = 100;

const seat = (index: number) => {
  const angle = ((YOURS + (index * 360) / SEATS) * Math.PI) / 180;
  return { x: Math.round(R * Math.cos(angle) * 100) / 100, y: Math.round(R * Math.sin(angle) * 100) / 100 };
};
const YOU = seat(0);
const OTHERS = Array.from({ length: SEATS - 1 }, (_, index) => seat(index + 1));

/** The pen line's mean width and how far it shifts to the far side, in hundredths of the radius. */
const PEN = { free: { thick: 1.2, lean: 0.2 }, taken: { thick: 1.5, lean: 0.29 }, closed: { thick: 2, lean: 0.35 } };

/**
 * The club as a ring of people drawn with one pen line, thin at your seat and thick across from it.
 * `free`: the seat waits for you; `taken`: it is yours; `closed`: a device has joined and the whole ring is green.
 */
export function BigCircle({ you, label }: { you: "free" | "taken" | "closed"; label?: string }) {
  const { thick, lean } = PEN[you];
  const shift = { x: (YOU.x / R) * lean, y: (YOU.y / R) * lean };
  const outer = R + thick / 2;
  const inner = R - thick / 2;
  return (
    <div className={classes.circle} data-you={you}>
      <svg viewBox="-106 -106 212 212" aria-hidden="true">
        <defs>
          <radialGradient id="pool" cx="0.53" cy="0.36" r="0.68">
            <stop offset="0" stopColor="var(--k-pool-centre)" />
            <stop offset="1" stopColor="var(--k-pool-edge)" />
          </radialGradient>
        </defs>
        <circle r={R} fill="url(#pool)" />
        <path
          className={classes.pen}
          fillRule="evenodd"
          d={`${ringPath(outer, -shift.x, -shift.y)} ${ringPath(inner, shift.x, shift.y)}`}
        />
        {OTHERS.map(({ x, y }) => (
          <g key={`${x},${y}`}>
            <circle className={classes.halo} cx={x} cy={y} r="3.1" />
            <circle className={classes.person} cx={x} cy={y} r="1.85" />
          </g>
        ))}
        <circle className={classes.halo} cx={YOU.x} cy={YOU.y} r={you === "closed" ? 4.4 : 7.2} />
        {you === "free" && <circle className={classes.freeSeat} cx={YOU.x} cy={YOU.y} r="5.4" pathLength="13" />}
        {you === "taken" && (
          <>
            <circle className={classes.yourRing} cx={YOU.x} cy={YOU.y} r="4.9" />
            <circle className={classes.yourDot} cx={YOU.x} cy={YOU.y} r="2.25" />
          </>
        )}
        {you === "closed" && (
          <>
            <circle className={classes.yourRing} cx={YOU.x} cy={YOU.y} r="4.3" />
            <circle className={classes.yourDot} cx={YOU.x} cy={YOU.y} r="2.2" />
          </>
        )}
      </svg>
      {label && <span className={classes.label}>{label}</span>}
    </div>
  );
}

function ringPath(radius: number, x: number, y: number) {
  return `M${x - radius},${y}a${radius},${radius} 0 1 0 ${radius * 2},0a${radius},${radius} 0 1 0 ${-radius * 2},0Z`;
}
