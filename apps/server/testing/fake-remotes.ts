import { generateKeyPairSync, randomBytes } from "node:crypto";
import { reason } from "@krug/domain/reasons";
import { Superseded } from "../src/hosts/generation.ts";
import type { Host } from "../src/hosts/host.ts";
import { HostSuperseded, HostUnreachable } from "../src/hosts/host.ts";
import {
  type About,
  type AskTarget,
  DiskFull,
  MachineFailure,
  PasswordRefused,
  type Remotes,
  SshFailure,
  type Step,
  type Target,
  type TunnelPlace,
  Unfit,
} from "../src/hosts/remote.ts";
import { type FakeHost, makeFakeHost } from "./fake-host.ts";

/** An empty machine that can be reached over SSH, in memory. */
export interface FakeVps {
  hostKey: string;
  password: string | null;
  /** Keys that may sign in: lines of authorized_keys. */
  readonly keys: Set<string>;
  /** It accepts no passwords. */
  keysOnly: boolean;
  /** The password has to be changed before anything else. */
  isExpired: boolean;
  /** Why it refuses a new password; null: it accepts one. */
  refusesPassword: string | null;
  about: About;
  /** While set, there is no connection to it. */
  away: SshFailure | null;
  /** What it prints for a step; the last line says how it ended. A promise delays a step. */
  steps: Record<Step["name"], (string | Promise<unknown>)[]>;
  /** Attempts to sign in, and how. */
  readonly logins: ("password" | "key")[];
  /** Steps that were started, by their run. */
  readonly begun: Map<string, Step["name"]>;
  /** Where the last step was asked to put its tunnels. */
  place: TunnelPlace | null;
  readonly cancelled: string[];
  sudoPassword: string | null;
  /** Its disk is full. */
  isFull: boolean;
  /** Another club has its tunnels there. */
  isOthers: boolean;
  /** The account from which everything of the panel's was removed; null: it is still there. */
  left: string | null;
  readonly host: FakeHost;
  /** Answers for old-programs.sh. */
  programs(args: readonly string[]): Promise<string>;
}

export interface FakeRemotes extends Remotes {
  /** Puts a machine at an address. */
  rent(at: string, about?: Partial<FakeVps>): FakeVps;
}

export const newFingerprint = () => `SHA256:${randomBytes(32).toString("base64").replace(/=+$/, "")}`;

/** Machines over SSH, in memory, by address; other addresses have none. */
export function makeFakeRemotes(): FakeRemotes {
  const machines = new Map<string, FakeVps>();

  const signIn = ({ host, hostKey, login }: Target): FakeVps => {
    const vps = machines.get(host);
    if (vps === undefined) throw new SshFailure("silent");
    if (vps.away !== null) throw vps.away;
    if (hostKey !== null && hostKey !== vps.hostKey)
      throw new SshFailure("host_key_changed", { shownKey: vps.hostKey });
    const isKnown = login.privateKey !== undefined && vps.keys.has(publicOf(login.privateKey));
    const isByPassword = "password" in login && !isKnown;
    if (isByPassword && vps.keysOnly)
      throw new SshFailure("keys_only", {
        why: reason("ssh.keys_only", { ways: "publickey" }),
        shownKey: vps.hostKey,
      });
    vps.logins.push(isByPassword ? "password" : "key");
    if (!(isByPassword ? login.password === vps.password : isKnown))
      throw new SshFailure("login_refused", {
        shownKey: vps.hostKey,
      });
    return vps;
  };
  const refuseOthers = ({ isOthers }: FakeVps) => {
    if (isOthers) throw new MachineFailure("refused", reason("firewall.others", { other: "theirs", own: "ours" }));
  };
  const enter = (target: Target): FakeVps => {
    const vps = signIn(target);
    if (vps.isExpired)
      throw new SshFailure("password_expired", { said: "WARNING: Your password has expired.", shownKey: vps.hostKey });
    return vps;
  };

  return {
    rent(at, about = {}) {
      const vps: FakeVps = {
        hostKey: newFingerprint(),
        password: "right",
        keys: new Set(),
        keysOnly: false,
        isExpired: false,
        refusesPassword: null,
        about: {
          system: "Debian GNU/Linux 12 (bookworm)",
          architecture: "x86_64",
          memory: 1024 ** 3,
          room: 8e9,
          hasDocker: false,
          addresses: [at],
          isRoot: true,
          unfit: null,
        },
        away: null,
        steps: {
          docker: [
            "#krug stage preflight",
            "Debian GNU/Linux 12 (bookworm)",
            "#krug note docker_unneeded",
            "#krug done",
          ],
          wireguard: ["#krug stage packages", "Setting up wireguard-tools", "#krug stage boot", "#krug done"],
        },
        logins: [],
        begun: new Map(),
        place: null,
        cancelled: [],
        sudoPassword: null,
        isFull: false,
        isOthers: false,
        left: null,
        host: makeFakeHost({ address: at }),
        programs: async () => "",
        ...about,
      };
      vps.host.machine = `machine ${at}`;
      machines.set(at, vps);
      return vps;
    },
    meet: async (target) => {
      const { hostKey, about } = enter(target);
      return { hostKey, about };
    },
    async changePassword(target, { current, next }) {
      const vps = signIn({ ...target, login: { password: current } });
      if (vps.refusesPassword !== null) throw new PasswordRefused(vps.refusesPassword);
      vps.password = next;
      vps.isExpired = false;
    },
    open(ask: AskTarget) {
      // Like a connection, it stays what it was when it was opened, until it fails or is closed.
      let opened: Target | null = null;
      const connected = async () => {
        opened ??= await ask();
        try {
          return { target: opened, vps: enter(opened) };
        } catch (error) {
          opened = null;
          throw error;
        }
      };
      return {
        host: reached(async () => {
          const { target, vps } = await connected();
          if (target.generation !== null) vps.host.obey(target.generation);
          return vps.host;
        }),
        async prepare(publicKey, sudoPassword) {
          const target = await ask();
          const vps = enter(target);
          const isRoot = target.username === "root" || vps.sudoPassword === sudoPassword;
          if (!isRoot) throw new SshFailure("no_sudo", { why: reason("sudo.refused_password") });
          if (vps.about.unfit !== null) throw new Unfit(vps.about.unfit.failure, vps.about.unfit.detail);
          refuseOthers(vps);
          if (vps.isFull) throw new DiskFull("no room for the panel's programs");
          vps.left = null;
          vps.keys.add(publicKey);
        },
        async follow({ runId, name, place, heard }, onLine, signal, onReached) {
          const { vps } = await connected();
          onReached?.();
          vps.begun.set(runId, name);
          vps.place = place;
          let number = 0;
          for (const line of vps.steps[name]) {
            if (typeof line !== "string") await line;
            if (signal.aborted || vps.away !== null) throw new SshFailure("lost");
            if (typeof line !== "string") continue;
            number += 1;
            if (number > heard) onLine(vps.cancelled.includes(runId) ? "#krug fail cancelled" : line);
            if (vps.cancelled.includes(runId)) return;
          }
        },
        async cancel(runId) {
          (await connected()).vps.cancelled.push(runId);
        },
        otherPrograms: async (args) => (await connected()).vps.programs(args),
        async leave(account, onLine) {
          const { vps } = await connected();
          vps.left = account;
          vps.keys.clear();
          for (const line of ["#krug left unit", "#krug kept nftables", "#krug left programs", "#krug done"])
            onLine(line);
        },
        async clean(_sudoPassword, onLine) {
          const target = await ask();
          const vps = enter(target);
          refuseOthers(vps);
          vps.left = target.username;
          vps.keys.clear();
          for (const line of ["#krug left key", "#krug left programs", "#krug done"]) onLine(line);
        },
        close() {
          opened = null;
        },
      };
    },
    tcpProbe: async (host) => {
      const vps = machines.get(host);
      return vps !== undefined && vps.away === null;
    },
    async newKey() {
      const { privateKey } = generateKeyPairSync("ed25519");
      const text = privateKey.export({ type: "pkcs8", format: "der" }).toString("base64");
      return { publicKey: publicOf(text), privateKey: text };
    },
  };
}

/** Not a real key's, but unique to it. */
const publicOf = (privateKey: string) => `ssh-ed25519 ${Buffer.from(privateKey).toString("base64").slice(-68)}`;

/** The driver of a machine that may not be there. */
function reached(find: () => Promise<FakeHost>): Host {
  const call =
    <Name extends keyof Host>(name: Name) =>
    async (...args: unknown[]) => {
      const host = await find().catch((error: unknown) => {
        if (error instanceof Superseded) throw new HostSuperseded(error.why, { by: error.by });
        if (!(error instanceof SshFailure)) throw error;
        throw new HostUnreachable(error.why, { cause: error, connection: error });
      });
      return (host[name] as (...args: unknown[]) => unknown)(...args);
    };
  const names = [
    "reach",
    "inspect",
    "read",
    "readSome",
    "look",
    "apply",
    "applyPeers",
    "applyAccess",
    "applySpeeds",
    "lackingSpeeds",
    "occupied",
    "passing",
    "refusing",
    "readMachine",
    "pathMtu",
    "echoes",
    "defaultEndpoint",
  ] as const;
  return Object.fromEntries(names.map((name) => [name, call(name)])) as unknown as Host;
}
