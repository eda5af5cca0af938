import type { Api } from "@krug/contract/api";
import { query } from "../../../lib/query.ts";

export type TwoFactorStatus = Api["GET /totp/{id}/status"]["answer"];

export const twoFactorQuery = (memberId: string) =>
  query(["two-factor", memberId], "GET /totp/{id}/status", {
    params: { id: memberId },
    // A secret is not cached after it is shown.
    gcTime: 0,
    staleTime: 0,
    refetchOnWindowFocus: false,
  });
