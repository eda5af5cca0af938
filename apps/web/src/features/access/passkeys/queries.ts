import type { Api } from "@krug/contract/api";
import { queryOptions } from "@tanstack/react-query";
import { api } from "../../../lib/api.ts";

export type Passkey = Api["GET /passkeys"]["answer"]["passkeys"][number];

export const passkeysQuery = queryOptions({
  queryKey: ["passkeys"],
  queryFn: ({ signal }) => api("GET /passkeys", { signal }),
  staleTime: 0,
});
