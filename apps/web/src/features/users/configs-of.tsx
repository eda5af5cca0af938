import { isActiveHandshake } from "@krug/domain/handshake";
import { useQuery } from "@tanstack/react-query";
import { ageText, sizeText } from "../../lib/format.ts";
import { useSpeech } from "../../lib/i18n/use-text.tsx";
import { useUsersWords } from "../../lib/i18n/users.ts";
import { LoadFailed } from "../../ui/load-failed.tsx";
import { Ring, type RingState } from "../../ui/ring.tsx";
import classes from "./member-page.module.css";
import { Panel } from "./panel.tsx";
import { configsOfQuery } from "./queries.ts";

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
    <Panel id="configs" title={words.configs} count={count}>
      {configs.isError && (
        <LoadFailed title={words.configsFailed} error={configs.error} onRetry={() => void configs.refetch()} />
      )}
      {configs.data?.length === 0 && <p className={classes.lead}>{words.noConfigs}</p>}
      <ul className={classes.rows}>
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
            <li key={id}>
              <Ring state={ring} size={20} />
              <span className={classes.what}>
                <b>{name}</b>
                <span>
                  {serverName}
                  {isBlocked ? `, ${words.configBlocked}` : state === "pending" ? `, ${words.pending}` : ""}
                </span>
              </span>
              <span className={classes.much}>
                {sizeText(stats.dataReceived + stats.dataSent, language)}
                <span>{ageText(stats.lastHandshake, nowMs, text.age)}</span>
              </span>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}
