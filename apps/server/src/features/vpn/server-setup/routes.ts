import { lineOrNull, whyOrNull } from "@krug/contract/reasons";
import {
  type serverSetup as contract,
  type SetupAnswer,
  type SetupLine,
  type SetupStarted,
  SetupStep,
} from "@krug/contract/vpn/server-setup";
import { isoOf } from "@krug/domain/moment";
import type { Reason } from "@krug/domain/reasons";
import { isTroubled } from "../../../platform/database/trouble.ts";
import type { Actor, Handlers } from "../../../platform/http/call.ts";
import { oneAtATime } from "../../../platform/limiter.ts";
import { type ServerRow, tunnelPlace, whySystem } from "../servers/index.ts";
import { type RunRow, SETUP_CHANGED, type ServerSetup } from "./index.ts";
import type { SetupParts } from "./parts.ts";
import * as repository from "./repository.ts";

/** Less than the 30 s after which a browser gives up (decisions, section 7). */
const ANSWER_WITHIN_MS = 25_000;
const LINES_AT_ONCE = 200;
const LINES_IN_ANSWER = 200;

interface Parts extends Pick<SetupParts, "db" | "log" | "signals"> {
  serverSetup: ServerSetup;
  /** Of a feature above this one: ends a stream when its reader's session does. Returns how to remove the stream. */
  live: { listen(actor: Actor, stream: { end(): void; push(): void }): () => void };
}

/** Left out if the failure's code says it all. */
const detailOf = (detail: Reason | null) => {
  const why = whyOrNull(detail);
  const isTold = why === null || why.code === "machine.said" || why.code.startsWith("ssh.");
  return { detail: lineOrNull(detail), why: isTold ? why && { ...why, ru: "", en: "" } : why };
};

export function makeServerSetupRoutes({ db, log, signals, serverSetup, live }: Parts): Handlers<typeof contract> {
  const watchers = new Map<string, Set<() => void>>();
  signals.on(SETUP_CHANGED, (serverIds) => {
    for (const id of serverIds) for (const tell of watchers.get(id) ?? []) tell();
  });

  const answerOf = (server: ServerRow, latest: ReadonlyMap<SetupStep, RunRow>): SetupAnswer => ({
    steps: SetupStep.options.map((step) => {
      const run = latest.get(step);
      return {
        step,
        state: run?.state ?? "pending",
        failure: run?.failure ?? null,
        ...detailOf(run?.detail ?? null),
        startedAt: isoOf(run?.started_at ?? null),
        endedAt: isoOf(run?.ended_at ?? null),
      };
    }),
    isSetupComplete: serverSetup.isComplete(server),
    tunnelsIn: tunnelPlace(server),
    whySystem: whySystem(server),
  });
  const read = async (id: string) => {
    const server = await serverSetup.serverOf(id);
    const latest = await serverSetup.latestOf(db, server);
    return { latest, answer: answerOf(server, latest) };
  };

  const begin = async (
    { actor, params }: { actor: Actor; params: { id: string } },
    step: SetupStep,
  ): Promise<SetupStarted> => {
    const { id } = await serverSetup.begin(actor, params.id, step);
    const run = await serverSetup.ended(id, ANSWER_WITHIN_MS);
    const lines = await repository.linesAfter(db, id, run.lines - LINES_IN_ANSWER, LINES_IN_ANSWER);
    return {
      running: run.state === "running",
      success: run.state === "success",
      failure: run.failure,
      ...detailOf(run.detail),
      logs: lines.map(({ text }) => text),
    };
  };

  return {
    installDocker: (call) => begin(call, "docker"),
    installWireguard: (call) => begin(call, "wireguard"),
    configureWireguard: (call) => begin(call, "configure"),
    setup: async ({ params }) => (await read(params.id)).answer,

    async choosePlace({ actor, params, body }) {
      await serverSetup.choosePlace(actor, params.id, body.tunnelsIn);
      return (await read(params.id)).answer;
    },

    async cancel({ params }) {
      await serverSetup.cancel(params.id);
      return (await read(params.id)).answer;
    },

    async stream({ actor, params: { id } }) {
      await serverSetup.serverOf(id);
      return ({ push, end }) => {
        // By run: the last line sent.
        const sent = new Map<string, number>();
        let last = "";
        let open = true;
        const next = async () => {
          const { latest, answer } = await read(id);
          let isMore = false;
          for (const step of SetupStep.options) {
            const run = latest.get(step);
            if (run === undefined) continue;
            const rows = await repository.linesAfter(db, run.id, sent.get(run.id) ?? 0, LINES_AT_ONCE);
            if (!open) return false;
            for (const { number, at, text } of rows) {
              const data: SetupLine = { runId: run.id, step, number, at: isoOf(at), text };
              push({ event: "line", data });
              sent.set(run.id, number);
            }
            isMore ||= rows.length === LINES_AT_ONCE;
          }
          // After the lines: whoever sees a step end has seen how.
          const state = JSON.stringify(answer);
          if (open && !isMore && state !== last) push({ event: "setup", data: answer });
          last = isMore ? last : state;
          return isMore;
        };
        const pump = oneAtATime(next, (error) => {
          if (!isTroubled(error)) log.error({ err: error }, "lines of a set-up could not be read for a stream");
          end();
        });
        const mine = watchers.get(id) ?? new Set();
        watchers.set(id, mine.add(pump));
        const close = live.listen(actor, { end, push: () => {} });
        pump();
        return () => {
          open = false;
          mine.delete(pump);
          if (mine.size === 0) watchers.delete(id);
          close();
        };
      };
    },
  };
}
