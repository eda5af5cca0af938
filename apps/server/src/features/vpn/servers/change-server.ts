import type { ServerChangeInput } from "@krug/contract/vpn/servers";
import { reason } from "@krug/domain/reasons";
import { readEndpointHost } from "@krug/wireguard/endpoint";
import { PasswordRefused, SshFailure } from "../../../hosts/remote.ts";
import { changedMeanwhile } from "../../../platform/changed-meanwhile.ts";
import { lockPlace, type Tx } from "../../../platform/database/database.ts";
import type { Actor } from "../../../platform/http/call.ts";
import { refuse, refuseBecause } from "../../../platform/refusal.ts";
import { checkedHost, makeContact, makeContactBy, refuseTaken } from "./add-server.ts";
import { type Connections, passwordPlace } from "./connections.ts";
import { serverDeleted, serverEndpointChanged } from "./events.ts";
import { MAIN_SERVER, makeMain } from "./main-server.ts";
import type { ServerCallParts } from "./parts.ts";
import * as repository from "./repository.ts";
import { isWorkable, statusOf, whyNotDeleted } from "./status.ts";
import type { ServerRow } from "./table.ts";
import { enqueueReconcile } from "./wire-job.ts";

/** How long an answer waits for the machine's firewall to be opened. */
const APPLY_WAIT_MS = 6_000;

interface NewPassword {
  password: string;
  current?: string | undefined;
}

/** An admin's changes of the servers, each audited. */
export function makeServerChanges(parts: ServerCallParts, connections: Connections) {
  const { db, transact, clock, events, audit, jobs, panelId, localHost, sealing, usage, remotes, exits } = parts;

  /** A running panel has this machine as its own: deleted, it would be a server again within a minute. */
  const isLive = (server: ServerRow) =>
    server.driver === "local" &&
    (server.panel_id === panelId ? localHost !== null : statusOf(server, clock.now().getTime()) === "connected");

  /** New connection settings: first contact is repeated and the host key pinned before anything is written. */
  const newWay = async (id: string, wish: ServerChangeInput) => {
    if (wish.credentials === undefined) return null;
    const server = (await repository.find(db, id)) ?? refuse("server.not_found");
    if (server.driver !== "ssh") refuse("server.is_local");
    refuseChanged(server, wish);
    const { port, username, password } = wish.credentials;
    const host = checkedHost(wish.credentials.host);
    const isElsewhere = host !== server.ssh_host || port !== server.ssh_port;
    if (!isElsewhere && username === server.ssh_username && password === undefined) return null;
    const known = await connections.targetOf(server);
    const hostKey = isElsewhere ? null : server.host_key;
    const { columns } = await makeContactBy(parts, { ...known, host, port, username, hostKey }, password);
    // A working one does not switch to settings that do not lead there. A rebuilt machine shows another key.
    const leads = columns.unreachable_since === null || columns.shown_host_key !== null;
    if (server.is_prepared === 1 && !leads)
      refuseBecause("server.unreachable", columns.unreachable_reason ?? reason("ssh.lost"));
    return { host, port, username, password, columns };
  };

  /** The server, locked. @throws Refusal that says why it cannot be deleted */
  const removable = async (tx: Tx, id: string): Promise<ServerRow> => {
    await lockPlace(tx, MAIN_SERVER);
    const server = (await repository.lock(tx, id)) ?? refuse("server.not_found");
    const configs = (await usage.byServer(tx, true)).get(id)?.configs ?? 0;
    const hasOthers = (await repository.all(tx)).some((other) => other.id !== id && other.is_setup_complete === 1);
    const users = await exits.usersOf(tx, id);
    const why = whyNotDeleted(server, { isLive: isLive(server), configs, hasOthers, isExit: users.length > 0 });
    return why === null ? server : refuse(why, { count: configs, names: users.join(", ") });
  };

  return {
    isLive,

    async change(actor: Actor, id: string, wish: ServerChangeInput): Promise<ServerRow> {
      const known = await repository.find(db, id);
      const way = await newWay(id, wish);
      const jobIds: string[] = [];
      const changed = await transact(async (tx) => {
        const before = (await repository.lock(tx, id)) ?? refuse("server.not_found");
        refuseChanged(before, wish);
        const change: Partial<ServerRow> = {};
        if (wish.name !== undefined && wish.name !== before.name) change.name = wish.name;
        const endpoint = wish.endpoint === undefined ? before.endpoint : checkedEndpoint(wish.endpoint);
        if (endpoint !== before.endpoint) change.endpoint = endpoint;
        if (wish.takesNew !== undefined && wish.takesNew !== (before.takes_new === 1))
          change.takes_new = wish.takesNew ? 1 : 0;
        if (wish.opensForwarding !== undefined && wish.opensForwarding !== (before.opens_forwarding === 1))
          change.opens_forwarding = wish.opensForwarding ? 1 : 0;
        const changed = Object.keys(change) as (keyof typeof change)[];
        const told: Record<string, unknown> = { ...change };
        if (way !== null) {
          const { host, port, username, password, columns } = way;
          await refuseTaken(tx, { host, port }, id);
          Object.assign(change, columns, { ssh_host: host, ssh_port: port, ssh_username: username });
          Object.assign(change, { default_endpoint: host, about: columns.about ?? before.about });
          if (password !== undefined) {
            const seal = await sealing.sealer(tx);
            const setup = { is_prepared: 0, setup_since: clock.now().getTime() };
            Object.assign(change, setup, { sealed_password: seal(passwordPlace(id), password) });
          }
          Object.assign(told, { host, port, username, fingerprint: columns.host_key });
        }
        if (Object.keys(change).length === 0) return before;
        const after = { ...before, ...change };
        await repository.update(parts, tx, id, change);
        if (way !== null) connections.changeWay(tx, id);
        await audit.record(tx, actor.memberId, "server.changed", {
          target: id,
          before: {
            ...Object.fromEntries(changed.map((name) => [name, before[name]])),
            ...(way && {
              host: before.ssh_host,
              port: before.ssh_port,
              username: before.ssh_username,
              fingerprint: before.host_key,
            }),
          },
          after: told,
        });
        if ((after.endpoint ?? after.default_endpoint) !== (before.endpoint ?? before.default_endpoint))
          await events.record(tx, serverEndpointChanged, { serverId: id });
        const isForMachine = way !== null || change.opens_forwarding !== undefined;
        if (isForMachine && isWorkable(after)) jobIds.push(await enqueueReconcile(jobs, tx, after));
        return after;
      });
      if (changed.opens_forwarding === known?.opens_forwarding) return changed;
      await jobs.settled(jobIds, APPLY_WAIT_MS);
      return (await repository.find(db, id)) ?? changed;
    },

    /** Accepts another key that the machine has shown; nothing was done there since then. */
    async acceptHostKey(actor: Actor, id: string, fingerprint: string): Promise<ServerRow> {
      return transact(async (tx) => {
        const before = (await repository.lock(tx, id)) ?? refuse("server.not_found");
        if (before.host_key === fingerprint && before.shown_host_key === null) return before;
        if (before.shown_host_key !== fingerprint) refuse("server.changed_meanwhile", { fields: ["fingerprint"] });
        const change = { host_key: fingerprint, shown_host_key: null };
        await repository.update(parts, tx, id, change);
        connections.changeWay(tx, id);
        await audit.record(tx, actor.memberId, "server.host_key_accepted", {
          target: id,
          before: { fingerprint: before.host_key },
          after: { fingerprint },
        });
        const after = { ...before, ...change };
        if (isWorkable(after)) await enqueueReconcile(jobs, tx, after);
        return after;
      });
    },

    /** The machine demands a password change: sets the new one, and the panel uses that until its key is there. */
    async newPassword(actor: Actor, id: string, { password, current }: NewPassword): Promise<ServerRow> {
      const server = (await repository.find(db, id)) ?? refuse("server.not_found");
      if (server.driver !== "ssh") refuse("server.is_local");
      const target = await connections.targetOf(server);
      const known = current ?? connections.passwordOf(server) ?? refuse("server.password_missing");
      await remotes.changePassword(target, { current: known, next: password }).catch((error: unknown) => {
        if (error instanceof PasswordRefused) refuseBecause("server.password_refused", error.why);
        if (error instanceof SshFailure) refuseBecause("server.unreachable", error.why);
        throw error;
      });
      const { columns } = await makeContact(parts, { ...target, login: { ...target.login, password } });
      return transact(async (tx) => {
        const before = (await repository.lock(tx, id)) ?? refuse("server.not_found");
        const seal = await sealing.sealer(tx);
        const change = {
          ...columns,
          about: columns.about ?? before.about,
          ...(before.is_prepared === 0 ? { sealed_password: seal(passwordPlace(id), password) } : {}),
        };
        await repository.update(parts, tx, id, change);
        connections.changeWay(tx, id);
        await audit.record(tx, actor.memberId, "server.password_changed", { target: id });
        const after = { ...before, ...change };
        if (isWorkable(after)) await enqueueReconcile(jobs, tx, after);
        return after;
      });
    },

    setMain: (actor: Actor, id: string): Promise<ServerRow> =>
      transact(async (tx) => {
        await lockPlace(tx, MAIN_SERVER);
        const server = (await repository.lock(tx, id)) ?? refuse("server.not_found");
        if (server.is_main === 1) return server;
        if (server.is_setup_complete === 0) refuse("server.not_set_up");
        await makeMain(parts, tx, actor.memberId, server);
        return { ...server, is_main: 1 };
      }),

    refuseToRemove: (id: string): Promise<unknown> => transact((tx) => removable(tx, id)),

    remove: (actor: Actor, id: string): Promise<void> =>
      transact(async (tx) => {
        const server = await removable(tx, id);
        await repository.update(parts, tx, id, { deleted_at: clock.now().getTime(), sealed_password: null });
        await repository.assignments.removeAll(tx, id);
        await events.record(tx, serverDeleted, { serverId: id });
        await audit.record(tx, actor.memberId, "server.deleted", {
          target: id,
          before: { name: server.name, endpoint: server.endpoint ?? server.default_endpoint },
        });
      }),
  };
}

function refuseChanged(server: ServerRow, wish: ServerChangeInput): void {
  const { name, endpoint, ssh_host: host, ssh_port: port, ssh_username: username } = server;
  const fields = changedMeanwhile({ name, endpoint, credentials: { host, port, username } }, wish, wish.expected);
  if (fields.length > 0) refuse("server.changed_meanwhile", { fields });
}

function checkedEndpoint(written: string | null): string | null {
  if (written === null || written === "") return null;
  return readEndpointHost(written) ?? refuse("server.endpoint_invalid", { field: "endpoint" });
}
