import type { OwnQuotaAnswer } from "@krug/contract/vpn/traffic";
import { quotaStage } from "@krug/domain/quota-rules";
import { Button } from "@mantine/core";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../../../lib/api.ts";
import { clubDay, sizeText, writtenDay } from "../../../lib/format.ts";
import { useQuotaWords } from "../../../lib/i18n/quota.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { Banner } from "../../../ui/banner.tsx";
import classes from "./quota-line.module.css";

/** The panel counts once a minute. */
const COUNTED_EVERY_MS = 60_000;

/** Keyed below the member's own query: a change there may change this. */
export const quotaQuery = queryOptions({
  queryKey: ["me", "quota"],
  queryFn: ({ signal, client, queryKey }) =>
    api("GET /vpn/quota", { signal, background: client.getQueryData(queryKey) !== undefined }),
  refetchInterval: COUNTED_EVERY_MS,
});

/** How fast the member is until the month ends, Mbit/s; null while their quota does not slow them down. */
export const slowedTo = ({ bytes, used, slowMbit }: OwnQuotaAnswer): number | null =>
  quotaStage(used, bytes) === "used_up" ? slowMbit : null;

/** How much of the month's traffic is used. If it is used up and the VPN stopped: why, and when it is back. */
export function QuotaLine({ cut, nowMs, onAsk }: { cut: boolean; nowMs: number; onAsk: (question: string) => void }) {
  const words = useQuotaWords();
  const { language } = useSpeech();
  const { data: quota } = useQuery(quotaQuery);
  if (!quota) return null;
  const { bytes, used, resetsAt } = quota;
  const day = writtenDay(clubDay(resetsAt), nowMs, language);
  const slow = slowedTo(quota);
  const all = sizeText(bytes, language);
  return (
    <>
      <p className={classes.line}>
        <progress
          className={classes.bar}
          aria-label={words.label}
          value={Math.min(used, bytes)}
          max={bytes}
          data-stage={quotaStage(used, bytes)}
        />
        <span>
          {words.used(sizeText(used, language), all)}, <span className={classes.reset}>{words.resets(day)}</span>
        </span>
      </p>
      {slow !== null && (
        <p className={classes.line}>
          {words.slow(day, slow.toLocaleString(language))}
          <Button variant="subtle" onClick={() => onAsk(words.question)}>
            {words.ask}
          </Button>
        </p>
      )}
      {cut && (
        <div className={classes.over}>
          <Banner
            tone="move"
            title={words.over}
            action={
              <Button variant="outline" onClick={() => onAsk(words.question)}>
                {words.ask}
              </Button>
            }
          >
            {words.overMore(all, day)}
          </Banner>
        </div>
      )}
    </>
  );
}
