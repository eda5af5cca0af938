import { randomInt } from "node:crypto";
import type { Readable, Writable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { oneByOne } from "../apps/server/src/platform/limiter.ts";
import type { ExecOptions, Outcome } from "./namespace.ts";

/** A program's end, as the agent reports it. Texts are in base64. */
interface Status {
  exited: boolean;
  exitcode?: number;
  "out-data"?: string;
  "err-data"?: string;
}

const ANSWERS_WITHIN_MS = 10_000;
const ENDS_WITHIN_MS = 120_000;
const LOOKS_EVERY_MS = 50;
const ENVIRONMENT = {
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  LC_ALL: "C",
  HOME: "/root",
};

/** Runs programs in a virtual machine through QEMU's guest agent, over a pipe instead of a network: one JSON object a line. */
export function makeGuestAgent(input: Writable, output: Readable) {
  const limited = oneByOne();
  let heard = "";
  let isInStep = false;
  let take: ((answer: { return?: unknown; error?: unknown }) => void) | null = null;
  input.on("error", () => undefined);
  output.on("data", (piece: Buffer | string) => {
    const lines = (heard + piece).split("\n");
    heard = lines.pop() ?? "";
    for (const line of lines) {
      try {
        take?.(JSON.parse(line));
      } catch {
        // The agent was cut off when its machine went down.
      }
    }
  });

  /** Its answer. Until we are in step, the first one that fits: others may be left from before a reboot. */
  async function say<T>(execute: string, given: object, fits: (value: T) => boolean = () => true): Promise<T> {
    const answer = new Promise<T>((resolve, reject) => {
      take = ({ return: value, error }) => {
        if (error === undefined && fits(value as T)) resolve(value as T);
        else if (isInStep) reject(new Error(`${execute}: ${JSON.stringify(error)}`));
      };
    });
    input.write(`${JSON.stringify({ execute, arguments: given })}\n`);
    const limit = new AbortController();
    const silent = wait(ANSWERS_WITHIN_MS, null, { signal: limit.signal }).then(
      () => {
        isInStep = false;
        throw new Error(`the guest agent is silent: ${execute}`);
      },
      () => new Promise<never>(() => undefined),
    );
    return Promise.race([answer, silent]).finally(() => {
      limit.abort();
      take = null;
    });
  }

  const ask = <T>(execute: string, given: object) =>
    limited(async () => {
      const id = randomInt(2 ** 31);
      if (!isInStep) await say<number>("guest-sync", { id }, (value) => value === id);
      isInStep = true;
      return await say<T>(execute, given);
    });

  return {
    /** Throws only if the machine does not answer. */
    async attempt(program: string, args: string[] = [], options: ExecOptions = {}): Promise<Outcome> {
      const { stdin, timeoutMs = ENDS_WITHIN_MS, env } = options;
      const { pid } = await ask<{ pid: number }>("guest-exec", {
        path: program,
        arg: args,
        env: Object.entries({ ...ENVIRONMENT, ...env }).map(([name, value]) => `${name}=${value}`),
        ...(stdin === undefined ? {} : { "input-data": Buffer.from(stdin).toString("base64") }),
        "capture-output": true,
      });
      const text = (data = "") => Buffer.from(data, "base64").toString();
      for (const deadline = Date.now() + timeoutMs; ; await wait(LOOKS_EVERY_MS)) {
        const status = await ask<Status>("guest-exec-status", { pid });
        if (status.exited || Date.now() > deadline)
          return {
            exitCode: status.exitcode ?? null,
            stdout: text(status["out-data"]),
            stderr: text(status["err-data"]),
          };
      }
    },
  };
}
