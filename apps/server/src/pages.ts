import { contract } from "@krug/contract/api";
import { type SentEvent, WEBHOOK_DATA, webhookBody } from "@krug/contract/messages/webhook-events";
import { MINI_APP } from "@krug/domain/mini-app";
import { isStaff, type Role } from "@krug/domain/roles";
import type { FastifyInstance } from "fastify";
import type { Config } from "./config.ts";
import { serveAskingPage } from "./features/access/security-gate/index.ts";
import type { Health } from "./features/operation/health/index.ts";
import type { Clock } from "./platform/clock.ts";
import { compressedText } from "./platform/http/compressed.ts";
import type { Framed } from "./platform/http/framed.ts";
import { describeApi } from "./platform/http/openapi.ts";
import { apiPage } from "./platform/http/openapi-page.ts";
import { firstAnswers, serveWeb } from "./platform/http/static-web.ts";

interface Parts {
  clock: Clock;
  config: Config;
  version: string;
  webFolder: string;
  health: Health;
  framed: Framed | null;
}

const GATE = "/security/gate";
/** Each page's first calls. */
const FIRST_CALLS = {
  index: [GATE],
  landing: [GATE, "/auth/me"],
  login: [GATE, "/auth/me"],
  register: [GATE],
  tg: [GATE],
  dashboard: [GATE, "/auth/me", "/vpn/configs", "/vpn/available-interfaces", "/auth/telegram/status"],
};

/** Whether the browser asks outside services for its location, in a frame of ours. */
export const asksOutside = ({ securityGate, geoServices }: Config): boolean =>
  securityGate === "on" && geoServices.length > 0;

/** Everything the panel serves besides the contract's calls. */
export async function servePages(
  server: FastifyInstance,
  { clock, config, version, webFolder, health, framed }: Parts,
) {
  // Somebody kept the address of a Mini App that the club no longer has.
  if (framed === null)
    for (const path of [MINI_APP, `${MINI_APP}/*`]) server.get(path, (_request, reply) => reply.redirect("/"));
  server.get("/health", async (_request, reply) => health(reply.header("cache-control", "no-store")));
  if (asksOutside(config)) serveAskingPage(server, config.geoServices, framed);
  const description = once(() => describeApi(contract, version, webhooks()));
  server.get(
    "/api/openapi.json",
    compressedText("application/json", () => JSON.stringify(description())),
  );
  server.get(
    "/api/docs",
    compressedText("text/html; charset=utf-8", () => apiPage(description() as never)),
  );
  serveStart(server);
  await serveWeb(server, webFolder, FIRST_CALLS, { clock, sampleData: config.sampleData === "on", framed });
}

/** Where an installed app opens: staff on a phone begin with what waits for them, all others with their own devices. */
function serveStart(server: FastifyInstance): void {
  server.get("/start", async (request, reply) => {
    const { "/auth/me": me } = await firstAnswers(server, request, ["/auth/me"]);
    const isOfStaff = isStaff((me as { role?: Role } | undefined)?.role ?? "user");
    const place = isOfStaff && /\bMobi/.test(request.headers["user-agent"] ?? "") ? "/admin/pulse" : "/dashboard";
    return reply.header("cache-control", "no-store").redirect(place, 302);
  });
}

/** By event, the body of its request. */
const webhooks = () =>
  Object.fromEntries(
    Object.entries(WEBHOOK_DATA).map(([event, { summary }]) => [
      event,
      { summary, body: webhookBody(event as SentEvent) },
    ]),
  );

/** Generated on first request, and cached: anyone may request it, as often as they like. */
function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
