import { randomUUID } from "node:crypto";
import type { ServerAddInput } from "@krug/contract/vpn/servers";
import { readEndpointHost } from "@krug/wireguard/endpoint";
import { type Met, SshFailure, type Target } from "../../../hosts/remote.ts";
import { lockPlace, type Tx } from "../../../platform/database/database.ts";
import type { Actor } from "../../../platform/http/call.ts";
import { refuse } from "../../../platform/refusal.ts";
import { type Connections, passwordPlace } from "./connections.ts";
import type { ServerCallParts } from "./parts.ts";
import * as repository from "./repository.ts";
import type { ServerRow } from "./table.ts";

/** The result of first contact: the machine, or why there was none. */
type Contact = { met: Met } | { failure: SshFailure };

/** How a machine is reached and what is known of it, as columns. */
export type Contacted = Pick<
  ServerRow,
  "host_key" | "shown_host_key" | "about" | "unreachable_since" | "unreachable_reason" | "unreachable_problem"
>;

/** Signs in to a machine once, to pin its key and read its details. */
export async function makeContact(
  { remotes, clock }: Pick<ServerCallParts, "remotes" | "clock">,
  target: Target,
): Promise<{ columns: Contacted; shownKey: string | null; isMet: boolean }> {
  const contact: Contact = await remotes.meet(target).then(
    (met) => ({ met }),
    (failure: unknown) => {
      if (failure instanceof SshFailure) return { failure };
      throw failure;
    },
  );
  if ("met" in contact) {
    const { hostKey, about } = contact.met;
    const none = { shown_host_key: null, unreachable_since: null, unreachable_reason: null, unreachable_problem: null };
    return { columns: { ...none, host_key: hostKey, about: JSON.stringify(about) }, shownKey: hostKey, isMet: true };
  }
  const { problem, why, shownKey } = contact.failure;
  return {
    columns: {
      host_key: target.hostKey ?? shownKey,
      shown_host_key: problem === "host_key_changed" ? shownKey : null,
      about: null,
      unreachable_since: clock.now().getTime(),
      unreachable_reason: why,
      unreachable_problem: problem,
    },
    shownKey,
    isMet: false,
  };
}

/** The same with an entered password, which is tried first if the machine accepts any. */
export async function makeContactBy(
  parts: Parameters<typeof makeContact>[0],
  target: Target,
  password: string | undefined,
): ReturnType<typeof makeContact> {
  if (password === undefined) return makeContact(parts, target);
  const found = await makeContact(parts, { ...target, login: { password } });
  if (found.columns.unreachable_problem !== "keys_only") return found;
  return makeContact(parts, { ...target, login: { ...target.login, password } });
}

export async function refuseTaken(tx: Tx, { host, port }: { host: string; port: number }, id: string): Promise<void> {
  await lockPlace(tx, "servers");
  const other = (await repository.all(tx)).find(
    (row) => row.ssh_host === host && row.ssh_port === port && row.id !== id,
  );
  if (other !== undefined) refuse("server.exists", { name: other.name, field: "host" });
}

export const checkedHost = (written: string): string =>
  readEndpointHost(written)?.toLowerCase() ?? refuse("server.endpoint_invalid", { field: "host" });

/** Adds a machine that is reached over SSH: connects once, pins its host key, and reads its details (decisions, section 7). */
export function makeAddServer(parts: ServerCallParts, connections: Pick<Connections, "targetOf">) {
  const { db, transact, clock, audit, sealing } = parts;

  return async (actor: Actor, wish: ServerAddInput): Promise<ServerRow> => {
    const { port, username, password } = wish.credentials;
    const host = checkedHost(wish.credentials.host);
    const id = randomUUID();
    const isThere = (await repository.all(db)).some((row) => row.ssh_host === host && row.ssh_port === port);
    if (isThere) await transact((tx) => refuseTaken(tx, { host, port }, id));
    const now = clock.now().getTime();
    const row: ServerRow = {
      id,
      name: wish.name,
      driver: "ssh",
      panel_id: null,
      machine: null,
      endpoint: null,
      default_endpoint: host,
      is_main: 0,
      is_setup_complete: 0,
      unreachable_since: null,
      unreachable_reason: null,
      unreachable_problem: null,
      gone_told: 0,
      takes_new: 1,
      reconciled_at: null,
      created_at: now,
      deleted_at: null,
      ssh_host: host,
      ssh_port: port,
      ssh_username: username,
      sealed_password: null,
      host_key: wish.fingerprint ?? null,
      shown_host_key: null,
      about: null,
      wants_main: wish.isMain === true ? 1 : 0,
      is_prepared: 0,
      setup_since: now,
      tunnels_in: wish.tunnelsIn ?? null,
      tunnels_now_in: null,
      forwarding: null,
      opens_forwarding: 0,
      names_failure: null,
      speed_failure: null,
      path_mtu: null,
    };
    const target = await connections.targetOf(row);
    const { columns, shownKey } = await makeContactBy(parts, target, password);
    if (columns.shown_host_key !== null)
      refuse("server.fingerprint_differs", { shown: shownKey ?? "", field: "fingerprint" });
    return transact(async (tx) => {
      await refuseTaken(tx, { host, port }, id);
      const seal = await sealing.sealer(tx);
      const sealed_password = password === undefined ? null : seal(passwordPlace(id), password);
      const added = { ...row, ...columns, sealed_password };
      await repository.insert(parts, tx, added);
      await audit.record(tx, actor.memberId, "server.added", {
        target: id,
        after: { name: wish.name, host, port, username, fingerprint: columns.host_key, tunnels_in: added.tunnels_in },
      });
      return added;
    });
  };
}
