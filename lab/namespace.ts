import { type ChildProcess, spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";

/*
 * A lab machine: a network, process and mount namespace of its own. A process of ours holds it open and lives on a pipe to
 * this process. Whatever ends us, even kill -9, ends the namespace with every process, interface and firewall in it. Nothing
 * has a name outside, so parallel runs cannot collide and none leaves anything behind.
 */
export interface Namespace {
  readonly name: string;
  /** The pid of its first process, as the test sees it. */
  readonly pid: number;
  /** Runs a program to its end. Throws with its output unless it exits with 0. */
  exec(program: string, args?: string[], options?: ExecOptions): Promise<string>;
  /** The same without throwing. */
  attempt(program: string, args?: string[], options?: ExecOptions): Promise<Outcome>;
  /** Starts a long-running program. It ends with the namespace at the latest. */
  start(program: string, args?: string[], options?: StartOptions): Promise<Started>;
  close(): Promise<void>;
}

export interface ExecOptions {
  stdin?: string;
  timeoutMs?: number;
  env?: Record<string, string>;
}

export interface StartOptions {
  env?: Record<string, string>;
  cwd?: string;
}

export interface Outcome {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

export interface Started {
  /** The program's own pid, as the test sees it. */
  readonly pid: number;
  readonly process: ChildProcess;
  /** All output so far, both streams. */
  output(): string;
  /** Like Ctrl-C: SIGINT to the program and everything it started within its session. */
  interrupt(): void;
  /** Resolves when it has ended. */
  kill(signal?: NodeJS.Signals): Promise<void>;
}

const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
/** Programs that client machines would have, e.g. `resolvconf`; exist only inside, in memory. */
export const STAND_INS = "/run/lab-programs";

// resolvconf as wg-quick calls it: an interface's entry becomes the machine's resolv.conf until it is removed.
const RESOLVCONF = `#!/bin/bash
set -e
case "$1" in
  -a) cp /etc/resolv.conf "/run/resolv.conf.before.$2"; cat > /etc/resolv.conf ;;
  -d) cat "/run/resolv.conf.before.$2" > /etc/resolv.conf; rm "/run/resolv.conf.before.$2" ;;
esac
`;

const INSIDE = `set -e
mount -t tmpfs -o mode=755 tmpfs /run
mkdir -p /run/wireguard ${STAND_INS}
cat > ${STAND_INS}/resolvconf <<'END'
${RESOLVCONF}END
chmod 755 ${STAND_INS}/resolvconf
echo "# the lab's" > /run/resolv.conf
mount --bind /run/resolv.conf /etc/resolv.conf
mount -t sysfs sysfs /sys
ip link set lo up
echo ready
while read -r _; do :; done`;

export async function makeNamespace(name: string): Promise<Namespace> {
  const args = ["--net", "--mount", "--pid", "--fork", "--mount-proc", "--kill-child", "bash", "-c", INSIDE];
  const holder = spawn("unshare", args, { stdio: ["pipe", "pipe", "pipe"], env: { PATH } });
  const output = collect(holder);
  while (!output().includes("ready\n")) {
    if (hasEnded(holder)) throw new Error(`no namespace ${name}: ${output()}`);
    await wait(2);
  }
  const pid = await onlyChild(holder);

  return {
    ...programsIn(name, pid, ["--net", "--mount", "--pid"]),
    async close() {
      const isOver = new Promise((resolve) => holder.once("exit", resolve));
      if (hasEnded(holder)) return;
      holder.stdin.end();
      await isOver;
    },
  };
}

/** Runs programs where the process `pid` is: `namespaces` are nsenter's options, `by` a program that starts each of them. */
export function programsIn(
  name: string,
  pid: number,
  namespaces: readonly string[],
  by: readonly string[] = [],
): Omit<Namespace, "close"> {
  const spawnInside = (program: string, args: string[], options: ExecOptions & StartOptions) => {
    const place = options.cwd ? ["env", "--chdir", options.cwd] : [];
    const inside = ["--target", String(pid), ...namespaces, "--", ...by, ...place, program, ...args];
    const env = { PATH: `${STAND_INS}:${PATH}`, LC_ALL: "C", HOME: "/root", ...options.env };
    return spawn("nsenter", inside, { stdio: ["pipe", "pipe", "pipe"], env });
  };

  async function attempt(program: string, args: string[] = [], options: ExecOptions = {}): Promise<Outcome> {
    const child = spawnInside(program, args, options);
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    child.stdin.on("error", () => undefined);
    child.stdin.end(options.stdin ?? "");
    const timer = setTimeout(() => void killInside(child), options.timeoutMs ?? 30_000);
    // Not 'close': a daemon started by wg-quick keeps our pipes open as long as it runs.
    const exitCode = await new Promise<number | null>((resolve) => child.on("exit", resolve));
    clearTimeout(timer);
    await drained(child);
    return { exitCode, stdout, stderr };
  }

  return {
    name,
    pid,
    attempt,
    async exec(program, args = [], options) {
      const { exitCode, stdout, stderr } = await attempt(program, args, options);
      if (exitCode === 0) return stdout;
      throw new Error(`${name}: ${program} ${args.join(" ")} ended with ${exitCode}: ${stdout}${stderr}`);
    },
    async start(program, args = [], options = {}) {
      // A session of its own, as a terminal would provide.
      const child = spawnInside("setsid", [program, ...args], options);
      const output = collect(child);
      child.stdin.on("error", () => undefined);
      const pid = await onlyChild(child);
      return {
        pid,
        process: child,
        output,
        interrupt: () => send(-pid, "SIGINT"),
        kill: (signal = "SIGTERM") =>
          new Promise<void>((resolve) => {
            if (hasEnded(child)) return resolve();
            child.once("exit", () => resolve());
            send(pid, signal);
          }),
      };
    },
  };
}

export interface CableEnd {
  at: Namespace;
  name: string;
  addresses: string[];
}

/** A cable between two namespaces, with addresses, both ends up. The left end's machine makes it. */
export async function connect(left: CableEnd, right: CableEnd): Promise<void> {
  await left.at.exec("ip", ["link", "add", left.name, "type", "veth", "peer", "name", "other-end"]);
  // From outside: a process number is valid everywhere it is visible.
  await runOutside("nsenter", [
    ...["--target", String(left.at.pid), "--net", "--", "ip", "link", "set", "other-end"],
    ...["netns", String(right.at.pid), "name", right.name],
  ]);
  for (const { at, name, addresses } of [left, right]) {
    for (const address of addresses) {
      // Skips IPv6's duplicate address detection.
      const options = address.includes(":") ? ["nodad"] : [];
      await at.exec("ip", ["address", "replace", address, "dev", name, ...options]);
    }
    await at.exec("ip", ["link", "set", name, "up"]);
  }
}

async function runOutside(program: string, args: string[]): Promise<string> {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], env: { PATH } });
  const output = collect(child);
  const exitCode = await new Promise((resolve) => child.on("close", resolve));
  if (exitCode !== 0) throw new Error(`${program} ${args.join(" ")}: ${output()}`);
  return output();
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

function collect(child: ChildProcess): () => string {
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (piece: string) => {
      text += piece;
    });
  }
  return () => text;
}

/** `unshare` and `nsenter` enter a process namespace by forking; this finds the child, which is the program itself. */
async function onlyChild(parent: ChildProcess): Promise<number> {
  for (;;) {
    const list = await readFile(`/proc/${parent.pid}/task/${parent.pid}/children`, "utf8").catch(() => "");
    const child = Number(list.trim().split(" ")[0]);
    if (child > 0) return child;
    if (hasEnded(parent)) throw new Error("it ended at once");
    await wait(1);
  }
}

/** To a process that may just have ended: what entered the namespace for it tells that a moment later. */
function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

async function killInside(child: ChildProcess): Promise<void> {
  const pid = await onlyChild(child).catch(() => null);
  if (pid) send(pid, "SIGKILL");
  child.kill("SIGKILL");
}

/** Lets output printed before the end arrive. */
async function drained(child: ChildProcess): Promise<void> {
  await Promise.race([new Promise((resolve) => child.once("close", resolve)), wait(20)]);
}
