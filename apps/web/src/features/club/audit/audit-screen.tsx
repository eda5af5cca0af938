import { actionsOf, areasSeenBy } from "@krug/domain/audit-actions";
import { NativeSelect, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { AdminSearch } from "../../../lib/admin-search.ts";
import { useStaffWords } from "../../../lib/i18n/staff.ts";
import { useNow } from "../../../lib/use-now.ts";
import { DataTable } from "../../../ui/data-table.tsx";
import { useAuditWords } from "./words.ts";
import "../../../ui/form.css";
import { FilterFold } from "../../../ui/filter-fold.tsx";
import { lazyDialog } from "../../../ui/lazy-dialog.tsx";
import { CsvButton, ListTools, SearchField } from "../../../ui/list-tools.tsx";
import { NothingFound } from "../../../ui/nothing-found.tsx";
import { useCsv } from "../../../ui/use-csv.ts";
import { Screen, type StaffRole, useStaffList, useViewed } from "../staff/index.ts";
import classes from "./audit.module.css";
import { type AuditEntry, type AuditView, entriesList, staffQuery } from "./queries.ts";
import { ChangesOf, useColumns, useDays, useNaming } from "./use-columns.tsx";

const EntryDialog = lazyDialog(() => import("./entry-dialog.tsx").then(({ EntryDialog }) => EntryDialog));

const FILTERS = ["q", "by", "action", "from", "to"] as const;

function viewOf(asked: AdminSearch, role: StaffRole): AuditView {
  const action = areasSeenBy(role)
    .flatMap((area) => [area, ...actionsOf(area)])
    .find((known) => known === asked.action);
  const { action: _, ...others } = asked;
  const wished = { ...others, ...(action ? { action } : {}) };
  return Object.fromEntries(FILTERS.flatMap((name) => (wished[name] ? [[name, wished[name]]] : [])));
}

/** Every staff action. Nobody can change or erase the log (decisions, section 14). */
export function AuditScreen() {
  const { screens } = useStaffWords();
  const words = useAuditWords();
  const { viewedRole } = useViewed();
  const list = useStaffList((asked) => ({ list: entriesList, view: viewOf(asked, viewedRole) }));
  const { change, view } = list;
  const nowMs = useNow(15_000);
  const [opened, setOpened] = useState<AuditEntry | null>(null);

  const staff = useQuery(staffQuery(viewedRole)).data;
  const days = useDays(list.rows ?? [], nowMs);
  const columns = useColumns({ nowMs, days, onOpen: setOpened });
  const naming = useNaming();
  const csv = useCsv({
    name: words.list.file,
    columns,
    page: list.pageFrom,
  });
  const isNarrowed = Object.keys(view).length > 0;

  return (
    <Screen title={screens.audit}>
      <ListTools>
        <SearchField label={words.list.search} value={list.q} onChange={list.search} />
        <FilterFold label={words.list.filters(FILTERS.filter((name) => name !== "q" && view[name]).length)}>
          <NativeSelect
            aria-label={words.list.staff}
            className={classes.filter ?? ""}
            value={view.by ?? ""}
            onChange={(event) => change({ by: event.currentTarget.value })}
          >
            <option value="">{words.list.anyone}</option>
            {staff?.map(({ id, displayName }) => (
              <option key={id} value={id}>
                {displayName}
              </option>
            ))}
          </NativeSelect>
          <NativeSelect
            aria-label={words.list.action}
            className={classes.filter ?? ""}
            value={view.action ?? ""}
            onChange={(event) => change({ action: event.currentTarget.value })}
          >
            <option value="">{words.list.anything}</option>
            {areasSeenBy(viewedRole).map((area) => (
              <optgroup key={area} label={words.areas[area]}>
                <option value={area}>{words.list.wholeArea(words.areas[area])}</option>
                {actionsOf(area).map((action) => (
                  <option key={action} value={action}>
                    {words.actions[action]}
                  </option>
                ))}
              </optgroup>
            ))}
          </NativeSelect>
          {(["from", "to"] as const).map((end) => (
            <TextInput
              key={end}
              type="date"
              className={`${classes.filter} ${classes.day}`}
              aria-label={words.list[end]}
              leftSection={<span aria-hidden="true">{words.list[end]}</span>}
              leftSectionWidth={`calc(${words.list[end].length}ch + 12px)`}
              value={view[end] ?? ""}
              max="9999-12-31"
              onChange={(event) => change({ [end]: event.currentTarget.value })}
            />
          ))}
        </FilterFold>
        <CsvButton {...csv} />
      </ListTools>
      <DataTable
        label={words.list.label}
        columns={columns}
        keyOf={({ id }) => id}
        nameOf={({ action }) => words.actions[action]}
        card={(entry) => (
          <>
            {days.has(entry.id) && <span className={classes.date}>{days.get(entry.id)}</span>}
            <button type="button" className={`${classes.card} k-focus`} onClick={() => setOpened(entry)}>
              <b>{words.actions[entry.action]}</b>
              <span>{naming.target(entry)}</span>
              <ChangesOf entry={entry} />
              <span className={classes.quiet}>
                {naming.actor(entry)} · {naming.when(entry, nowMs)}
              </span>
            </button>
          </>
        )}
        {...list.pages(words.list.failed)}
        empty={
          isNarrowed ? (
            <NothingFound
              text={words.list.nothing}
              clear={words.list.clear}
              onClear={() => change(Object.fromEntries(FILTERS.map((name) => [name, null])))}
            />
          ) : (
            <p>{words.list.nobody}</p>
          )
        }
      />
      <p className={classes.forGood}>{words.list.forGood}</p>
      {opened && (
        <EntryDialog
          entry={opened}
          onClose={() => setOpened(null)}
          onAbout={(q) => {
            setOpened(null);
            change({ ...Object.fromEntries(FILTERS.map((name) => [name, null])), q });
          }}
        />
      )}
    </Screen>
  );
}
