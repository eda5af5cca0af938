import type { Role } from "./roles.ts";

/**
 * What an API token can be allowed to do, and the least role with which any of it is possible. A token never reaches beyond
 * its owner's present role: the calls themselves still check that.
 */
export const API_SCOPES = {
  "profile:read": "user",
  "configs:read": "user",
  "configs:write": "user",
  /** Config files hold private keys, so reading them is a scope of its own. */
  "configs:files": "user",
  "payments:read": "user",
  "payments:write": "user",
  "invites:read": "user",
  "invites:write": "user",
  "support:read": "user",
  "support:write": "user",
  "notices:read": "user",
  "notices:write": "user",
  "catalog:read": "user",
  "catalog:write": "admin",
  "members:read": "moderator",
  "members:write": "moderator",
  "servers:read": "moderator",
  "servers:write": "moderator",
  "rules:read": "moderator",
  "rules:write": "admin",
  "statistics:read": "moderator",
  "audit:read": "moderator",
  "system:read": "moderator",
} as const satisfies Record<string, Role>;

export type ApiScope = keyof typeof API_SCOPES;

const RANK: Record<Role, number> = { user: 0, moderator: 1, admin: 2 };

/** The scopes that a token of someone in this role may have, in the order of the catalogue. */
export const scopesFor = (role: Role): ApiScope[] =>
  (Object.keys(API_SCOPES) as ApiScope[]).filter((scope) => RANK[API_SCOPES[scope]] <= RANK[role]);

/** People and scanners recognise a leaked token by it. */
export const API_TOKEN_PREFIX = "krug_";

/** The prefix and 32 random bytes in base64url. A session's token has 43 characters, so it never looks like this. */
export const isApiToken = (text: string): boolean => /^krug_[\w-]{43}$/.test(text);

export const MOST_API_TOKENS = 20;
export const MOST_API_TOKEN_DAYS = 365;
export const MOST_API_TOKEN_NAME = 60;
