import { createHash } from "node:crypto";
import { reason } from "@krug/domain/reasons";
import type { ConnectConfig, ExecOptions, SFTPWrapper } from "ssh2";
import { Superseded } from "../generation.ts";
import type { SshProblem } from "../host.ts";
import { MachineFailure } from "../machine.ts";
import { type AskTarget, SshFailure, type Target } from "../remote.ts";
import { type AgentSession, claim, OldAgent, openAgentSession } from "./agent-session.ts";
import type { Running } from "./answered.ts";
import { signInBy } from "./sign-in.ts";

/** The path of the panel's helper on a server; set-up installs it. */
export const AGENT_PATH = "/usr/local/lib/krug/agent";

/** As OpenSSH prints it: `SHA256:` and the hash of the key, base64 without padding. */
export function fingerprintOf(key: Buffer): string {
  return `SHA256:${createHash("sha256")
    .update(key)
    .digest("base64")
    .replace(/(?<!=)=+$/, "")}`;
}

type SshTarget = Omit<Target, "isPrepared">;

/** A signed-in connection. */
export interface SshConnection {
  /** The machine's own key. */
  hostKey: string;
  /** Runs one of our own commands; the stream is its stdin and stdout. @throws SshFailure */
  open(command: string): Promise<Running>;
  /** The same on a terminal. @throws SshFailure */
  openTerminal(command: string): Promise<Running>;
  /** Signing in used the login's new password. */
  hasNewPassword: boolean;
  /** The machine's files. @throws SshFailure if the machine has no SFTP */
  sftp(): Promise<SFTPWrapper>;
  onEnd(listener: () => void): void;
  end(): void;
  /** Ends it at once, in case the machine no longer responds. */
  destroy(): void;
}

const CONNECT_WITHIN_MS = 10_000;
const KEEPALIVE = { keepaliveInterval: 5_000, keepaliveCountMax: 3 };

/**
 * Connects and signs in. The host key is checked before anything is sent to sign in, so a stranger gets no password.
 * @throws SshFailure
 */
export async function connectSsh(target: SshTarget, signal?: AbortSignal): Promise<SshConnection> {
  const { default: ssh2 } = await import("ssh2");
  return new Promise((resolve, reject) => {
    const client = new ssh2.Client();
    const signIn = signInBy(target, (problem, said) => fail(new SshFailure(problem, { said, shownKey })));
    const offered: string[] = [];
    let shownKey: string | null = null;
    const fail = (failure: SshFailure) => {
      signal?.removeEventListener("abort", giveUp);
      client.destroy();
      reject(failure);
    };
    const giveUp = () => fail(new SshFailure("silent", { why: reason("call.given_up"), shownKey }));
    signal?.addEventListener("abort", giveUp);

    /** A machine that keeps sending might still leave this one request unanswered. */
    const inTime = <T>(ask: (done: (value: T) => void, failed: (failure: SshFailure) => void) => void): Promise<T> =>
      new Promise<T>((resolve, reject) => {
        const timer = setTimeout(() => {
          reject(new SshFailure("silent", { shownKey }));
          client.destroy();
        }, CONNECT_WITHIN_MS);
        const settled =
          <Value>(settle: (value: Value) => void) =>
          (value: Value) => {
            clearTimeout(timer);
            settle(value);
          };
        ask(settled(resolve), settled(reject));
      });
    const run = (command: string, options: ExecOptions): Promise<Running> =>
      inTime((opened, failed) => {
        client.exec(command, options, (error, channel) => {
          if (!error) return opened(channel);
          // Its sshd refused the command; without an answer the connection is gone.
          const isRefused = error.message.startsWith("Unable to exec");
          failed(new SshFailure(isRefused ? "no_shell" : "lost", { said: error.message, cause: error }));
        });
      });

    client.on("ready", () => {
      signal?.removeEventListener("abort", giveUp);
      resolve({
        hostKey: shownKey ?? "",
        hasNewPassword: signIn.hasNewPassword(),
        open: (command) => run(command, {}),
        openTerminal: (command) => run(command, { pty: { term: "dumb", cols: 500 } }),
        sftp: () =>
          inTime((opened, failed) => {
            client.sftp((error, sftp) => {
              if (error)
                failed(new SshFailure("lost", { why: reason("ssh.no_sftp", {}, error.message), cause: error }));
              else opened(sftp);
            });
          }),
        onEnd: (listener) => void client.once("close", listener),
        end: () => client.end(),
        destroy: () => client.destroy(),
      });
    });
    client.on("change password", signIn.changes);
    client.on("error", (error: Error & { level?: string; code?: string }) => {
      if (error.level === "client-authentication") return fail(signIn.failure({ cause: error, shownKey }));
      fail(failureOf(error, { shownKey, known: target.hostKey, offered }));
    });
    client.on("close", () => fail(new SshFailure("lost", { why: reason("ssh.ended"), shownKey })));

    const config: ConnectConfig = {
      host: target.host,
      port: target.port,
      username: target.username,
      readyTimeout: CONNECT_WITHIN_MS,
      ...KEEPALIVE,
      hostVerifier: (key: Buffer) => {
        shownKey = fingerprintOf(key);
        return target.hostKey === null || target.hostKey === shownKey;
      },
      ...signIn.config,
      // The only place where ssh2 reports what the machine offers.
      debug: (line) => {
        const [, what, names] = /^Handshake: \(remote\) ([^:]{1,30}): (.{0,400})/.exec(line) ?? [];
        if (what !== undefined) offered.push(`${what}: ${names}`);
      },
    };
    client.connect(config);
    // Otherwise a small request waits until the machine has acknowledged the previous data, up to 40 ms.
    client.setNoDelay(true);
  });
}

function failureOf(
  error: Error & { level?: string; code?: string },
  { shownKey, known, offered }: { shownKey: string | null; known: string | null; offered: readonly string[] },
): SshFailure {
  const options = { cause: error, shownKey };
  if (known !== null && shownKey !== null && shownKey !== known)
    return new SshFailure("host_key_changed", {
      why: reason("ssh.other_host_key", { shown: shownKey, known }),
      ...options,
    });
  if (error.level === "client-timeout") return new SshFailure("silent", options);
  if (error.level === "handshake" && error.message.includes("no matching"))
    return new SshFailure("no_algorithm", { said: [error.message, ...offered.slice(-1)].join("; "), ...options });
  switch (error.code) {
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return new SshFailure("unresolved", options);
    case "ECONNREFUSED":
      return new SshFailure("closed", options);
    case "ETIMEDOUT":
    case "EHOSTUNREACH":
    case "ENETUNREACH":
      return new SshFailure("silent", options);
    default:
      return new SshFailure(error.level === "protocol" ? "not_ssh" : "lost", { said: error.message, ...options });
  }
}

export interface KeptConnection {
  /** The agent's session in use, or a new one. @throws SshFailure */
  session(): Promise<AgentSession>;
  /** Ends the connection; the next call opens one, with whatever the target is then. */
  close(): void;
}

/** Installs the panel's helper on a machine where it is missing or older. Returns whether it did. */
export type Repair = (connection: SshConnection, target: Target) => Promise<boolean>;

/** The machine refused the login, and may ban clients that return too often. */
const REFUSALS = new Set<SshProblem>(["login_refused", "keys_only", "second_factor"]);
/** After a refused login; a machine with fail2ban bans clients that try more often. Minutes. */
const REFUSED_WAITS_MIN = [1, 2, 4, 8, 15];
const AWAY_WAIT_MS = 5_000;

/**
 * One connection to a machine for all calls, opened on demand. After a failure, the same failure is returned for a while without
 * trying again. `target` is read again for each connection. `now` returns ms since 1970. `isLook`: the machine is not made to
 * obey this panel, so nothing can be changed over it.
 */
export function keepConnection(
  target: AskTarget,
  now: () => number,
  { repair, isLook = false }: { repair?: Repair; isLook?: boolean } = {},
): KeptConnection {
  let current: Promise<AgentSession> | null = null;
  let connection: SshConnection | null = null;
  let failure: { error: SshFailure; until: number } | null = null;
  let refusals = 0;
  let closings = 0;

  /** Drops the connection before it has ended: by then there may be another. */
  const drop = () => {
    connection?.end();
    connection = null;
    current = null;
  };

  /** `isWanted`: false once it was closed. */
  const open = async (isWanted: () => boolean): Promise<AgentSession> => {
    const to = await target();
    const mine = await connectSsh(to);
    if (!isWanted()) {
      mine.end();
      throw new SshFailure("lost", { why: reason("ssh.closed_meanwhile") });
    }
    connection = mine;
    mine.onEnd(() => {
      if (connection !== mine) return;
      connection = null;
      current = null;
    });
    try {
      const command = to.username === "root" ? AGENT_PATH : `sudo -n ${AGENT_PATH}`;
      const start = async () => openAgentSession(await mine.open(command));
      const session = await start().catch(async (error: unknown) => {
        if (error instanceof OldAgent && error.problem === "no_agent" && (await repair?.(mine, to))) return start();
        throw error;
      });
      // A machine whose helper has ended, or sends unrequested data, may keep the connection open and keep sending.
      void session.ended.then(() => mine.destroy());
      if (to.generation !== null) await claim(session, to.generation, isLook);
      refusals = 0;
      failure = null;
      return session;
    } catch (error) {
      mine.end();
      if (connection === mine) connection = null;
      if (error instanceof Superseded) throw error;
      if (error instanceof MachineFailure && !(error instanceof SshFailure))
        throw new SshFailure(error instanceof OldAgent ? error.problem : "no_agent", {
          why: error.why,
          cause: error,
          shownKey: mine.hostKey,
        });
      throw error;
    }
  };

  return {
    async session() {
      while (current !== null) {
        const asked = current;
        const session = await asked;
        if (session.isOpen) return session;
        // Of many callers that find it ended, the first one drops the connection, and all share the next.
        if (current !== asked) continue;
        drop();
      }
      if (failure !== null && now() < failure.until) throw failure.error;
      const before = closings;
      const isWanted = () => closings === before;
      const opening = open(isWanted);
      current = opening;
      try {
        return await opening;
      } catch (error) {
        if (current === opening) current = null;
        // After a close, the next call reconnects and waits for nothing.
        if (error instanceof SshFailure && isWanted()) {
          const isRefused = REFUSALS.has(error.problem);
          refusals = isRefused ? refusals + 1 : 0;
          const waitMin = REFUSED_WAITS_MIN[Math.min(refusals, REFUSED_WAITS_MIN.length) - 1] ?? 0;
          failure = { error, until: now() + (isRefused ? waitMin * 60_000 : AWAY_WAIT_MS) };
        }
        throw error;
      }
    },
    close() {
      closings += 1;
      failure = null;
      refusals = 0;
      drop();
    },
  };
}
