import { accessOf, type EndpointSpec, isFile, isStream } from "@krug/contract/endpoint";
import { statusOf } from "@krug/contract/refusals";
import { PICTURE_MEDIA } from "@krug/domain/picture-rules";
import { z } from "zod";

type AnyContract = Record<string, Record<string, EndpointSpec>>;
type Json = Record<string, unknown>;

const accessWords = {
  public: "Anyone",
  member: "Signed-in member",
  staff: "Moderator or admin, after the two-factor check",
  admin: "Admin, after the two-factor check",
};

const schemaOf = (schema: z.ZodType, io: "input" | "output") => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" }) as Json;
  return rest;
};

/**
 * The API's description, OpenAPI 3.1, from the schemas that validate it. `webhooks`: by event, the body
 * of its request.
 */
export function describeApi(
  contract: AnyContract,
  version: string,
  webhooks: Readonly<Record<string, { summary: string; body: z.ZodType }>>,
): Json {
  const paths: Record<string, Json> = {};
  const templates = Object.values(contract).flatMap((endpoints) => Object.values(endpoints).map(({ path }) => path));
  for (const [feature, endpoints] of Object.entries(contract)) {
    for (const [name, spec] of Object.entries(endpoints)) {
      paths[spec.path] = {
        ...paths[spec.path],
        [spec.method.toLowerCase()]: operation(`${feature}.${name}`, spec, templates),
      };
    }
  }
  return {
    openapi: "3.1.0",
    info: { title: "Круг", version, description: "API of the club's panel. Times are ISO 8601 UTC unless named ms." },
    servers: [{ url: "/api" }],
    paths,
    webhooks: Object.fromEntries(
      Object.entries(webhooks).map(([event, { summary, body }]) => [
        event,
        { post: webhookOperation(event, summary, body) },
      ]),
    ),
    components: {
      securitySchemes: {
        session: { type: "http", scheme: "bearer", description: "The token from sign-in or registration." },
        apiToken: {
          type: "http",
          scheme: "bearer",
          description: "An API token, made in the panel; begins with krug_.",
        },
      },
      schemas: {
        Error: {
          type: "object",
          required: ["error"],
          properties: {
            error: {
              type: "object",
              required: ["code", "message"],
              properties: {
                code: { type: "string" },
                message: { type: "string" },
                messages: {
                  type: "object",
                  properties: { ru: { type: "string" }, en: { type: "string" } },
                },
                details: { type: "object" },
              },
            },
          },
        },
      },
    },
  };
}

const isParameter = (segment: string) => segment.startsWith("{");

/**
 * Templates that also match some of its addresses although neither is a special case of the other, so OpenAPI's rule 'concrete
 * before templated' does not decide: `/servers/{id}/refresh` and `/servers/assignments/{id}`.
 */
export function alsoReadAs(path: string, templates: readonly string[]): string[] {
  const own = path.split("/");
  return [...new Set(templates)].filter((other) => {
    const theirs = other.split("/");
    if (other === path || theirs.length !== own.length) return false;
    const pairs = own.map((segment, at) => [segment, theirs[at] ?? ""] as const);
    if (!pairs.every(([mine, their]) => mine === their || isParameter(mine) || isParameter(their))) return false;
    const isMoreConcrete = (some: number, rest: number) =>
      pairs.every((pair) => !isParameter(pair[some] ?? "") || isParameter(pair[rest] ?? ""));
    return !isMoreConcrete(0, 1) && !isMoreConcrete(1, 0);
  });
}

function descriptionOf(spec: EndpointSpec, templates: readonly string[]): string {
  const others = alsoReadAs(spec.path, templates).map((path) => `\`${path}\``);
  const why = ` Its addresses never collide with ${others.join(", ")}: ids are UUIDs, and fixed words are not.`;
  const byToken =
    spec.access === "public"
      ? ""
      : spec.scope === undefined
        ? " Not for API tokens."
        : ` API token's scope: ${spec.scope}.`;
  const { trust = {} } = spec;
  const takesPassword =
    trust === true
      ? " Takes a password given within ten minutes."
      : Object.keys(trust).length === 0
        ? ""
        : ` Takes a password given within ten minutes, and no API token, to send ${Object.keys(trust).join(", ")}.`;
  return `Access: ${accessWords[accessOf(spec)]}.${byToken}${takesPassword}${others.length === 0 ? "" : why}`;
}

function operation(id: string, spec: EndpointSpec, templates: readonly string[]): Json {
  const { scope } = spec;
  return {
    operationId: id,
    tags: id.split(".", 1),
    summary: spec.summary,
    description: descriptionOf(spec, templates),
    ...(spec.access === "public"
      ? {}
      : { security: [{ session: [] }, ...(scope === undefined ? [] : [{ apiToken: [scope] }])] }),
    parameters: [...parametersOf(spec.params, "path"), ...parametersOf(spec.query, "query")],
    ...requestBodyOf(spec),
    responses: { ...success(spec), ...failures(spec) },
  };
}

/** Standard Webhooks 1.0.0. */
const webhookOperation = (event: string, summary: string, body: z.ZodType): Json => ({
  operationId: `on.${event}`,
  tags: ["on"],
  summary,
  description: "Sent by the panel to a webhook that wants this event.",
  parameters: [
    ["webhook-id", "The event's id, the same when it is sent again."],
    ["webhook-timestamp", "When this try was signed, seconds since 1970."],
    [
      "webhook-signature",
      "`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`; two for a day after the secret is replaced.",
    ],
  ].map(([name, description]) => ({ name, in: "header", required: true, description, schema: { type: "string" } })),
  requestBody: { required: true, content: { "application/json": { schema: schemaOf(body, "output") } } },
  responses: {
    "2XX": { description: "It arrived" },
    "410": { description: "Send nothing more: the webhook is switched off" },
    default: { description: "It is sent again later" },
  },
});

function requestBodyOf(spec: EndpointSpec): Json {
  if (spec.picture === true)
    return { requestBody: { required: true, content: Object.fromEntries(PICTURE_MEDIA.map((media) => [media, {}])) } };
  if (spec.body === undefined) return {};
  return {
    requestBody: {
      required: !spec.body.safeParse(undefined).success,
      content: { "application/json": { schema: schemaOf(spec.body, "input") } },
    },
  };
}

function parametersOf(schema: z.ZodObject | undefined, place: "path" | "query"): Json[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = schemaOf(schema, "input") as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === "path" || required.includes(name),
    schema: property,
  }));
}

/** A paginated list has a cursor. */
export const isPage = ({ answer, query }: EndpointSpec): boolean =>
  query !== undefined && "cursor" in query.shape && answer instanceof z.ZodArray;

const PAGE_HEADERS = {
  "x-next-cursor": { description: "The next page's `cursor`; absent on the last page.", schema: { type: "string" } },
  "x-total-count": { description: "How many there are, where that is counted.", schema: { type: "integer" } },
};

function success(spec: EndpointSpec): Json {
  if (spec.answer === null) return { "204": { description: "Done, no content" } };
  if (isFile(spec.answer))
    return { "200": { description: "A file", content: { [spec.answer.media]: { schema: { type: "string" } } } } };
  if (isStream(spec.answer)) {
    const data = Object.values(spec.answer.events).map((schema) => schemaOf(schema, "output"));
    return {
      "200": {
        description: `Server-sent events: ${Object.keys(spec.answer.events).join(", ")}`,
        content: { "text/event-stream": { schema: { anyOf: data } } },
      },
    };
  }
  return {
    [spec.status ?? 200]: {
      description: "Done",
      ...(isPage(spec) ? { headers: PAGE_HEADERS } : {}),
      content: { "application/json": { schema: schemaOf(spec.answer, "output") } },
    },
  };
}

function failures(spec: EndpointSpec): Json {
  const byStatus = new Map<number, string[]>();
  const codes = [...(spec.trust === undefined ? [] : ["auth.password_required" as const]), ...(spec.refusals ?? [])];
  for (const code of codes) {
    const status = statusOf(code);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.join(", "),
        content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
      },
    ]),
  );
}
