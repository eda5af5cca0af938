import { lineOrNull, whyOrNull } from "@krug/contract/reasons";
import type { ServerAnswer, servers as serversContract } from "@krug/contract/vpn/servers";
import { isoOf } from "@krug/domain/moment";
import type { Handlers } from "../../../platform/http/call.ts";
import { tellPage } from "../../../platform/pages.ts";
import { refuse } from "../../../platform/refusal.ts";
import type { SecurityGate } from "../../access/security-gate/index.ts";
import { seesServerSecrets, seesVip } from "../../club/rights/index.ts";
import { makeAddServer } from "./add-server.ts";
import type { KeysEverOn } from "./adopt.ts";
import { makeAssigning } from "./assigning.ts";
import { makeServerChanges } from "./change-server.ts";
import { aboutOf } from "./connections.ts";
import { forwardingOf } from "./forwarding.ts";
import type { Servers } from "./index.ts";
import { makeLeaveServer } from "./leave-server.ts";
import { makeMachines } from "./machines.ts";
import type { ServerCallParts } from "./parts.ts";
import * as repository from "./repository.ts";
import { flagsOf, needsSetup, statusOf, whyNotDeleted } from "./status.ts";
import type { ServerRow } from "./table.ts";
import { tunnelPlace } from "./tunnel-place.ts";
import { unfitOf } from "./unfit.ts";

interface Parts extends ServerCallParts {
  servers: Pick<Servers, "hostOf" | "connections" | "sshKey">;
  interfaces: { keysEverOn: KeysEverOn };
  securityGate: Pick<SecurityGate, "countryOf">;
}

export function makeServerRoutes(parts: Parts): Handlers<typeof serversContract> {
  const { db, clock, members, usage, servers, securityGate, exits } = parts;
  const machines = makeMachines({ ...parts, ...servers, countryOf: securityGate.countryOf });
  const changes = makeServerChanges(parts, servers.connections);
  const add = makeAddServer(parts, servers.connections);
  const leave = makeLeaveServer(parts, servers.connections, { changes, keysEverOn: parts.interfaces.keysEverOn });
  const assigning = makeAssigning(parts, {
    word: "server",
    unknown: "server.not_found",
    hold: repository.lock,
    assignments: repository.assignments,
  });

  const describe = async (rows: readonly ServerRow[], withVip: boolean): Promise<ServerAnswer[]> => {
    const uses = await usage.byServer(db, withVip);
    const assigned = await repository.assignments.counts(db, withVip ? null : members.visibleIds(db, false));
    const used = await exits.usedAmong(db);
    const ready = (await repository.all(db)).filter((row) => row.is_setup_complete === 1);
    const now = clock.now().getTime();
    return rows.map((row) => {
      const use = uses.get(row.id);
      const machine = machines.of(row.id);
      const createdAt = isoOf(row.created_at);
      return {
        id: row.id,
        name: row.name,
        driver: row.driver,
        host: row.ssh_host ?? machine?.hostName ?? null,
        credentials:
          row.ssh_host === null
            ? null
            : {
                host: row.ssh_host,
                port: row.ssh_port ?? 22,
                username: row.ssh_username ?? "root",
                hasPassword: row.sealed_password !== null,
              },
        fingerprint: row.host_key,
        shownFingerprint: row.shown_host_key,
        system: aboutOf(row)?.system ?? null,
        unfit: unfitOf(row),
        needsSetup: needsSetup(row),
        tunnelsIn: row.driver === "ssh" ? tunnelPlace(row) : null,
        endpoint: row.endpoint,
        defaultEndpoint: row.default_endpoint,
        ...flagsOf(row),
        status: statusOf(row, now),
        error: lineOrNull(row.unreachable_reason),
        why: whyOrNull(row.unreachable_reason),
        problem: row.unreachable_problem,
        errorSince: isoOf(row.unreachable_since),
        lastSync: isoOf(row.reconciled_at),
        createdAt,
        created_at: createdAt,
        stats: machine?.stats ?? null,
        interfaceCount: use?.interfaces ?? 0,
        configCount: use?.configs ?? 0,
        peerCount: use?.onWire ?? 0,
        capacity: use?.capacity ?? 0,
        takesNew: row.takes_new === 1,
        forwarding: forwardingAnswer(row),
        namesUnresolved: whyOrNull(row.names_failure),
        speedsUnlimited: whyOrNull(row.speed_failure),
        pathMtu: row.path_mtu,
        opensForwarding: row.opens_forwarding === 1,
        toDownload: use?.toDownload ?? 0,
        leavingCount: use?.leaving ?? 0,
        assignedCount: assigned.get(row.id) ?? 0,
        whyNotDeleted: whyNotDeleted(row, {
          isLive: changes.isLive(row),
          configs: use?.configs ?? 0,
          hasOthers: ready.some(({ id }) => id !== row.id),
          isExit: used.has(row.id),
        }),
      };
    });
  };
  const shown = async (row: ServerRow): Promise<ServerAnswer> => (await describe([row], true))[0] as ServerAnswer;

  return {
    async list({ actor, query }) {
      const rows = await describe(await repository.all(db), seesVip(actor, query.as));
      return seesServerSecrets(actor, query.as) ? rows : rows.map(withoutSecrets);
    },

    add: async ({ actor, body }) => shown(await add(actor, body)),

    sshKey: async () => ({ publicKey: (await servers.sshKey()).publicKey }),

    acceptHostKey: async ({ actor, params, body }) =>
      shown(await changes.acceptHostKey(actor, params.id, body.fingerprint)),

    newPassword: async ({ actor, params, body }) => shown(await changes.newPassword(actor, params.id, body)),

    change: async ({ actor, params, body }) => shown(await changes.change(actor, params.id, body)),

    leave: ({ actor, params }) => leave(actor, params.id),

    remove: async ({ actor, params }) => void (await changes.remove(actor, params.id)),

    async refresh({ params }) {
      await machines.refresh((await repository.find(db, params.id)) ?? refuse("server.not_found"));
      return shown((await repository.find(db, params.id)) ?? refuse("server.not_found"));
    },

    setMain: async ({ actor, params }) => shown(await changes.setMain(actor, params.id)),

    assign: ({ actor, body }) => assigning.assign(actor, body.userId, body.serverId),

    unassign: async ({ actor, params }) => void (await assigning.unassign(actor, params.userId, params.serverId)),

    async assignments({ actor, params, query, reply }) {
      if ((await repository.find(db, params.id)) !== undefined) {
        const withVip = seesVip(actor, query.as);
        const { rows, next, total } = await assigning.list(params.id, {
          ...query,
          withVip,
          q: query.q,
          cursor: query.cursor,
        });
        tellPage(reply, { next, total });
        return rows;
      }
      const member = await assigning.seen(db, actor, params.id);
      const own = new Set(await repository.assignments.of(db, member.id));
      return (await repository.all(db)).filter(({ id }) => own.has(id)).map(({ id, name }) => ({ serverId: id, name }));
    },
  };
}

/** Hidden from moderators: how the machine is reached, its details, and messages of its own or of its firewalls. */
const withoutSecrets = (server: ServerAnswer): ServerAnswer => ({
  ...server,
  host: null,
  credentials: null,
  fingerprint: null,
  shownFingerprint: null,
  system: null,
  unfit: null,
  // Members' files name it only while there is no other.
  defaultEndpoint: server.endpoint === null ? server.defaultEndpoint : null,
  error: null,
  why: null,
  namesUnresolved: null,
  speedsUnlimited: null,
  stats: server.stats && { ...server.stats, ip_address: null },
  forwarding: server.forwarding && { ...server.forwarding, causes: [], failure: null, why: null },
});

function forwardingAnswer(row: ServerRow): ServerAnswer["forwarding"] {
  const told = forwardingOf(row);
  if (told === null) return null;
  const { failure } = told;
  return {
    ...told,
    since: isoOf(told.since),
    failure: lineOrNull(failure),
    why: whyOrNull(failure),
  };
}
