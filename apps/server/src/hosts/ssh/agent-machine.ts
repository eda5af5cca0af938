import { reason } from "@krug/domain/reasons";
import { textOf } from "../../platform/text-of.ts";
import {
  AnswerLost,
  type CallOptions,
  FileRefused,
  type Followed,
  type Listener,
  type Machine,
  MachineFailure,
  NobodyAnswers,
  NoLonger,
  type OnlyWhile,
  ProgramFailed,
  type RunOptions,
  type StartedProgram,
  type StartOptions,
  withoutKeys,
} from "../machine.ts";
import { type AgentSession, refuseUnheld, type Said, whyUnheld } from "./agent-session.ts";

const TIMEOUT_MS = 15_000;
const MIB = 1024 * 1024;
/** An engine's report of 65,534 peers takes 26 MiB. */
const OUTPUT_LIMIT = 32 * MIB;
/** The helper returns 2,000 bytes of a program's stderr. */
const COMPLAINT_LIMIT = 16_384;
const FILE_LIMIT = 4 * MIB;
const NAMES_LIMIT = MIB;

/** A machine operated by its agent. `session` returns the current one, or opens one. @throws MachineFailure */
export function makeAgentMachine(session: () => Promise<AgentSession>): Machine {
  /** @throws ConnectionLost, AnswerLost, CallGivenUp */
  const ask = async (
    word: string,
    fields: readonly string[],
    { timeoutMs = TIMEOUT_MS, signal, only }: CallOptions & OnlyWhile = {},
    mostBytes?: number,
  ) => {
    const question = only
      ? (["only", [only.path, only.identity, word, ...fields]] as const)
      : ([word, fields] as const);
    const said = await (await session()).ask(...question, {
      timeoutMs,
      ...(signal && { signal }),
      ...(mostBytes && { mostBytes }),
    });
    if (only && said.word === "other") throw new NoLonger(only.path);
    if (said.word === "forbidden") throw forbidden(word, fields[0]);
    refuseUnheld(said);
    return said;
  };
  const first = ({ fields }: Said) => fields[0]?.toString("utf8") ?? null;

  return {
    async run(program: string, args: readonly string[], options: RunOptions = {}) {
      const { stdin, timeoutMs = TIMEOUT_MS, maxOutputBytes = OUTPUT_LIMIT } = options;
      const input = stdin === undefined ? ["0", ""] : ["1", stdin];
      const { word, fields } = await ask(
        "run",
        [program, String(timeoutMs), String(maxOutputBytes), ...input, ...args],
        options,
        maxOutputBytes + COMPLAINT_LIMIT,
      );
      const [code, stdout, stderr] = fields.map(textOf);
      if (word === "ended" && code === "0") return stdout ?? "";
      const said = withoutKeys((stderr ?? "").trim());
      if (word === "ended") throw new ProgramFailed(program, "failed", code ? Number(code) : null, said);
      throw new ProgramFailed(program, REASONS[word] ?? "not_started", null, said);
    },

    async start(program: string, args: readonly string[], { environment = {} }: StartOptions = {}) {
      const mine = await session();
      const lines = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
      return new Promise<StartedProgram>((resolve, reject) => {
        let failure: ProgramFailed | null = null;
        const stop = mine.listen(
          "start",
          [program, lines.join("\n"), ...args],
          ({ word, fields }) => {
            if (word === "started") return resolve({ failure: () => failure, stop });
            if (word === "forbidden") return reject(forbidden("start", program));
            const why = whyUnheld({ word, fields });
            if (why !== null) return reject(why);
            failure = new ProgramFailed(
              program,
              REASONS[word] ?? "failed",
              word === "ended" && fields[0]?.length ? Number(fields[0]) : null,
              "",
            );
            // It was asked to start, as on the panel's own machine; `failure` says why it does not run.
            resolve({ failure: () => failure, stop });
          },
          reject,
        );
      });
    },

    follow(program: string, args: readonly string[], { onLine, onEnd }: Listener): Followed {
      let isWanted = true;
      let stop: (() => void) | undefined;
      const ended = () => {
        if (!isWanted) return;
        isWanted = false;
        onEnd();
      };
      const begin = async () => {
        const mine = await session();
        if (!isWanted) return;
        stop = mine.listen(
          "follow",
          [program, ...args],
          ({ word, fields }) => {
            if (word !== "line") ended();
            else if (isWanted) onLine(fields[0]?.toString("utf8") ?? "");
          },
          ended,
        );
      };
      void begin().catch((error: unknown) => {
        if (error instanceof MachineFailure) ended();
        else throw error;
      });
      return {
        stop() {
          isWanted = false;
          stop?.();
        },
      };
    },

    findProgram: async (program, options) => first(await ask("find", [program], options)),
    readFile: async (path, options) => first(await ask("read", [path], options, FILE_LIMIT)),
    async writeFile(path, text, options) {
      const { word, fields } = await ask("write", [path, text], options);
      if (word !== "is") throw new FileRefused(path, fields[0]?.toString("utf8") ?? word);
    },
    listFolder: async (path, options) =>
      (await ask("list", [path], options, NAMES_LIMIT)).fields.map((name) => name.toString("utf8")),
    canWrite: async (path, options) => first(await ask("probe", [path], options)) === "1",
    identify: async (path, options) => first(await ask("identify", [path], options)),

    async ask(path, question, end, options = {}) {
      const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
      const { word, fields } = await ask("ask", [path, question, end, String(timeoutMs)], options, OUTPUT_LIMIT);
      const text = fields[0]?.toString("latin1") ?? "";
      if (word === "is") return text;
      if (word === "nobody") throw new NobodyAnswers("refused", reason("call.nobody", { path }));
      if (word === "early") throw new NobodyAnswers("unknown", reason("call.ended_early", { path }));
      throw new AnswerLost(path);
    },
  };
}

/** A bug of the panel: the agent has the panel's version, and allows what the panel asks. */
const forbidden = (word: string, what = "") => new TypeError(`agent.pl does not allow ${word} ${what}`);

const REASONS: Record<string, ProgramFailed["reason"]> = {
  missing: "not_found",
  unstarted: "not_started",
  late: "timeout",
  flood: "too_much_output",
  ended: "failed",
};
