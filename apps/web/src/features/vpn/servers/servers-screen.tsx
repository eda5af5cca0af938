import { nameKey, wordsSought } from "@krug/domain/name-search";
import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useRef } from "react";
import { useStaffWords } from "../../../lib/i18n/staff.ts";
import { systemQuery } from "../../../lib/system-state.ts";
import { useListAddress } from "../../../lib/use-list-address.ts";
import { EmptyRoom } from "../../../ui/empty-room.tsx";
import { ListTools, SearchField } from "../../../ui/list-tools.tsx";
import { Loading } from "../../../ui/loading.tsx";
import { NothingFound } from "../../../ui/nothing-found.tsx";
import { Reason } from "../../../ui/reason.tsx";
import { Screen, useRight, useViewed } from "../../club/staff/index.ts";
import { exitsQuery } from "../exits/index.ts";
import { UnknownPeersBanner } from "../unknown-peers/index.ts";
import { allInterfacesQuery, type Server, serversQuery } from "./queries.ts";
import { ServerCard } from "./server-card.tsx";
import classes from "./servers.module.css";
import { useDrains } from "./use-drains.ts";
import { useServerActions } from "./use-server-actions.tsx";
import { useServersWords } from "./words.ts";

/** Every card on the screen fetches its machine's live numbers. */
const ON_A_PAGE = 10;

/** The machines that carry the club's tunnels (specification, operator's side 2). */
export function ServersScreen() {
  const { screens, table } = useStaffWords();
  const words = useServersWords();
  const { viewedRole } = useViewed();
  const servers = useQuery(serversQuery(viewedRole));
  const interfaces = useQuery(allInterfacesQuery(viewedRole)).data;
  // A server by itself has no exit but its own.
  const links = useQuery({ ...exitsQuery, enabled: (servers.data?.length ?? 0) > 1 }).data?.links ?? [];
  const drains = useDrains();
  const actions = useServerActions();
  const inOrder = useBrokenFirst();
  const { asked, change, page, toPage } = useListAddress(ON_A_PAGE);
  const q = asked.q ?? "";
  const search = useCallback((typed: string) => change({ q: typed }), [change]);
  const found = servers.data ? inOrder(servers.data).filter(matching(q)) : [];
  const last = Math.max(1, Math.ceil(found.length / ON_A_PAGE));
  const place = Math.min(page, last);
  return (
    <Screen
      title={screens.servers}
      count={servers.data?.length ?? null}
      action={{ label: words.add.action, icon: IconPlus, onClick: actions.add }}
    >
      <UnknownPeersBanner />
      <Loading of={servers} failed={words.failed} label={words.loading} />
      {servers.data?.length === 0 && <NoServers />}
      {servers.data && (servers.data.length > ON_A_PAGE || q !== "") && (
        <ListTools>
          <SearchField label={words.search} value={q} onChange={search} />
        </ListTools>
      )}
      {servers.data && servers.data.length > 0 && found.length === 0 && (
        <NothingFound text={words.nothing} clear={table.clear} onClear={() => search("")} />
      )}
      {found.length > 0 && (
        <ul className={classes.cards} aria-label={words.label}>
          {found.slice((place - 1) * ON_A_PAGE, place * ON_A_PAGE).map((server) => (
            <ServerCard
              key={server.id}
              server={server}
              interfaces={interfaces?.filter(({ serverId }) => serverId === server.id)}
              links={links}
              menu={actions.groupsFor(server)}
              onSetUp={() => actions.setUp(server)}
              onEdit={() => actions.edit(server)}
              onEmpty={() => actions.empty(server)}
              drain={drains?.find(({ from }) => from.id === server.id) ?? null}
            />
          ))}
        </ul>
      )}
      {last > 1 && (
        <nav className={classes.pages} aria-label={table.pages}>
          <Button variant="subtle" disabled={place === 1} onClick={() => toPage(place - 1)}>
            {table.previous}
          </Button>
          <span>{`${place} ${table.ofPages(last)}`}</span>
          <Button variant="subtle" disabled={place === last} onClick={() => toPage(place + 1)}>
            {table.next}
          </Button>
        </nav>
      )}
      {actions.dialogs}
    </Screen>
  );
}

const matching =
  (q: string) =>
  ({ name, host, endpoint }: Server): boolean => {
    const text = nameKey([name, host, endpoint].filter(Boolean).join(" "));
    return wordsSought(q).every((spellings) => spellings.some((spelling) => text.includes(spelling)));
  };

/** Broken ones first, by their state when the screen was opened: a card does not move while it is on the screen. */
function useBrokenFirst() {
  const opened = useRef<readonly string[]>(null);
  return (servers: readonly Server[]): readonly Server[] => {
    const isWell = ({ status }: Server) => Number(status !== "error" && status !== "silent");
    opened.current ??= servers.toSorted((one, other) => isWell(one) - isWell(other)).map(({ id }) => id);
    const placeOf = ({ id }: Server) => {
      const place = opened.current?.indexOf(id) ?? -1;
      return place === -1 ? Number.POSITIVE_INFINITY : place;
    };
    // Equal places: Infinity minus Infinity is NaN.
    return servers.toSorted((one, other) => (placeOf(one) === placeOf(other) ? 0 : placeOf(one) - placeOf(other)));
  };
}

/** Without any server: what prevents the panel's own host from being one. */
function NoServers() {
  const words = useServersWords();
  const seesSystem = useRight("system.see");
  const why = useQuery({ ...systemQuery, enabled: seesSystem }).data?.local.why ?? null;
  return (
    <EmptyRoom title={words.none}>
      <p>{words.noneLead}</p>
      {why !== null && (
        <p>
          {words.noneReason} <Reason why={why} />
        </p>
      )}
    </EmptyRoom>
  );
}
