import type { ApiTokenAnswer } from "@krug/contract/access/api-tokens";
import type { Contract } from "@krug/contract/api";
import { isoOf } from "@krug/domain/moment";
import type { Handlers } from "../../../platform/http/call.ts";
import { type ApiTokenRow, type ApiTokens, scopesOf } from "./index.ts";

export const makeApiTokenRoutes = ({ apiTokens }: { apiTokens: ApiTokens }): Handlers<Contract["apiTokens"]> => ({
  list: async ({ actor }) => (await apiTokens.alive(actor.memberId)).map(toAnswer),

  async make({ actor, body }) {
    const { row, token } = await apiTokens.make(actor, body);
    return { ...toAnswer(row), token };
  },

  revoke: async ({ actor, params }) => void (await apiTokens.revoke(actor, params.id)),
});

const toAnswer = (row: ApiTokenRow): ApiTokenAnswer => ({
  id: row.id,
  name: row.name,
  scopes: scopesOf(row),
  createdAt: isoOf(row.created_at),
  expiresAt: isoOf(row.expires_at),
  lastUsedAt: isoOf(row.last_used_at),
});
