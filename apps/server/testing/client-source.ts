import { contract } from "@krug/contract/api";
import { type EndpointSpec, isFile } from "@krug/contract/endpoint";
import { WEBHOOK_DATA, WEBHOOK_VERSION } from "@krug/contract/messages/webhook-events";
import { z } from "zod";
import { isPage } from "../src/platform/http/openapi.ts";

interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
}

/**
 * Generates packages/client/src/calls.ts from the contract: every call that a token can reach, and everything that webhooks
 * carry, with their types.
 */
export function clientSource(): string {
  const groups = Object.entries(contract).flatMap(([group, endpoints]) => {
    const calls = Object.entries<EndpointSpec>(endpoints).flatMap(([name, spec]) => {
      return spec.scope === undefined ? [] : [{ name, spec, scope: spec.scope }];
    });
    return calls.length === 0 ? [] : [{ group, calls }];
  });
  const types = groups.map(
    ({ group, calls }) =>
      `  ${group}: {\n${calls.map(({ name, spec, scope }) => signature(name, spec, scope)).join("")}  };\n`,
  );
  const routes = groups.map(
    ({ group, calls }) =>
      `  ${group}: {\n${calls.map(({ name, spec }) => `    ${name}: ["${spec.method}", "${spec.path}", "${kindOf(spec)}"],\n`).join("")}  },\n`,
  );
  const carried = Object.entries(WEBHOOK_DATA).map(
    ([type, { summary, data }]) => `  /** ${summary}. */\n  "${type}": ${typeOf(json(data, "output"))};\n`,
  );
  return `// Made from the contract by \`npx vitest run --project rules client-source --update\`; changes here are lost.

/** What every call may take besides its own parts. */
export interface Manner {
  signal?: AbortSignal;
  /** How long the whole answer may take; 30 s by default. */
  timeoutMs?: number;
  /** The same key makes a repeated creation safe, where the call's description says so. */
  idempotencyKey?: string;
}

/** A page of a list. \`next\` goes into the next call's \`query.cursor\`; null on the last page. */
export interface Page<Rows> {
  rows: Rows;
  next: string | null;
  /** Of the whole list; null where the panel does not count it. */
  total: number | null;
}

/** Every call that an API token can reach. */
export interface Calls {
${types.join("")}}

/** What each event of a webhook carries. */
export interface WebhookEvents {
${carried.join("")}}

/** The body of a webhook's request. \`id\` stays the same when it is sent again. */
export type WebhookEvent = {
  [Type in keyof WebhookEvents]: {
    id: string;
    type: Type;
    version: ${WEBHOOK_VERSION};
    timestamp: string;
    data: WebhookEvents[Type];
  };
}[keyof WebhookEvents];

/** Method, path under /api, and what comes back. */
export const ROUTES = {
${routes.join("")}} as const;
`;
}

function kindOf(spec: EndpointSpec): "json" | "page" | "file" | "nothing" {
  if (spec.answer === null) return "nothing";
  if (isFile(spec.answer)) return "file";
  return isPage(spec) ? "page" : "json";
}

function signature(name: string, spec: EndpointSpec, scope: string): string {
  const refusals =
    spec.refusals === undefined || spec.refusals.length === 0
      ? ""
      : `\n     * Refused with: ${spec.refusals.join(", ")}.`;
  const about = `    /**\n     * ${spec.summary}.\n     * \`${spec.method} ${spec.path}\`, scope \`${scope}\`.${refusals}\n     */\n`;
  const parts = [
    part("params", spec.params),
    part("query", spec.query),
    spec.picture === true ? { text: "body: Blob", isNeeded: true } : part("body", spec.body),
  ].filter((given) => given !== null);
  const isNeeded = parts.some((given) => given.isNeeded);
  const wish = parts.length === 0 ? "Manner" : `{ ${parts.map(({ text }) => text).join("; ")} } & Manner`;
  return `${about}    ${name}(wish${isNeeded ? "" : "?"}: ${wish}): Promise<${answerOf(spec)}>;\n`;
}

function part(name: string, schema: z.ZodType | undefined) {
  if (schema === undefined) return null;
  const isNeeded = !schema.safeParse({}).success && !schema.safeParse(undefined).success;
  return { text: `${name}${isNeeded ? "" : "?"}: ${typeOf(json(schema, "input"))}`, isNeeded };
}

function answerOf(spec: EndpointSpec): string {
  const kind = kindOf(spec);
  if (kind === "nothing") return "void";
  if (kind === "file") return "Blob";
  const rows = typeOf(json(spec.answer as z.ZodType, "output"));
  return kind === "page" ? `Page<${rows}>` : rows;
}

const json = (schema: z.ZodType, io: "input" | "output") =>
  z.toJSONSchema(schema, { io, unrepresentable: "any", reused: "inline" }) as Schema;

/** The TypeScript type for a contract's schema in JSON Schema. @throws Error on anything else */
function typeOf(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return [...new Set(choices.map(typeOf))].join(" | ");
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type })).join(" | ");
  switch (schema.type) {
    case undefined:
      return "unknown";
    case "string":
    case "boolean":
    case "null":
      return schema.type;
    case "number":
    case "integer":
      return "number";
    case "array": {
      const item = typeOf(schema.items ?? {});
      return /^[\w.]+$/.test(item) ? `${item}[]` : `Array<${item}>`;
    }
    case "object":
      return objectOf(schema);
    default:
      throw new Error(`the client's generator knows no type ${schema.type}`);
  }
}

function objectOf({ properties, required = [], additionalProperties }: Schema): string {
  if (properties === undefined)
    return `Record<string, ${typeof additionalProperties === "object" ? typeOf(additionalProperties) : "unknown"}>`;
  const fields = Object.entries(properties).map(
    ([name, schema]) => `${name}${required.includes(name) ? "" : "?"}: ${typeOf(schema)}`,
  );
  return `{ ${fields.join("; ")} }`;
}
