/**
 * A machine as the driver sees it: programs, files and sockets. `local-machine.ts` is the panel's own, and the only file of
 * this folder that touches the system. A call takes seconds at most, and fails with a `MachineFailure` or has a bug.
 */
export interface Machine {
  /** Runs a program by its argument list, without a shell, and answers what it printed. @throws ProgramFailed */
  run(program: string, args: readonly string[], options?: RunOptions): Promise<string>;

  /** Starts a program that outlives the panel. Nothing is known of it by then but that it was asked for. */
  start(program: string, args: readonly string[], options?: StartOptions): Promise<StartedProgram>;

  /** Runs a program for as long as the panel wants to hear its lines; it ends with the panel, however suddenly. */
  follow(program: string, args: readonly string[], listener: Listener): Followed;

  /** The full path of a program, or null where the machine has none of that name. */
  findProgram(program: string, options?: CallOptions): Promise<string | null>;

  /** A file's text; null where it is absent or not for us to read. */
  readFile(path: string, options?: CallOptions): Promise<string | null>;

  /** Writes into a file that exists, as a kernel's setting does. @throws FileRefused */
  writeFile(path: string, text: string, options?: CallOptions): Promise<void>;

  /** Names in a folder; empty where there is no such folder. */
  listFolder(path: string, options?: CallOptions): Promise<string[]>;

  /** Tries by opening, not by permissions: a container may show a file or device that it does not let anybody use. */
  canWrite(path: string, options?: CallOptions): Promise<boolean>;

  /** Changes when a file is made anew; null where it is absent. Cheap: it costs 0.1 ms on the panel's own machine. */
  identify(path: string, options?: CallOptions): Promise<string | null>;

  /** Sends one question to a unix socket and answers all that came back, up to and with `end`. @throws NobodyAnswers, AnswerLost */
  ask(socketPath: string, question: string, end: string, options?: CallOptions): Promise<string>;
}

export interface CallOptions {
  /** 15,000 when not given. */
  timeoutMs?: number;
  signal?: AbortSignal;
}

export interface RunOptions extends CallOptions {
  /** Given to the program as its standard input; the only way for a secret. */
  stdin?: string;
  /** 64 MiB when not given. */
  maxOutputBytes?: number;
}

export interface StartOptions extends CallOptions {
  environment?: Record<string, string>;
}

export interface StartedProgram {
  /** Why it runs no more; null while it does. */
  failure(): ProgramFailed | null;
  stop(): void;
}

export interface Listener {
  onLine(line: string): void;
  /** It ended by itself or could not be started. Not called after `stop`. */
  onEnd(): void;
}

export interface Followed {
  stop(): void;
}

/**
 * What became of what was asked. `unreachable`: it never got to the machine. `refused`: the machine said no and did not do it.
 * `unknown`: it was sent, and nobody can say whether it was done.
 */
export type Outcome = "unreachable" | "refused" | "unknown";

/** The machine did not do what was asked, as opposed to a bug of ours. Its message is for the operator and holds no secret. */
export class MachineFailure extends Error {
  readonly outcome: Outcome;

  constructor(outcome: Outcome, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.outcome = outcome;
  }
}

/** A program was not there, ended with an error, or was ended for taking too long. Never carries its standard input. */
export class ProgramFailed extends MachineFailure {
  readonly program: string;
  readonly reason: "not_found" | "not_started" | "failed" | "timeout" | "too_much_output";
  /** Null where a signal ended it or it never began. */
  readonly exitCode: number | null;
  readonly stderr: string;

  constructor(program: string, reason: ProgramFailed["reason"], exitCode: number | null, stderr: string) {
    const how = {
      not_found: "not found",
      not_started: "could not be started",
      failed: `ended with ${exitCode ?? "a signal"}`,
      timeout: "took too long",
      too_much_output: "printed too much",
    };
    const neverBegan = reason === "not_found" || reason === "not_started";
    const saidNo = reason === "failed" && exitCode !== null;
    super(neverBegan || saidNo ? "refused" : "unknown", `${program}: ${how[reason]}${stderr ? `: ${stderr}` : ""}`);
    this.program = program;
    this.reason = reason;
    this.exitCode = exitCode;
    this.stderr = stderr;
  }
}

/** The machine did not let a file be written. */
export class FileRefused extends MachineFailure {
  constructor(path: string, code: string, options?: ErrorOptions) {
    super("refused", `${path} cannot be written: ${code}`, options);
  }
}

/** Nobody listens at the socket, or who did went away before an answer: another way in may still work. */
export class NobodyAnswers extends MachineFailure {}

/** Asked and not answered in time. */
export class AnswerLost extends MachineFailure {
  constructor(what: string, options?: ErrorOptions) {
    super("unknown", `${what} does not answer`, options);
  }
}

/** The call was given up: by its caller, at its deadline, or because another panel works on the machine now. */
export class CallGivenUp extends MachineFailure {
  constructor(signal: AbortSignal) {
    const isLate = signal.reason instanceof DOMException && signal.reason.name === "TimeoutError";
    const isLeaseLost = signal.reason instanceof LeaseLost;
    const why = isLate ? "the machine took too long" : isLeaseLost ? signal.reason.message : "the call was given up";
    super("unknown", why, { cause: signal.reason });
  }
}

/** Why a call is given up that no longer has the right to change the machine. */
export class LeaseLost extends Error {
  constructor() {
    super("another panel works on the machine now");
  }
}

/** What the machine answered is not what it should look like. The text itself may hold keys and is not kept. */
export class Unreadable extends MachineFailure {
  constructor(what: string, options?: ErrorOptions) {
    super("refused", `${what} answered what cannot be read`, options);
  }
}

/** The same machine, whose calls all end with `signal`. `beforeStep` runs before those that may change something. */
export function endingWith(signal: AbortSignal, machine: Machine, beforeStep = async () => {}): Machine {
  const ending = <Options extends CallOptions>(options?: Options): Options => {
    if (signal.aborted) throw new CallGivenUp(signal);
    return { ...(options as Options), signal: options?.signal ? AbortSignal.any([options.signal, signal]) : signal };
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
    // It lives longer than the call that asked for it.
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

/** What a program printed as JSON; it prints nothing at all where a list is empty. @throws Unreadable */
export async function runForJson<Answer>(machine: Machine, program: string, args: readonly string[]): Promise<Answer> {
  const text = await machine.run(program, args);
  try {
    return JSON.parse(text || "[]") as Answer;
  } catch {
    throw new Unreadable(program);
  }
}

/** For `catch`, where an answer helps and is not needed: what the machine did not do counts as `otherwise`. */
export function orElse<Answer>(otherwise: Answer): (error: unknown) => Answer {
  return (error) => {
    const isAnswered = error instanceof MachineFailure && error.outcome !== "unreachable";
    if (!isAnswered || error instanceof CallGivenUp) throw error;
    return otherwise;
  };
}
