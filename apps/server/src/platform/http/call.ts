import type { AnswerOf, BodyOf, EndpointSpec, ParamsOf, QueryOf } from "@krug/contract/endpoint";
import type { Language } from "@krug/contract/refusals";
import type { ApiScope } from "@krug/domain/api-token-rules";
import type { Role } from "@krug/domain/roles";
import type { Transact } from "../database/database.ts";
import type { ClientAddress } from "./client-address.ts";
import type { CookieName } from "./cookies.ts";

/** Who is calling, from the session or the API token. */
export interface Actor {
  readonly memberId: string;
  readonly username: string;
  readonly role: Role;
  /** Or the API token's id. */
  readonly sessionId: string;
  /** SHA-256 of the token used: the session's own, or the previous one. */
  readonly tokenHash: string;
  /** The browser and system used: 'Chrome, Android'; null if unknown. */
  readonly device: string | null;
  /** The session has passed the two-factor check and is still elevated. */
  readonly elevated: boolean;
  /** The password was given in this session recently enough to change sign-in methods. */
  readonly passwordFresh: boolean;
  /** Null: a session is calling. */
  readonly apiToken: { readonly name: string; readonly scopes: ReadonlySet<ApiScope> } | null;
  /** Acts by the club's bot, without a session; absent: by a call. */
  readonly via?: "telegram";
  /**
   * Whether the same call at `now`, ms, would find the same caller and record nothing, if the database is what it was. Absent: it
   * has to be asked.
   */
  readonly isSameAt?: (now: number) => boolean;
}

/** A handler's parsed input, and what it may need to know about the caller. */
export interface Call<E extends EndpointSpec> {
  readonly actor: E["access"] extends "public" ? Actor | null : Actor;
  readonly params: ParamsOf<E>;
  readonly query: QueryOf<E>;
  readonly body: BodyOf<E>;
  readonly language: Language;
  /** For limits, as a keyed hash; never stored or logged in plain form. */
  readonly address: ClientAddress;
  readonly userAgent: string | null;
  /** The cookie left by an earlier sign-in, unverified: it can be forged. */
  readonly device: string | null;
  readonly idempotencyKey: string | null;
  /** scheme://host[:port] for links to the panel: PUBLIC_URL's, or else the one the caller uses. */
  readonly origin: string;
  /** `transact` for endpoints whose creations are counted `inside`: counts even a creation that is refused. */
  readonly counted: Transact;
  readonly reply: {
    /** Sets a cookie for `maxAgeMs`, or removes it with null. */
    cookie(name: CookieName, value: string | null, maxAgeMs?: number): void;
    header(name: string, value: string): void;
    /** A status other than the contract's, e.g. 503 from a health check. */
    status(code: 503): void;
  };
}

/** The caller's browser: what it sent from earlier sign-ins, and how to store something there. */
export type Browser = Pick<Call<EndpointSpec>, "device" | "reply">;

/** Of a call without an answer nothing is sent, whatever its handler returns. */
type Reply<E extends EndpointSpec> = AnswerOf<E> extends undefined ? unknown : AnswerOf<E>;
export type Handler<E extends EndpointSpec> = (call: Call<E>) => Promise<Reply<E>> | Reply<E>;

/** One handler for every endpoint of a feature: a missing or misspelt one is a type error. */
export type Handlers<Feature extends Record<string, EndpointSpec>> = {
  [Name in keyof Feature]: Handler<Feature[Name]>;
};
