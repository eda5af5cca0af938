import type { Api } from "@krug/contract/api";
import { queryOptions } from "@tanstack/react-query";
import { ApiError, api } from "../../lib/api.ts";

export type Me = Api["GET /auth/me"]["answer"];

/** Who is signed in; null for a guest. Silence is an error, not a guest. */
export const meQuery = queryOptions({
  queryKey: ["me"],
  queryFn: async ({ signal }): Promise<Me | null> => {
    try {
      return await api("GET /auth/me", { signal });
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return null;
      throw error;
    }
  },
  staleTime: 60_000,
});
