import type { Api } from "@krug/contract/api";
import { query } from "../../../lib/query.ts";

export type Passkey = Api["GET /passkeys"]["answer"]["passkeys"][number];

export const passkeysQuery = query(["passkeys"], "GET /passkeys", { staleTime: 0 });
