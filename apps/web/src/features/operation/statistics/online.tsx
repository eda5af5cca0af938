import { IconChevronRight } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { ageText } from "../../../lib/format.ts";
import { useText } from "../../../lib/i18n/use-text.tsx";
import { useSilentSince } from "../../../lib/use-availability.ts";
import cells from "../../../ui/cells.module.css";
import { Line, Lines } from "../../../ui/lines.tsx";
import { LoadFailed } from "../../../ui/load-failed.tsx";
import { Panel } from "../../../ui/panel.tsx";
import type { StaffRole } from "../../club/staff/index.ts";
import { StaffLink } from "../../club/staff/index.ts";
import { onlineQuery } from "./queries.ts";
import classes from "./statistics.module.css";
import { useStatisticsWords } from "./words.ts";

/** Who is connected now, last seen first. The list of configs has all of them. */
export function Online({ role, count, nowMs }: { role: StaffRole; count: number | undefined; nowMs: number }) {
  const { online: words, failed } = useStatisticsWords();
  const { age } = useText();
  const list = useQuery(onlineQuery(role));
  const isSilent = useSilentSince() !== null;
  return (
    <Panel title={isSilent ? words.titleBefore : words.title}>
      {list.isError && <LoadFailed title={failed} error={list.error} onRetry={() => void list.refetch()} />}
      {list.data?.length === 0 && <p className={cells.quiet}>{isSilent ? words.nobodyBefore : words.nobody}</p>}
      <Lines>
        {list.data?.map(({ id, name, staff, stats }) => (
          <Line key={id} ring={isSilent ? "idle" : "on"} much={ageText(stats.lastHandshake, nowMs, age)}>
            <StaffLink to={`users/${staff?.owner.username}`} className={cells.person}>
              <b>{staff?.owner.displayName}</b>
            </StaffLink>
            <span>{name}</span>
          </Line>
        ))}
      </Lines>
      {count !== undefined && count > 0 && (
        <StaffLink to="configs" search={{ filter: "online" }} className={classes.all}>
          {words.all(count)}
          <IconChevronRight size={18} stroke={1.8} aria-hidden="true" />
        </StaffLink>
      )}
    </Panel>
  );
}
