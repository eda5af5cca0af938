import { Readable } from "node:stream";
import {
  type EndpointSpec,
  type Feed,
  type FileBody,
  isFile,
  isStream,
  type Method,
  movedTrust,
  type StreamAnswer,
} from "@krug/contract/endpoint";
import type { Language } from "@krug/contract/refusals";
import { isApiToken } from "@krug/domain/api-token-rules";
import { isStaff } from "@krug/domain/roles";
import { type ModeratorSwitch, may, mayEver } from "@krug/domain/staff-actions";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { DatabaseTrouble, isTroubled, unlessFull } from "../database/trouble.ts";
import { areSame } from "../database/while-unchanged.ts";
import { refuse, refuseField } from "../refusal.ts";
import { isKept, repeatedWhile, type Written, writtenOf } from "../written.ts";
import type { Actor, Call, Handler, Handlers } from "./call.ts";
import { type AnyContract, callOf, type FoundCall, findCallIn, routeOf } from "./calls.ts";
import type { ClientAddress } from "./client-address.ts";
import { hasTag } from "./compressed.ts";
import { cookie as asCookie, type CookieJar, readCookie } from "./cookies.ts";
import type { CreationLimit } from "./creation-limit.ts";
import { noteActor } from "./current-request.ts";
import { type Framed, isAskedElsewhere, isFramedCall } from "./framed.ts";
import { parseInput } from "./input.ts";
import { giveBackPlace, inPlace, makeLargeBodies } from "./large-bodies.ts";
import { originOf, refuseForeignOrigin } from "./origin.ts";
import { OF_EACH, type Repeats } from "./repeats.ts";
import { makeStreams, type Streams } from "./stream.ts";

/** What runs between a request and a handler, provided by the features that own it. */
export interface Gate {
  /** The session's member, or null. `byPerson` is false for calls made by a timer, which never extend a session. */
  authenticate(token: string, byPerson: boolean): Promise<Actor | null>;
  /** The API token's owner. @throws Refusal if it is not valid, or not allowed from this address */
  authenticateApiToken(token: string, address: ClientAddress): Promise<Actor>;
  /** What an admin has switched on for moderators. */
  switchedOn(): Promise<readonly ModeratorSwitch[]>;
  /** Whether members get 'under maintenance' now. */
  underMaintenance(): Promise<boolean>;
  /** Whether another panel has taken this one's place: then nothing is changed here. */
  isSuperseded(): Promise<boolean>;
  /** What `underMaintenance` decides by, at this moment: compared by identity. Undefined: not known at once. */
  maintenanceBy(): unknown;
}

export interface MountOptions {
  gate: Gate;
  /** The caller's address. */
  addressOf(request: FastifyRequest): ClientAddress;
  creationLimit: Pick<CreationLimit, "count" | "counted">;
  publicUrl: URL | null;
  /** Null: no other site may frame the pages. */
  framed: Framed | null;
  /** Also checks answers against the contract; on in tests and development. */
  checkAnswers: boolean;
  /** Repeats what is decided here while nothing that decided it has changed. */
  repeats: Pick<Repeats, "state" | "keep">;
}

/** A file opened in place comes from somebody else: it is displayed, but runs and loads nothing. */
const FILE_POLICY = "default-src 'none'; sandbox";

/** Answers every endpoint under /api. Access is decided only here, so an unguarded call cannot be written. */
export function mount<Whole extends AnyContract>(
  server: FastifyInstance,
  contract: Whole,
  handlers: { [Feature in keyof Whole]: Handlers<Whole[Feature]> },
  options: MountOptions,
): void {
  const admitBody = makeLargeBodies();
  const mounted: Mounted = { ...options, streams: makeStreams(server) };
  const admitted = new WeakMap<FastifyRequest, Admission>();
  const methods = new Set<Method | "HEAD">(["HEAD"]);
  for (const [feature, endpoints] of Object.entries(contract)) {
    for (const [name, { method }] of Object.entries(endpoints)) {
      if (handlers[feature as keyof Whole]?.[name] === undefined) throw new Error(`no handler for ${feature}.${name}`);
      methods.add(method);
    }
  }
  server.route({
    method: [...methods],
    url: "/api/*",
    config: { findCall: findCallIn(contract) },
    // Checked before reading the body, so a caller without access is refused first.
    onRequest: async (request, reply) => {
      const { spec, body, params } = callOf(request) ?? refuse("request.not_found");
      request.params = params;
      const admission = await admit(spec, request, mounted);
      admitted.set(request, admission);
      admitBody(request, reply, body, admission.actor?.memberId ?? "a guest");
    },
    onError: async (request) => giveBackPlace(request),
    handler: (request, reply) => {
      const { feature, name, spec } = callOf(request) as FoundCall;
      const handler = handlers[feature as keyof Whole]?.[name] as unknown as Handler<EndpointSpec>;
      return inPlace(request, () =>
        answer(spec, handler, request, reply, { ...(admitted.get(request) as Admission), mounted }),
      );
    },
  });
}

type Mounted = MountOptions & { streams: Streams };

interface Admission {
  readonly actor: Actor | null;
  readonly token: string | null;
  /** scheme://host[:port] at which the caller sees the panel. */
  readonly origin: string;
  readonly jar: CookieJar;
  /** What else the call is decided by, as it was before that; null: its answer is never repeated. */
  readonly by: { readonly state: object; readonly maintenance: unknown } | null;
}

/** Whether a call's answer may be repeated. Staff's calls are decided by more, and keep no answers. */
const mayRepeat = ({ method, access }: EndpointSpec) => method === "GET" && access === "member";

/** The caller, or a refusal. */
async function admit(spec: EndpointSpec, request: FastifyRequest, mounted: Mounted): Promise<Admission> {
  const { gate, publicUrl, creationLimit } = mounted;
  // Before anything is decided: a change from here on may be in some of it only.
  const state = mayRepeat(spec) ? mounted.repeats.state() : null;
  const by = state && { state, maintenance: gate.maintenanceBy() };
  const origin = originOf(request, publicUrl);
  const bearer = /^Bearer ([\w-]+)$/.exec(request.headers.authorization ?? "")?.[1] ?? null;
  const jar = { secure: isSecure(origin), framed: isFramedCall(request, mounted.framed) };
  const mayHaveCookie = bearer === null && !(jar.framed && isAskedElsewhere(request));
  const cookie = mayHaveCookie ? readCookie("session", jar, request.headers.cookie) : null;
  // Also for calls before sign-in: a foreign page must not sign its visitor in to somebody else's account.
  if (spec.method !== "GET" && bearer === null) refuseForeignOrigin(request, origin, cookie !== null);

  const token = bearer ?? cookie;
  // An open page keeps its stream by itself: nobody may be looking at it.
  const byPerson = request.headers["x-background"] === undefined && !isStream(spec.answer);
  // Only as a bearer token: a browser must never send one by itself.
  const isByProgram = bearer !== null && isApiToken(bearer);
  const actor = isByProgram
    ? await programOf(spec, bearer, mounted.addressOf(request), mounted)
    : token === null
      ? null
      : await gate.authenticate(token, byPerson);
  if (!spec.duringMaintenance && !(actor !== null && isStaff(actor.role)) && (await gate.underMaintenance()))
    refuse("maintenance.on");
  const reason = await whyNoAccess(spec, actor, gate);
  if (reason !== null) refuse(reason);
  if (spec.method !== "GET" && spec.whenSuperseded !== true && (await gate.isSuperseded())) refuse("panel.superseded");
  // The call itself reports a full disk: some calls only read.
  if (spec.creation === true && actor !== null) await unlessFull(creationLimit.count(actor.memberId), undefined);
  return { actor, token, origin, jar, by };
}

/** The program's owner; null if anyone may call. */
async function programOf(
  spec: EndpointSpec,
  token: string,
  address: ClientAddress,
  { gate }: Mounted,
): Promise<Actor | null> {
  if (spec.access === "public") return null;
  const actor = await gate.authenticateApiToken(token, address);
  const scope = spec.scope ?? refuse("api_token.not_for_tokens");
  if (actor.apiToken?.scopes.has(scope) !== true) refuse("api_token.scope_missing", { scope });
  return actor;
}

const isSecure = (origin: string) => origin.startsWith("https:");

async function answer(
  spec: EndpointSpec,
  handler: Handler<EndpointSpec>,
  request: FastifyRequest,
  reply: FastifyReply,
  { actor, token, origin, jar, by, mounted }: Admission & { mounted: Mounted },
) {
  const language = languageOf(request);
  const { creationLimit } = mounted;
  let isUncounted = spec.creation === "inside" && actor !== null;
  const parse = (schema: z.ZodType | undefined, input: unknown) =>
    schema === undefined ? undefined : parseInput(schema, input, language);
  const read = (): Call<EndpointSpec> => ({
    actor: actor as Actor,
    params: parse(spec.params, request.params) as never,
    query: parse(spec.query, request.query) as never,
    body: bodyOf(spec, request, parse) as never,
    language,
    address: mounted.addressOf(request),
    userAgent: request.headers["user-agent"] ?? null,
    device: readCookie("device", jar, request.headers.cookie),
    idempotencyKey: idempotencyKeyOf(request),
    origin: mounted.publicUrl?.origin ?? origin,
    counted(make) {
      isUncounted = false;
      return creationLimit.counted((actor as Actor).memberId, make);
    },
    reply: {
      cookie: (name, value, maxAgeMs = 0) => void reply.header("set-cookie", asCookie(name, jar, value, maxAgeMs)),
      header: (name, value) => void reply.header(name, value),
      status: (code) => void reply.code(code),
    },
  });
  reply.code(spec.answer === null ? 204 : (spec.status ?? 200));
  let result: unknown;
  try {
    noteActor(actor);
    const call = read();
    refuseUntrusted(spec, call);
    result = await handler(call);
  } catch (error) {
    // Refused before the handler could count it.
    if (isUncounted && actor !== null) await unlessFull(creationLimit.count(actor.memberId), undefined);
    // Part of the change may have been committed before the database went away.
    const isChange = spec.method !== "GET" && isTroubled(error) && error.kind === "away";
    throw isChange ? new DatabaseTrouble("uncertain") : error;
  }
  reply.header("cache-control", "no-store");
  if (spec.answer === null) return reply.send();
  if (isStream(spec.answer))
    return mounted.streams.open(request, reply, result as Feed<StreamAnswer>, async () => {
      const still = token === null ? null : await mounted.gate.authenticate(token, false);
      return (await whyNoAccess(spec, still, mounted.gate)) === null;
    });
  if (isFile(spec.answer)) return sendFile(request, reply, spec.answer.media, result as FileBody);
  const checked = mounted.checkAnswers ? z.parse(spec.answer, result) : result;
  if (typeof result !== "object" || result === null) return reply.send(checked);
  // Most calls are not repeated before something changes: only the second one is worth it.
  const isSame = repeatedWhile(result);
  const written = writtenOf(isKept(result) ? result : (checked as object), mounted.checkAnswers);
  const body = hasIt(request, reply, written) ? null : written.body;
  if (isSame !== undefined) keepToRepeat(request, reply, body, isSame, { actor, by, mounted });
  return reply.send(body ?? undefined);
}

/** What a page may have besides the answer's body, and which must be the same too. */
const OF_A_PAGE = ["x-total-count", "x-next-cursor"];

/** What says how a body may be used. */
const OF_A_BODY = [
  "content-security-policy",
  "cross-origin-resource-policy",
  "x-content-type-options",
  "x-frame-options",
];

/** Writes the head. True: a reader who already has this answer gets 304 and no body (ADR 215). */
function hasIt(request: FastifyRequest, reply: FastifyReply, { hash }: Written): boolean {
  if (["GET", "HEAD"].includes(request.method) && reply.statusCode === 200 && !reply.hasHeader("set-cookie")) {
    const tag = `"${[hash, ...OF_A_PAGE.map((name) => reply.getHeader(name) ?? "")].join(".")}"`;
    reply.header("etag", tag);
    if (hasTag(request.headers["if-none-match"], tag)) {
      for (const name of OF_A_BODY) reply.removeHeader(name);
      reply.code(304);
      return true;
    }
  }
  reply.header("content-type", "application/json; charset=utf-8");
  return false;
}

/** The same request gets this answer again while everything that it was decided by is the same (ADR 224). */
function keepToRepeat(
  request: FastifyRequest,
  reply: FastifyReply,
  body: Written["body"] | null,
  isSame: () => boolean,
  { actor, by, mounted: { gate, repeats } }: Pick<Admission, "actor" | "by"> & { mounted: Mounted },
): void {
  if (by === null || actor?.isSameAt === undefined || reply.hasHeader("set-cookie")) return;
  const { isSameAt } = actor;
  const headers = Object.entries(reply.getHeaders()).filter(([name]) => !OF_EACH.includes(name));
  // Fastify adds it while it sends.
  if (body !== null) headers.push(["content-length", Buffer.byteLength(body)]);
  repeats.keep(request, by.state, {
    status: reply.statusCode,
    headers: headers.flatMap(([name, value]) => [name, String(value)]),
    body,
    route: routeOf(request) ?? "none",
    isSameAt: (now) => isSameAt(now) && areSame([gate.maintenanceBy()], [by.maintenance]) && isSame(),
  });
}

function bodyOf(
  spec: EndpointSpec,
  { body }: FastifyRequest,
  parse: (schema: z.ZodType | undefined, input: unknown) => unknown,
) {
  if (spec.picture !== true) return parse(spec.body, body === null ? undefined : body);
  return body instanceof Buffer ? body : Buffer.alloc(0);
}

async function whyNoAccess({ access, needs }: EndpointSpec, actor: Actor | null, gate: Pick<Gate, "switchedOn">) {
  if (access === "public") return null;
  if (actor === null) return "auth.required";
  if (needs === undefined) return null;
  if (!mayEver(actor.role, needs)) return "auth.forbidden";
  if (!actor.elevated) return "auth.two_factor_required";
  return may(actor.role, needs) || may(actor.role, needs, await gate.switchedOn()) ? null : "auth.forbidden";
}

/** A stolen token, or somebody at a signed-in browser, must not gain more than it already gives. */
function refuseUntrusted(spec: EndpointSpec, { actor, body }: Call<EndpointSpec>): void {
  const moved = movedTrust(spec, body);
  if (moved === null) return;
  if (actor?.apiToken) refuse("api_token.not_for_tokens", moved === true ? {} : { field: moved });
  if (actor?.passwordFresh !== true) refuse("auth.password_required");
}

const isPieces = (content: FileBody["content"]): content is AsyncIterable<Uint8Array> =>
  typeof content === "object" && Symbol.asyncIterator in content;

function sendFile(request: FastifyRequest, reply: FastifyReply, media: string, file: FileBody) {
  const { onSent } = file;
  // A connection that broke ends with `close` only, and HEAD sends no bytes.
  if (onSent && request.method !== "HEAD")
    reply.raw.once("finish", () => onSent().catch((error: unknown) => request.log.error(error)));
  // The config name rules checked the name, so it needs no further quoting.
  if (file.fileName !== null) reply.header("content-disposition", `attachment; filename="${file.fileName}"`);
  else reply.header("content-security-policy", FILE_POLICY);
  return reply
    .header("content-type", file.media ?? media)
    .send(isPieces(file.content) ? Readable.from(file.content) : file.content);
}

function headerText(request: FastifyRequest, name: string): string | null {
  const value = request.headers[name];
  return typeof value === "string" && value !== "" ? value : null;
}

const BAD_KEY = { ru: "нужно от 1 до 200 печатных знаков ASCII", en: "1 to 200 printable ASCII characters are needed" };

function idempotencyKeyOf(request: FastifyRequest): string | null {
  const key = headerText(request, "idempotency-key");
  if (key !== null && !/^[\x21-\x7e]{1,200}$/.test(key))
    refuseField("Idempotency-Key", BAD_KEY, { language: languageOf(request) });
  return key;
}

/** Russian unless the client prefers English. */
export const languageOf = (request: FastifyRequest): Language => readLanguage(request.headers["accept-language"]);

/** The first language in a header that the panel supports. */
export function readLanguage(header: string | undefined): Language {
  const wanted = /\b(ru|en)\b/i.exec(header ?? "")?.[1]?.toLowerCase();
  return wanted === "en" ? "en" : "ru";
}
