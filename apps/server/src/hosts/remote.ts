import { type Reason, reason } from "@krug/domain/reasons";
import type { ConnectionFailure, Generation, Host, SshProblem } from "./host.ts";
import { MachineFailure } from "./machine.ts";

/* Servers that the panel reaches over SSH (decisions, section 7), as features see them; implemented in `ssh/`. */

export { MachineFailure };

/** How a machine is reached. */
export interface Target {
  host: string;
  port: number;
  username: string;
  login: Login;
  /** The pinned key's fingerprint; null: any key is accepted, which is only right at first contact. */
  hostKey: string | null;
  /** Set-up has installed the panel's helper there: a missing or older one is reinstalled if that needs no password. */
  isPrepared: boolean;
  /** The panel's generation, which the machine must obey. Null: the helper is not asked. */
  generation: Generation | null;
}

/**
 * With both, the key is tried first, so a machine that knows it is not sent the password. `newPassword` is used if it has to be
 * changed at sign-in.
 */
export type Login = { password: string; privateKey?: string; newPassword?: string } | { privateKey: string };

/** No connection to the machine, so nothing was done there. */
export class SshFailure extends MachineFailure implements ConnectionFailure {
  readonly problem: SshProblem;
  /** Of the key that the machine showed, if it showed one. */
  readonly shownKey: string | null;

  /** `why`: if there is more to say than the problem's own words and the machine's output (`said`). */
  constructor(
    problem: SshProblem,
    {
      shownKey = null,
      said = null,
      why = reason(`ssh.${problem}`, {}, said),
      ...options
    }: ErrorOptions & { shownKey?: string | null; said?: string | null; why?: Reason } = {},
  ) {
    super("unreachable", why, options);
    this.problem = problem;
    this.shownKey = shownKey;
  }
}

/** The machine's disk has no space for the panel's programs. */
export class DiskFull extends SshFailure {
  constructor(said: string | null) {
    super("no_agent", { why: reason("helper.no_room", {}, said) });
  }
}

/** The machine cannot be one of the club's servers: nothing was installed. `failure` is a code of setup.sh. */
export class Unfit extends MachineFailure {
  readonly failure: string;
  readonly detail: string | null;

  constructor(failure: string, detail: string | null) {
    super("refused", reason("machine.said", {}, detail ?? failure));
    this.failure = failure;
    this.detail = detail;
  }
}

/** The machine did not accept a new password; the words are its own, null if it asked for none. */
export class PasswordRefused extends MachineFailure {
  constructor(words: string | null) {
    super("refused", words === null ? reason("ssh.asks_no_password") : reason("machine.said", {}, words));
  }
}

/** What a machine reports about itself at first contact; null if it does not say. */
export interface About {
  /** 'Debian GNU/Linux 12 (bookworm)' */
  system: string | null;
  /** As `uname -m` prints it. */
  architecture: string | null;
  /** Bytes. */
  memory: number | null;
  /** Bytes free for Docker and its images; missing in records of older panels. */
  room?: number | null;
  /** Somebody else's Docker is there. */
  hasDocker?: boolean;
  /** Its own internet addresses, v4 and v6: the source of members' traffic. */
  addresses: string[];
  isRoot: boolean;
  /** Why it cannot be a server, as a code of setup.sh and the machine's output; null: nothing is known against it. */
  unfit: { failure: string; detail: string | null } | null;
}

export interface Met {
  /** Fingerprint of the machine's key. */
  hostKey: string;
  about: About;
}

/** Whether a machine's tunnels are in a Docker container or in its system (docs/adr/0096-tunnels-in-a-container.md). */
export type TunnelPlace = "docker" | "system";

/** One try of a set-up step on a machine. The machine continues it if the connection is lost. */
export interface Step {
  /** A UUID; using the same one again keeps following the same try. */
  runId: string;
  name: "docker" | "wireguard";
  /** Where the machine's tunnels will be. */
  place: TunnelPlace;
  /** Lines already received. */
  heard: number;
}

/** A machine over one persistent connection. */
export interface Remote {
  host: Host;
  /**
   * Installs the panel's helper and key there, over a separate connection; `sudoPassword` for accounts other than root.
   * @throws SshFailure, Unfit
   */
  prepare(publicKey: string, sudoPassword: string | null): Promise<void>;
  /**
   * Starts a step, or keeps following it, until it has ended. `onReached`: the machine answered, whatever it reports later.
   * @throws MachineFailure when the connection is lost
   */
  follow(step: Step, onLine: (line: string) => void, signal: AbortSignal, onReached?: () => void): Promise<void>;
  /** Ends a step before its next command. */
  cancel(runId: string): Promise<void>;
  /** Finds, stops and starts other VPN programs there, by the verb and arguments of old-programs.sh. @throws MachineFailure */
  otherPrograms(args: readonly string[], timeoutMs: number): Promise<string>;
  /**
   * Removes everything that `prepare` and the steps installed, with a line for each thing. The remote cannot be used afterwards.
   */
  leave(account: string, onLine: (line: string) => void): Promise<void>;
  /** The same if the helper may be missing, over a separate connection. @throws SshFailure */
  clean(sudoPassword: string | null, onLine: (line: string) => void): Promise<void>;
  /** Ends the connection; the next call opens another, with whatever `target` then returns. */
  close(): void;
}

/** Returns how a server is reached now, for each new connection. @throws SshFailure if it must not be connected to */
export type AskTarget = () => Promise<Target>;

export interface Passwords {
  current: string;
  next: string;
}

export interface Remotes {
  open(target: AskTarget): Remote;
  /** Signs in once and checks what is there. @throws SshFailure */
  meet(target: Target): Promise<Met>;
  /** Gives the account another password if the machine demands one first. @throws SshFailure, PasswordRefused */
  changePassword(target: Target, passwords: Passwords): Promise<void>;
  /** Whether something accepts TCP connections there, without exchanging any data. */
  tcpProbe(host: string, port: number): Promise<boolean>;
  /** A new ed25519 key: the public one as a line of authorized_keys, the private one in OpenSSH's format. */
  newKey(): Promise<{ publicKey: string; privateKey: string }>;
}
