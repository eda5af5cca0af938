import { IconPlus } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { AdminSearch } from "../../../lib/admin-search.ts";
import { useStaffWords } from "../../../lib/i18n/staff.ts";
import { ColumnsMenu } from "../../../ui/columns-menu.tsx";
import { CountFilter } from "../../../ui/count-filter.tsx";
import { DataTable } from "../../../ui/data-table.tsx";
import { lazyDialog } from "../../../ui/lazy-dialog.tsx";
import { CsvButton, ListTools, SearchField } from "../../../ui/list-tools.tsx";
import { MoreMenu } from "../../../ui/more-menu.tsx";
import { NothingFound } from "../../../ui/nothing-found.tsx";
import { Ring } from "../../../ui/ring.tsx";
import { useCsv } from "../../../ui/use-csv.ts";
import { Screen, useMay, useRight, useStaffList } from "../../club/staff/index.ts";
import { CodeCard } from "./code-card.tsx";
import { CODE_RINGS } from "./code-words.ts";
import { CLUB_INVITES } from "./queries.ts";
import { type CodesView, codeCountsQuery, codesList } from "./staff-queries.ts";
import { useStaffInvitesWords } from "./staff-words.ts";
import { useCodeActions } from "./use-code-actions.tsx";
import { HIDDEN_FIRST, useCodeColumns } from "./use-code-columns.tsx";

const CodeDialog = lazyDialog(() => import("./code-dialog.tsx").then(({ CodeDialog }) => CodeDialog));

type State = NonNullable<CodesView["state"]>;
const STATES: readonly State[] = ["all", "active", "expired", "used", "deactivated"];

const viewOf = ({ q, state }: AdminSearch): CodesView => ({
  state: STATES.find((name) => name === state) ?? "all",
  ...(q ? { q } : {}),
});

/** Staff's invite codes (specification, operator's side 2). */
export function InviteCodesScreen() {
  const { screens, table } = useStaffWords();
  const words = useStaffInvitesWords();
  const isMaker = useRight("invites.create");
  const mayMake = useMay("invites.create");
  const list = useStaffList((asked) => ({ list: codesList, view: viewOf(asked) }), HIDDEN_FIRST);
  const { asked, change, view, viewedRole, q, hiding } = list;
  const { state = "all" } = view;
  const queryClient = useQueryClient();
  const counts = useQuery(codeCountsQuery(viewedRole)).data;
  const columns = useCodeColumns();
  const actions = useCodeActions();
  const csv = useCsv({
    name: words.list.file,
    columns,
    page: list.pageFrom,
  });

  return (
    <Screen
      title={screens.invites}
      count={counts?.all ?? null}
      readOnly={!mayMake}
      action={mayMake ? { label: words.list.add, icon: IconPlus, onClick: () => change({ add: "code" }) } : null}
    >
      <CountFilter
        label={words.filter.label}
        value={state}
        // A search finds codes in any state.
        onChange={(value) => change({ state: value === "all" ? null : value, q: null })}
        choices={STATES.map((value) => ({ value, label: words.filter[value], count: counts?.[value] }))}
      />
      <ListTools>
        <SearchField label={words.list.search} value={q} onChange={list.search} />
        <ColumnsMenu columns={columns} {...hiding} />
        <CsvButton {...csv} />
      </ListTools>
      <DataTable
        label={words.list.label}
        columns={columns}
        keyOf={({ id }) => id}
        nameOf={({ code }) => code}
        hidden={hiding.hidden}
        card={(code) => <CodeCard code={code} />}
        lead={(code) => <Ring state={CODE_RINGS[code.state]} size={24} />}
        menu={(code) => <MoreMenu label={table.actions(code.code)} groups={actions.groupsFor(code)} />}
        {...list.pages(words.loadFailed)}
        onRefresh={() => void queryClient.invalidateQueries({ queryKey: CLUB_INVITES })}
        empty={
          q === "" && state === "all" ? (
            mayMake ? (
              words.list.nobody
            ) : (
              words.list.nobodyRead
            )
          ) : (
            <NothingFound
              text={q === "" ? words.list.nothingSo : words.list.nothing}
              clear={words.list.clear}
              onClear={() => change({ q: null, state: null })}
            />
          )
        }
      />
      {actions.dialogs}
      {isMaker && asked.add === "code" && <CodeDialog code={null} onClose={() => change({ add: null })} />}
    </Screen>
  );
}
