import type { Api } from "@krug/contract/api";
import { queryOptions } from "@tanstack/react-query";
import { api } from "../../../lib/api.ts";

export type TwoFactorStatus = Api["GET /totp/{id}/status"]["answer"];

export const twoFactorQuery = (memberId: string) =>
  queryOptions({
    queryKey: ["two-factor", memberId],
    queryFn: ({ signal }) => api("GET /totp/{id}/status", { params: { id: memberId }, signal }),
    // A secret is not cached after it is shown.
    gcTime: 0,
    staleTime: 0,
    refetchOnWindowFocus: false,
  });
