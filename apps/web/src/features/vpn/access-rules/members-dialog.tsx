import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { SearchField } from "../../../ui/list-tools.tsx";
import { LoadFailed } from "../../../ui/load-failed.tsx";
import { Sheet } from "../../../ui/sheet.tsx";
import { Waiting } from "../../../ui/waiting.tsx";
import { StaffLink, useViewed } from "../../club/staff/index.ts";
import { membersOfQuery, type Rule } from "./queries.ts";
import classes from "./rules.module.css";
import { useRulesWords } from "./words.ts";

/** A shorter list is seen at a glance and needs no search. */
const SEARCHED_FROM = 12;

/** Whom a rule is for. */
export function MembersDialog({ rule, onClose }: { rule: Rule; onClose: () => void }) {
  const words = useRulesWords();
  const { viewedRole } = useViewed();
  const [q, setQ] = useState("");
  const list = useInfiniteQuery(membersOfQuery(rule.id, q, viewedRole));
  const rows = list.data?.pages.flatMap((page) => page.rows);
  const search = useCallback((typed: string) => setQ(typed), []);
  return (
    <Sheet onClose={onClose} title={words.members.title(rule.target)}>
      {(rule.memberCount ?? 0) >= SEARCHED_FROM && (
        <SearchField label={words.form.member} value={q} onChange={search} />
      )}
      {list.isError && (
        <LoadFailed title={words.members.failed} error={list.error} onRetry={() => void list.refetch()} />
      )}
      {rows === undefined && !list.isError && <Waiting label={words.members.loading} room={80} />}
      {rows?.length === 0 && <p className={classes.quiet}>{words.members.nothing}</p>}
      <ul className={classes.people}>
        {rows?.map(({ id, username, displayName }) => (
          <li key={id}>
            <StaffLink to={`users/${username}`} className={classes.person} onClick={onClose}>
              <b>{displayName}</b>
              <span>{username}</span>
            </StaffLink>
          </li>
        ))}
      </ul>
      {list.hasNextPage && (
        <Button variant="subtle" fullWidth loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {words.more}
        </Button>
      )}
    </Sheet>
  );
}
