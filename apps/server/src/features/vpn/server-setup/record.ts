import type { SetupFailure } from "@krug/contract/vpn/server-setup";
import type { Reason } from "@krug/domain/reasons";
import type { SetupParts } from "./parts.ts";
import * as repository from "./repository.ts";
import type { RunRow } from "./table.ts";

/** A server's set-up changed; the ids are servers'. */
export const SETUP_CHANGED = "setup.changed";

/** How a step ended. */
export type Ending = { failure: SetupFailure | null; detail: Reason | null };

export const SUCCESS: Ending = { failure: null, detail: null };

const WRITE_AFTER_MS = 200;
const LINE_LIMIT = 500;
/** More than a step prints; later lines are dropped. */
const LINES_LIMIT = 3_000;

export type Recording = ReturnType<typeof record>;

/** Stores a try's lines: gathered for a moment, then written together, and open pages are signalled. */
export function record({ transact, clock, signals }: Pick<SetupParts, "transact" | "clock" | "signals">, run: RunRow) {
  let { lines, heard } = run;
  let waiting: { text: string; at: number }[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  let failed: unknown = null;

  const write = (change: Partial<RunRow> = {}): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const kept = waiting.slice(0, Math.max(0, LINES_LIMIT - lines));
    waiting = [];
    const first = lines + 1;
    lines += kept.length;
    const state = { lines, heard, ...change };
    writing = writing.then(() =>
      transact(async (tx) => {
        await repository.addLines(
          tx,
          kept.map(({ text, at }, index) => ({ run_id: run.id, number: first + index, at, text })),
        );
        await repository.update(tx, run.id, state);
        signals.send(tx, SETUP_CHANGED, [run.server_id]);
      }),
    );
    return writing;
  };
  const add = (text: string) => {
    if (lines + waiting.length < LINES_LIMIT) waiting.push({ text: plain(text), at: clock.now().getTime() });
    timer ??= setTimeout(() => {
      write().catch((error: unknown) => {
        failed ??= error;
      });
    }, WRITE_AFTER_MS);
  };

  return {
    /** A line of the panel's own. */
    say: (text: string) => add(`#krug ${text}`),
    /** A line from the machine. */
    hear(text: string): void {
      heard += 1;
      add(text);
    },
    heard: () => heard,
    /** Writes the gathered lines now. @throws what prevented writing an earlier line */
    async flush(): Promise<void> {
      await write();
      if (failed !== null) throw failed;
    },
    end: ({ failure, detail }: Ending) =>
      write({
        state: failure === null ? "success" : "error",
        failure,
        detail,
        ended_at: clock.now().getTime(),
      }),
  };
}

/** Without colours and other control characters. */
const plain = (text: string) =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
    .replace(/\u001b\[[0-9;?]*[A-Za-z]|[\u0000-\u0008\u000b-\u001f\u007f]/g, "")
    .slice(0, LINE_LIMIT);
