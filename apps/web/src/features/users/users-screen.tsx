import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { AdminSearch } from "../../lib/admin-search.ts";
import { useStaffWords } from "../../lib/i18n/staff.ts";
import { useNow } from "../../lib/use-now.ts";
import { useSelection } from "../../lib/use-selection.ts";
import { ColumnsMenu } from "../../ui/columns-menu.tsx";
import { DataTable } from "../../ui/data-table.tsx";
import { lazyDialog } from "../../ui/lazy-dialog.tsx";
import { CsvButton, ListTools, SearchField } from "../../ui/list-tools.tsx";
import { MoreMenu } from "../../ui/more-menu.tsx";
import { NothingFound } from "../../ui/nothing-found.tsx";
import { Segments } from "../../ui/segments.tsx";
import { SortMenu } from "../../ui/sort-menu.tsx";
import { useCsv } from "../../ui/use-csv.ts";
import { Guide } from "../guide/index.ts";
import { Screen, useStaffList } from "../staff/index.ts";
import { BulkActions } from "./bulk-actions.tsx";
import { MemberCard } from "./member-card.tsx";
import { countsQuery, type ListedMember, type ListView, membersList } from "./queries.ts";
import { StateRing, stateOf } from "./standing.tsx";
import { HIDDEN_FIRST, useColumns } from "./use-columns.tsx";
import { useMemberActions } from "./use-member-actions.tsx";
import classes from "./users.module.css";
import { useUsersWords } from "./words.ts";

const AddDialog = lazyDialog(() => import("./add-dialog.tsx").then(({ AddDialog }) => AddDialog));

type SortKey = NonNullable<ListView["sort"]>;
const SORTS: readonly SortKey[] = ["name", "subscription", "lastHandshake", "monthBytes", "createdAt"];

function viewOf({ q, state, sort, order }: AdminSearch): ListView {
  return {
    state: state === "active" || state === "blocked" ? state : "all",
    sort: SORTS.find((name) => name === sort) ?? "name",
    order: order === "desc" ? "desc" : "asc",
    ...(q ? { q } : {}),
  };
}

/** All members: searched, filtered and sorted by the panel (admin-side, section 2). */
export function UsersScreen() {
  const { screens, table } = useStaffWords();
  const words = useUsersWords();
  const nowMs = useNow(15_000);
  const list = useStaffList((asked) => ({ list: membersList, view: viewOf(asked) }), HIDDEN_FIRST);
  const { asked, change, view, viewedRole, mayModify, q, rows, hiding } = list;
  const { state = "all", sort = "name" } = view;
  const down = view.order === "desc";
  const counts = useQuery(countsQuery(q, viewedRole)).data;
  const columns = useColumns(nowMs, Math.max(0, ...(rows ?? []).map(({ monthBytes }) => monthBytes)));
  const actions = useMemberActions();
  const csv = useCsv({
    name: words.list.file,
    columns,
    page: list.pageFrom,
  });

  const selection = useSelection(list.listed, rows);
  const { keys, choose } = selection;
  const order = (by: string, isDown: boolean) =>
    change({ sort: by === "name" ? null : by, order: isDown ? "desc" : null });
  const adding = viewedRole === "admin" && asked.add === "member";

  const menu = (member: ListedMember) => (
    <MoreMenu
      label={table.actions(member.displayName)}
      groups={actions.groupsFor(member, () => choose(new Set([...keys, member.id])))}
    />
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
      {viewedRole === "admin" && <Guide />}
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
        <SortMenu columns={sortable} sort={{ by: sort, down }} onSort={({ by, down }) => order(by, down)} />
        <ColumnsMenu columns={columns} {...hiding} />
        <CsvButton {...csv} />
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
                actions: (
                  <BulkActions
                    members={(rows ?? []).filter(({ id }) => keys.has(id))}
                    onDone={() => choose(new Set())}
                  />
                ),
              },
            }
          : {})}
        {...list.pages(words.list.failed)}
        empty={
          q === "" && state === "all" ? (
            words.list.nobody
          ) : (
            <NothingFound
              text={words.list.nothing}
              clear={words.list.clear}
              onClear={() => change({ q: null, state: null })}
            />
          )
        }
      />
      {actions.dialogs}
      {adding && <AddDialog onClose={() => change({ add: null })} />}
    </Screen>
  );
}
