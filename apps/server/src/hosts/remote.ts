import { type Reason, reason } from "@krug/domain/reasons";
import type { ConnectionFailure, Generation, Host, SshProblem } from "./host.ts";
import { MachineFailure } from "./machine.ts";

/*
 * Servers that the panel reaches over SSH (decisions, section 7), as features see them; `ssh/` is behind it.
 */

export { MachineFailure };

/** How a machine is reached. */
export interface Target {
  host: string;
  port: number;
  username: string;
  login: Login;
  /** The pinned key's fingerprint; null: any key is taken, which is right once, at first contact. */
  hostKey: string | null;
  /** Set-up has put the panel's helper there: one that is missing or older is put there again where that needs no password. */
  isPrepared: boolean;
  /** The panel's own, which the machine has to obey. Null: nothing is asked of its helper. */
  generation: Generation | null;
}

/**
 * With both, the key is tried first, so a machine that knows it hears no password. `newPassword` is for one that has to be changed
 * at sign-in.
 */
export type Login = { password: string; privateKey?: string; newPassword?: string } | { privateKey: string };

/** No connection to the machine, so nothing was done there. */
export class SshFailure extends MachineFailure implements ConnectionFailure {
  readonly problem: SshProblem;
  /** Of the key that the machine showed, where it showed one. */
  readonly shownKey: string | null;

  /** `why`: where there is more to say than the problem's own words and what the machine `said`. */
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

/** The panel's programs find no room on the machine's disk. */
export class DiskFull extends SshFailure {
  constructor(said: string | null) {
    super("no_agent", { why: reason("helper.no_room", {}, said) });
  }
}

/** The machine cannot be a server of the club's: nothing was put there. `failure` is a word of setup.sh's. */
export class Unfit extends MachineFailure {
  readonly failure: string;
  readonly detail: string | null;

  constructor(failure: string, detail: string | null) {
    super("refused", reason("machine.said", {}, detail ?? failure));
    this.failure = failure;
    this.detail = detail;
  }
}

/** The machine did not take a new password; the words are its own, null where it asked for none. */
export class PasswordRefused extends MachineFailure {
  constructor(words: string | null) {
    super("refused", words === null ? reason("ssh.asks_no_password") : reason("machine.said", {}, words));
  }
}

/** What a machine is, as it says at first contact; null where it does not say. */
export interface About {
  /** 'Debian GNU/Linux 12 (bookworm)' */
  system: string | null;
  /** As `uname -m` prints it. */
  architecture: string | null;
  /** Bytes. */
  memory: number | null;
  /** Bytes free for Docker and its images; absent in what an older panel wrote down. */
  room?: number | null;
  /** Docker is there, by somebody else. */
  hasDocker?: boolean;
  /** Addresses of its own on the internet, v4 and v6: what members' traffic comes from. */
  addresses: string[];
  isRoot: boolean;
  /** Why it cannot be a server, by a word of setup.sh's and what the machine said with it; null: nothing is known against it. */
  unfit: { failure: string; detail: string | null } | null;
}

export interface Met {
  /** Fingerprint of the machine's key. */
  hostKey: string;
  about: About;
}

/** Whether a machine's tunnels are in a container of Docker's or in its system (docs/adr/0096-tunnels-in-a-container.md). */
export type TunnelPlace = "docker" | "system";

/** One try of a set-up step on a machine. The machine goes on with it when the connection is lost. */
export interface Step {
  /** A UUID; the same one again goes on listening to the same try. */
  runId: string;
  name: "docker" | "wireguard";
  /** Where the machine's tunnels are to be. */
  place: TunnelPlace;
  /** Lines already heard. */
  heard: number;
}

/** A machine over one kept connection. */
export interface Remote {
  host: Host;
  /**
   * Puts the panel's helper and key there, over a connection of its own; `sudoPassword` for those who are not root.
   * @throws SshFailure, Unfit
   */
  prepare(publicKey: string, sudoPassword: string | null): Promise<void>;
  /**
   * Begins a step, or goes on listening to it, until it has ended. `onReached`: the machine is there, whatever it says later.
   * @throws MachineFailure when the connection is lost
   */
  follow(step: Step, onLine: (line: string) => void, signal: AbortSignal, onReached?: () => void): Promise<void>;
  /** Ends a step before its next command. */
  cancel(runId: string): Promise<void>;
  /** Takes away all that `prepare` and the steps put there; a line for each thing. Nothing can be asked of it afterwards. */
  leave(account: string, onLine: (line: string) => void): Promise<void>;
  /** The same where the helper may not be there, over a connection of its own. @throws SshFailure */
  clean(sudoPassword: string | null, onLine: (line: string) => void): Promise<void>;
  /** Ends the connection; the next call opens another, with what `target` answers then. */
  close(): void;
}

/** Answers how a server is reached now, for each new connection. @throws SshFailure if it may not be connected to */
export type AskTarget = () => Promise<Target>;

export interface Passwords {
  current: string;
  next: string;
}

export interface Remotes {
  open(target: AskTarget): Remote;
  /** Signs in once and looks at what is there. @throws SshFailure */
  meet(target: Target): Promise<Met>;
  /** Gives the account another password, where the machine demands one before anything else. @throws SshFailure, PasswordRefused */
  changePassword(target: Target, passwords: Passwords): Promise<void>;
  /** Whether something accepts TCP connections there, without a word being said. */
  tcpProbe(host: string, port: number): Promise<boolean>;
  /** A new ed25519 key: the public one as a line of authorized_keys, the private one in OpenSSH's format. */
  newKey(): Promise<{ publicKey: string; privateKey: string }>;
}
