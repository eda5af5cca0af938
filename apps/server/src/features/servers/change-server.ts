import type { ServerChangeInput } from "@krug/contract/servers";
import { isEndpointHost } from "@krug/wireguard/endpoint";
import { changedMeanwhile } from "../../platform/changed-meanwhile.ts";
import { lockPlace } from "../../platform/database/database.ts";
import type { Actor } from "../../platform/http/call.ts";
import { refuse } from "../../platform/refusal.ts";
import { serverDeleted, serverEndpointChanged } from "./events.ts";
import type { ServerCallParts } from "./parts.ts";
import * as repository from "./repository.ts";
import { statusOf, whyNotDeleted } from "./standing.ts";
import type { ServerRow } from "./table.ts";

/** An admin's changes of the servers, each audited. */
export function makeServerChanges(parts: ServerCallParts) {
  const { transact, clock, events, audit, panelId, localHost, usage } = parts;

  /** A panel that runs now has this machine as its own: deleted, it would be a server again within a minute. */
  const isLive = (server: ServerRow) =>
    server.panel_id === panelId ? localHost !== null : statusOf(server, clock.now().getTime()) === "connected";

  return {
    isLive,

    change: (actor: Actor, id: string, wish: ServerChangeInput): Promise<ServerRow> =>
      transact(async (tx) => {
        const before = (await repository.lock(tx, id)) ?? refuse("server.not_found");
        const fields = changedMeanwhile({ name: before.name, endpoint: before.endpoint }, wish, wish.expected);
        if (fields.length > 0) refuse("server.changed_meanwhile", { fields });
        const change: Partial<Pick<ServerRow, "name" | "endpoint">> = {};
        if (wish.name !== undefined && wish.name !== before.name) change.name = wish.name;
        const endpoint = wish.endpoint === undefined ? before.endpoint : checkedEndpoint(wish.endpoint);
        if (endpoint !== before.endpoint) change.endpoint = endpoint;
        const changed = Object.keys(change) as (keyof typeof change)[];
        if (changed.length === 0) return before;
        const after = { ...before, ...change };
        await repository.update(parts, tx, id, change);
        await audit.record(tx, {
          actorId: actor.memberId,
          action: "server.changed",
          target: id,
          before: Object.fromEntries(changed.map((name) => [name, before[name]])),
          after: change,
        });
        if ((after.endpoint ?? after.default_endpoint) !== (before.endpoint ?? before.default_endpoint))
          await events.record(tx, serverEndpointChanged, { serverId: id });
        return after;
      }),

    setMain: (actor: Actor, id: string): Promise<ServerRow> =>
      transact(async (tx) => {
        await lockPlace(tx, "main server");
        const server = (await repository.lock(tx, id)) ?? refuse("server.not_found");
        if (server.is_main === 1) return server;
        const before = (await repository.all(tx)).find(({ is_main }) => is_main === 1);
        await repository.setMain(parts, tx, id);
        await audit.record(tx, {
          actorId: actor.memberId,
          action: "server.set_main",
          target: id,
          before: { main: before?.name ?? null },
          after: { main: server.name },
        });
        return { ...server, is_main: 1 };
      }),

    remove: (actor: Actor, id: string): Promise<void> =>
      transact(async (tx) => {
        await lockPlace(tx, "main server");
        const server = (await repository.lock(tx, id)) ?? refuse("server.not_found");
        const configs = (await usage.byServer(tx, true)).get(id)?.configs ?? 0;
        const reason = whyNotDeleted(server, { isLive: isLive(server), configs });
        if (reason !== null) refuse(reason, { count: configs });
        await repository.update(parts, tx, id, { deleted_at: clock.now().getTime() });
        await repository.assignments.removeAll(tx, id);
        await events.record(tx, serverDeleted, { serverId: id });
        await audit.record(tx, {
          actorId: actor.memberId,
          action: "server.deleted",
          target: id,
          before: { name: server.name, endpoint: server.endpoint ?? server.default_endpoint },
        });
      }),
  };
}

function checkedEndpoint(written: string | null): string | null {
  if (written === null || written === "") return null;
  return isEndpointHost(written) ? written : refuse("server.endpoint_invalid", { field: "endpoint" });
}
