import { HIGHEST_SPEED_MBIT } from "@krug/domain/speed-rules";
import { useSpeedWords } from "../lib/i18n/speed.ts";
import { LimitField } from "./limit-field.tsx";

/** A speed limit as form fields. */
export interface WishedSpeed {
  hasSpeed: boolean;
  /** Mbit/s, as typed. */
  speed: string;
}

export const speedFields = (mbit: number | null): WishedSpeed => ({
  hasSpeed: mbit !== null,
  speed: mbit === null ? "" : String(mbit),
});

/** Mbit/s; null: any. */
export const speedOf = ({ hasSpeed, speed }: WishedSpeed): number | null => (hasSpeed ? Number(speed) : null);

/** Whether what was typed is a speed that can be set. */
export const isMbit = (typed: string): boolean =>
  /^\d+$/.test(typed) && Number(typed) >= 1 && Number(typed) <= HIGHEST_SPEED_MBIT;

export const isSpeedWrong = ({ hasSpeed, speed }: WishedSpeed): boolean => hasSpeed && !isMbit(speed);

interface Props {
  value: WishedSpeed;
  onChange: (change: Partial<WishedSpeed>) => void;
  /** Shown as long as the value is wrong. */
  isWrong: boolean;
}

/** How fast a member may be. */
export function SpeedField({ value, onChange, isWrong }: Props) {
  const words = useSpeedWords();
  return (
    <LimitField
      words={words}
      isLimited={value.hasSpeed}
      typed={value.speed}
      onLimit={(hasSpeed) => onChange({ hasSpeed })}
      onType={(speed) => onChange({ speed })}
      inputMode="numeric"
      problem={isWrong && words.wrong}
    />
  );
}
