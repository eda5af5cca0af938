import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { mirrorsHere } from "./debian-mirror.ts";
import { type Namespace, programsIn, type Started } from "./namespace.ts";
import { type LabNetwork, makeNetwork, plugIn, relayTo, until } from "./network.ts";
import { type Online, putOnline } from "./rented.ts";
import { type DebianVersion, debianBase } from "./vps-base.ts";

/*
 * A freshly rented server: Debian 12 or 13 with systemd and sshd and nothing of ours, as the host of the lab's network. Its
 * internet is the lab's, where it reaches only Debian's packages. The machine `internet` starts it, so it ends with that machine,
 * even if this process is killed. Its disk is in that machine's memory.
 */
export interface Vps {
  /** The address at which this process reaches its port 22. Inside the lab it is HOST_ADDRESS. */
  host: string;
  port: number;
  /** The fingerprint of its ed25519 host key, as OpenSSH prints it: SHA256:… */
  fingerprint: string;
  /** Runs a root shell command inside, without SSH. Returns its output. Throws unless it exits with 0. */
  exec(command: string, options?: { timeoutMs?: number; stdin?: string }): Promise<string>;
  /** Like a power cut: processes, network and /run are gone, the disk is unchanged. */
  reboot(): Promise<void>;
  /** The network around it. `network.host` is the server itself. */
  network: LabNetwork;
  stop(): Promise<void>;
}

export interface VpsOptions {
  /** Root's, or with `sudoer` that user's. */
  password: string;
  /** A user who signs in and may use sudo with the password. Then root may not sign in. */
  sudoer?: string;
  /** /dev/net/tun, without which no WireGuard program can create a tunnel. */
  hasTun?: boolean;
  clients?: number;
  debian?: DebianVersion;
  /** Files and folders of this machine that it has, by the same paths. */
  lent?: readonly string[];
  /** It has no IPv4. Then it is HOST_ADDRESS_V6 inside the lab. */
  onlyV6?: boolean;
}

const BOOT = fileURLToPath(new URL("vps-boot.sh", import.meta.url));
/** Everything in it runs without the right to change the clock and the kernel, which belong to the machine below. */
const CONFINED = ["setpriv", "--bounding-set=-sys_time,-sys_module,-sys_rawio"];
const DISK = "/run/vps";
const BOOTS_WITHIN_MS = 60_000;

export async function startVps({
  password,
  sudoer,
  hasTun = true,
  clients = 1,
  debian = 12,
  lent = [],
  onlyV6 = false,
}: VpsOptions): Promise<Vps> {
  const mirrors = await mirrorsHere();
  const base = await debianBase(mirrors.main, debian);
  const group = `krug-vps-${process.pid}-${Date.now()}`;
  let power: Started;
  let inside: Omit<Namespace, "close">;

  const powerOn = async (internet: Namespace) => {
    power = await internet.start("bash", [BOOT, base, DISK, group, hasTun ? "tun" : "no-tun", ...CONFINED], {
      env: { LENT: lent.join(":") },
    });
    const pid = await until("systemd begins", () => firstProcessOf(power), BOOTS_WITHIN_MS);
    inside = programsIn("vps", pid, ["--all"], CONFINED);
  };
  const powerOff = async () => {
    const isOver = new Promise((resolve) => power.process.once("exit", resolve));
    process.kill(inside.pid, "SIGKILL");
    await isOver;
  };
  const server: Namespace = {
    name: "vps",
    get pid() {
      return inside.pid;
    },
    exec: (...call) => inside.exec(...call),
    attempt: (...call) => inside.attempt(...call),
    start: (...call) => inside.start(...call),
    close: powerOff,
  };
  const network = await makeNetwork({
    clients,
    onlyV6,
    async hostOf(internet) {
      await powerOn(internet);
      return server;
    },
  });
  const { internet } = network;
  let online: Online | undefined;
  const exec: Vps["exec"] = (command, options) => server.exec("bash", ["-c", command], options);

  const stop = async () => {
    await online?.close();
    await powerOff();
    const groups = `find /run/cgroup/${group} -depth -type d -exec rmdir {} +`;
    await until("its groups are empty", async () => (await internet.attempt("bash", ["-c", groups])).exitCode === 0);
    await network.close();
  };
  try {
    online = await putOnline(network, server, { password, sudoer, mirrors, onlyV6 });
    const { becomesReachable } = online;
    return {
      host: "127.0.0.1",
      port: online.port,
      fingerprint: online.fingerprint,
      exec,
      network,
      stop,
      async reboot() {
        await powerOff();
        await powerOn(internet);
        await plugIn(server, network, onlyV6);
        await becomesReachable();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The address at which this process reaches a port of the server's loopback. */
export async function reachLoopback({ network }: Vps, port: number): Promise<string> {
  // With the test's own files: a fresh machine has no Node.
  const { host } = network;
  const { url } = await relayTo(network, { ...host, ...programsIn("vps", host.pid, ["--net", "--pid"]) }, port);
  return url;
}

/** The server's systemd as this process sees it, once it runs. */
async function firstProcessOf({ pid, process: starter, output }: Started): Promise<number | null> {
  if (starter.exitCode !== null) throw new Error(`the server ended: ${output()}`);
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
  const child = Number(children.trim());
  const name = child > 0 && (await readFile(`/proc/${child}/comm`, "utf8").catch(() => ""));
  return name === "systemd\n" ? child : null;
}
