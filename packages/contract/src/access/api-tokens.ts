import {
  API_SCOPES,
  type ApiScope,
  MOST_API_TOKEN_DAYS,
  MOST_API_TOKEN_NAME,
  MOST_API_TOKENS,
} from "@krug/domain/api-token-rules";
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { Id, line, Time } from "../fields.ts";

const Scope = z.enum(Object.keys(API_SCOPES) as ApiScope[]);

/** A token as its owner sees it. Its text is shown once, on creation. */
const ApiToken = z.object({
  id: Id,
  name: z.string(),
  scopes: z.array(Scope),
  createdAt: Time,
  expiresAt: Time,
  /** To the minute; null: never used. */
  lastUsedAt: Time.nullable(),
});

/** Tokens for a member's own programs to call the API. No token reaches these calls. */
export const apiTokens = {
  list: endpoint("GET /api-tokens", {
    access: "member",
    summary: "Your API tokens, newest first",
    answer: z.array(ApiToken).max(MOST_API_TOKENS),
  }),
  make: endpoint("POST /api-tokens", {
    access: "member",
    trust: true,
    summary: "Create an API token; its text is only in this answer. Staff need the two-factor check for it",
    body: z.strictObject({
      name: line(MOST_API_TOKEN_NAME),
      scopes: z.array(Scope).min(1).max(Object.keys(API_SCOPES).length),
      /** How long it is valid. */
      days: z.int().min(1).max(MOST_API_TOKEN_DAYS),
    }),
    answer: ApiToken.extend({ token: z.string() }),
    status: 201,
    creation: true,
    refusals: ["auth.two_factor_required", "api_token.scope_not_yours", "api_token.too_many"],
  }),
  revoke: endpoint("DELETE /api-tokens/{id}", {
    access: "member",
    summary: "Revoke one of your API tokens",
    refusals: ["api_token.not_found"],
  }),
};

export type ApiTokenAnswer = z.output<typeof ApiToken>;
