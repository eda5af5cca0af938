import type { ChildProcess } from "node:child_process";
import type { Reason } from "@krug/domain/reasons";
import { type Machine, MachineFailure, NobodyAnswers, ProgramFailed } from "../src/hosts/machine.ts";

type Method = Exclude<keyof Machine, "follow">;
interface Question {
  id: number;
  method: Method;
  args: unknown[];
}
interface Answer {
  id: number;
  result?: unknown;
  failure?: Failure;
}
type Failure = { message: string; why: Reason; outcome?: MachineFailure["outcome"] } & Partial<
  Pick<ProgramFailed, "program" | "reason" | "exitCode" | "stderr">
> & { isNobody?: boolean };

/** The machine that this process's parent serves. */
export function machineAtParent(): Machine {
  const waiting = new Map<number, (answer: Answer) => void>();
  let last = 0;
  process.on("message", (message: Answer | string) => {
    if (typeof message === "string") return;
    waiting.get(message.id)?.(message);
    waiting.delete(message.id);
  });
  const ask = async <Result>(method: Method, args: unknown[]): Promise<Result> => {
    const id = ++last;
    const answer = await new Promise<Answer>((resolve) => {
      waiting.set(id, resolve);
      process.send?.({ id, method, args } satisfies Question);
    });
    if (answer.failure !== undefined) throw failureOf(answer.failure);
    return answer.result as Result;
  };
  const plain = (options: object = {}) => ({ ...options, signal: undefined });
  return {
    run: (program, args, options) => ask("run", [program, args, plain(options)]),
    start: (program, args, options) => ask("start", [program, args, plain(options)]),
    follow: () => ({ stop: () => undefined }),
    findProgram: (program) => ask("findProgram", [program]),
    readFile: (path) => ask("readFile", [path]),
    writeFile: (path, text) => ask("writeFile", [path, text]),
    listFolder: (path) => ask("listFolder", [path]),
    canWrite: (path) => ask("canWrite", [path]),
    identify: (path) => ask("identify", [path]),
    ask: (path, question, end) => ask("ask", [path, question, end]),
  };
}

function failureOf({ message, why, outcome, program, reason, exitCode, stderr, isNobody }: Failure): Error {
  if (program !== undefined && reason !== undefined)
    return new ProgramFailed(program, reason, exitCode ?? null, stderr ?? "");
  if (outcome === undefined) return new Error(message);
  return isNobody ? new NobodyAnswers(outcome, why) : new MachineFailure(outcome, why);
}

/** Serves a machine to a child. `before` sees each command and may delay it. */
export function serveMachine(child: ChildProcess, machine: Machine, before: (command: string) => Promise<void>): void {
  child.on("message", async (message: Question | string) => {
    if (typeof message === "string") return;
    const { id, method, args } = message;
    const answer: Answer = { id };
    try {
      if (method === "run") await before([args[0], ...(args[1] as string[])].join(" "));
      answer.result = await (machine[method] as (...args: unknown[]) => Promise<unknown>)(...args);
    } catch (error) {
      const { message, why, outcome, program, reason, exitCode, stderr } = error as ProgramFailed;
      answer.failure = {
        message,
        why,
        outcome,
        program,
        reason,
        exitCode,
        stderr,
        isNobody: error instanceof NobodyAnswers,
      };
    }
    child.send(answer);
  });
}
