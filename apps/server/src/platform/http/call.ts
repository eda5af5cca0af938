import type { AnswerOf, BodyOf, EndpointSpec, ParamsOf, QueryOf } from "@krug/contract/endpoint";
import type { Language } from "@krug/contract/refusals";
import type { Role } from "@krug/domain/roles";
import type { ClientAddress } from "./client-address.ts";
import type { CookieName } from "./cookies.ts";

/** Who calls, as the session says. */
export interface Actor {
  readonly memberId: string;
  readonly username: string;
  readonly role: Role;
  readonly sessionId: string;
  /** SHA-256 of the token he came with: the session's own, or the one before it. */
  readonly tokenHash: string;
  /** From what he came in: 'Chrome, Android'; null where that is unknown. */
  readonly device: string | null;
  /** The session has passed the two-factor check and that still counts. */
  readonly elevated: boolean;
  /** He gave his password in this session lately enough to change the way in. */
  readonly passwordFresh: boolean;
}

/** What a handler gets: parsed input, and what it may need to know of the caller. */
export interface Call<E extends EndpointSpec> {
  readonly actor: E["access"] extends "public" ? Actor | null : Actor;
  readonly params: ParamsOf<E>;
  readonly query: QueryOf<E>;
  readonly body: BodyOf<E>;
  readonly language: Language;
  /** For limits, as a keyed hash; never stored or logged as it is. */
  readonly address: ClientAddress;
  readonly userAgent: string | null;
  /** What a sign-in left in this browser, as it came: anyone may send anything. */
  readonly device: string | null;
  readonly idempotencyKey: string | null;
  /** scheme://host[:port] for links to the panel: PUBLIC_URL's, else where the caller sees it. */
  readonly origin: string;
  readonly reply: {
    /** Sets a cookie for `maxAgeMs`, or removes it with null. */
    cookie(name: CookieName, value: string | null, maxAgeMs?: number): void;
    header(name: string, value: string): void;
    /** Another status than the contract's: 503 of a health check. */
    status(code: 503): void;
  };
}

/** The caller's browser: what it sent of earlier sign-ins, and how to leave something there. */
export type Browser = Pick<Call<EndpointSpec>, "device" | "reply">;

export type Handler<E extends EndpointSpec> = (call: Call<E>) => Promise<AnswerOf<E>> | AnswerOf<E>;

/** One handler for every endpoint of a feature: a missing or misspelt one is a type error. */
export type Handlers<Feature extends Record<string, EndpointSpec>> = {
  [Name in keyof Feature]: Handler<Feature[Name]>;
};
