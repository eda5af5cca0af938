import type { QueryClient } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { useEffect, useSyncExternalStore } from "react";
import { useGate } from "../features/access/security-gate/gate.ts";
import { availability } from "../lib/availability.ts";
import { person } from "../lib/person.ts";
import { sampleMode } from "../lib/sample-mode.ts";
import { useSettled } from "../lib/use-settled.ts";
import { lazyPart } from "../ui/lazy.tsx";
import type { makeRouter } from "./router.tsx";

const GateScreen = lazyPart(() =>
  import("../features/access/security-gate/gate-screen.tsx").then(({ GateScreen }) => GateScreen),
);
const Later = lazyPart(() => import("./later.tsx").then(({ Later }) => Later));
const ApiStatus = lazyPart(() => import("./api-status.tsx").then(({ ApiStatus }) => ApiStatus));

interface Props {
  router: ReturnType<typeof makeRouter>;
  queryClient: QueryClient;
}

/** A panel that left only one call without an answer counts as back at each of these intervals. */
const ASK_AGAIN_EVERY_MS = 5_000;

/** When the panel is back, refetches what failed meanwhile or was a sample, without a reload. */
function askAgainWhenBack(queryClient: QueryClient, router: Props["router"]) {
  let silentSince = 0;
  let nextAt = 0;
  let timer: ReturnType<typeof setTimeout>;
  return availability.subscribe(() => {
    clearTimeout(timer);
    const since = availability.silentSince();
    if (since !== null) {
      silentSince = since;
      return;
    }
    timer = setTimeout(() => {
      nextAt = performance.now() + ASK_AGAIN_EVERY_MS;
      void queryClient.refetchQueries({
        predicate: ({ state }) =>
          // During a silence only samples come.
          state.status === "error" || (sampleMode.isOn() && state.dataUpdatedAt >= silentSince),
      });
      if (router.state.matches.some(({ status }) => status === "error")) void router.invalidate();
    }, nextAt - performance.now());
  });
}

/** The gate and the application behind it, which loads meanwhile so that it is ready when the gate opens. */
export function App({ router, queryClient }: Props) {
  const state = useGate();
  // The next person gets no screen's state either.
  const departures = useSyncExternalStore(person.onChange, person.departures);
  const isOpen = state.at === "open";
  const settled = useSettled();
  const isDenied = state.at === "denied";

  useEffect(() => {
    if (settled) sampleMode.prepare();
  }, [settled]);

  useEffect(() => {
    // The guards see the failed check and redirect to /404 (specification, member's side 2).
    if (isDenied) void router.invalidate();
  }, [isDenied, router]);

  useEffect(() => askAgainWhenBack(queryClient, router), [queryClient, router]);

  return (
    <>
      {settled && <Later />}
      {!isDenied && (
        <div style={{ display: isOpen ? "contents" : "none" }}>
          <RouterProvider key={departures} router={router} />
        </div>
      )}
      {state.at !== "open" && state.at !== "asking" && <GateScreen state={state} />}
      {isOpen && settled && <ApiStatus />}
    </>
  );
}
