import { reason as because, type Reason } from "@krug/domain/reasons";
import type { z } from "zod";
import { Failure } from "../platform/failure.ts";

/**
 * A machine as the driver sees it: programs, files and sockets. `local-machine.ts` is the panel's own, and the only file in this
 * folder that touches the system. A call takes seconds at most, and any failure other than a `MachineFailure` is a bug.
 */
export interface Machine {
  /** Runs a program by its argument list, without a shell, and returns its output. @throws ProgramFailed */
  run(program: string, args: readonly string[], options?: RunOptions): Promise<string>;

  /** Starts a program that outlives the panel. On return it has only been asked to start. */
  start(program: string, args: readonly string[], options?: StartOptions): Promise<StartedProgram>;

  /** Runs a program and follows its output lines; it ends with the panel, even after a crash. */
  follow(program: string, args: readonly string[], listener: Listener): Followed;

  /** The full path of a program, or null if the machine has no such program. */
  findProgram(program: string, options?: CallOptions): Promise<string | null>;

  /** A file's text; null if it is absent or unreadable. */
  readFile(path: string, options?: CallOptions): Promise<string | null>;

  /** Writes into an existing file, such as a kernel setting. @throws FileRefused */
  writeFile(path: string, text: string, options?: CallOptions): Promise<void>;

  /** Names in a folder; empty if there is no such folder. */
  listFolder(path: string, options?: CallOptions): Promise<string[]>;

  /** Tries to open it, because permissions are not enough: a container may show a file or device that nobody can use. */
  canWrite(path: string, options?: CallOptions): Promise<boolean>;

  /** Changes when a file is recreated; null if it is absent. Cheap: it costs 0.1 ms on the panel's own machine. */
  identify(path: string, options?: CallOptions): Promise<string | null>;

  /** Sends one request to a unix socket and returns the answer, up to and including `end`. @throws NobodyAnswers, AnswerLost */
  ask(socketPath: string, question: string, end: string, options?: CallOptions & OnlyWhile): Promise<string>;
}

/** Starts and ends the machine's resolvers, and restarts them by itself (ssh/resolver.sh). */
export const RESOLVER_PROGRAM = "krug-resolver";

export interface CallOptions {
  /** 15,000 by default. */
  timeoutMs?: number;
  signal?: AbortSignal;
}

/** For a call that changes something of ours. The call is refused if that was replaced, or belongs to somebody else. */
export interface OnlyWhile {
  /** @throws NoLonger unless the path is still what `identify` returned. Checked on the machine, right before the call. */
  only?: { path: string; identity: string };
}

export interface RunOptions extends CallOptions, OnlyWhile {
  /** The program's standard input; the only way to pass a secret. */
  stdin?: string;
  /** 64 MiB by default. */
  maxOutputBytes?: number;
}

export interface StartOptions extends CallOptions {
  environment?: Record<string, string>;
}

export interface StartedProgram {
  /** Why it ended; null while it runs. */
  failure(): ProgramFailed | null;
  stop(): void;
}

export interface Listener {
  onLine(line: string): void;
  /** It ended on its own or could not be started. Not called after `stop`. */
  onEnd(): void;
}

export interface Followed {
  stop(): void;
}

/**
 * What happened to a request. `unreachable`: it never reached the machine. `refused`: the machine refused and did not do it.
 * `unknown`: it was sent, and it is unknown whether it was done.
 */
export type Outcome = "unreachable" | "refused" | "unknown";

/** The machine did not do what was requested; not a bug of ours. The message is for the operator and contains no secret. */
export class MachineFailure extends Failure {
  readonly outcome: Outcome;

  constructor(outcome: Outcome, why: Reason, options?: ErrorOptions) {
    super(why, options);
    this.outcome = outcome;
  }
}

/** A program was missing, failed, or was killed for taking too long. Never contains its standard input. */
export class ProgramFailed extends MachineFailure {
  readonly program: string;
  readonly reason: "not_found" | "not_started" | "failed" | "timeout" | "too_much_output";
  /** Null if a signal ended it or it never started. */
  readonly exitCode: number | null;
  readonly stderr: string;

  constructor(program: string, reason: ProgramFailed["reason"], exitCode: number | null, stderr: string) {
    const neverBegan = reason === "not_found" || reason === "not_started";
    const saidNo = reason === "failed" && exitCode !== null;
    const why =
      reason !== "failed"
        ? because(`program.${reason}`, { program }, stderr)
        : exitCode === null
          ? because("program.killed", { program }, stderr)
          : because("program.failed", { program, code: exitCode }, stderr);
    super(neverBegan || saidNo ? "refused" : "unknown", why);
    this.program = program;
    this.reason = reason;
    this.exitCode = exitCode;
    this.stderr = stderr;
  }
}

/** The machine refused to write a file. */
export class FileRefused extends MachineFailure {
  constructor(path: string, code: string, options?: ErrorOptions) {
    super("refused", because("file.refused", { path, code }), options);
  }
}

/** The thing the call was meant for is gone; nothing was done. */
export class NoLonger extends MachineFailure {
  constructor(path: string) {
    super("refused", because("file.replaced", { path }));
  }
}

/** Nothing listens on the socket, or it closed before answering: another way may still work. */
export class NobodyAnswers extends MachineFailure {}

/** A request without an answer in time. */
export class AnswerLost extends MachineFailure {
  constructor(what: string, options?: ErrorOptions) {
    super("unknown", because("call.no_answer", { what }), options);
  }
}

/** The call was given up: by its caller, at its deadline, or because another panel now works on the machine. */
export class CallGivenUp extends MachineFailure {
  constructor(signal: AbortSignal) {
    const isLate = signal.reason instanceof DOMException && signal.reason.name === "TimeoutError";
    const isLeaseLost = signal.reason instanceof LeaseLost;
    const code = isLate ? "call.late" : isLeaseLost ? "call.lease_lost" : "call.given_up";
    super("unknown", because(code), { cause: signal.reason });
  }
}

/** A call was given up because it lost the right to change the machine. */
export class LeaseLost extends Error {
  constructor() {
    super("another panel works on the machine now");
  }
}

/** The machine's answer cannot be parsed. It may contain keys and is not stored. */
export class Unreadable extends MachineFailure {
  constructor(what: string, options?: ErrorOptions) {
    super("refused", because("call.unreadable", { what }), options);
  }
}

/** The same machine, with all calls ending at `signal`. `beforeStep` runs before those that may change something. */
export function endingWith(signal: AbortSignal, machine: Machine, beforeStep = async () => {}): Machine {
  const ending = <Options extends CallOptions>(options?: Options): Options => {
    if (signal.aborted) throw new CallGivenUp(signal);
    // A separate signal: many calls wait concurrently, and each adds a listener.
    const own = AbortSignal.any(options?.signal ? [options.signal, signal] : [signal]);
    return { ...(options as Options), signal: own };
  };
  return {
    async run(program, args, options) {
      await beforeStep();
      return machine.run(program, args, ending(options));
    },
    async start(program, args, options) {
      await beforeStep();
      return machine.start(program, args, ending(options));
    },
    // It outlives the call that started it.
    follow: machine.follow,
    findProgram: async (program, options) => machine.findProgram(program, ending(options)),
    readFile: async (path, options) => machine.readFile(path, ending(options)),
    async writeFile(path, text, options) {
      await beforeStep();
      return machine.writeFile(path, text, ending(options));
    },
    listFolder: async (path, options) => machine.listFolder(path, ending(options)),
    canWrite: async (path, options) => machine.canWrite(path, ending(options)),
    identify: async (path, options) => machine.identify(path, ending(options)),
    async ask(socketPath, question, end, options) {
      await beforeStep();
      return machine.ask(socketPath, question, end, ending(options));
    },
  };
}

/** The same machine, which runs programs and uses sockets only while `path` is what `identify` returned. */
export function onlyWhile(path: string, identity: string, machine: Machine): Machine {
  const only = { path, identity };
  return {
    ...machine,
    run: (program, args, options) => machine.run(program, args, { ...options, only }),
    ask: (socketPath, question, end, options) => machine.ask(socketPath, question, end, { ...options, only }),
  };
}

/** For work started now and awaited later: until then its failure is not unhandled. */
export function begun<Answer>(work: Promise<Answer>): Promise<Answer> {
  work.catch(() => undefined);
  return work;
}

/**
 * A program's output as JSON; for an empty list it prints nothing at all. Only what the schema names is used. @throws Unreadable
 */
export async function runForJson<Schema extends z.ZodType>(
  machine: Machine,
  program: string,
  args: readonly string[],
  schema: Schema,
): Promise<z.output<Schema>> {
  const text = await machine.run(program, args);
  let said: unknown;
  try {
    said = JSON.parse(text || "[]");
  } catch {
    throw new Unreadable(program);
  }
  const read = schema.safeParse(said);
  if (!read.success) throw new Unreadable(program);
  return read.data;
}

/** For `catch` on an answer that helps but is not needed: a failure of the machine gives `otherwise`. */
export function orElse<Answer>(otherwise: Answer): (error: unknown) => Answer {
  return (error) => {
    const isAnswered = error instanceof MachineFailure && error.outcome !== "unreachable";
    if (!isAnswered || error instanceof CallGivenUp) throw error;
    return otherwise;
  };
}

/** For a program's error output: `wg` quotes the line that it could not read, which may contain a key. */
export function withoutKeys(text: string): string {
  return text.replace(/[A-Za-z0-9+/]{40,}={0,2}/g, "[key]");
}
