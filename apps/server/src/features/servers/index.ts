import { randomUUID } from "node:crypto";
import type { Host, HostReport } from "../../hosts/host.ts";
import { lockPlace, type Tx } from "../../platform/database/database.ts";
import { memberDeleted } from "../members/index.ts";
import { type KeysEverOn, makeAdopting } from "./adopt.ts";
import { serverEndpointChanged } from "./events.ts";
import type { ServerParts } from "./parts.ts";
import * as repository from "./repository.ts";
import type { ServerRow } from "./table.ts";

export { makeAssigning } from "./assigning.ts";
export { makeAssignments } from "./assignments.ts";
export { assignmentChanged, serverDeleted, serverEndpointChanged } from "./events.ts";
export type { ServerUse } from "./parts.ts";
export { statusOf as serverStatusOf } from "./standing.ts";
export type { ServerRow } from "./table.ts";
export { enqueueReconcile, laneOf, reconcileServer } from "./wire-job.ts";

const LOCAL_SERVER_NAME = "Этот сервер";

/** The panel's own machine as a VPN server: there, or why not. */
export type LocalState =
  | { state: "enabled"; report: HostReport }
  | { state: "disabled"; reason: string; report: HostReport | null };

export type Servers = ReturnType<typeof makeServers>;

/** VPN servers and the machines behind them. */
export function makeServers(parts: ServerParts) {
  const { db, transact, clock, events, panelId, localHost, publicUrl } = parts;
  let local: LocalState = { state: "disabled", reason: "not looked at yet", report: null };

  const defaultEndpoint = async (host: Host) => {
    const name = publicUrl?.hostname.replace(/^\[|\]$/g, "") ?? null;
    // A panel that is opened at localhost says nothing about where devices reach the machine.
    const isUseful = name !== null && name !== "localhost" && name !== "::1" && !name.startsWith("127.");
    return isUseful ? name : await host.defaultEndpoint();
  };

  const { adopt } = makeAdopting(parts);
  let mayAdopt = false;
  events.on(memberDeleted, (tx, { memberId }) => repository.assignments.removeAllOf(tx, memberId));
  const ownServer = async () => (await repository.all(db)).find((server) => server.panel_id === panelId);

  const hostOf = (server: ServerRow): Host | null => (server.panel_id === panelId ? localHost : null);

  return {
    all: repository.all,
    ever: repository.ever,
    find: repository.find,
    lock: repository.lock,
    assignedTo: repository.assignments.of,
    /** As `all`, from memory: for what is shown, many times a second. */
    known: repository.keepAll(parts.signals).read,
    update: (tx: Tx, id: string, change: Parameters<typeof repository.update>[3]) =>
      repository.update(parts, tx, id, change),
    /** The machine behind a server; null if this panel can't reach it. */
    hostOf,
    localState: () => local,
    /** This machine's server may soon be free: worth another look before the minute's. */
    mayAdopt: () => mayAdopt,
    /** Sentences for the operator: why this machine runs no tunnels, or what may go wrong with them. */
    localLacks: (): string[] =>
      local.state === "disabled" ? [local.reason] : local.report.missing.map((problem) => problem.detail),
    /**
     * Looks at the panel's own machine and makes it the server 'Этот сервер' once it can be one (decisions, section 2).
     * `draw` gives a new server its first interface in the same transaction.
     */
    async ensureLocal(interfaces: {
      draw: (server: ServerRow, host: Host) => Promise<(tx: Tx) => Promise<unknown>>;
      keysEverOn: KeysEverOn;
    }): Promise<void> {
      if (localHost === null) {
        local = { state: "disabled", reason: "LOCAL_SERVER=off", report: null };
        return;
      }
      const report = await localHost.inspect();
      if (report.backend === null) {
        const reason = report.missing.map((problem) => problem.detail).join(" ") || "WireGuard cannot run here.";
        local = { state: "disabled", reason, report };
        return;
      }
      local = { state: "enabled", report };
      const endpoint = await defaultEndpoint(localHost);
      let own = await ownServer();
      if (own === undefined) {
        const adopted = await adopt(localHost, report, interfaces.keysEverOn);
        mayAdopt = adopted === "wait" || adopted === "taken";
        if (adopted === "wait") return;
        if (adopted === "taken") {
          local = { state: "disabled", reason: "Another panel on this database runs this machine's tunnels.", report };
          return;
        }
        if (adopted === "adopted") own = await ownServer();
      }
      if (own !== undefined) {
        const { id, machine } = own;
        if (report.machine !== null && machine !== report.machine)
          await transact((tx) => repository.update(parts, tx, id, { machine: report.machine }));
        if (own.default_endpoint === endpoint || endpoint === null) return;
        const hasOwnEndpoint = own.endpoint !== null;
        await transact(async (tx) => {
          await repository.update(parts, tx, id, { default_endpoint: endpoint });
          if (!hasOwnEndpoint) await events.record(tx, serverEndpointChanged, { serverId: id });
        });
        return;
      }
      const server: ServerRow = {
        id: randomUUID(),
        name: LOCAL_SERVER_NAME,
        driver: "local",
        panel_id: panelId,
        machine: report.machine,
        endpoint: null,
        default_endpoint: endpoint,
        is_main: 0,
        is_setup_complete: 1,
        unreachable_since: null,
        unreachable_reason: null,
        reconciled_at: null,
        created_at: clock.now().getTime(),
        deleted_at: null,
      };
      const addFirst = await interfaces.draw(server, localHost);
      await transact(async (tx) => {
        await lockPlace(tx, "servers");
        const others = await repository.all(tx);
        // A start and a minute's look may come at once; the machine is one server all the same.
        if (others.some((other) => other.panel_id === panelId)) return;
        await repository.insert(parts, tx, { ...server, is_main: others.some((other) => other.is_main === 1) ? 0 : 1 });
        await addFirst(tx);
      });
    },
    /** Notes that the server answered, or since when and why it does not. Writes only when that changes. */
    async noteAnswer(server: ServerRow, failure: string | null): Promise<void> {
      if (failure === null ? server.unreachable_since === null : server.unreachable_reason === failure) return;
      const change =
        failure === null
          ? { unreachable_since: null, unreachable_reason: null }
          : { unreachable_since: server.unreachable_since ?? clock.now().getTime(), unreachable_reason: failure };
      await transact((tx) => repository.update(parts, tx, server.id, change));
    },
  };
}
