import type { Api } from "@krug/contract/api";
import type { SetupEvents } from "@krug/contract/vpn/server-setup";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api, NoAnswer } from "../../../lib/api.ts";
import { listenLive } from "../../../lib/live.ts";
import { query } from "../../../lib/query.ts";
import { useCommand } from "../../../lib/use-command.ts";
import { SERVERS } from "./queries.ts";

export type Setup = Api["GET /admin/servers/{id}/setup"]["answer"];
export type StepState = Setup["steps"][number];
export type TunnelPlace = Setup["tunnelsIn"];
export type SetupStep = StepState["step"];
type EventData = { [Name in keyof SetupEvents["events"]]: SetupEvents["events"][Name]["_zod"]["output"] };
export type Line = EventData["line"];

/** More than anybody reads. The latest are kept. */
const LINES_SHOWN = 500;
/** Lines come in bursts. */
const GATHER_MS = 80;

const BEGIN = {
  docker: "POST /admin/servers/{id}/install-docker",
  wireguard: "POST /admin/servers/{id}/install-wireguard",
  configure: "POST /admin/servers/{id}/configure-wireguard",
} as const satisfies Record<SetupStep, keyof Api>;

const setupQuery = (id: string) =>
  query([...SERVERS, "setup", id], "GET /admin/servers/{id}/setup", { params: { id }, staleTime: 0 });

/** The progress of a server's set-up, its lines as they arrive, and an admin's actions for it. */
export function useSetup(id: string) {
  const queryClient = useQueryClient();
  const query = setupQuery(id);
  const state = useQuery(query);
  const [lines, setLines] = useState<readonly Line[]>([]);

  useEffect(() => {
    const { queryKey } = setupQuery(id);
    const look = () => void queryClient.invalidateQueries({ queryKey });
    let waiting: Line[] = [];
    let soon: ReturnType<typeof setTimeout> | undefined;
    const take = () => {
      const more = waiting;
      [waiting, soon] = [[], undefined];
      setLines((before) => withLines(before, more));
    };
    const stop = listenLive<EventData>({
      path: `/admin/servers/${id}/setup/stream`,
      events: {
        line: (line) => {
          waiting.push(line);
          soon ??= setTimeout(take, GATHER_MS);
        },
        setup: (setup) => queryClient.setQueryData(queryKey, setup),
      },
      onGap: look,
      onBroken: look,
    });
    return () => {
      clearTimeout(soon);
      stop();
    };
  }, [id, queryClient]);

  const beginning = useCommand({
    mutationFn: (step: SetupStep) => api(BEGIN[step], { params: { id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: query.queryKey }),
  });
  const stopping = useCommand({
    mutationFn: () => api("POST /admin/servers/{id}/setup/cancel", { params: { id } }),
    onSuccess: (setup) => void queryClient.setQueryData(query.queryKey, setup),
  });
  const choosing = useCommand({
    mutationFn: (tunnelsIn: TunnelPlace) =>
      api("PUT /admin/servers/{id}/setup", { params: { id }, body: { tunnelsIn } }),
    onSuccess: (setup) => void queryClient.setQueryData(query.queryKey, setup),
  });
  // A requested step counts as running until the panel reports how it ended.
  const asked = beginning.isPending ? beginning.variables : null;
  const steps = state.data?.steps.map((one) =>
    one.step === asked && one.state !== "success" ? { ...one, state: "running" as const, failure: null } : one,
  );
  return {
    state,
    steps,
    place: state.data?.tunnelsIn ?? null,
    whySystem: state.data?.whySystem ?? null,
    choose: (place: TunnelPlace) => choosing.mutate(place),
    chooseError: choosing.error,
    isComplete: state.data?.isSetupComplete ?? false,
    linesOf: ({ step, startedAt }: StepState): readonly Line[] =>
      lines.filter((line) => line.step === step && (startedAt === null || line.at >= startedAt)).slice(-LINES_SHOWN),
    begin: (step: SetupStep) => {
      stopping.reset();
      beginning.mutate(step);
    },
    /** A lost answer is not a failure: the step may well be running. */
    isAnswerLost: beginning.error instanceof NoAnswer,
    error: beginning.error instanceof NoAnswer ? null : beginning.error,
    stop: () => stopping.mutate(),
    isStopping: stopping.isPending || stopping.isSuccess,
    stopError: stopping.error,
  };
}

/** A stream that reconnects sends its lines again, and a retry of a step starts with line 1. */
function withLines(before: readonly Line[], more: readonly Line[]): readonly Line[] {
  const kept = new Map<SetupStep, Line[]>();
  for (const line of before) kept.set(line.step, [...(kept.get(line.step) ?? []), line]);
  for (const line of more) {
    const known = kept.get(line.step) ?? [];
    const last = known.at(-1);
    if (last?.runId !== line.runId) kept.set(line.step, [line]);
    else if (line.number > last.number) known.push(line);
  }
  return [...kept.values()].flatMap((own) => own.slice(-LINES_SHOWN));
}
