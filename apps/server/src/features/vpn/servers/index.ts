import { randomUUID } from "node:crypto";
import { isVaguer, type Reason, reason, reasonsTogether } from "@krug/domain/reasons";
import { isAlwaysClosed } from "@krug/wireguard/access-target";
import type { Host, HostFailure, HostReport } from "../../../hosts/host.ts";
import { type Db, lockPlace, type Tx } from "../../../platform/database/database.ts";
import { memberDeleted } from "../../members/members/index.ts";
import { type KeysEverOn, makeAdopting } from "./adopt.ts";
import { makeConnections, sealedPassword } from "./connections.ts";
import { serverBack, serverDeleted, serverEndpointChanged, serverGone } from "./events.ts";
import { makeForwarding } from "./forwarding.ts";
import { makeMain } from "./main-server.ts";
import { makeOwnAddresses } from "./own-addresses.ts";
import type { ServerParts } from "./parts.ts";
import { makePathMtu } from "./path-mtu.ts";
import * as repository from "./repository.ts";
import { makeNoteShortcoming } from "./shortcomings.ts";
import { makeSshKey, sealedInSshKey } from "./ssh-key.ts";
import { isWorkable } from "./status.ts";
import { NOT_REMOTE, type ServerProblem, type ServerRow } from "./table.ts";
import { probeTcp } from "./tcp-probe.ts";

export { makeContact } from "./add-server.ts";
export { makeAssigning } from "./assigning.ts";
export { makeAssignments } from "./assignments.ts";
export {
  assignmentChanged,
  forwardingBack,
  forwardingRefused,
  serverBack,
  serverDeleted,
  serverEndpointChanged,
  serverGone,
} from "./events.ts";
export { forwardingOf } from "./forwarding.ts";
export { MAIN_SERVER } from "./main-server.ts";
export { openForwarding } from "./open-forwarding.ts";
export type { ServerUse } from "./parts.ts";
export { flagsOf, needsSetup, statusOf as serverStatusOf } from "./status.ts";
export type { ServerProblem, ServerRow } from "./table.ts";
export { isMoving, tunnelPlace, whySystem } from "./tunnel-place.ts";
export { unfitOf } from "./unfit.ts";
export { enqueueReconcile, laneNameOf, laneOf, reconcileServer } from "./wire-job.ts";

export const sealedInServers = [sealedPassword, sealedInSshKey];

/** A shorter silence is not notified. */
const GONE_MS = 2 * 60_000;
const LOCAL_SERVER_NAME = "Этот сервер";

/** The panel's own machine as a VPN server, or why it is none. */
export type LocalState =
  | { state: "enabled"; report: HostReport }
  | { state: "disabled"; why: Reason; report: HostReport | null };

/** Why a server did not answer. */
export type Unanswered = Pick<HostFailure, "why"> & {
  connection?: { problem: ServerProblem; shownKey: string | null } | null;
};

/** Each inspection of the machine starts five programs. */
const INSPECT_EVERY_MS = 5 * 60_000;

export type Servers = ReturnType<typeof makeServers>;

/** VPN servers and the machines behind them. */
export function makeServers(parts: ServerParts) {
  const { db, transact, clock, events, panelId, localHost, publicUrl } = parts;
  let local: LocalState = { state: "disabled", why: reason("local.not_looked"), report: null };

  const defaultEndpoint = async (host: Host) => {
    const name = publicUrl?.hostname.replace(/^\[|\]$/g, "") ?? null;
    // A panel opened at localhost says nothing about where devices reach the machine.
    const isUseful = name !== null && name !== "localhost" && name !== "::1" && !name.startsWith("127.");
    if (isUseful) return name;
    const own = await host.defaultEndpoint();
    // Behind NAT no device on the internet finds it there: staff must enter the address before any config is made.
    return own === null || isAlwaysClosed(own) ? null : own;
  };

  const { adopt } = makeAdopting(parts);
  let mayAdopt = false;
  /** When this machine was last inspected and had its server, ms; null if it has none. */
  let inspectedAt: number | null = null;
  events.on(memberDeleted, (tx, { memberId }) => repository.assignments.removeAllOf(tx, memberId));
  const ownServer = async () => (await repository.all(db)).find((server) => server.panel_id === panelId);

  const known = repository.keepAll(parts.signals);
  const sshKey = makeSshKey(parts);
  const connections = makeConnections(parts, sshKey);
  const hostOf = (server: ServerRow): Host | null => {
    if (server.driver === "ssh") return server.is_prepared === 1 ? connections.remoteOf(server).host : null;
    return server.panel_id === panelId ? localHost : null;
  };
  events.on(serverDeleted, async (tx, { serverId }) => connections.changeWay(tx, serverId));

  /** Notifies staff of servers that have not answered for a while. */
  const tellOfGone = async () => {
    const before = clock.now().getTime() - GONE_MS;
    const isGone = ({ unreachable_since, gone_told }: ServerRow) =>
      gone_told === 0 && unreachable_since !== null && unreachable_since <= before;
    for (const { id } of (await repository.all(db)).filter((row) => isWorkable(row) && isGone(row)))
      await transact(async (tx) => {
        const server = await repository.lock(tx, id);
        if (server === undefined || !isGone(server)) return;
        await repository.update(parts, tx, id, { gone_told: 1 });
        await events.record(tx, serverGone, {
          serverId: id,
          name: server.name,
          since: server.unreachable_since ?? before,
        });
      });
  };

  return {
    isOwnAddress: makeOwnAddresses(parts),
    all: repository.all,
    ever: repository.ever,
    find: repository.find,
    byIds: repository.byIds,
    lock: repository.lock,
    /** Makes it the only main server. */
    setMain: (tx: Tx, id: string) => repository.setMain(parts, tx, id),
    /** The same as an admin's act. */
    makeMain: (tx: Tx, actorId: string, server: ServerRow) => makeMain(parts, tx, actorId, server),
    assignedTo: repository.assignments.of,
    holders: repository.assignments.holders,
    give: repository.assignments.give,
    /** As `all`, from memory: for display, many times a second. */
    known: known.read,
    /** As `known` would answer at once; undefined if it would query the database. */
    latest: known.latest,
    update: (tx: Tx, id: string, change: Parameters<typeof repository.update>[3]) =>
      repository.update(parts, tx, id, change),
    /** The machine behind a server; null if this panel cannot reach it. */
    hostOf,
    /** How servers over SSH are reached. */
    connections,
    noteForwarding: makeForwarding(parts),
    noteNames: makeNoteShortcoming(parts, "names_failure"),
    noteSpeeds: makeNoteShortcoming(parts, "speed_failure"),
    path: makePathMtu(parts),
    /** The panel's own SSH key. */
    sshKey,
    /** Those that get tunnels, from any panel or this one. */
    workable: async (over: Db | Tx): Promise<ServerRow[]> => (await repository.all(over)).filter(isWorkable),
    localState: () => local,
    /** This machine's server may soon be free: worth another check before the next minute's. */
    mayAdopt: () => mayAdopt,
    /** Why this machine runs no tunnels, or what may go wrong with them. */
    localLacks: (): Reason[] => {
      if (local.state === "disabled") return [local.why];
      const { backend, missing } = local.report;
      const lacks = missing.map(({ why }) => why);
      return backend === "netstack" ? [reasonsTogether([reason("local.engine"), ...lacks])] : lacks;
    },
    /**
     * Inspects the panel's own machine and makes it the server 'Этот сервер' once possible (decisions, section 2). `draw` gives a
     * new server its first interface in the same transaction. `isRound`: the last inspection suffices for a while.
     */
    async ensureLocal(
      interfaces: {
        draw: (server: ServerRow, host: Host) => Promise<((tx: Tx) => Promise<unknown>) | null>;
        keysEverOn: KeysEverOn;
      },
      { isRound = false } = {},
    ): Promise<void> {
      const now = clock.now().getTime();
      const isFresh = inspectedAt !== null && Math.abs(now - inspectedAt) < INSPECT_EVERY_MS;
      if (isRound && isFresh && (await ownServer()) !== undefined) return;
      inspectedAt = null;
      if (localHost === null) {
        local = { state: "disabled", why: reason("local.off"), report: null };
        return;
      }
      const report = await localHost.inspect();
      if (report.backend === null) {
        const lacks = report.missing.map(({ why }) => why);
        const why = lacks.length === 0 ? reason("local.cannot") : reasonsTogether(lacks);
        local = { state: "disabled", why, report };
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
          local = { state: "disabled", why: reason("local.taken"), report };
          return;
        }
        if (adopted === "adopted") own = await ownServer();
      }
      if (own !== undefined) {
        inspectedAt = now;
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
        ...NOT_REMOTE,
        panel_id: panelId,
        machine: report.machine,
        endpoint: null,
        default_endpoint: endpoint,
        is_main: 0,
        is_setup_complete: 1,
        takes_new: 1,
        unreachable_since: null,
        unreachable_reason: null,
        reconciled_at: null,
        created_at: clock.now().getTime(),
        deleted_at: null,
      };
      const addFirst = await interfaces.draw(server, localHost);
      if (addFirst === null) {
        local = { state: "disabled", why: reason("local.no_room"), report };
        return;
      }
      await transact(async (tx) => {
        await lockPlace(tx, "servers");
        const others = await repository.all(tx);
        // A start and a minute's check may come at once; the machine is still one server.
        if (others.some((other) => other.panel_id === panelId)) return;
        await repository.insert(parts, tx, { ...server, is_main: others.some((other) => other.is_main === 1) ? 0 : 1 });
        await addFirst(tx);
      });
    },
    /**
     * Records that the server answered, or since when and why it does not. Writes only changes; a more specific reason stays
     * while it is down.
     */
    async noteAnswer(server: ServerRow, failure: Unanswered | null): Promise<void> {
      const { unreachable_since: before, unreachable_reason: known } = server;
      if (
        failure === null ? before === null : known !== null && (known === failure.why || isVaguer(failure.why, known))
      )
        return;
      const shown = failure?.connection?.problem === "host_key_changed" ? failure.connection.shownKey : null;
      const change =
        failure === null
          ? { unreachable_since: null, unreachable_reason: null, unreachable_problem: null }
          : {
              unreachable_since: before ?? clock.now().getTime(),
              unreachable_reason: failure.why,
              unreachable_problem: failure.connection?.problem ?? null,
              ...(shown === null ? {} : { shown_host_key: shown }),
            };
      await transact(async (tx) => {
        const now = failure === null ? await repository.lock(tx, server.id) : undefined;
        await repository.update(parts, tx, server.id, { ...change, ...(now?.gone_told === 1 ? { gone_told: 0 } : {}) });
        if (now?.gone_told !== 1) return;
        const since = now.unreachable_since ?? now.created_at;
        await events.record(tx, serverBack, {
          serverId: server.id,
          name: now.name,
          since,
          until: clock.now().getTime(),
        });
      });
    },
    timed: [
      { name: "servers that are gone", at: "*/15 * * * * *", leaseMs: 10_000, run: tellOfGone },
      {
        name: "servers that are away",
        at: "*/5 * * * * *",
        leaseMs: 4_000,
        run: () => probeTcp(parts),
      },
    ],
    stop: async () => connections.closeAll(),
  };
}
