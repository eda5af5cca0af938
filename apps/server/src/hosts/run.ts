import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { access, constants, type FileHandle, open, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Runs a program by its argument list, without a shell, and answers what it printed. Throws `ProgramFailed`. */
export type Run = (program: string, args: readonly string[], options?: RunOptions) => Promise<string>;

export interface RunOptions {
  /** Given to the program as its standard input; the only way for a secret. */
  stdin?: string;
  timeoutMs?: number;
  maxOutputBytes?: number;
}

/** Where programs are looked for. The panel's own PATH is not used: it may hold folders that others can write to. */
const PROGRAM_FOLDERS = ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"];
export const CLEAN_ENVIRONMENT = { PATH: PROGRAM_FOLDERS.join(":"), LC_ALL: "C" };

const STDERR_LIMIT = 2_000;

/** A program was not there, ended with an error, or was ended for taking too long. Never carries its standard input. */
export class ProgramFailed extends Error {
  readonly program: string;
  readonly exitCode: number | null;
  readonly stderr: string;
  readonly reason: "not_found" | "failed" | "timeout" | "too_much_output";

  constructor(program: string, reason: ProgramFailed["reason"], exitCode: number | null, stderr: string) {
    const how = { not_found: "not found", failed: `ended with ${exitCode ?? "a signal"}`, timeout: "took too long" };
    super(
      `${program}: ${reason === "too_much_output" ? "printed too much" : how[reason]}${stderr ? `: ${stderr}` : ""}`,
    );
    this.name = "ProgramFailed";
    this.program = program;
    this.reason = reason;
    this.exitCode = exitCode;
    this.stderr = stderr;
  }
}

export const run: Run = async (program, args, options = {}) => {
  const { timeoutMs = 15_000, maxOutputBytes = 64 * 1024 * 1024 } = options;
  const input = options.stdin === undefined ? null : await namelessFile(options.stdin);
  try {
    return await new Promise<string>((resolve, reject) => {
      const child = spawn(program, args, {
        stdio: [input ? input.fd : "ignore", "pipe", "pipe"],
        env: CLEAN_ENVIRONMENT,
        cwd: "/",
      });
      const printed: Buffer[] = [];
      let printedBytes = 0;
      let stderr = "";
      let ended: ProgramFailed["reason"] | null = null;
      const end = (reason: ProgramFailed["reason"]) => {
        ended ??= reason;
        child.kill("SIGKILL");
      };
      const timer = setTimeout(() => end("timeout"), timeoutMs);
      child.stdout?.on("data", (chunk: Buffer) => {
        printedBytes += chunk.length;
        if (printedBytes > maxOutputBytes) end("too_much_output");
        else printed.push(chunk);
      });
      child.stderr?.setEncoding("utf8").on("data", (text: string) => {
        if (stderr.length < STDERR_LIMIT) stderr = (stderr + text).slice(0, STDERR_LIMIT);
      });
      child.on("error", (error: NodeJS.ErrnoException) => {
        clearTimeout(timer);
        const reason = error.code === "ENOENT" ? "not_found" : "failed";
        reject(new ProgramFailed(program, reason, null, error.code ?? ""));
      });
      child.on("close", (exitCode) => {
        clearTimeout(timer);
        if (exitCode === 0 && !ended) resolve(Buffer.concat(printed).toString("utf8"));
        else reject(new ProgramFailed(program, ended ?? "failed", exitCode, withoutKeys(stderr.trim())));
      });
    });
  } finally {
    await input?.close();
  }
};

/** The full path of a program, or null where this machine has none of that name. */
export async function findProgram(program: string): Promise<string | null> {
  for (const folder of PROGRAM_FOLDERS) {
    const path = join(folder, program);
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

/** `wg` quotes the line it could not read, and that line may hold a key. */
function withoutKeys(text: string): string {
  return text.replace(/[A-Za-z0-9+/]{40,}={0,2}/g, "[key]");
}

/**
 * A pipe from Node is a socket, which a program cannot open again as /dev/stdin; a file can. It lives in memory where
 * the system has such a place, is readable by us alone, and has no name by the time anything is written to it.
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
    // At a fixed position, so that the program finds itself at the beginning.
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
