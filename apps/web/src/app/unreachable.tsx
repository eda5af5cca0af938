import { Button } from "@mantine/core";
import { IconDeviceLaptop, IconDeviceMobile, IconRefresh } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import type { Me } from "../features/access/auth/queries.ts";
import { OtherWays } from "../features/access/security-gate/other-ways.tsx";
import { cardState } from "../features/vpn/configs/card-state.ts";
import type { Config } from "../features/vpn/configs/queries.ts";
import { ApiError } from "../lib/api.ts";
import { clubNow } from "../lib/club-clock.ts";
import { sinceText } from "../lib/format.ts";
import { useMemberText } from "../lib/i18n/member.ts";
import { useSpeech } from "../lib/i18n/use-text.tsx";
import { useSilentSince } from "../lib/use-availability.ts";
import { useNow } from "../lib/use-now.ts";
import { Banner } from "../ui/banner.tsx";
import { Ring } from "../ui/ring.tsx";
import classes from "./unreachable.module.css";

const RETRY_EVERY_MS = 30_000;

interface Props {
  error: Error;
  onRetry: () => void;
  retrying: boolean;
  known: Config[] | undefined;
  knownAtMs: number;
  right: Me["entitlement"];
}

/** Then the cards stay below, and this says how old they are. */
export const isSilence = (error: Error | null) => error !== null && !(error instanceof ApiError);

/** What failed and since when, that the VPN keeps working, and the next attempt. After an error: the known facts in the past tense. */
export function Unreachable({ error, onRetry, retrying, known, knownAtMs, right }: Props) {
  const text = useMemberText();
  const { dashboard, common } = text;
  const { language } = useSpeech();
  const silentSince = useSilentSince();
  const [tryAt, setTryAt] = useState(() => clubNow() + RETRY_EVERY_MS);
  const now = useNow(1000);
  const leftS = Math.max(0, Math.ceil((tryAt - now) / 1000));

  useEffect(() => {
    if (!retrying) setTryAt(clubNow() + RETRY_EVERY_MS);
  }, [retrying]);
  const due = leftS === 0 && !retrying;
  useEffect(() => {
    if (due) onRetry();
  }, [due, onRetry]);

  const story =
    error instanceof ApiError
      ? error.status < 500 && error.message
        ? error.message
        : dashboard.serverFailed
      : dashboard.silentSince(sinceText(silentSince ?? now, now, language));
  const knownAt = dashboard.knownAt(sinceText(knownAtMs, now, language));
  return (
    <div className={classes.column}>
      <Banner tone="broken" live title={dashboard.loadFailed}>
        <p>{story}</p>
        <OtherWays />
        <div className={classes.retry}>
          <Button
            variant="outline"
            leftSection={retrying ? <Ring state="wait" size={20} /> : <IconRefresh size={20} stroke={1.6} />}
            onClick={() => !retrying && onRetry()}
          >
            {common.retry}
          </Button>
          <span className={classes.when} role="timer">
            {retrying ? dashboard.refreshing : dashboard.retryIn(leftS)}
          </span>
        </div>
      </Banner>
      {known && known.length > 0 && isSilence(error) && <KnownAt atMs={knownAtMs} nowMs={now} />}
      {known && known.length > 0 && !isSilence(error) && (
        <section aria-label={knownAt}>
          <p className={classes.knownAt}>{knownAt}</p>
          <ul>
            {known.map((config) => {
              const Device = config.deviceType === "phone" ? IconDeviceMobile : IconDeviceLaptop;
              return (
                <li key={config.id} className={classes.known}>
                  <Device size={22} stroke={1.6} aria-hidden="true" />
                  <strong>{config.name}</strong>
                  <span>{cardState(config, config.stats, right, now, { text, language }).past}</span>
                </li>
              );
            })}
          </ul>
        </section>
      )}
    </div>
  );
}

/** How old the cards below are while there is no connection. */
export function KnownAt({ atMs, nowMs }: { atMs: number; nowMs: number }) {
  const { dashboard } = useMemberText();
  const { language } = useSpeech();
  return <p className={classes.knownAt}>{dashboard.dataAt(sinceText(atMs, nowMs, language))}</p>;
}
