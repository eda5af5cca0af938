import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { useStaffWords } from "../../../lib/i18n/staff.ts";
import { systemQuery } from "../../../lib/system-state.ts";
import { EmptyRoom } from "../../../ui/empty-room.tsx";
import { LoadFailed } from "../../../ui/load-failed.tsx";
import { Reason } from "../../../ui/reason.tsx";
import { Waiting } from "../../../ui/waiting.tsx";
import { Screen, useRight, useViewed } from "../../club/staff/index.ts";
import { exitsQuery } from "../exits/index.ts";
import { UnknownPeersBanner } from "../unknown-peers/index.ts";
import { allInterfacesQuery, type Server, serversQuery } from "./queries.ts";
import { ServerCard } from "./server-card.tsx";
import classes from "./servers.module.css";
import { useDrains } from "./use-drains.ts";
import { useServerActions } from "./use-server-actions.tsx";
import { useServersWords } from "./words.ts";

/** The machines that carry the club's tunnels (specification, operator's side 2). */
export function ServersScreen() {
  const { screens } = useStaffWords();
  const words = useServersWords();
  const { viewedRole } = useViewed();
  const servers = useQuery(serversQuery(viewedRole));
  const interfaces = useQuery(allInterfacesQuery(viewedRole)).data;
  // A server by itself has no exit but its own.
  const links = useQuery({ ...exitsQuery, enabled: (servers.data?.length ?? 0) > 1 }).data?.links ?? [];
  const drains = useDrains();
  const actions = useServerActions();
  const inOrder = useBrokenFirst();
  return (
    <Screen
      title={screens.servers}
      count={servers.data?.length ?? null}
      action={{ label: words.add.action, icon: IconPlus, onClick: actions.add }}
    >
      <UnknownPeersBanner />
      {servers.isError && (
        <LoadFailed title={words.failed} error={servers.error} onRetry={() => void servers.refetch()} />
      )}
      {servers.isPending && <Waiting label={words.loading} />}
      {servers.data?.length === 0 && <NoServers />}
      {servers.data && servers.data.length > 0 && (
        <ul className={classes.cards} aria-label={words.label}>
          {inOrder(servers.data).map((server) => (
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
      {actions.dialogs}
    </Screen>
  );
}

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
