import { Button, NativeSelect } from "@mantine/core";
import { IconInfoCircle, IconLock, IconLockOpen, IconTrash, IconUser } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api, explain } from "../../../lib/api.ts";
import { sizeText } from "../../../lib/format.ts";
import { useStaffWords } from "../../../lib/i18n/staff.ts";
import { useSpeech, useText } from "../../../lib/i18n/use-text.tsx";
import { placeName } from "../../../lib/place-name.ts";
import { useCommand } from "../../../lib/use-command.ts";
import { useNow } from "../../../lib/use-now.ts";
import { useSelection } from "../../../lib/use-selection.ts";
import { ColumnsMenu } from "../../../ui/columns-menu.tsx";
import { DataTable } from "../../../ui/data-table.tsx";
import { type ConfigsBrowserWords, useConfigsBrowserWords } from "./words.ts";
import "../../../ui/form.css";
import cells from "../../../ui/cells.module.css";
import { Fact } from "../../../ui/fact.tsx";
import { CsvButton, ListTools, SearchField } from "../../../ui/list-tools.tsx";
import { MoreMenu } from "../../../ui/more-menu.tsx";
import { NothingFound } from "../../../ui/nothing-found.tsx";
import { SortMenu } from "../../../ui/sort-menu.tsx";
import { useToast } from "../../../ui/toasts.tsx";
import { useCsv } from "../../../ui/use-csv.ts";
import { Screen, useMay, useStaffList } from "../../club/staff/index.ts";
import classes from "./config-browser.module.css";
import { CONFIGS, type ConfigView, configsList, interfacesQuery, type ListedConfig } from "./queries.ts";
import { StateRing, StateWords, stateOf } from "./standing.tsx";
import { HIDDEN_FIRST, totalOf, useColumns } from "./use-columns.tsx";
import { useConfigDialogs } from "./use-config-dialogs.tsx";

type SortKey = NonNullable<ConfigView["sort"]>;
type Filter = keyof ConfigsBrowserWords["filters"];
const SORTS: readonly SortKey[] = ["member", "name", "createdAt", "lastHandshake", "traffic"];

/** Everyone's configs. The panel searches, filters and sorts them (specification, operator's side 2). */
export function ConfigBrowserScreen() {
  const { screens, table } = useStaffWords();
  const words = useConfigsBrowserWords();
  const { failure } = useText();
  const toast = useToast();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const nowMs = useNow(15_000);
  const interfaces = useQuery(interfacesQuery).data ?? [];
  const filters = Object.keys(words.filters) as Filter[];
  const list = useStaffList(({ q, filter, interface: on, sort, order }) => {
    const interfaceId = interfaces.find(({ id }) => id === on)?.id;
    const view: ConfigView = {
      filter: filters.find((name) => name === filter) ?? "all",
      sort: SORTS.find((name) => name === sort) ?? "member",
      order: order === "desc" ? "desc" : "asc",
      ...(q ? { q } : {}),
      ...(interfaceId ? { interfaceId } : {}),
    };
    return { list: configsList, view };
  }, HIDDEN_FIRST);
  const mayModify = useMay("configs.change_any");
  const mayDelete = useMay("configs.delete_any");
  const { change, q, rows, hiding } = list;
  const { filter = "all", interfaceId, sort = "member" } = list.view;
  const down = list.view.order === "desc";

  const selection = useSelection(list.listed, rows);
  const { keys, choose } = selection;
  const { open, remove, dialogs } = useConfigDialogs({ onGone: () => choose(new Set()) });
  const columns = useColumns(nowMs, open);
  const csv = useCsv({
    name: words.file,
    columns,
    page: list.pageFrom,
  });
  const order = (by: string, isDown: boolean) =>
    change({ sort: by === "member" ? null : by, order: isDown ? "desc" : null });

  const blocking = useCommand({
    mutationFn: ({ id, isBlocked }: ListedConfig) =>
      api("PUT /admin/configs/{id}/blocked", { params: { id }, body: { isBlocked: !isBlocked } }),
    onSuccess: (config) => {
      void toast("good", words.block.done(config.name, config.isBlocked));
      void queryClient.invalidateQueries({ queryKey: CONFIGS });
    },
    onError: (error) => void toast("bad", explain(error, words.block.failed, failure.silent)),
  });

  const menu = (config: ListedConfig) => (
    <MoreMenu
      label={table.actions(config.name)}
      groups={[
        [
          { label: words.details, icon: IconInfoCircle, onClick: () => open(config) },
          {
            label: words.openMember,
            icon: IconUser,
            onClick: () =>
              void navigate({ to: "/admin/$", params: { _splat: `users/${config.staff.owner.username}` } }),
          },
        ],
        mayModify
          ? [
              {
                label: config.isBlocked ? words.block.lift : words.block.set,
                icon: config.isBlocked ? IconLockOpen : IconLock,
                onClick: () => !blocking.isPending && blocking.mutate(config),
              },
              ...(mayDelete
                ? [{ label: words.remove, icon: IconTrash, onClick: () => remove([config]), danger: true }]
                : []),
            ]
          : [],
      ]}
    />
  );
  const isWhole = q === "" && filter === "all" && interfaceId === undefined;
  const sortable = columns.filter(({ sortable }) => sortable).map(({ key, title }) => ({ key, title }));
  return (
    <Screen title={screens.configs} count={isWhole ? list.total : null} readOnly={!mayModify}>
      <ListTools>
        <SearchField label={words.search} value={q} onChange={list.search} />
        <NativeSelect
          className={classes.filter ?? ""}
          aria-label={words.filter}
          value={filter}
          onChange={({ currentTarget: { value } }) => change({ filter: value === "all" ? null : value })}
          data={filters.map((value) => ({ value, label: words.filters[value] }))}
        />
        <NativeSelect
          className={classes.filter ?? ""}
          aria-label={words.interfaces}
          value={interfaceId ?? ""}
          onChange={({ currentTarget: { value } }) => change({ interface: value })}
          data={[
            { value: "", label: words.anyInterface },
            ...interfaces.map(({ id, ...place }) => ({ value: id, label: placeName(place) })),
          ]}
        />
        <SortMenu
          columns={[...sortable].sort((a, b) => Number(b.key === "member") - Number(a.key === "member"))}
          sort={{ by: sort, down }}
          onSort={({ by, down }) => order(by, down)}
        />
        <ColumnsMenu columns={columns} {...hiding} />
        <CsvButton {...csv} />
      </ListTools>
      <DataTable
        label={words.label}
        columns={columns}
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
        hidden={hiding.hidden}
        card={(config) => <ConfigCard config={config} nowMs={nowMs} onOpen={() => open(config)} />}
        lead={(config) => <StateRing state={stateOf(config, nowMs)} size={24} />}
        menu={menu}
        sort={{ by: sort, down }}
        onSort={({ by, down }) => order(by, down)}
        {...(mayDelete
          ? {
              selection: {
                keys,
                onChange: choose,
                actions: (
                  <Button variant="subtle" data-danger onClick={() => remove(selection.rows)}>
                    {words.remove}
                  </Button>
                ),
              },
            }
          : {})}
        {...list.pages(words.failed)}
        empty={
          isWhole ? (
            words.none
          ) : (
            <NothingFound
              text={words.nothing}
              clear={words.clear}
              onClear={() => change({ q: null, filter: null, interface: null })}
            />
          )
        }
      />
      {dialogs}
    </Screen>
  );
}

/** A row on a phone: the config, its state and owner, three facts. */
function ConfigCard({ config, nowMs, onOpen }: { config: ListedConfig; nowMs: number; onOpen: () => void }) {
  const words = useConfigsBrowserWords();
  const { language } = useSpeech();
  return (
    <button type="button" className={`${cells.card} k-focus`} onClick={onOpen}>
      <b>{config.name}</b>
      <span className={cells.more}>
        <StateWords config={config} nowMs={nowMs} /> · {config.staff.owner.displayName}
      </span>
      <span className={cells.facts}>
        <span>{config.staff.address}</span>
        <span>{placeName({ serverName: config.serverName, name: config.staff.interfaceName })}</span>
        <Fact of={words.traffic}>{sizeText(totalOf(config), language)}</Fact>
      </span>
    </button>
  );
}
