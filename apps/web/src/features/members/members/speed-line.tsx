import { useSpeedWords } from "../../../lib/i18n/speed.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import classes from "./quota-line.module.css";

/** How fast the member may be. Loads only for members with a limit. */
export function SpeedLine({ mbit }: { mbit: number }) {
  const words = useSpeedWords();
  const { language } = useSpeech();
  return <p className={classes.line}>{words.upTo(mbit.toLocaleString(language))}</p>;
}
