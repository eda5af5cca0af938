import type { Api } from "@krug/contract/api";
import { queryOptions } from "@tanstack/react-query";
import { ApiError, api } from "../../../lib/api.ts";
import { firstAnswer, firstAnswersAt } from "../../../lib/first-answers.ts";

export type Me = Api["GET /auth/me"]["answer"];

/** Who is signed in; null for a guest. Silence is an error, not a guest. */
export const meQuery = queryOptions({
  queryKey: ["me"],
  queryFn: async ({ signal, client, queryKey }): Promise<Me | null> => {
    const known = client.getQueryData(queryKey);
    try {
      return await api("GET /auth/me", { signal, background: Boolean(known) });
    } catch (error) {
      // For a signed-in person it is a refusal like any other: the session has ended.
      if (error instanceof ApiError && error.status === 401 && !known) return null;
      throw error;
    }
  },
  initialData: () => firstAnswer("GET /auth/me"),
  initialDataUpdatedAt: firstAnswersAt,
  staleTime: 60_000,
});

/** Why this page's last session ended, other than by the member's own sign-out; null while none did. Only the page itself sets it. */
export const endedQuery = queryOptions({
  queryKey: ["session-ended"],
  queryFn: (): Ended | null => null,
  initialData: null as Ended | null,
  staleTime: Number.POSITIVE_INFINITY,
});
export type Ended = "blocked" | "over";
