import { Button } from "@mantine/core";
import { IconPencil, IconPlus, IconTrash } from "@tabler/icons-react";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { useCallback, useId, useState } from "react";
import { useStaffWords } from "../../../lib/i18n/staff.ts";
import { useListAddress } from "../../../lib/use-list-address.ts";
import { useSettled } from "../../../lib/use-settled.ts";
import { DataTable } from "../../../ui/data-table.tsx";
import { lazyDialog } from "../../../ui/lazy-dialog.tsx";
import { ListTools, SearchField } from "../../../ui/list-tools.tsx";
import { MoreMenu } from "../../../ui/more-menu.tsx";
import { NothingFound } from "../../../ui/nothing-found.tsx";
import { useWholePages } from "../../../ui/use-whole-pages.ts";
import { Screen, useMay, useViewed } from "../../club/staff/index.ts";
import classes from "./catalog.module.css";
import { EntryCard } from "./entry-card.tsx";
import { type Entry, staffDnsQuery, staffServicesQuery, usageQuery } from "./queries.ts";
import { useColumns } from "./use-columns.tsx";
import { useCatalogWords } from "./words.ts";

const EntryDialog = lazyDialog(() => import("./entry-dialog.tsx").then(({ EntryDialog }) => EntryDialog));
const DeleteDialog = lazyDialog(() => import("./delete-dialog.tsx").then(({ DeleteDialog }) => DeleteDialog));

const KnownDialog = lazyDialog(() => import("./known-dialog.tsx").then(({ KnownDialog }) => KnownDialog));

type Open = { dialog: "known" } | { dialog: "edit" | "delete"; entry: Entry } | { dialog: "add"; kind: Entry["kind"] };

/** The services and DNS entries that members' configs are made of (specification, operator's side 2). */
export function CatalogScreen() {
  const { screens } = useStaffWords();
  const words = useCatalogWords();
  const { viewedRole } = useViewed();
  const mayModify = useMay("catalog.change");
  const { asked, change } = useListAddress(1_000);
  const [open, setOpen] = useState<Open | null>(null);
  const services = useQuery(staffServicesQuery);
  const dns = useQuery(staffDnsQuery);
  const settled = useSettled();
  // The lists work without it.
  const usage = useQuery({ ...usageQuery(viewedRole), enabled: settled }).data;
  const q = asked.q ?? "";
  const search = useCallback((typed: string) => change({ q: typed }), [change]);
  const usedIn = (kind: Entry["kind"], id: string): number | null => {
    if (usage === undefined) return null;
    return usage[kind === "service" ? "services" : "dns"].find((use) => use.id === id)?.configs ?? 0;
  };
  const added = mayModify && (asked.add === "service" || asked.add === "dns") ? asked.add : null;
  const shown: Open | null = open ?? (added && { dialog: "add", kind: added });
  const close = () => {
    setOpen(null);
    if (added) change({ add: null, set: null, ticket: null });
  };
  const part = (kind: Entry["kind"], query: UseQueryResult<Omit<Entry, "kind">[]>) => (
    <Part
      kind={kind}
      query={query}
      q={q}
      onClear={() => change({ q: null })}
      usedIn={(id) => usedIn(kind, id)}
      mayModify={mayModify}
      onOpen={setOpen}
    />
  );
  return (
    <Screen title={screens.wireguard} readOnly={!mayModify}>
      <ListTools>
        <SearchField label={words.search} value={q} onChange={search} />
      </ListTools>
      <div className={classes.parts}>
        {part("service", services)}
        {part("dns", dns)}
      </div>

      {shown?.dialog === "add" && (
        <EntryDialog
          kind={shown.kind}
          entry={null}
          {...(added && asked.set ? { wished: { name: asked.set, ticketId: asked.ticket } } : {})}
          onClose={close}
        />
      )}
      {shown?.dialog === "known" && <KnownDialog onClose={close} />}
      {shown?.dialog === "edit" && <EntryDialog kind={shown.entry.kind} entry={shown.entry} onClose={close} />}
      {shown?.dialog === "delete" && <DeleteDialog entry={shown.entry} onClose={close} />}
    </Screen>
  );
}

interface PartProps {
  kind: Entry["kind"];
  query: UseQueryResult<Omit<Entry, "kind">[]>;
  q: string;
  onClear: () => void;
  usedIn: (id: string) => number | null;
  mayModify: boolean;
  onOpen: (open: Open) => void;
}

/** One of the two lists. */
function Part({ kind, query, q, onClear, usedIn, mayModify, onOpen }: PartProps) {
  const words = useCatalogWords();
  const { table } = useStaffWords();
  const headingId = useId();
  const isService = kind === "service";
  const all = query.data?.map((entry) => ({ kind, ...entry }) as Entry);
  const needle = q.toLowerCase();
  const rows = all?.filter(
    ({ name, ips }) => name.toLowerCase().includes(needle) || ips.some((ip) => ip.toLowerCase().includes(needle)),
  );
  const columns = useColumns({ kind, usedIn });
  const title = isService ? words.services : words.dns;
  return (
    <section aria-labelledby={headingId}>
      <div className={classes.head}>
        <h2 id={headingId}>
          {title}
          {all && <span>{all.length}</span>}
        </h2>
        {mayModify && (
          <Button
            variant="outline"
            leftSection={<IconPlus size={20} stroke={1.6} aria-hidden="true" />}
            aria-label={isService ? words.addService : words.addDns}
            onClick={() => onOpen({ dialog: "add", kind })}
          >
            {words.add}
          </Button>
        )}
        {mayModify && isService && (
          <Button variant="subtle" onClick={() => onOpen({ dialog: "known" })}>
            {words.known.open}
          </Button>
        )}
      </div>
      <p className={classes.lead}>{isService ? words.servicesLead : words.dnsLead}</p>
      <DataTable
        label={title}
        columns={columns}
        {...useWholePages(rows, headingId, q)}
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
        card={(entry) => <EntryCard entry={entry} used={usedIn(entry.id)} />}
        {...(mayModify
          ? {
              menu: (entry: Entry) => (
                <MoreMenu
                  label={table.actions(entry.name)}
                  groups={[
                    [
                      {
                        label: words.actions.edit,
                        icon: IconPencil,
                        onClick: () => onOpen({ dialog: "edit", entry }),
                      },
                    ],
                    [
                      {
                        label: words.actions.remove,
                        icon: IconTrash,
                        onClick: () => onOpen({ dialog: "delete", entry }),
                        danger: true,
                      },
                    ],
                  ]}
                />
              ),
            }
          : {})}
        readAt={query.dataUpdatedAt}
        onRefresh={() => void query.refetch()}
        refreshing={query.isFetching}
        failed={query.isError ? { title: words.failed, error: query.error } : null}
        empty={
          q === "" ? (
            isService ? (
              words.noServices
            ) : (
              words.noDns
            )
          ) : (
            <NothingFound text={words.nothing} clear={words.clear} onClear={onClear} />
          )
        }
      />
    </section>
  );
}
