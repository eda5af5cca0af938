import type { FastifyInstance, FastifyRequest } from "fastify";
import { compressedNow } from "../../../platform/http/compressed.ts";
import { refuse } from "../../../platform/refusal.ts";
import { isSameText } from "../../../platform/same-text.ts";
import type { Metrics } from "./index.ts";

const tokenOf = ({ headers }: FastifyRequest) => /^Bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1] ?? "";

/** `GET /metrics`, with the token. Without a configured one there is no such page, not even the web client's. */
export function serveMetrics(server: FastifyInstance, token: string | null, make: () => Metrics): void {
  if (token === null) {
    server.get("/metrics", () => refuse("request.not_found"));
    return;
  }
  const metrics = make();
  server.get("/metrics", async (request, reply) => {
    if (!isSameText(tokenOf(request), token)) {
      reply.header("www-authenticate", "Bearer");
      refuse("auth.required");
    }
    const text = await metrics.read();
    reply.header("cache-control", "no-store").type(metrics.contentType);
    return compressedNow(request, reply, text);
  });
}
