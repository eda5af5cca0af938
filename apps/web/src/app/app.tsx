import type { QueryClient } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { useEffect } from "react";
import { useGate } from "../features/security-gate/gate.ts";
import { availability } from "../lib/availability.ts";
import { sampleMode } from "../lib/sample-mode.ts";
import { useSettled } from "../lib/use-settled.ts";
import { lazyPart } from "../ui/lazy.tsx";
import type { makeRouter } from "./router.tsx";

const GateScreen = lazyPart(() =>
  import("../features/security-gate/gate-screen.tsx").then(({ GateScreen }) => GateScreen),
);
const ApiStatus = lazyPart(() => import("./api-status.tsx").then(({ ApiStatus }) => ApiStatus));

interface Props {
  router: ReturnType<typeof makeRouter>;
  queryClient: QueryClient;
}

/** The gate and the application behind it, which is loaded meanwhile so that it is ready when the gate opens. */
export function App({ router, queryClient }: Props) {
  const state = useGate();
  const isOpen = state.at === "open";
  const settled = useSettled();
  const isDenied = state.at === "denied";

  useEffect(() => {
    if (settled) sampleMode.prepare();
  }, [settled]);

  useEffect(() => {
    // The guards see that the check has failed, and lead to /404 (user-side, section 2).
    if (isDenied) void router.invalidate();
  }, [isDenied, router]);

  useEffect(
    () =>
      availability.subscribe(() => {
        if (!availability.isUp()) return;
        // The panel is back: what failed meanwhile, or was a sample, is asked again, without a reload.
        if (sampleMode.isOn()) void queryClient.invalidateQueries();
        void queryClient.refetchQueries({ predicate: (query) => query.state.status === "error" });
        if (router.state.matches.some(({ status }) => status === "error")) void router.invalidate();
      }),
    [queryClient, router],
  );

  return (
    <>
      {!isDenied && (
        <div style={{ display: isOpen ? "contents" : "none" }}>
          <RouterProvider router={router} />
        </div>
      )}
      {state.at !== "open" && state.at !== "asking" && <GateScreen state={state} />}
      {isOpen && settled && <ApiStatus />}
    </>
  );
}
