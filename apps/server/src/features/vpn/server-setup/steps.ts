import { SetupFailure } from "@krug/contract/vpn/server-setup";
import { type Reason, reason, reasonLine } from "@krug/domain/reasons";
import { HostFailure } from "../../../hosts/host.ts";
import { DiskFull, MachineFailure, SshFailure, type Step, Unfit } from "../../../hosts/remote.ts";
import { refuse } from "../../../platform/refusal.ts";
import { auditedOf } from "../interfaces/index.ts";
import {
  enqueueReconcile,
  isMoving,
  makeContact,
  type ServerProblem,
  type ServerRow,
  tunnelPlace,
  unfitOf,
} from "../servers/index.ts";
import type { SetupParts } from "./parts.ts";
import { type Ending, type Recording, SUCCESS } from "./record.ts";
import type { RunRow } from "./table.ts";

/** One try of a step, in progress. */
export interface Working {
  run: RunRow;
  server: ServerRow;
  recording: Recording;
  /** The machine answers: it is not down. */
  reached(): void;
  /** Stops following the step, not the step itself: the panel stops, or no longer holds the lease. */
  signal: AbortSignal;
}

const APPLIED_WITHIN_MS = 60_000;

const failed = (failure: SetupFailure, detail: Reason | null = null): Ending => ({ failure, detail });
/** The machine's message, for a failure that has one. */
const quoted = (said: string | null): Reason | null => (said === null ? null : reason("machine.said", {}, said));

/** Problems that may pass by themselves. */
const PASSES = new Set<ServerProblem | null>(["closed", "silent", "lost", "unresolved"]);
const failureBy = (problem: ServerProblem | null): SetupFailure =>
  problem === null || PASSES.has(problem) ? "no_connection" : problem === "no_sudo" ? "not_root" : problem;

/** A code from setup.sh. */
function failureOf(word: string): SetupFailure {
  const known = SetupFailure.safeParse(word);
  return known.success ? known.data : "failed";
}

/** The work of each step. A lost connection is thrown: the step continues over another one. */
export function makeSteps(parts: SetupParts) {
  const { db, transact, jobs, audit, remotes, servers, interfaces } = parts;
  const { connections } = servers;

  /** A step that runs on the machine itself, by its helper. */
  const onMachine = async (name: Step["name"], working: Working): Promise<Ending> => {
    const { run, server, recording, signal } = working;
    let ending: Ending | null = null;
    const hear = (line: string) => {
      recording.hear(line);
      const [mark, word, code = "", ...rest] = line.split(" ");
      if (mark !== "#krug") return;
      if (word === "done") ending = SUCCESS;
      if (word === "fail") ending = failed(failureOf(code), quoted(rest.join(" ") || null));
    };
    const step = { runId: run.id, name, place: tunnelPlace(server), heard: recording.heard() };
    await connections.remoteOf(server).follow(step, hear, signal, working.reached);
    return ending ?? failed("interrupted");
  };

  /** Installs the panel's key and helper; then the password is deleted. */
  const prepare = async ({ server, recording, reached }: Working): Promise<Ending | null> => {
    if (server.is_prepared === 1) return null;
    recording.say("stage keys");
    await recording.flush();
    const target = await connections.targetOf(server);
    const { columns, isMet } = await makeContact(parts, target);
    await transact((tx) => servers.update(tx, server.id, { ...columns, about: columns.about ?? server.about }));
    if (!isMet) return failed(failureBy(columns.unreachable_problem), columns.unreachable_reason);
    reached();
    const unfit = unfitOf({ ...server, about: columns.about });
    if (unfit !== null) return failed(unfit.failure, quoted(unfit.detail));
    const { publicKey, privateKey } = await servers.sshKey();
    connections.forget(server.id);
    await connections.remoteOf(server).prepare(publicKey, connections.passwordOf(server));
    const isLetIn = await remotes.meet({ ...target, hostKey: columns.host_key, login: { privateKey } }).then(
      () => true,
      (error: unknown) => {
        if (error instanceof SshFailure && error.problem === "login_refused") return false;
        throw error;
      },
    );
    if (!isLetIn) return failed("key_refused");
    await transact(async (tx) => {
      await servers.update(tx, server.id, { is_prepared: 1, sealed_password: null });
      connections.changeWay(tx, server.id);
    });
    return null;
  };

  /** Fixes the tunnels' place as it was at first contact. */
  const settlePlace = ({ server: { id } }: Working): Promise<ServerRow> =>
    transact(async (tx) => {
      const server = (await servers.lock(tx, id)) ?? refuse("server.not_found");
      if (server.tunnels_in !== null) return server;
      const settled = { tunnels_in: tunnelPlace(server) };
      await servers.update(tx, id, settled);
      return { ...server, ...settled };
    });

  return {
    docker: async (working: Working): Promise<Ending> =>
      (await prepare(working)) ?? onMachine("docker", { ...working, server: await settlePlace(working) }),

    async wireguard(working: Working): Promise<Ending> {
      if (isMoving(working.server))
        await transact((tx) => servers.update(tx, working.server.id, { tunnels_now_in: "moving" }));
      return onMachine("wireguard", working);
    },

    /** Creates the first interface; forwarding, the firewall and the rest come with reconciling the machine. */
    async configure({ server, recording, run, reached }: Working): Promise<Ending> {
      recording.say("stage interface");
      await recording.flush();
      const host = servers.hostOf(server);
      if (host === null) return failed("no_connection");
      const report = await host.inspect();
      reached();
      for (const { why } of report.missing) recording.hear(reasonLine(why, "en"));
      if (report.backend === null) return failed("no_tunnels", report.missing[0]?.why ?? null);
      const twin = (await servers.all(db)).find(
        (other) =>
          other.id !== server.id &&
          report.machine !== null &&
          other.machine === report.machine &&
          (other.driver === "local" || other.host_key === server.host_key),
      );
      if (twin !== undefined) return failed("same_machine", reason("server.named", { name: twin.name }));
      const hasInterface = (await interfaces.ofServer(db, server.id)).length > 0;
      const addFirst = hasInterface ? null : await interfaces.draw(server, host);
      if (!hasInterface && addFirst === null) return failed("no_room");
      recording.say("stage apply");
      const jobId = await transact(async (tx) => {
        const row = await addFirst?.(tx);
        await servers.update(tx, server.id, { machine: report.machine });
        if (row !== undefined)
          await audit.record(tx, run.started_by, "interface.added", {
            target: row.id,
            after: { server: server.name, ...auditedOf(row) },
          });
        return enqueueReconcile(jobs, tx, server);
      });
      await recording.flush();
      const isSettled = await jobs.settled([jobId], APPLIED_WITHIN_MS);
      const after = await servers.find(db, server.id);
      if (after?.unreachable_since != null) return failed("no_connection", after.unreachable_reason);
      const conflict = (await interfaces.ofServer(db, server.id)).find((row) => row.conflict !== null)?.conflict;
      if (!isSettled || conflict !== undefined) return failed("not_applied", conflict ?? null);
      await transact(async (tx) => {
        const now = await servers.lock(tx, server.id);
        if (now === undefined) return;
        await servers.update(tx, server.id, { is_setup_complete: 1, tunnels_now_in: tunnelPlace(server) });
        if (now.is_setup_complete === 1) return;
        await audit.record(tx, run.started_by, "server.setup_completed", { target: server.id });
        const hasMain = (await servers.all(tx)).some((other) => other.is_main === 1);
        if (now.wants_main === 1 || !hasMain) await servers.setMain(tx, server.id);
      });
      return SUCCESS;
    },

    /** How the step ends if the failure is the machine's; null if it continues over another connection. */
    endingOf(error: unknown): Ending | null | undefined {
      if (error instanceof DiskFull) return failed("no_space", error.why);
      if (error instanceof Unfit) return failed(failureOf(error.failure), quoted(error.detail));
      if (error instanceof SshFailure)
        return PASSES.has(error.problem) ? null : failed(failureBy(error.problem), error.why);
      if (error instanceof MachineFailure) return failed("no_tunnels", error.why);
      if (error instanceof HostFailure) return error.connection === null ? failed("no_tunnels", error.why) : null;
      return undefined;
    },
  };
}
