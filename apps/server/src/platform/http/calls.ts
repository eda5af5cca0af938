import { type EndpointSpec, USUAL_BODY_VALUES, usualBodyLimit } from "@krug/contract/endpoint";
import type { FastifyRequest } from "fastify";
import makeRouter, { type HTTPMethod } from "find-my-way";
import type { BodyBounds } from "./read-body.ts";

/** The contract: by feature and name. */
export type AnyContract = Record<string, Record<string, EndpointSpec>>;

/** A call of the contract, as the server looks it up. */
export interface ContractCall {
  readonly feature: string;
  readonly name: string;
  readonly spec: EndpointSpec;
  /** Its path with `:name` for parameters, for logs and metrics: a real path may name a member. */
  readonly url: string;
  readonly body: BodyBounds & { usualBytes: number };
}

export interface FoundCall extends ContractCall {
  readonly params: Record<string, string | undefined>;
}

/** By method and address; null if there is no such call. */
type FindCall = (method: string, address: string) => FoundCall | null;

declare module "fastify" {
  interface FastifyContextConfig {
    /** Of the single route that handles every call. */
    findCall?: FindCall;
    /** Of any other route that reads a body. */
    body?: BodyBounds;
  }
}

/** For the fastify routes and those behind them. */
export const ROUTER_OPTIONS = { maxParamLength: 256, ignoreTrailingSlash: true };

const made = new WeakMap<AnyContract, FindCall>();

const NO_PARAMS = Object.freeze({});

/** Built once per contract and shared by all servers: registering each call with fastify was a third of a start (ADR 88). */
export function findCallIn(contract: AnyContract): FindCall {
  const known = made.get(contract);
  if (known) return known;
  const router = makeRouter(ROUTER_OPTIONS);
  for (const [feature, endpoints] of Object.entries(contract)) {
    for (const [name, spec] of Object.entries(endpoints)) {
      const url = `/api${spec.path.replace(/\{(\w+)\}/g, ":$1")}`;
      const usualBytes = usualBodyLimit(spec);
      const body: ContractCall["body"] = {
        kind: spec.picture === true ? "picture" : "json",
        bytes: spec.bodyLimit ?? usualBytes,
        values: spec.bodyValues ?? USUAL_BODY_VALUES,
        usualBytes,
      };
      const call: ContractCall = { feature, name, spec, url, body };
      router.on(spec.method, url, () => {}, call);
    }
  }
  /** Without parameters, as the contract writes them: most calls, at a tenth of the cost. */
  const plain = new Map<string, FoundCall>();
  for (const endpoints of Object.values(contract))
    for (const { method, path } of Object.values(endpoints)) {
      const found = path.includes("{") ? null : router.find(method, `/api${path}`);
      if (found) plain.set(`${method} /api${path}`, { ...(found.store as ContractCall), params: NO_PARAMS });
    }
  const findCall: FindCall = (method, address) => {
    // Answered like GET; Node sends no body.
    const asked = method === "HEAD" ? "GET" : method;
    const known = plain.get(`${asked} ${address}`);
    if (known !== undefined) return known;
    const found = router.find(asked as HTTPMethod, address);
    return found && { ...(found.store as ContractCall), params: found.params };
  };
  made.set(contract, findCall);
  return findCall;
}

const foundFor = new WeakMap<FastifyRequest, FoundCall | null>();

/** The call that a request is for; null if it is for none, such as a page. */
export function callOf(request: FastifyRequest): FoundCall | null {
  const known = foundFor.get(request);
  if (known !== undefined) return known;
  const found = request.routeOptions?.config.findCall?.(request.method, request.url) ?? null;
  foundFor.set(request, found);
  return found;
}

/** The body it may have; undefined if none is read. */
export const bodyOf = (request: FastifyRequest): BodyBounds | undefined =>
  request.routeOptions.config.body ?? callOf(request)?.body;

/** The route's pattern. */
export const routeOf = (request: FastifyRequest): string | undefined => {
  const { url, config } = request.routeOptions ?? {};
  return config?.findCall === undefined ? url : callOf(request)?.url;
};
