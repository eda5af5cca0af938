import type { ApiScope } from "@krug/domain/api-token-rules";
import { mayEver, type StaffAction } from "@krug/domain/staff-actions";
import { z } from "zod";
import { Id } from "./fields.ts";
import type { RefusalCode } from "./refusals.ts";

/**
 * Who may call: `public` anyone; `member` any signed-in member; otherwise staff whose session passed the two-factor check and who
 * have the right it `needs` (decisions, sections 2 and 3). The handler decides who owns the requested object.
 */
type Door =
  | { readonly access: "public" | "member"; readonly needs?: never }
  | { readonly needs: StaffAction; readonly access?: never };

/** In one word: `staff` if moderators have the right or can be given it, `admin` if they never do. */
export type Access = "public" | "member" | "staff" | "admin";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** A file or text instead of JSON: its media type, or a range (`image/*`) from which the answer picks one. */
export interface FileAnswer {
  readonly media: string;
}

/**
 * Server-sent events (WHATWG HTML, section 9.2) instead of an answer: event name → its data. The stream runs until either
 * side ends it.
 */
export interface StreamAnswer {
  readonly events: Readonly<Record<string, z.ZodType>>;
}

/** 204 without a body. */
const nothing = null;

export type TrustFields = Readonly<Record<string, true | { readonly unless: unknown }>>;

export type EndpointSpec = Door & Described;

interface Described {
  readonly method: Method;
  /** Under /api, with {names} for `params`. */
  readonly path: string;
  /** One line for a reader of the API page. */
  readonly summary: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Instead of a JSON body: the raw bytes of a picture. */
  readonly picture?: true;
  readonly answer: z.ZodType | FileAnswer | StreamAnswer | typeof nothing;
  /** Expected refusals beyond those of access and input, which every endpoint has. */
  readonly refusals?: readonly RefusalCode[];
  /** 200 unless set (204 without a body). */
  readonly status?: 200 | 201 | 202;
  /** Answers members even during maintenance (decisions, section 11). */
  readonly duringMaintenance?: true;
  /** Allowed even after another panel has taken this one's place: what leads to its screens, and its backup. */
  readonly whenSuperseded?: true;
  /**
   * Moves secrets, money or trust: needs a person who gave the password recently, and no API token. `true`: the whole call;
   * otherwise per field of its body, some of whose values may be harmless (ADR 102).
   */
  readonly trust?: true | TrustFields;
  /**
   * What an API token needs for it; without one no token reaches it: signing in (passwords, passkeys, sessions, the second factor,
   * tokens themselves), linking Telegram, deleting members, adding and removing machines, webhooks, where members pay, club-wide
   * switches, streams. Never the fields that `trust` names.
   */
  readonly scope?: ApiScope;
  /** Counts towards a member's 60 creations a minute (decisions, section 2); `inside`: in the handler's own transaction. */
  readonly creation?: true | "inside";
  /** Bytes the body may have, if more than usual (`usualBodyLimit`): pictures, long lists. */
  readonly bodyLimit?: number;
  /** Values the body may hold, fields and list items together, if more than `USUAL_BODY_VALUES`. */
  readonly bodyValues?: number;
}

/** Bytes a body may have unless its call says otherwise. Before sign-in a request needs only a name, a password and a code. */
export const usualBodyLimit = ({ access }: { readonly access?: EndpointSpec["access"] }) =>
  (access === "public" ? 8 : 128) * 1024;

/** Parsing costs grow with the number of values, not only bytes. This allows a list of 1,000 ids and the fields around it. */
export const USUAL_BODY_VALUES = 2_000;
/** How deep lists and objects may nest; real calls go four deep. */
export const MOST_BODY_DEPTH = 16;

/** `METHOD /path/{name}`, as callers name it. */
type Key = `${Method} /${string}`;
type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;
type IdsIn<Call extends Key> = [NamesIn<Call>] extends [never]
  ? unknown
  : { readonly params: z.ZodObject<Record<NamesIn<Call>, typeof Id>> };
type Declared<Call extends Key, Spec> = Spec & {
  readonly method: Call extends `${infer Verb extends Method} ${string}` ? Verb : never;
  readonly path: Call extends `${Method} ${infer Path}` ? Path : never;
} & (Spec extends { params: unknown } ? unknown : IdsIn<Call>) &
  (Spec extends { answer: unknown } ? unknown : { readonly answer: typeof nothing });

/**
 * Declares one call once: the server mounts it, the browser calls it, OpenAPI and the access tests are made from it. Without
 * `params` the names in its path are ids of rows; without `answer` it answers nothing.
 */
export function endpoint<
  const Call extends Key,
  const Spec extends Door & Omit<Described, "method" | "path" | "answer"> & Partial<Pick<Described, "answer">>,
>(call: Call, spec: Spec): Declared<Call, Spec> {
  const [method, path = ""] = call.split(" ");
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const params = names.length > 0 && { params: z.object(Object.fromEntries(names.map((name) => [name, Id]))) };
  return { method, path, ...params, answer: nothing, ...spec } as unknown as Declared<Call, Spec>;
}

export const accessOf = ({ access, needs }: EndpointSpec): Access =>
  needs === undefined ? access : mayEver("moderator", needs) ? "staff" : "admin";

/** What of a parsed body moves secrets, money or trust: a field's name, `true` for the whole call; null if nothing does. */
export function movedTrust({ trust }: Pick<EndpointSpec, "trust">, body: unknown): string | true | null {
  if (trust === undefined || trust === true) return trust ?? null;
  const sent = (body ?? {}) as Readonly<Record<string, unknown>>;
  const isMoved = (value: unknown, rule: TrustFields[string]) =>
    value !== undefined && (rule === true || value !== rule.unless);
  return Object.keys(trust).find((name) => isMoved(sent[name], trust[name] ?? true)) ?? null;
}

export const isFile = (answer: EndpointSpec["answer"]): answer is FileAnswer => answer !== null && "media" in answer;

export const isStream = (answer: EndpointSpec["answer"]): answer is StreamAnswer =>
  answer !== null && "events" in answer;

/** Parsed input as a handler gets it. */
export type ParamsOf<E extends EndpointSpec> = E["params"] extends z.ZodType ? z.output<E["params"]> : undefined;
export type QueryOf<E extends EndpointSpec> = E["query"] extends z.ZodType ? z.output<E["query"]> : undefined;
export type BodyOf<E extends EndpointSpec> = E["body"] extends z.ZodType
  ? z.output<E["body"]>
  : E["picture"] extends true
    ? Uint8Array
    : undefined;
/** What a handler returns and a client receives. */
export type AnswerOf<E extends EndpointSpec> = E["answer"] extends z.ZodType
  ? z.output<E["answer"]>
  : E["answer"] extends FileAnswer
    ? FileBody
    : E["answer"] extends StreamAnswer
      ? Feed<E["answer"]>
      : undefined;

/** What a client sends as a picture: a browser's Blob, without naming browser-only types. */
interface PictureFile {
  readonly size: number;
  readonly type: string;
}

/** What a client sends, before twin spellings are folded and defaults filled in. */
export type SentParams<E extends EndpointSpec> = E["params"] extends z.ZodType ? z.input<E["params"]> : undefined;
export type SentQuery<E extends EndpointSpec> = E["query"] extends z.ZodType ? z.input<E["query"]> : undefined;
export type SentBody<E extends EndpointSpec> = E["body"] extends z.ZodType
  ? z.input<E["body"]>
  : E["picture"] extends true
    ? PictureFile
    : undefined;

/** One event of a stream: its name, its data, and the id a returning client reports as last seen. */
export type StreamEvent<Answer extends StreamAnswer = StreamAnswer> = {
  [Name in keyof Answer["events"] & string]: {
    readonly event: Name;
    readonly data: z.output<Answer["events"][Name]>;
    readonly id?: string;
  };
}[keyof Answer["events"] & string];

/** How a handler feeds a stream: it starts pushing, and returns a function that stops it. */
export type Feed<Answer extends StreamAnswer> = (stream: {
  push(event: StreamEvent<Answer>): void;
  /** Ends the stream from this side. */
  end(): void;
  /** The last `id` the client saw; null on its first visit. */
  lastSeenId: string | null;
}) => () => void;

export interface FileBody {
  /** The file name offered for saving; null for text read in place. */
  readonly fileName: string | null;
  /** In pieces if it is too large for memory: they are read only as fast as they are sent. */
  readonly content: string | Uint8Array | AsyncIterable<Uint8Array>;
  /** The media type of this file, if the contract names a range. */
  readonly media?: string;
  /** Called once its last byte has left the panel. */
  readonly onSent?: () => Promise<void>;
}
