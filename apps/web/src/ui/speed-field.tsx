import { HIGHEST_SPEED_MBIT } from "@krug/domain/speed-rules";
import { Checkbox, TextInput } from "@mantine/core";
import { useSpeedWords } from "../lib/i18n/speed.ts";
import classes from "./quota-fields.module.css";

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

export const isSpeedWrong = ({ hasSpeed, speed }: WishedSpeed): boolean =>
  hasSpeed && !(/^\d+$/.test(speed) && Number(speed) >= 1 && Number(speed) <= HIGHEST_SPEED_MBIT);

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
    <div className={classes.pair}>
      <TextInput
        label={words.label}
        description={words.hint}
        inputMode="numeric"
        value={value.hasSpeed ? value.speed : ""}
        disabled={!value.hasSpeed}
        onChange={(event) => onChange({ speed: event.currentTarget.value.trim() })}
        error={isWrong && words.wrong}
        autoComplete="off"
      />
      <Checkbox
        label={words.none}
        checked={!value.hasSpeed}
        onChange={(event) => onChange({ hasSpeed: !event.currentTarget.checked })}
      />
    </div>
  );
}
