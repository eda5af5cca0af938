import { randomUUID } from "node:crypto";
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import { isFile } from "@krug/contract/endpoint";
import { statusOf } from "@krug/contract/refusals";
import { PICTURE_MEDIA } from "@krug/domain/picture-rules";
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from "fastify";
import helmet, { type HelmetOptions } from "helmet";
import type { Clock } from "../clock.ts";
import type { LogTarget } from "../log.ts";
import { Refusal, refuse } from "../refusal.ts";
import { bodyOf, callOf, ROUTER_OPTIONS, routeOf } from "./calls.ts";
import { closeGently } from "./closing.ts";
import { currentRequest, duringRequest } from "./current-request.ts";
import { type Framed, rewriteFramed } from "./framed.ts";
import { hasPlace } from "./large-bodies.ts";
import { languageOf } from "./mount.ts";
import { type BodyBounds, readBytes, readJsonText } from "./read-body.ts";
import type { Repeats } from "./repeats.ts";
import { answerUnreadable } from "./unreadable.ts";

export interface HttpOptions {
  clock: Clock;
  logLevel: string;
  /** Proxies whose X-Forwarded headers are trusted. */
  trusts(peer: string): boolean;
  /** https: browsers are told to keep using it. */
  secure: boolean;
  /** The panel's pages embed each other in frames. */
  framesItself: boolean;
  /** Absent: no other site may frame the pages. */
  framed?: Framed | null;
  /** Where the log goes, if not to the standard output. */
  logTo?: LogTarget;
  /** Looked through before anything else. */
  repeats?: Repeats;
}

/** The HTTP server without any routes: headers, errors, limits, log. */
export async function makeHttpServer(options: HttpOptions): Promise<FastifyInstance> {
  const { repeats } = options;
  const server = Fastify({
    logger: {
      level: options.logLevel,
      ...(options.logTo && { stream: options.logTo }),
      redact: ["req.headers", "*.password", "*.token", "*.privateKey", "*.presharedKey", "*.secret"],
      // Never logs where a device or a person connects from (decisions, section 6), nor the path beyond the route.
      serializers: { req: (request: FastifyRequest) => ({ method: request.method, route: routeOf(request) }) },
      // Also for code that knows nothing about requests.
      mixin: currentRequest,
    },
    // Ours and not the caller's: an external id could be anything, including another request's.
    genReqId: () => randomUUID(),
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: (peer) => options.trusts(peer),
    requestTimeout: 60_000,
    // Requests that arrive while the server closes are still answered (closing.ts).
    return503OnClosing: false,
    clientErrorHandler: answerUnreadable,
    // An address that can't be decoded belongs to no route.
    frameworkErrors: (_error, request, reply) =>
      answerError(new Refusal("request.not_found"), request, reply.header("x-request-id", request.id)),
    routerOptions: ROUTER_OPTIONS,
    ...(options.framed && { rewriteUrl: rewriteFramed(options.framed) }),
  });
  const headers = safetyHeaders({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        "default-src": ["'none'"],
        "script-src": ["'self'"],
        // The component library sets sizes and colours as inline styles.
        "style-src": ["'self'", "'unsafe-inline'"],
        "img-src": ["'self'", "data:", "blob:"],
        "font-src": ["'self'"],
        "connect-src": ["'self'"],
        "frame-src": [options.framesItself ? "'self'" : "'none'"],
        "manifest-src": ["'self'"],
        "worker-src": ["'self'"],
        "base-uri": ["'none'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'none'"],
      },
    },
    hsts: options.secure ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    referrerPolicy: { policy: "no-referrer" },
    crossOriginEmbedderPolicy: false,
  });
  const dataHeaders = headersOfData(headers);
  server.addHook("onRequest", (request, reply, done) => {
    const call = callOf(request);
    reply
      .headers(call !== null && !isFile(call.spec.answer) ? dataHeaders : headers)
      .header("x-request-id", request.id)
      // Pages use it (ADR 115). `Date` only has whole seconds, and proxies write their own.
      .header("x-club-time", String(options.clock.now().getTime()));
    duringRequest(request, reply, done);
  });
  server.addHook("onResponse", (request, reply, done) => {
    const route = routeOf(request) ?? "none";
    const ms = Math.round(reply.elapsedTime);
    request.log.debug(
      { requestId: request.id, method: request.method, route, status: reply.statusCode, ms },
      "answered",
    );
    done();
  });
  if (["debug", "trace"].includes(options.logLevel))
    repeats?.onRepeated(({ ms, ...told }) =>
      server.log.debug({ ...told, method: "GET", ms: Math.round(ms) }, "answered"),
    );
  server.removeContentTypeParser(["application/json", "text/plain"]);
  const parseJson = server.getDefaultJsonParser("error", "error");
  server.addContentTypeParser("application/json", async (request: FastifyRequest, payload: IncomingMessage) => {
    const bounds = boundsOf(request, "json");
    if (bounds === null) return undefined;
    const text = await readJsonText(payload, bounds, { language: languageOf(request), hasPlace: hasPlace(request) });
    // Many clients send DELETE and POST calls without a body but with a JSON media type.
    if (text === undefined) return undefined;
    return new Promise((resolve, reject) => {
      parseJson(request, text, (error, body) => (error === null ? resolve(body) : reject(error)));
    });
  });
  server.addContentTypeParser(/^image\//, async (request: FastifyRequest, payload: IncomingMessage) => {
    const bounds = boundsOf(request, "picture");
    return bounds === null ? undefined : readBytes(payload, { most: bounds.bytes, hasPlace: hasPlace(request) });
  });
  server.setErrorHandler(answerError);
  closeGently(server, repeats);
  if (repeats) repeatFirst(server.server, repeats);
  return server;
}

/** Takes the place of fastify's listener. With a `serverFactory` fastify would bind only one address of 'localhost'. */
function repeatFirst(server: Server, repeats: Pick<Repeats, "answer">): void {
  const [inFull] = server.listeners("request") as RequestListener[];
  if (inFull === undefined) throw new Error("fastify does not listen to its server");
  server.removeListener("request", inFull);
  server.on("request", (request, response) => repeats.answer(request, response, () => inFull(request, response)));
}

/** The same for every answer, so computed once. */
function safetyHeaders(options: HelmetOptions): Record<string, string> {
  const headers: Record<string, string> = {
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
  };
  const reply = {
    setHeader: (name: string, value: string) => void Object.assign(headers, { [name.toLowerCase()]: value }),
    removeHeader: () => {},
  };
  helmet(options)({} as IncomingMessage, reply as unknown as ServerResponse, () => {});
  return headers;
}

/** Of a call that answers with data: no browser renders that as a document, but someone could try to frame it. */
const OF_DATA = [
  "cross-origin-resource-policy",
  "strict-transport-security",
  "x-content-type-options",
  "x-frame-options",
];

/** Half of them mean something only for a document, and together they were longer than most answers (ADR 222). */
const headersOfData = (headers: Record<string, string>): Record<string, string> => ({
  ...Object.fromEntries(Object.entries(headers).filter(([name]) => OF_DATA.includes(name))),
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
});

/** What the call accepts; null if there is no such call, so nothing is read. */
function boundsOf(request: FastifyRequest, kind: BodyBounds["kind"]): BodyBounds | null {
  const body = bodyOf(request);
  if (body === undefined || body.kind === kind) return body ?? null;
  return refuse("request.media_type", { media: MEDIA[body.kind] });
}

const MEDIA = { json: "application/json", picture: PICTURE_MEDIA.join(", ") } as const;

/** The only place that turns a failure into an answer. */
function answerError(error: FastifyError | Refusal | Error, request: FastifyRequest, reply: FastifyReply) {
  const refusal = error instanceof Refusal ? error : refusalOfFramework(error as FastifyError, request);
  const language = languageOf(request);
  reply.header("cache-control", "no-store");
  if (refusal === null) {
    request.log.error({ err: error, requestId: request.id }, "an unexpected error");
    return reply.code(500).send({
      error: {
        code: "internal",
        message:
          language === "ru"
            ? `Внутренняя ошибка. Уже записали, номер запроса ${request.id}.`
            : `Internal error. It was recorded, request ${request.id}.`,
      },
    });
  }
  const { code, details } = refusal;
  if (code === "database.conflict")
    request.log.warn(
      { err: refusal.cause, requestId: request.id },
      "a change was given up: others were in its way each time",
    );
  if (typeof details.seconds === "number") reply.header("retry-after", String(Math.max(1, Math.ceil(details.seconds))));
  return reply.code(statusOf(code)).send({
    error: {
      code,
      message: refusal.sentence(language),
      // For a page that is switched to the other language while it shows this.
      messages: { ru: refusal.sentence("ru"), en: refusal.sentence("en") },
      ...(Object.keys(details).length > 0 ? { details } : {}),
    },
  });
}

function refusalOfFramework(error: FastifyError, request: FastifyRequest): Refusal | null {
  if (error.code === "FST_ERR_CTP_INVALID_MEDIA_TYPE")
    return new Refusal("request.media_type", { media: MEDIA[bodyOf(request)?.kind ?? "json"] });
  if (error.statusCode === undefined || error.statusCode < 400 || error.statusCode >= 500) return null;
  // Static files: an address that matches none of them has no body to parse.
  return new Refusal(["GET", "HEAD"].includes(request.method) ? "request.not_found" : "request.malformed");
}
