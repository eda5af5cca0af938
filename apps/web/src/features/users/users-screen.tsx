import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { useStaffWords } from "../../lib/i18n/staff.ts";
import { useUsersWords } from "../../lib/i18n/users.ts";
import { useListAddress } from "../../lib/use-list-address.ts";
import { useNow } from "../../lib/use-now.ts";
import { useSelection } from "../../lib/use-selection.ts";
import { ColumnsMenu } from "../../ui/columns-menu.tsx";
import { DataTable, pageOf } from "../../ui/data-table.tsx";
import { DialogPlace, lazyDialog } from "../../ui/lazy-dialog.tsx";
import { CsvButton, ListTools, SearchField } from "../../ui/list-tools.tsx";
import { MoreMenu } from "../../ui/more-menu.tsx";
import { NothingFound } from "../../ui/nothing-found.tsx";
import { Segments } from "../../ui/segments.tsx";
import { SortMenu } from "../../ui/sort-menu.tsx";
import { useCsv } from "../../ui/use-csv.ts";
import { Screen, useViewed } from "../staff/index.ts";
import { BulkActions } from "./bulk-actions.tsx";
import { MemberCard } from "./member-card.tsx";
import { countsQuery, type ListedMember, type ListView, membersQuery, PAGE_SIZE, pageOfMembers } from "./queries.ts";
import { StateRing, stateOf } from "./standing.tsx";
import { HIDDEN_FIRST, useColumns } from "./use-columns.tsx";
import { useMemberActions } from "./use-member-actions.tsx";
import classes from "./users.module.css";

const AddDialog = lazyDialog(() => import("./add-dialog.tsx").then(({ AddDialog }) => AddDialog));

type State = NonNullable<ListView["state"]>;
type SortKey = NonNullable<ListView["sort"]>;
const SORTS: readonly SortKey[] = ["name", "subscription", "lastHandshake", "monthBytes", "createdAt"];

/** All members: searched, filtered and sorted by the panel (admin-side, section 2). */
export function UsersScreen() {
  const { screens, table } = useStaffWords();
  const words = useUsersWords();
  const { viewedRole, mayModify } = useViewed();
  const address = useListAddress(PAGE_SIZE);
  const { asked, change, after } = address;
  const nowMs = useNow(15_000);

  const q = asked.q ?? "";
  const state: State = asked.state === "active" || asked.state === "blocked" ? asked.state : "all";
  const sort = SORTS.find((name) => name === asked.sort) ?? "name";
  const down = asked.order === "desc";
  const view: ListView = { state, sort, order: down ? "desc" : "asc", ...(q ? { q } : {}) };
  const page = useQuery(membersQuery(after === undefined ? view : { ...view, cursor: after }, viewedRole));
  const counts = useQuery(countsQuery(q, viewedRole)).data;
  const rows = page.data?.rows;
  const hiding = address.hiding(HIDDEN_FIRST);
  const columns = useColumns(nowMs, Math.max(0, ...(rows ?? []).map(({ monthBytes }) => monthBytes)));
  const actions = useMemberActions();
  const csv = useCsv({
    name: words.list.file,
    columns,
    page: (cursor) => pageOfMembers(cursor === undefined ? view : { ...view, cursor }, viewedRole),
  });

  const { keys, choose } = useSelection(JSON.stringify([view, after]));
  const search = useCallback((typed: string) => change({ q: typed }), [change]);
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
        <SearchField label={words.list.search} value={q} onChange={search} />
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
        {...pageOf({ page, place: address, failed: words.list.failed })}
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
      <DialogPlace>{adding && <AddDialog onClose={() => change({ add: null })} />}</DialogPlace>
    </Screen>
  );
}
