import { quotaStage } from "@krug/domain/quota-rules";
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { clubDay, sizeText, writtenDay } from "../../../lib/format.ts";
import { useQuotaWords } from "../../../lib/i18n/quota.ts";
import { useSpeedWords } from "../../../lib/i18n/speed.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { polledQuery } from "../../../lib/query.ts";
import { Banner } from "../../../ui/banner.tsx";
import type { Me } from "../../access/auth/index.ts";
import classes from "./limit-lines.module.css";

/** The panel counts once a minute. */
const COUNTED_EVERY_MS = 60_000;

/** Keyed below the member's own query: a change there may change this. */
const quotaQuery = polledQuery(["me", "quota"], "GET /vpn/quota", { refetchInterval: COUNTED_EVERY_MS });

interface Props {
  me: Me;
  hasQuota: boolean;
  /** It is used up, and the VPN stopped. */
  cut: boolean;
  nowMs: number;
  onAsk: (question: string) => void;
}

/**
 * How fast the member may be, and how much of the month's traffic is used. Once it is used up: why the VPN is slow or off, and until
 * when. Loads only for members with a limit.
 */
export function LimitLines({ me, hasQuota, cut, nowMs, onAsk }: Props) {
  const words = useQuotaWords();
  const speed = useSpeedWords();
  const { language } = useSpeech();
  const { data } = useQuery({ ...quotaQuery, enabled: hasQuota });
  const quota = hasQuota && data ? data : null;
  const isOver = quota !== null && quotaStage(quota.used, quota.bytes) === "used_up";
  const slow = isOver ? quota.slowMbit : null;
  const day = quota && writtenDay(clubDay(quota.resetsAt), nowMs, language);
  const all = quota && sizeText(quota.bytes, language);
  const ask = (variant: "outline" | "subtle") => (
    <Button
      variant={variant}
      {...(variant === "subtle" && { className: classes.ask ?? "" })}
      onClick={() => onAsk(words.question)}
    >
      {words.ask}
    </Button>
  );
  return (
    <>
      {me.speedMbit !== null && slow === null && (
        <p className={classes.line}>{speed.upTo(me.speedMbit.toLocaleString(language))}</p>
      )}
      {quota && day && all && (
        <p className={classes.line}>
          <progress
            className={classes.bar}
            aria-label={words.label}
            value={Math.min(quota.used, quota.bytes)}
            max={quota.bytes}
            data-stage={quotaStage(quota.used, quota.bytes)}
          />
          <span>
            {words.used(sizeText(quota.used, language), all)},{" "}
            <span className={classes.reset}>{words.resets(day)}</span>
          </span>
        </p>
      )}
      {slow !== null && day && (
        <p className={classes.line}>
          {words.slow(day, slow.toLocaleString(language))} {ask("subtle")}
        </p>
      )}
      {cut && day && all && (
        <div className={classes.over}>
          <Banner tone="move" title={words.over} action={ask("outline")}>
            {words.overMore(all, day)}
          </Banner>
        </div>
      )}
    </>
  );
}
