import { isActiveHandshake } from "@krug/domain/handshake";
import { useQuery } from "@tanstack/react-query";
import { ageText, sizeText } from "../../lib/format.ts";
import { useSpeech } from "../../lib/i18n/use-text.tsx";
import cells from "../../ui/cells.module.css";
import { Line, Lines } from "../../ui/lines.tsx";
import { LoadFailed } from "../../ui/load-failed.tsx";
import { Panel } from "../../ui/panel.tsx";
import type { RingState } from "../../ui/ring.tsx";
import { configsOfQuery } from "./queries.ts";
import { useUsersWords } from "./words.ts";

interface Props {
  memberId: string;
  /** null: unlimited. */
  limit: number | null;
  nowMs: number;
}

/** A member's configs and what each has used in its life. */
export function ConfigsOf({ memberId, limit, nowMs }: Props) {
  const { page: words, list } = useUsersWords();
  const { text, language } = useSpeech();
  const configs = useQuery(configsOfQuery(memberId));
  const count =
    configs.data && (limit === null ? configs.data.length : list.configsOf(configs.data.length, String(limit)));
  return (
    <Panel title={words.configs} count={count}>
      {configs.isError && (
        <LoadFailed title={words.configsFailed} error={configs.error} onRetry={() => void configs.refetch()} />
      )}
      {configs.data?.length === 0 && <p className={cells.quiet}>{words.noConfigs}</p>}
      <Lines>
        {configs.data?.map(({ id, name, serverName, state, isBlocked, stats }) => {
          const ring: RingState = isBlocked
            ? "bad"
            : state === "pending"
              ? "wait"
              : stats.lastHandshake === null
                ? "never"
                : isActiveHandshake(stats.lastHandshake, nowMs)
                  ? "on"
                  : "idle";
          return (
            <Line
              key={id}
              ring={ring}
              much={
                <>
                  {sizeText(stats.dataReceived + stats.dataSent, language)}
                  <span>{ageText(stats.lastHandshake, nowMs, text.age)}</span>
                </>
              }
            >
              <b>{name}</b>
              <span>
                {serverName}
                {isBlocked ? `, ${words.configBlocked}` : state === "pending" ? `, ${words.pending}` : ""}
              </span>
            </Line>
          );
        })}
      </Lines>
    </Panel>
  );
}
