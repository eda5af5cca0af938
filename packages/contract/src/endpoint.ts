import type { z } from "zod";
import type { RefusalCode } from "./refusals.ts";

/**
 * Who may call: `public` anyone; `member` any signed-in member; `staff` a moderator or admin whose session passed the
 * two-factor check; `admin` an admin whose session did (decisions, sections 2 and 3). Ownership of the object asked for
 * is the handler's verdict.
 */
export type Access = "public" | "member" | "staff" | "admin";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** A file or text in place of JSON: the media type it is served as, or a range of them (`image/*`) of which the body names one. */
export interface FileAnswer {
  readonly media: string;
}

/**
 * Server-sent events (WHATWG HTML, section 9.2) in place of an answer: an event's name → what its data is. It goes on until
 * either side ends it.
 */
export interface StreamAnswer {
  readonly events: Readonly<Record<string, z.ZodType>>;
}

/** 204 without a body. */
export const nothing = null;

export interface EndpointSpec {
  readonly method: Method;
  /** Under /api, with {names} for parameters. */
  readonly path: string;
  readonly access: Access;
  /** One line for a reader of the API page. */
  readonly summary: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** In place of a JSON body: the bytes of a picture, as they are. */
  readonly picture?: true;
  readonly answer: z.ZodType | FileAnswer | StreamAnswer | typeof nothing;
  /** Expected refusals beyond those of access and input, which every endpoint has. */
  readonly refusals?: readonly RefusalCode[];
  /** 200 (204 without a body) unless told. */
  readonly status?: 200 | 201 | 202;
  /** Answers members too while the club is under maintenance (decisions, section 11). */
  readonly duringMaintenance?: true;
  /** Counts towards the 60 creations a minute that a member has (decisions, section 2). */
  readonly creation?: true;
  /** Bytes that the body may have, where that is more than usual (`usualBodyLimit`): pictures, long lists. */
  readonly bodyLimit?: number;
  /** Values that the body may hold, fields and items of lists together, where that is more than `USUAL_BODY_VALUES`. */
  readonly bodyValues?: number;
}

/**
 * Bytes that a body may have unless its call says otherwise. Before a session nobody has more to say than a name, a password
 * and a code.
 */
export const usualBodyLimit = ({ access }: Pick<EndpointSpec, "access">) => (access === "public" ? 8 : 128) * 1024;

/** What a body is made of costs more to read than its bytes: room for a list of 1,000 ids and all that is said beside it. */
export const USUAL_BODY_VALUES = 2_000;
/** How deep lists and objects may stand in each other; what calls mean goes four deep. */
export const MOST_BODY_DEPTH = 16;

/** Says one call once: the server mounts it, the browser calls it, OpenAPI and the access tests are made from it. */
export function endpoint<const Spec extends EndpointSpec>(spec: Spec): Spec {
  return spec;
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

/** What a client sends as a picture: a browser's Blob, without naming what only browsers have. */
interface PictureFile {
  readonly size: number;
  readonly type: string;
}

/** What a client sends, before folding and defaults. */
export type SentParams<E extends EndpointSpec> = E["params"] extends z.ZodType ? z.input<E["params"]> : undefined;
export type SentQuery<E extends EndpointSpec> = E["query"] extends z.ZodType ? z.input<E["query"]> : undefined;
export type SentBody<E extends EndpointSpec> = E["body"] extends z.ZodType
  ? z.input<E["body"]>
  : E["picture"] extends true
    ? PictureFile
    : undefined;

/** One event of a stream: its name, its data, and what a client that comes back names as the last it has seen. */
export type StreamEvent<Answer extends StreamAnswer = StreamAnswer> = {
  [Name in keyof Answer["events"] & string]: {
    readonly event: Name;
    readonly data: z.output<Answer["events"][Name]>;
    readonly id?: string;
  };
}[keyof Answer["events"] & string];

/** How a handler feeds a stream: begins to push, and answers how to stop. */
export type Feed<Answer extends StreamAnswer> = (stream: {
  push(event: StreamEvent<Answer>): void;
  /** Ends the stream from this side. */
  end(): void;
  /** The `id` that the client has seen last; null when it comes for the first time. */
  lastSeenId: string | null;
}) => () => void;

export interface FileBody {
  /** Offered as the name to save under; null for a text that is read in place. */
  readonly fileName: string | null;
  readonly content: string | Uint8Array;
  /** The media type of this one, where the contract names a range. */
  readonly media?: string;
}
