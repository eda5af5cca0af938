import { randomBytes, randomUUID } from "node:crypto";
import { API_TOKEN_PREFIX, type ApiScope, MOST_API_TOKENS, scopesFor } from "@krug/domain/api-token-rules";
import { DAY_MS, isAheadOfTime, isoOf, MINUTE_MS } from "@krug/domain/moment";
import { isStaff } from "@krug/domain/roles";
import type { Db, Tx } from "../../../platform/database/database.ts";
import { unlessFull } from "../../../platform/database/trouble.ts";
import type { Actor } from "../../../platform/http/call.ts";
import type { ClientAddress } from "../../../platform/http/client-address.ts";
import type { Platform } from "../../../platform/platform.ts";
import { refuse } from "../../../platform/refusal.ts";
import type { Audit } from "../../club/audit/index.ts";
import { type Members, memberDeleted } from "../../members/members/index.ts";
import { type Auth, elevationsEnded, sessionsEnded } from "../auth/index.ts";
import type { SecurityGate } from "../security-gate/index.ts";
import * as repository from "./repository.ts";
import type { ApiTokenRow } from "./table.ts";

export { endEveryToken } from "./repository.ts";
export type { ApiTokenRow } from "./table.ts";

export type ApiTokens = ReturnType<typeof makeApiTokens>;

interface Parts extends Platform {
  audit: Audit;
  members: Members;
  auth: Auth;
  securityGate: Pick<SecurityGate, "refuseDenied">;
}

interface NewToken {
  name: string;
  scopes: readonly ApiScope[];
  days: number;
}

const USE_WRITTEN_EVERY_MS = MINUTE_MS;

/** Scopes in a token's row that this panel does not know (after a downgrade) grant nothing. */
export const scopesOf = ({ scopes }: Pick<ApiTokenRow, "scopes">): ApiScope[] => JSON.parse(scopes) as ApiScope[];

/** Tokens with which members' own programs call the API (ADR 68). */
export function makeApiTokens({ db, transact, clock, sealing, events, audit, members, auth, securityGate }: Parts) {
  const tokenOfHash = repository.makeTokenOfHash(members);
  const hashOf = (token: string) => sealing.hash("api-token", token);

  // A token gives access like a session, so what ends all the other sessions ends tokens too.
  events.onAll(sessionsEnded, (tx, ended) => {
    const closed = ended.filter(({ all, why }) => all !== undefined && why !== "own_wish");
    return repository.removeOf(
      tx,
      closed.map(({ memberId }) => memberId),
    );
  });
  for (const happened of [elevationsEnded, memberDeleted])
    events.on(happened, (tx, { memberId }) => repository.removeOf(tx, [memberId]));

  const alive = async (over: Db | Tx, memberId: string) => {
    const now = clock.now().getTime();
    return (await repository.ofMember(over, memberId)).filter((row) => row.expires_at > now);
  };

  return {
    alive: (memberId: string): Promise<ApiTokenRow[]> => alive(db, memberId),

    /**
     * The owner, as an actor with the token's scopes; elevated, because staff make tokens in an elevated session only.
     * @throws Refusal api_token.invalid, and the security gate's: if one may not sign in from here, no token works either
     */
    async authenticate(token: string, address: ClientAddress): Promise<Actor> {
      const now = clock.now().getTime();
      const tokenHash = hashOf(token);
      const found = await tokenOfHash(db, tokenHash);
      if (found === undefined || found.member.is_active !== 1 || found.token.expires_at <= now)
        refuse("api_token.invalid");
      await securityGate.refuseDenied(address);
      const { token: row, member } = found;
      const last = row.last_used_at ?? 0;
      if (now - last >= USE_WRITTEN_EVERY_MS || isAheadOfTime(last, now))
        await unlessFull(
          transact((tx) => repository.noteUse(tx, row.id, now)),
          undefined,
        );
      return auth.actAs(member, {
        sessionId: row.id,
        tokenHash,
        device: null,
        elevated: isStaff(member.role),
        passwordFresh: false,
        apiToken: { name: row.name, scopes: new Set(scopesOf(row)) },
      });
    },

    /** The token's text is answered only here. */
    async make(actor: Actor, { name, scopes, days }: NewToken): Promise<{ row: ApiTokenRow; token: string }> {
      if (isStaff(actor.role) && !actor.elevated) refuse("auth.two_factor_required");
      const possible = scopesFor(actor.role);
      const beyond = scopes.filter((scope) => !possible.includes(scope));
      if (beyond.length > 0) refuse("api_token.scope_not_yours", { field: "scopes", scopes: beyond.join(", ") });
      const token = API_TOKEN_PREFIX + randomBytes(32).toString("base64url");
      const row = await transact(async (tx) => {
        // The lock keeps two tabs from both taking the last slot, and a new role or password from going unnoticed.
        const member = await members.lock(tx, actor.memberId);
        await auth.refuseEnded(tx, actor);
        if (member?.role !== actor.role || member.is_active !== 1) refuse("auth.required");
        if ((await alive(tx, actor.memberId)).length >= MOST_API_TOKENS)
          refuse("api_token.too_many", { max: MOST_API_TOKENS });
        const now = clock.now().getTime();
        const made: ApiTokenRow = {
          id: randomUUID(),
          member_id: actor.memberId,
          token_hash: hashOf(token),
          name,
          scopes: JSON.stringify(possible.filter((scope) => scopes.includes(scope))),
          created_at: now,
          expires_at: now + days * DAY_MS,
          last_used_at: null,
        };
        await repository.insert(tx, made);
        await audit.record(tx, actor.memberId, "api_token.made", {
          target: actor.memberId,
          after: { name, scopes: scopesOf(made), expires_at: made.expires_at },
        });
        return made;
      });
      return { row, token };
    },

    revoke: ({ memberId }: Actor, id: string): Promise<void> =>
      transact(async (tx) => {
        const { name } = (await repository.remove(tx, memberId, id)) ?? refuse("api_token.not_found");
        await audit.record(tx, memberId, "api_token.revoked", { target: memberId, before: { name } });
      }),

    forgetOld: (): Promise<void> => transact((tx) => repository.removeExpired(tx, clock.now().getTime())),

    dataExport: {
      apiTokens: async (memberId: string) =>
        (await alive(db, memberId)).map((row) => ({
          name: row.name,
          scopes: scopesOf(row),
          madeAt: isoOf(row.created_at),
          endsAt: isoOf(row.expires_at),
          lastUsedAt: isoOf(row.last_used_at),
        })),
    },
  };
}
