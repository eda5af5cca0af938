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
const quotaQuery = queryOptions({
  queryKey: ["me", "quota"],
  queryFn: ({ signal, client, queryKey }) =>
    api("GET /vpn/quota", { signal, background: client.getQueryData(queryKey) !== undefined }),
  refetchInterval: COUNTED_EVERY_MS,
});

/** How much of the month's traffic is used. If it is used up and the VPN stopped: why, and when it is back. */
export function QuotaLine({ cut, nowMs, onAsk }: { cut: boolean; nowMs: number; onAsk: (question: string) => void }) {
  const words = useQuotaWords();
  const { language } = useSpeech();
  const { data: quota } = useQuery(quotaQuery);
  if (!quota) return null;
  const { bytes, used, resetsAt } = quota;
  const day = writtenDay(clubDay(resetsAt), nowMs, language);
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
