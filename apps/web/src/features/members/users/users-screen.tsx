import { NativeSelect } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { AdminSearch } from "../../../lib/admin-search.ts";
import { useStaffWords } from "../../../lib/i18n/staff.ts";
import { useNow } from "../../../lib/use-now.ts";
import { useSelection } from "../../../lib/use-selection.ts";
import { ColumnsMenu } from "../../../ui/columns-menu.tsx";
import { DataTable } from "../../../ui/data-table.tsx";
import { FilterFold } from "../../../ui/filter-fold.tsx";
import { lazyDialog } from "../../../ui/lazy-dialog.tsx";
import { CsvButton, ListTools, SearchField } from "../../../ui/list-tools.tsx";
import { MoreMenu } from "../../../ui/more-menu.tsx";
import { NothingFound } from "../../../ui/nothing-found.tsx";
import { Segments } from "../../../ui/segments.tsx";
import { SortMenu } from "../../../ui/sort-menu.tsx";
import { useCsv } from "../../../ui/use-csv.ts";
import { Screen, useMay, useRight, useStaffList } from "../../club/staff/index.ts";
import { Guide } from "../../operation/guide/index.ts";
import { GroupFilter, GroupsSheet } from "../groups/index.ts";
import { BulkActions } from "./lazy-bulk-actions.ts";
import { MemberCard } from "./member-card.tsx";
import { countsQuery, type ListedMember, type ListFilter, type ListView, membersList } from "./queries.ts";
import { StateRing, stateOf } from "./standing.tsx";
import { HIDDEN_FIRST, useColumns } from "./use-columns.tsx";
import { useMemberActions } from "./use-member-actions.tsx";
import classes from "./users.module.css";
import { useUsersWords } from "./words.ts";

const FromFileDialog = lazyDialog(() => import("./from-file-dialog.tsx").then(({ FromFileDialog }) => FromFileDialog));
const AddDialog = lazyDialog(() => import("./add-dialog.tsx").then(({ AddDialog }) => AddDialog));

type SortKey = NonNullable<ListView["sort"]>;
const SORTS: readonly SortKey[] = ["name", "subscription", "lastHandshake", "monthBytes", "createdAt"];

const FILTERS = {
  ends: ["soon", "ended", "trial", "unlimited"],
  role: ["user", "moderator", "admin"],
  devices: ["online", "full"],
} as const;
type FilterName = keyof typeof FILTERS;
const FILTER_NAMES = Object.keys(FILTERS) as FilterName[];
const NO_FILTER = { q: null, state: null, ends: null, role: null, devices: null, group: null };

/** What an address says may be anything. */
const isId = (text: string) => /^[\da-f-]{36}$/.test(text);

function filterOf(asked: AdminSearch): ListFilter {
  const { q, state, group } = asked;
  const chosen = FILTER_NAMES.flatMap((name) => {
    const value = FILTERS[name].find((known) => known === asked[name]);
    return value ? [[name, value] as const] : [];
  });
  return {
    state: state === "active" || state === "blocked" ? state : "all",
    ...(q ? { q } : {}),
    ...(group && isId(group) ? { group } : {}),
    ...Object.fromEntries(chosen),
  };
}

function viewOf(asked: AdminSearch): ListView {
  const { sort, order } = asked;
  return {
    ...filterOf(asked),
    sort: SORTS.find((name) => name === sort) ?? "name",
    order: order === "desc" ? "desc" : "asc",
  };
}

/** All members. The panel searches, filters and sorts (specification, operator's side 2). */
export function UsersScreen() {
  const { screens, table } = useStaffWords();
  const words = useUsersWords();
  const nowMs = useNow(15_000);
  const mayModify = useMay("members.change");
  const mayAdd = useRight("members.change");
  const hasGuide = useRight("system.change");
  const list = useStaffList((asked) => ({ list: membersList, view: viewOf(asked) }), HIDDEN_FIRST);
  const { asked, change, view, viewedRole, q, rows, hiding } = list;
  const { state = "all", sort = "name" } = view;
  const down = view.order === "desc";
  const filter = filterOf(asked);
  const isWhole = Object.keys(filter).length === 1 && state === "all";
  const counts = useQuery(countsQuery(filter, viewedRole)).data;
  const columns = useColumns(nowMs, Math.max(0, ...(rows ?? []).map(({ monthBytes }) => monthBytes)));
  const actions = useMemberActions();
  const [opened, setOpened] = useState<"groups" | "file" | null>(null);
  const close = () => setOpened(null);
  const csv = useCsv({
    name: words.list.file,
    columns,
    page: list.pageFrom,
  });

  const selection = useSelection(list.listed, rows);
  const { keys, choose } = selection;
  const order = (by: string, isDown: boolean) =>
    change({ sort: by === "name" ? null : by, order: isDown ? "desc" : null });
  const adding = mayAdd && asked.add === "member";

  const menu = (member: ListedMember) => (
    <MoreMenu label={table.actions(member.displayName)} groups={actions.groupsFor(member)} />
  );
  const count = (number: number | undefined) =>
    number === undefined ? null : <span className={`${classes.count} ${classes.wide}`}>{number}</span>;
  const sortable = columns.filter(({ sortable }) => sortable).map(({ key, title }) => ({ key, title }));
  return (
    <Screen
      title={screens.users}
      count={counts?.all ?? null}
      readOnly={!mayModify}
      action={mayModify ? { label: words.list.add, icon: IconPlus, onClick: () => change({ add: "member" }) } : null}
    >
      {hasGuide && <Guide />}
      <ListTools>
        <Segments
          label={words.list.filter}
          labelHidden
          value={state}
          onChange={(value) => change({ state: value === "all" ? null : value })}
          choices={[
            { value: "all", label: words.list.all, after: count(counts?.all) },
            { value: "active", label: words.list.active, after: count(counts?.active) },
            { value: "blocked", label: words.list.blocked, after: count(counts?.blocked) },
          ]}
        />
        <SearchField label={words.list.search} value={q} onChange={list.search} />
        <FilterFold
          label={words.list.filters([...FILTER_NAMES, "group" as const].filter((name) => asked[name]).length)}
        >
          {FILTER_NAMES.map((name) => (
            <NativeSelect
              key={name}
              aria-label={words.filters[name].label}
              value={asked[name] ?? ""}
              onChange={({ currentTarget: { value } }) => change({ [name]: value })}
              data={[
                { value: "", label: words.filters[name].any },
                ...FILTERS[name].map((value) => ({
                  value,
                  label: (words.filters[name] as Record<string, string>)[value] ?? value,
                })),
              ]}
            />
          ))}
          <GroupFilter words={words.filters.group} value={asked.group ?? ""} onChange={(group) => change({ group })} />
        </FilterFold>
        <SortMenu columns={sortable} sort={{ by: sort, down }} onSort={({ by, down }) => order(by, down)} />
        <ColumnsMenu columns={columns} {...hiding} />
        <CsvButton {...csv} />
        <MoreMenu
          label={words.list.more}
          groups={[
            [{ label: words.list.groups, onClick: () => setOpened("groups") }],
            mayModify ? [{ label: words.list.fromFile, onClick: () => setOpened("file") }] : [],
          ]}
        />
      </ListTools>
      <DataTable
        label={words.list.label}
        columns={columns}
        keyOf={({ id }) => id}
        nameOf={({ displayName }) => displayName}
        hidden={hiding.hidden}
        card={(member) => <MemberCard member={member} nowMs={nowMs} />}
        lead={(member) => <StateRing state={stateOf(member, nowMs)} size={24} />}
        {...(actions.hasAny ? { menu } : {})}
        sort={{ by: sort, down }}
        onSort={({ by, down }) => order(by, down)}
        {...(mayModify
          ? {
              selection: {
                keys,
                onChange: choose,
                all: { isTaken: selection.isAll, onTake: selection.chooseAll },
                actions: (
                  <BulkActions
                    members={selection.rows}
                    all={selection.isAll && list.total !== null ? { count: list.total, filter } : null}
                    onDone={() => choose(new Set())}
                  />
                ),
              },
            }
          : {})}
        {...list.pages(words.list.failed)}
        empty={
          isWhole ? (
            words.list.nobody
          ) : (
            <NothingFound text={words.list.nothing} clear={words.list.clear} onClear={() => change(NO_FILTER)} />
          )
        }
      />
      {actions.dialogs}
      {opened === "groups" && <GroupsSheet onClose={close} />}
      {opened === "file" && <FromFileDialog onClose={close} />}
      {adding && <AddDialog onClose={() => change({ add: null })} />}
    </Screen>
  );
}
