import { IconRefresh } from "@tabler/icons-react";
import type { UseQueryResult } from "@tanstack/react-query";
import { ApiError, withReason } from "../../../lib/api.ts";
import { ageText, sizeText } from "../../../lib/format.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { speedText } from "../../../lib/speed-text.ts";
import { Ring } from "../../../ui/ring.tsx";
import type { LiveServer, Server } from "./queries.ts";
import classes from "./servers.module.css";
import { useServersWords } from "./words.ts";

const HOUR_S = 3_600;
const DAY_S = 24 * HOUR_S;

/** Live numbers of the machine in one strip, with their age and a button to refresh them. */
export function LiveNumbers({
  server,
  live,
  nowMs,
}: {
  server: Server;
  live: UseQueryResult<LiveServer>;
  nowMs: number;
}) {
  const words = useServersWords();
  const { text, language } = useSpeech();
  const { stats } = server;
  const speed = live.data?.speed;
  const number = (value: number, digits: number) =>
    value.toLocaleString(language === "ru" ? "ru" : "en", {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
  // Their room is kept until the first ones come, unless none will.
  const isShown = stats !== null || (server.why === null && !live.isError);
  const [days, hours] = [Math.floor((stats?.uptime ?? 0) / DAY_S), Math.floor(((stats?.uptime ?? 0) % DAY_S) / HOUR_S)];
  // Above, the card already says that its machine is away, and why.
  const isSaid = server.why !== null && live.error instanceof ApiError && live.error.code === "server.unreachable";
  const failure = isSaid ? words.statsFailed : withReason(words.statsFailed, live.error, text.failure.silent);
  const age = stats && ageText(Date.parse(stats.readAt), nowMs, text.age);
  return (
    <div className={classes.live}>
      {isShown && (
        <dl className={classes.strip} data-stale={live.isError || undefined}>
          <Figure label={words.cpu} more={stats && words.cores(stats.cpu.cores)} share={(stats?.cpu.usage ?? 0) / 100}>
            {stats && <>{stats.cpu.usage}&nbsp;%</>}
          </Figure>
          <Figure
            label={words.memory}
            more={stats && words.ofTotal(sizeText(stats.memory.used, language), sizeText(stats.memory.total, language))}
            share={stats ? stats.memory.used / Math.max(1, stats.memory.total) : 0}
          >
            {stats && <>{Math.round((100 * stats.memory.used) / Math.max(1, stats.memory.total))}&nbsp;%</>}
          </Figure>
          <Figure label={words.load} more={words.loadMore}>
            {stats?.load.map((value) => number(value, 2)).join("  ")}
          </Figure>
          <Figure label={words.uptime} more={days > 0 ? words.hours(hours) : ""}>
            {stats && (days > 0 ? words.days(days) : hours > 0 ? words.hours(hours) : words.lessThanHour)}
          </Figure>
          <Figure
            label={words.network}
            more={stats && words.inAndOut(sizeText(stats.network_in, language), sizeText(stats.network_out, language))}
          >
            {stats && sizeText(stats.network_in + stats.network_out, language)}
          </Figure>
          <Figure
            label={words.speed}
            more={
              speed
                ? words.speedOf(speedText(speed.received, language), speedText(speed.sent, language))
                : words.speedSoon
            }
          >
            {speed && speedText(speed.received + speed.sent, language)}
          </Figure>
        </dl>
      )}
      <div className={classes.liveFoot}>
        <div role="status">
          {live.isError && <p data-bad>{failure}</p>}
          {/* Displayed numbers have an age, above all if no newer ones arrive. */}
          {(age !== null || !live.isError) && <p>{age === null ? words.noStats : words.statsAge(age)}</p>}
        </div>
        <button
          type="button"
          className={`${classes.refresh} k-focus`}
          aria-label={words.refresh(server.name)}
          onClick={() => void live.refetch()}
        >
          {live.isFetching ? (
            <Ring state="wait" size={18} />
          ) : (
            <IconRefresh size={18} stroke={1.6} aria-hidden="true" />
          )}
          {words.refreshShort}
        </button>
      </div>
    </div>
  );
}

interface FigureProps {
  label: string;
  more: string | null;
  /** 0 to 1, if it is a share of something. */
  share?: number;
  children: React.ReactNode;
}

function Figure({ label, more, share, children }: FigureProps) {
  return (
    <div className={classes.figure}>
      <dt>{label}</dt>
      <dd>
        <b>{children ?? "—"}</b>
        {share !== undefined && (
          <span className={classes.bar} aria-hidden="true">
            <span style={{ width: `${Math.round(100 * Math.min(1, share))}%` }} />
          </span>
        )}
        <small>{more || "\u00a0"}</small>
      </dd>
    </div>
  );
}
