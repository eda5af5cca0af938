import { REFERRAL_FRIENDS } from "@krug/domain/referral";
import classes from "./arcs.module.css";

const ARC_DEG = 360 / REFERRAL_FRIENDS;
const GAP_DEG = 24;

/** Three arcs, one for each friend who counts; `count` of them are lit. A nearby text says the same. Sizes in px. */
export function Arcs({ count, size, thickness }: { count: number; size: number; thickness: number }) {
  const centre = size / 2;
  return (
    <svg className={classes.arcs} width={size} height={size} viewBox={`0 0 ${size} ${size}`} aria-hidden="true">
      {Array.from({ length: REFERRAL_FRIENDS }, (_, index) => (
        <circle
          // biome-ignore lint/suspicious/noArrayIndexKey: an arc is its place
          key={index}
          cx={centre}
          cy={centre}
          r={centre - thickness / 2}
          strokeWidth={thickness}
          pathLength={360}
          strokeDasharray={`${ARC_DEG - GAP_DEG} ${360 - ARC_DEG + GAP_DEG}`}
          transform={`rotate(${index * ARC_DEG - 90 + GAP_DEG / 2} ${centre} ${centre})`}
          data-lit={index < count || undefined}
        />
      ))}
    </svg>
  );
}
