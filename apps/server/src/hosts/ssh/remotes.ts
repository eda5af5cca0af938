import { connect } from "node:net";
import { reason } from "@krug/domain/reasons";
import { amneziawgBy } from "@krug/wireguard/amneziawg";
import { wireguardBy } from "@krug/wireguard/protocol";
import { endingWithin } from "../../platform/deadline.ts";
import { makeHost } from "../driver.ts";
import type { Call, DesiredHost, Host } from "../host.ts";
import { MachineFailure } from "../machine.ts";
import type { AskTarget, Remote, Remotes, Step, Target } from "../remote.ts";
import { makeAgentMachine } from "./agent-machine.ts";
import { type ConnectionLost, whyUnheld } from "./agent-session.ts";
import { connectSsh, keepConnection, type SshConnection } from "./connection.ts";
import { bringEngineTo, ENGINE_PATH, type EngineFiles } from "./engine.ts";
import { changePassword } from "./new-password.ts";
import { askAbout, cleanMachine, prepareMachine, type ServerPrograms } from "./prepare.ts";

const KNOCK_WITHIN_MS = 3_000;
const BROUGHT_WITHIN_MS = 90_000;
const TRIED_AGAIN_AFTER_MS = 60 * 60_000;
/** Of all files that other programs keep. */
const PROGRAMS_LIMIT = 24 * 1024 * 1024;

/**
 * Servers over SSH. `now` returns ms since 1970; `engines` are the panel's, for tunnels that need one. Without `mayRepair` they
 * are only read: no older helper is replaced, and no machine made to obey this panel.
 */
export function makeRemotes(
  programs: ServerPrograms,
  now: () => number,
  engines: EngineFiles,
  { mayRepair = true }: { mayRepair?: boolean } = {},
): Remotes {
  const accountOf = ({ username, generation }: Target) => ({ username, club: generation?.club ?? null });
  /** Root with a key can replace an older helper without a password. */
  const repair = async (connection: SshConnection, target: Target) => {
    const { username, login, isPrepared } = target;
    if (!mayRepair || !isPrepared || username !== "root" || "password" in login) return false;
    const { default: ssh2 } = await import("ssh2");
    const key = ssh2.utils.parseKey(login.privateKey);
    if (key instanceof Error) throw key;
    await prepareMachine(
      connection,
      { ...accountOf(target), publicKey: publicLine(key), sudoPassword: null },
      programs,
      now(),
    );
    return true;
  };
  const withConnection = async <T>(target: Target, work: (connection: SshConnection) => Promise<T>): Promise<T> => {
    const connection = await connectSsh(target);
    try {
      return await work(connection);
    } finally {
      connection.end();
    }
  };

  const open = (target: AskTarget): Remote => {
    const kept = keepConnection(target, now, { repair, isLook: !mayRepair });
    const engine = bringEngineTo(makeAgentMachine(kept.session), kept.session, engines);
    const { machine } = engine;
    const host = makeHost(machine, {
      club: async () => (await target()).generation?.club ?? null,
      amneziawg: amneziawgBy(ENGINE_PATH),
      ...(!engines.isForAmneziaAlone && { wireguard: wireguardBy(ENGINE_PATH) }),
    });
    const isLookedAtFrom = { renewal: 0, need: 0 };
    /**
     * Installs a newer panel's engine, for tunnels that are made later. Before the first AmneziaWG tunnel it is sent here, which
     * may take longer than a call has; starting a tunnel tries once more and reports what is wrong. For plain WireGuard only a
     * start shows that the kernel has none.
     */
    const renewEngine = async ({ interfaces }: DesiredHost, { signal, lease }: Call = {}) => {
      const why = interfaces.some(({ type }) => type === "amneziawg") ? "need" : "renewal";
      if (now() < isLookedAtFrom[why] || interfaces.length === 0) return;
      if (lease !== undefined && !(await lease.isOurs())) return;
      isLookedAtFrom[why] = now() + TRIED_AGAIN_AFTER_MS;
      try {
        await engine.bring(signal ? endingWithin(BROUGHT_WITHIN_MS, signal) : AbortSignal.timeout(BROUGHT_WITHIN_MS), {
          onlyRenews: why === "renewal",
        });
        isLookedAtFrom[why] = Number.POSITIVE_INFINITY;
      } catch (error) {
        if (!(error instanceof MachineFailure)) throw error;
      }
    };
    const apply: Host["apply"] = async (desired, call) => {
      await renewEngine(desired, call);
      return host.apply(desired, call);
    };
    /** Lines of the set-up script, until it has ended. */
    const listenTo = async (
      args: string[],
      onLine: (line: string) => void,
      signal?: AbortSignal,
      onReached?: () => void,
    ): Promise<void> => {
      const session = await kept.session();
      onReached?.();
      await new Promise<void>((resolve, reject) => {
        const giveUp = () => {
          stop();
          reject(new MachineFailure("unknown", reason("call.not_listened")));
        };
        const ended = () => signal?.removeEventListener("abort", giveUp);
        const stop = session.listen(
          "follow",
          ["krug-setup", ...args],
          ({ word, fields }) => {
            if (word === "line") return onLine(fields[0]?.toString("utf8") ?? "");
            ended();
            const why = whyUnheld({ word, fields });
            if (why !== null) return reject(why);
            if (word === "forbidden") return reject(new TypeError("agent.pl does not allow krug-setup"));
            resolve();
          },
          (lost: ConnectionLost) => {
            ended();
            reject(lost);
          },
        );
        if (signal?.aborted) giveUp();
        else signal?.addEventListener("abort", giveUp, { once: true });
      });
    };
    return {
      host: { ...host, apply },
      prepare: async (publicKey, sudoPassword) => {
        const to = await target();
        await withConnection(to, (connection) =>
          prepareMachine(connection, { ...accountOf(to), publicKey, sudoPassword }, programs, now()),
        );
        kept.close();
      },
      follow: ({ runId, heard, name, place }: Step, ...listening) =>
        listenTo(["run", runId, String(heard + 1), name, String(Math.floor(now() / 1_000)), place], ...listening),
      clean: async (sudoPassword, onLine) => {
        const to = await target();
        const lines = await withConnection(to, (connection) =>
          cleanMachine(connection, { ...accountOf(to), sudoPassword }, programs),
        );
        for (const line of lines) onLine(line);
      },
      leave: (account, onLine) => listenTo(["leave", account], onLine),
      cancel: async (runId) => void (await machine.run("krug-setup", ["cancel", runId])),
      otherPrograms: (args, timeoutMs) =>
        machine.run("krug-programs", args, { timeoutMs, maxOutputBytes: PROGRAMS_LIMIT }),
      close: kept.close,
    };
  };

  return {
    open,
    meet: (target) =>
      withConnection(target, async (connection) => ({
        hostKey: connection.hostKey,
        about: await askAbout(connection, programs, now()),
      })),
    changePassword: (target, passwords) =>
      withConnection(
        { ...target, login: { ...target.login, password: passwords.current, newPassword: passwords.next } },
        async (connection) => {
          if (!connection.hasNewPassword) await changePassword(connection, passwords);
        },
      ),
    tcpProbe: (host, port) =>
      new Promise((resolve) => {
        const socket = connect({ host, port, timeout: KNOCK_WITHIN_MS });
        const end = (isOpen: boolean) => {
          socket.destroy();
          resolve(isOpen);
        };
        socket
          .once("connect", () => end(true))
          .once("timeout", () => end(false))
          .once("error", () => end(false));
      }),
    async newKey() {
      const { newSshKey } = await import("./new-key.ts");
      return newSshKey();
    },
  };
}

const publicLine = (key: { type: string; getPublicSSH(): Buffer }) =>
  `${key.type} ${key.getPublicSSH().toString("base64")}`;
