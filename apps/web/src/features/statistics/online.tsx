import { IconChevronRight } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useId } from "react";
import { ageText } from "../../lib/format.ts";
import { useStatisticsWords } from "../../lib/i18n/statistics.ts";
import { useText } from "../../lib/i18n/use-text.tsx";
import { LoadFailed } from "../../ui/load-failed.tsx";
import { Ring } from "../../ui/ring.tsx";
import type { StaffRole } from "../staff/index.ts";
import { onlineQuery } from "./queries.ts";
import classes from "./statistics.module.css";

/** Who is connected now, the last seen first; all of them stand in the list of configs. */
export function Online({ role, count, nowMs }: { role: StaffRole; count: number | undefined; nowMs: number }) {
  const { online: words, failed } = useStatisticsWords();
  const { age } = useText();
  const titleId = useId();
  const list = useQuery(onlineQuery(role));
  return (
    <section className={classes.panel} aria-labelledby={titleId}>
      <div className={classes.panelHead}>
        <h2 id={titleId}>{words.title}</h2>
      </div>
      {list.isError && <LoadFailed title={failed} error={list.error} onRetry={() => void list.refetch()} />}
      {list.data?.length === 0 && <p className={classes.quiet}>{words.nobody}</p>}
      <ul className={classes.rows}>
        {list.data?.map(({ id, name, staff, stats }) => (
          <li key={id}>
            <Ring state="on" size={20} />
            <span className={classes.who}>
              <Link to="/admin/$" params={{ _splat: `users/${staff?.owner.username}` }} className="k-focus">
                <b>{staff?.owner.displayName}</b>
              </Link>
              <span>{name}</span>
            </span>
            <span className={classes.side}>{ageText(stats.lastHandshake, nowMs, age)}</span>
          </li>
        ))}
      </ul>
      {count !== undefined && count > 0 && (
        <Link
          to="/admin/$"
          params={{ _splat: "configs" }}
          search={{ filter: "online" } as never}
          className={`${classes.all} k-focus`}
        >
          {words.all(count)}
          <IconChevronRight size={18} stroke={1.8} aria-hidden="true" />
        </Link>
      )}
    </section>
  );
}
