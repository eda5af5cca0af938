import type { RuleType } from "@krug/domain/access-rules";
import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNow } from "../../../lib/use-now.ts";
import { LoadFailed } from "../../../ui/load-failed.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Ring } from "../../../ui/ring.tsx";
import { useMay, useViewed } from "../../club/staff/index.ts";
import { type Rule, rulesQuery } from "./queries.ts";
import { RuleRow } from "./rule-row.tsx";
import classes from "./rules.module.css";
import { useRulesWords } from "./words.ts";

interface Props {
  type: RuleType;
  q: string;
  /** On a phone one list is shown at a time. */
  shown: boolean;
  onWho: (rule: Rule) => void;
  onAddresses: (rule: Rule) => void;
  onRemove: (rule: Rule) => void;
}

const BONES = 3;

export function RuleList({ type, q, shown, onWho, onAddresses, onRemove }: Props) {
  const words = useRulesWords();
  const { viewedRole } = useViewed();
  const mayModify = useMay("rules.change");
  const nowMs = useNow(15_000);
  const list = useInfiniteQuery(rulesQuery(type, q, viewedRole));
  const rows = list.data?.pages.flatMap((page) => page.rows);
  return (
    <Panel
      title={words.lists[type]}
      count={list.data?.pages[0]?.total ?? undefined}
      busy={rows === undefined}
      className={shown ? undefined : classes.notShown}
    >
      <p className={classes.lead}>{words.leads[type]}</p>
      {list.isError && <LoadFailed title={words.failed} error={list.error} onRetry={() => void list.refetch()} />}
      {rows?.length === 0 && (
        <p className={classes.empty}>
          <Ring state="never" size={32} />
          {q === "" ? words.empty[type] : words.nothing}
        </p>
      )}
      {rows === undefined && !list.isError && (
        <ul className={classes.rules} aria-hidden="true">
          {Array.from({ length: BONES }, (_, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row of nothing is its place
            <li key={place} className={classes.rule}>
              <span className={classes.bone} />
            </li>
          ))}
        </ul>
      )}
      {rows && rows.length > 0 && (
        <ul className={classes.rules}>
          {rows.map((rule) => (
            <RuleRow
              key={rule.id}
              rule={rule}
              nowMs={nowMs}
              onWho={() => onWho(rule)}
              onAddresses={() => onAddresses(rule)}
              onRemove={mayModify ? () => onRemove(rule) : null}
            />
          ))}
        </ul>
      )}
      {list.hasNextPage && (
        <Button variant="subtle" fullWidth loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {words.more}
        </Button>
      )}
    </Panel>
  );
}
