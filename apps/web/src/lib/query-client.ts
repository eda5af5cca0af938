import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiError, NoAnswer } from "./api.ts";

/** What the application does when the panel refuses somebody, whichever call was refused. */
export interface Refused {
  signedOut: () => void;
  underMaintenance: () => void;
}

export function makeQueryClient(refused: Refused): QueryClient {
  const look = (error: unknown) => {
    if (!(error instanceof ApiError)) return;
    if (error.code === "auth.required") refused.signedOut();
    if (error.code === "maintenance.on") refused.underMaintenance();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError: look }),
    mutationCache: new MutationCache({ onError: look }),
    defaultOptions: {
      // Offline, a call fails at once and the page says so. The library would wait in silence.
      mutations: { networkMode: "always" },
      queries: {
        networkMode: "always",
        refetchOnReconnect: true,
        // A refusal is an answer: retrying gives the same. After silence, the screen that shows it retries.
        retry: (failures, error) => !(error instanceof ApiError || error instanceof NoAnswer) && failures < 2,
        staleTime: 30_000,
        // While the panel is silent, what was shown in this session can be viewed again.
        gcTime: 60 * 60_000,
      },
    },
  });
}
