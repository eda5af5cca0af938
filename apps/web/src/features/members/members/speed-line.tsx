import { useQuery } from "@tanstack/react-query";
import { useSpeedWords } from "../../../lib/i18n/speed.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import classes from "./quota-line.module.css";
import { quotaQuery, slowedTo } from "./quota-line.tsx";

/** How fast the member may be, unless a used-up quota slows them down. Loads only for members with a limit. */
export function SpeedLine({ mbit, hasQuota }: { mbit: number; hasQuota: boolean }) {
  const words = useSpeedWords();
  const { language } = useSpeech();
  const { data: quota } = useQuery({ ...quotaQuery, enabled: hasQuota });
  if (hasQuota && quota && slowedTo(quota) !== null) return null;
  return <p className={classes.line}>{words.upTo(mbit.toLocaleString(language))}</p>;
}
