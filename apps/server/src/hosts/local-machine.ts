import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createSocket } from "node:dgram";
import { statSync } from "node:fs";
import { access, constants, type FileHandle, open, readdir, readFile, unlink, writeFile } from "node:fs/promises";
import { createConnection, type Socket } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import { createInterface } from "node:readline";
import { reason } from "@krug/domain/reasons";
import { textOf } from "../platform/text-of.ts";
import type { OwnNetwork } from "./engine-carrier.ts";
import {
  AnswerLost,
  CallGivenUp,
  type CallOptions,
  FileRefused,
  type Followed,
  type Listener,
  type Machine,
  NobodyAnswers,
  NoLonger,
  type OnlyWhile,
  ProgramFailed,
  RESOLVER_PROGRAM,
  type RunOptions,
  type StartedProgram,
  type StartOptions,
  withoutKeys,
} from "./machine.ts";
import { readEngine } from "./ssh/engine-file.ts";

/** Where programs are looked up. The panel's own PATH is not used: others may have write access to its folders. */
const PROGRAM_FOLDERS = ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"];
const CLEAN_ENVIRONMENT = { PATH: PROGRAM_FOLDERS.join(":"), LC_ALL: "C" };

const TIMEOUT_MS = 15_000;
const OUTPUT_LIMIT = 64 * 1024 * 1024;
const STDERR_LIMIT = 2_000;

/** The machine that the panel runs on. */
export const localMachine: Machine = {
  run,
  start,
  follow,
  findProgram,
  readFile: (path) => readFile(path, "utf8").catch(absent),
  writeFile: (path, text) =>
    writeFile(path, text, { flag: "r+" }).catch((error: NodeJS.ErrnoException) => {
      throw new FileRefused(path, error.code ?? error.message, { cause: error });
    }),
  listFolder: (path) => readdir(path).catch(() => []),
  async canWrite(path) {
    const file = await open(path, "r+").catch(absent);
    await file?.close();
    return file !== null;
  },
  identify: async (path) => identify(path),
  async ask(path, question, end, { only, ...options } = {}) {
    ensure(only);
    return ask(path, question, end, options);
  },
};

/** Its network, read without `ip` and without root. */
export const localNetwork: OwnNetwork = {
  links: () =>
    Object.entries(networkInterfaces()).map(([name, addresses = []]) => ({
      name,
      addresses: addresses.flatMap(({ cidr }) => (cidr === null || cidr.startsWith("fe80:") ? [] : cidr)),
    })),
  addressTowards: (destination) =>
    new Promise((resolve) => {
      const socket = createSocket(destination.includes(":") ? "udp6" : "udp4");
      const end = (address: string | null) => {
        socket.close();
        resolve(address);
      };
      // Connecting sends nothing: the kernel only reports which route a packet would take.
      socket.once("error", () => end(null));
      socket.connect(9, destination, () => end(socket.address().address));
    }),
};

/**
 * The panel's own machine, where the panel's engine runs in place, once its checksum is verified, and so does the script for
 * resolvers.
 */
export const localMachineWith = (engine: string | null, resolver: string): Machine => ({
  ...localMachine,
  run: (program, args, options) =>
    program === RESOLVER_PROGRAM ? run("sh", [resolver, ...args], options) : run(program, args, options),
  async start(program, args, options) {
    if (program === engine) await readEngine(program);
    return start(program, args, options);
  },
});

/** Synchronous: these files are in memory, and a thread pool would take longer. */
function identify(path: string): string | null {
  try {
    const { ino, ctimeMs } = statSync(path);
    return `${ino} ${ctimeMs}`;
  } catch {
    return null;
  }
}

function ensure(only: OnlyWhile["only"]): void {
  if (only && identify(only.path) !== only.identity) throw new NoLonger(only.path);
}

const absent = () => null;

async function run(
  program: string,
  args: readonly string[],
  { stdin, timeoutMs = TIMEOUT_MS, maxOutputBytes = OUTPUT_LIMIT, signal, only }: RunOptions = {},
): Promise<string> {
  ensure(only);
  const input =
    stdin === undefined
      ? null
      : await namelessFile(stdin).catch((error: NodeJS.ErrnoException) => {
          throw new ProgramFailed(
            program,
            "not_started",
            null,
            `no room for its input (${error.code ?? error.message})`,
          );
        });
  try {
    if (signal?.aborted) throw new CallGivenUp(signal);
    return await new Promise<string>((resolve, reject) => {
      const child = spawn(program, args, {
        stdio: [input ? input.fd : "ignore", "pipe", "pipe"],
        env: CLEAN_ENVIRONMENT,
        cwd: "/",
      });
      const printed: Buffer[] = [];
      let printedBytes = 0;
      let stderr = "";
      let ended: "timeout" | "too_much_output" | null = null;
      const end = (reason: typeof ended) => {
        ended ??= reason;
        child.kill("SIGKILL");
      };
      const timer = setTimeout(() => end("timeout"), timeoutMs);
      const giveUp = () => child.kill("SIGKILL");
      signal?.addEventListener("abort", giveUp);
      const settle = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", giveUp);
      };
      child.stdout?.on("data", (chunk: Buffer) => {
        printedBytes += chunk.length;
        if (printedBytes > maxOutputBytes) end("too_much_output");
        else printed.push(chunk);
      });
      child.stderr?.setEncoding("utf8").on("data", (text: string) => {
        if (stderr.length < STDERR_LIMIT) stderr = (stderr + text).slice(0, STDERR_LIMIT);
      });
      child.on("error", (error: NodeJS.ErrnoException) => {
        settle();
        reject(notStarted(program, error));
      });
      child.on("close", (exitCode) => {
        settle();
        if (exitCode === 0 && !ended) resolve(textOf(Buffer.concat(printed)));
        else if (signal?.aborted) reject(new CallGivenUp(signal));
        else reject(new ProgramFailed(program, ended ?? "failed", ended ? null : exitCode, withoutKeys(stderr.trim())));
      });
    });
  } finally {
    await input?.close();
  }
}

const notStarted = (program: string, { code }: NodeJS.ErrnoException) =>
  new ProgramFailed(program, code === "ENOENT" ? "not_found" : "not_started", null, code ?? "");

/** In its own session and fully detached, so that neither Ctrl-C nor our sudden end stops it. */
async function start(
  program: string,
  args: readonly string[],
  { environment }: StartOptions = {},
): Promise<StartedProgram> {
  const env = { ...CLEAN_ENVIRONMENT, ...environment };
  const child = spawn(program, args, { detached: true, stdio: "ignore", cwd: "/", env });
  let failure: ProgramFailed | null = null;
  child.on("error", (error) => {
    failure = notStarted(program, error);
  });
  child.on("exit", (code) => {
    failure ??= new ProgramFailed(program, "failed", code, "");
  });
  child.unref();
  return { failure: () => failure, stop: () => void child.kill("SIGTERM") };
}

function follow(program: string, args: readonly string[], { onLine, onEnd }: Listener): Followed {
  let child: ChildProcess | null = null;
  let isWanted = true;
  const begin = async () => {
    const setpriv = await findProgram("setpriv");
    if (!isWanted) return;
    const command = setpriv === null ? [program, ...args] : [setpriv, "--pdeathsig", "KILL", program, ...args];
    const mine = spawn(command[0] ?? program, command.slice(1), {
      stdio: ["ignore", "pipe", "ignore"],
      env: CLEAN_ENVIRONMENT,
      cwd: "/",
    });
    child = mine;
    // It must not keep the panel from exiting.
    mine.unref();
    const output = mine.stdout as Socket;
    output.unref();
    createInterface({ input: output }).on("line", onLine);
    const ended = () => {
      if (!isWanted) return;
      isWanted = false;
      onEnd();
    };
    mine.once("error", ended).once("exit", ended);
  };
  void begin();
  return {
    stop() {
      isWanted = false;
      child?.kill("SIGKILL");
    },
  };
}

/** On a separate connection. */
function ask(
  path: string,
  question: string,
  end: string,
  { timeoutMs = TIMEOUT_MS, signal }: CallOptions = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(path);
    const chunks: Buffer[] = [];
    let isSettled = false;
    const settle = (failure: Error | null, text = "") => {
      isSettled = true;
      clearTimeout(timer);
      signal?.removeEventListener("abort", giveUp);
      socket.destroy();
      if (failure) reject(failure);
      else resolve(text);
    };
    const timer = setTimeout(() => settle(new AnswerLost(path)), timeoutMs);
    const giveUp = () => signal && settle(new CallGivenUp(signal));
    signal?.addEventListener("abort", giveUp);
    socket.on("connect", () => socket.write(question));
    socket.on("data", (chunk) => {
      chunks.push(chunk);
      // The end marker may arrive in pieces, at most one per byte.
      if (!Buffer.concat(chunks.slice(-end.length)).toString("latin1").endsWith(end)) return;
      settle(null, Buffer.concat(chunks).toString("latin1"));
    });
    socket.on("error", (error: NodeJS.ErrnoException) => {
      const { code = "" } = error;
      if (["ENOENT", "ECONNREFUSED"].includes(code))
        settle(new NobodyAnswers("refused", reason("call.nobody", { path }), { cause: error }));
      else if (["ECONNRESET", "EPIPE"].includes(code)) settle(endedEarly(error));
      else settle(new AnswerLost(path, { cause: error }));
    });
    const endedEarly = (cause?: Error) => new NobodyAnswers("unknown", reason("call.ended_early", { path }), { cause });
    socket.on("close", () => isSettled || settle(endedEarly()));
  });
}

async function findProgram(program: string): Promise<string | null> {
  const places = isAbsolute(program) ? [program] : PROGRAM_FOLDERS.map((folder) => join(folder, program));
  for (const path of places) {
    if (
      await access(path, constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return path;
  }
  return null;
}

/**
 * A pipe from Node is a socket, which a program cannot reopen as /dev/stdin, but it can reopen a file. The file is in memory if
 * the system has such a place, readable only by us, and unlinked before anything is written to it.
 */
async function namelessFile(text: string): Promise<FileHandle> {
  const name = `.krug-${randomBytes(12).toString("hex")}`;
  const inFolder = async (folder: string) => {
    const path = join(folder, name);
    const file = await open(path, "wx+", 0o600);
    await unlink(path);
    return file;
  };
  const file = await inFolder("/dev/shm").catch(() => inFolder(tmpdir()));
  try {
    const content = Buffer.from(text, "utf8");
    // At a fixed position, so that the program starts reading at the beginning.
    let written = 0;
    while (written < content.length) {
      written += (await file.write(content, written, content.length - written, written)).bytesWritten;
    }
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}
