import { MINUTE_MS } from "@krug/domain/moment";
import { NativeSelect } from "@mantine/core";
import {
  IconArrowsExchange,
  IconChartLine,
  IconChevronDown,
  IconPencil,
  IconPlus,
  IconRefreshDot,
  IconServer,
  IconSettings,
  IconTrash,
  IconUsersPlus,
} from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { longDay } from "../../../lib/format.ts";
import { useStaffWords } from "../../../lib/i18n/staff.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { useListAddress } from "../../../lib/use-list-address.ts";
import { useNow } from "../../../lib/use-now.ts";
import { DataTable } from "../../../ui/data-table.tsx";
import { useInterfacesWords } from "./words.ts";
import "../../../ui/form.css";
import { EmptyRoom } from "../../../ui/empty-room.tsx";
import { lazyDialog } from "../../../ui/lazy-dialog.tsx";
import { CsvButton, ListTools } from "../../../ui/list-tools.tsx";
import { LoadFailed } from "../../../ui/load-failed.tsx";
import { type MenuAction, MoreMenu } from "../../../ui/more-menu.tsx";
import { useCsv } from "../../../ui/use-csv.ts";
import { useWholePages } from "../../../ui/use-whole-pages.ts";
import { Screen, useMay, useViewed } from "../../club/staff/index.ts";
import {
  AssignDialog,
  allInterfacesQuery,
  type Drain,
  DrainBanner,
  EmptyDialog,
  type Interface,
  SERVERS,
  serversQuery,
  useDrains,
  useServersWords,
} from "../servers/index.ts";
import { useAmneziaWords } from "./amneziawg-words.ts";
import { InterfaceCard } from "./interface-card.tsx";
import { fittingMtu } from "./interface-form.ts";
import classes from "./interfaces.module.css";
import { NarrowPath } from "./narrow-path.tsx";
import { Rename } from "./rename.tsx";
import { StateRing, stateOf } from "./standing.tsx";
import { useColumns } from "./use-columns.tsx";

const CreateDialog = lazyDialog(() => import("./create-dialog.tsx").then(({ CreateDialog }) => CreateDialog));
const EditDialog = lazyDialog(() => import("./edit-dialog.tsx").then(({ EditDialog }) => EditDialog));
const MoveInDialog = lazyDialog(() => import("./move-in-dialog.tsx").then(({ MoveInDialog }) => MoveInDialog));
const RotateDialog = lazyDialog(() => import("./rotate-dialog.tsx").then(({ RotateDialog }) => RotateDialog));
const ReachDialog = lazyDialog(() => import("./reach-dialog.tsx").then(({ ReachDialog }) => ReachDialog));
const DeleteDialog = lazyDialog(() => import("./delete-dialog.tsx").then(({ DeleteDialog }) => DeleteDialog));

/** What a page of the list is read from. */
const LIST = "interfaces";

type Open =
  | { dialog: "edit" | "assign" | "reach" | "rotate" | "empty" | "delete"; row: Interface }
  | { dialog: "create" | "moveIn" };

/** The interfaces of one server, the first unless another is chosen (specification, operator's side 2). */
export function InterfacesScreen() {
  const { screens, table } = useStaffWords();
  const words = useInterfacesWords();
  const kinds = useAmneziaWords();
  const servers = useServersWords();
  const { viewedRole } = useViewed();
  const mayModify = useMay("interfaces.change");
  const mayRename = useMay("interfaces.rename");
  const mayAssign = useMay("interfaces.assign");
  const { asked, change } = useListAddress(1_000);
  const queryClient = useQueryClient();
  const [open, setOpen] = useState<Open | null>(null);
  const [renamed, setRenamed] = useState<string | null>(null);
  const list = useQuery(serversQuery(viewedRole));
  const all = useQuery(allInterfacesQuery(viewedRole));
  const drains = useDrains();
  const server = list.data?.find(({ id }) => id === asked.server) ?? list.data?.[0];
  const rows = server && all.data?.filter(({ serverId }) => serverId === server.id);
  const listed = useWholePages(rows, LIST, server?.id ?? "");
  const status = server?.status ?? "pending";
  const name = (row: Interface) => (renamed === row.id ? <Rename row={row} onClose={() => setRenamed(null)} /> : null);
  const columns = useColumns({ status, editing: name });
  const csv = useCsv({
    name: words.list.file,
    columns,
    page: async () => ({ rows: rows ?? [], next: null }),
  });

  const isAdded = mayModify && asked.add === "interface";
  const close = () => {
    setOpen(null);
    if (isAdded) change({ add: null });
  };
  const done = () => {
    close();
    void queryClient.invalidateQueries({ queryKey: SERVERS });
  };
  const groupsFor = (row: Interface): MenuAction[][] => [
    [
      ...(mayRename ? [{ label: words.actions.rename, icon: IconPencil, onClick: () => setRenamed(row.id) }] : []),
      ...(mayModify
        ? [{ label: words.actions.edit, icon: IconSettings, onClick: () => setOpen({ dialog: "edit", row }) }]
        : []),
      {
        label: mayAssign ? words.actions.assign : servers.actions.assign,
        icon: IconUsersPlus,
        onClick: () => setOpen({ dialog: "assign", row }),
      },
      ...(mayModify
        ? [{ label: words.reach.action, icon: IconChartLine, onClick: () => setOpen({ dialog: "reach", row }) }]
        : []),
    ],
    mayModify && row.configCount > 0
      ? [
          {
            label: servers.drain.action,
            icon: IconArrowsExchange,
            onClick: () => setOpen({ dialog: "empty", row }),
          },
          {
            label: row.type === "amneziawg" ? kinds.rotate.action : kinds.rotate.toAmneziawg,
            icon: IconRefreshDot,
            onClick: () => setOpen({ dialog: "rotate", row }),
          },
        ]
      : [],
    mayModify
      ? [
          {
            label: words.actions.remove,
            icon: IconTrash,
            onClick: () => setOpen({ dialog: "delete", row }),
            danger: true,
          },
        ]
      : [],
  ];
  return (
    <Screen
      title={screens.interfaces}
      count={rows?.length ?? null}
      readOnly={!mayModify && !mayRename && !mayAssign}
      action={
        mayModify && server
          ? { label: words.list.create, icon: IconPlus, onClick: () => setOpen({ dialog: "create" }) }
          : null
      }
    >
      {list.isError && <LoadFailed title={servers.failed} error={list.error} onRetry={() => void list.refetch()} />}
      {list.data?.length === 0 && (
        <EmptyRoom title={words.list.noServers}>
          <p>{words.list.noServersLead}</p>
        </EmptyRoom>
      )}
      {server && (
        <>
          <ListTools>
            <NativeSelect
              id={LIST}
              className={classes.server ?? ""}
              aria-label={words.list.server}
              leftSection={<IconServer size={20} stroke={1.6} aria-hidden="true" />}
              data={(list.data ?? []).map(({ id, name, isMain }) => ({
                value: id,
                label: isMain ? `${name} · ${servers.main.toLowerCase()}` : name,
              }))}
              value={server.id}
              onChange={(event) => change({ server: event.currentTarget.value })}
              rightSection={<IconChevronDown size={18} stroke={1.6} aria-hidden="true" />}
            />
            <CsvButton {...csv} />
          </ListTools>
          {drains
            ?.filter(({ from }) => rows?.some(({ id }) => id === from.id))
            .map((drain) => (
              <div key={drain.from.id} className={classes.above}>
                <DrainBanner drain={drain} named />
                <Rotating drain={drain} row={rows?.find(({ id }) => id === drain.from.id)} />
              </div>
            ))}
          {rows
            ?.filter((row) => row.isActive && fittingMtu(row, server.pathMtu) !== null)
            .map((row) => (
              <div key={row.id} className={classes.above}>
                <NarrowPath row={row} server={server} mayModify={mayModify} />
              </div>
            ))}
          <DataTable
            label={words.list.label}
            columns={columns}
            {...listed}
            keyOf={({ id }) => id}
            nameOf={({ name }) => name}
            card={(row) => <InterfaceCard row={row} status={status} editing={name(row)} />}
            lead={(row) => <StateRing state={stateOf(row, status)} size={24} />}
            menu={(row) => <MoreMenu label={table.actions(row.name)} groups={groupsFor(row)} />}
            readAt={all.dataUpdatedAt}
            onRefresh={() => void queryClient.invalidateQueries({ queryKey: SERVERS })}
            refreshing={all.isFetching}
            failed={all.isError ? { title: words.list.failed, error: all.error } : null}
            empty={words.list.none}
          />
        </>
      )}

      {(open?.dialog === "create" || (isAdded && open === null)) && server && (
        <CreateDialog server={server} onClose={close} onDone={done} onMoveIn={() => setOpen({ dialog: "moveIn" })} />
      )}
      {open?.dialog === "moveIn" && server && <MoveInDialog server={server} onClose={close} onDone={done} />}
      {open?.dialog === "edit" && server && <EditDialog row={open.row} server={server} onClose={close} />}
      {open?.dialog === "rotate" && <RotateDialog row={open.row} onClose={close} onDone={done} />}
      {open?.dialog === "reach" && <ReachDialog row={open.row} onClose={close} />}
      {open?.dialog === "empty" && (
        <EmptyDialog
          thing={{ kind: "interface", id: open.row.id, name: open.row.name }}
          onClose={close}
          onDone={done}
        />
      )}
      {open?.dialog === "delete" && (
        <DeleteDialog
          row={open.row}
          onClose={close}
          onDone={done}
          onEmpty={() => setOpen({ dialog: "empty", row: open.row })}
        />
      )}
      {open?.dialog === "assign" && (
        <AssignDialog
          thing={{ kind: "interface", id: open.row.id, name: open.row.name }}
          failed={words.failures.assign}
          mayAssign={mayAssign}
          onClose={close}
        />
      )}
    </Screen>
  );
}

/** When an interface with earlier parameters is deleted, and who still uses it. */
function Rotating({ drain: { goesAt, to }, row }: { drain: Drain; row: Interface | undefined }) {
  const { rotate: words } = useAmneziaWords();
  const { language } = useSpeech();
  const now = useNow(MINUTE_MS);
  if (goesAt === null || row === undefined) return null;
  return (
    <p className={classes.rotating}>
      {words.goes(row.configCount + row.leavingCount, longDay(new Date(goesAt), now, language))}{" "}
      <Link to="/admin/$" params={{ _splat: "configs" }} search={{ filter: "moving", interface: to.id }}>
        {words.whoMoves}
      </Link>
    </p>
  );
}
