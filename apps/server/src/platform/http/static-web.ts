import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";
import { refuse } from "../refusal.ts";

const A_YEAR_S = 31_536_000;

/**
 * Serves the built web client: hashed assets immutable and precompressed; every other address the page that the build made
 * for it, or the one index, asked for anew each time. Without a build only the API stands.
 */
export async function serveWeb(server: FastifyInstance, folder: string): Promise<void> {
  if (!existsSync(join(folder, "index.html"))) {
    server.setNotFoundHandler(() => refuse("request.not_found"));
    return;
  }
  const pages = new Set(
    readdirSync(folder).flatMap((name) => (name.endsWith(".html") ? [name.slice(0, -".html".length)] : [])),
  );
  await server.register(fastifyStatic, {
    root: folder,
    preCompressed: true,
    index: false,
    cacheControl: false,
    setHeaders(reply, path) {
      const immutable = path.includes("/assets/");
      reply.header("cache-control", immutable ? `public, max-age=${A_YEAR_S}, immutable` : "no-cache");
    },
  });
  server.setNotFoundHandler((request, reply) => {
    const isPage = request.method === "GET" && !request.url.startsWith("/api/") && !request.url.startsWith("/assets/");
    if (!isPage) refuse("request.not_found");
    const page = request.url === "/" ? "landing" : /^\/(\w+)(?:\?|$)/.exec(request.url)?.[1];
    return reply.sendFile(page !== undefined && pages.has(page) ? `${page}.html` : "index.html");
  });
}
