import type { Role } from "./roles.ts";
import { mayEver, type StaffAction } from "./staff-actions.ts";

/**
 * What an API token can be allowed to do. The owner needs at least one of the rights listed; an empty list means every member. A
 * token never exceeds its owner's current role: the calls still check that.
 */
export const API_SCOPES = {
  "profile:read": [],
  "configs:read": [],
  "configs:write": [],
  /** Config files hold private keys, so reading them is a separate scope. */
  "configs:files": [],
  "payments:read": [],
  "payments:write": [],
  "invites:read": [],
  "invites:write": [],
  "support:read": [],
  "support:write": [],
  "notices:read": [],
  "notices:write": [],
  "catalog:read": [],
  "catalog:write": ["catalog.change"],
  "members:read": ["members.see"],
  "members:write": ["members.change", "notes.write"],
  "servers:read": ["servers.see", "servers.see_secrets", "servers.change", "interfaces.see", "interfaces.change"],
  "servers:write": ["servers.change", "interfaces.rename", "interfaces.assign", "interfaces.change"],
  "rules:read": ["rules.see"],
  "rules:write": ["rules.change"],
  "statistics:read": ["traffic.see"],
  "audit:read": ["audit.see"],
  "system:read": ["area.enter", "settings.change", "system.see"],
} as const satisfies Record<string, readonly StaffAction[]>;

export type ApiScope = keyof typeof API_SCOPES;

/** The scopes a token of someone in this role may have, in the catalogue's order. */
export const scopesFor = (role: Role): ApiScope[] =>
  (Object.keys(API_SCOPES) as ApiScope[]).filter((scope) => {
    const needs: readonly StaffAction[] = API_SCOPES[scope];
    return needs.length === 0 || needs.some((action) => mayEver(role, action));
  });

/** Lets people and secret scanners recognise a leaked token. */
export const API_TOKEN_PREFIX = "krug_";

/** The prefix and 32 random bytes in base64url. A session token has 43 characters, so it never looks like this. */
export const isApiToken = (text: string): boolean => /^krug_[\w-]{43}$/.test(text);

export const MOST_API_TOKENS = 20;
export const MOST_API_TOKEN_DAYS = 365;
export const MOST_API_TOKEN_NAME = 60;
