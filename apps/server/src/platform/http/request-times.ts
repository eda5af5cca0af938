import type { FastifyInstance } from "fastify";
import { Histogram, type Registry } from "prom-client";
import { routeOf } from "./calls.ts";
import type { Repeats } from "./repeats.ts";

/** Seconds. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Measures how long answers take, by route pattern: a real path may name a member. */
export function timeRequests(server: FastifyInstance, registry: Registry, repeats: Pick<Repeats, "onRepeated">): void {
  const durations = new Histogram({
    name: "krug_http_request_duration_seconds",
    help: "Time from a request's head to its answer's end, by route pattern and class of status; streams of events excepted",
    labelNames: ["method", "route", "status"],
    buckets: BUCKETS,
    registers: [registry],
  });
  repeats.onRepeated(({ route, status, ms }) =>
    durations.observe({ method: "GET", route, status: classOf(status) }, ms / 1_000),
  );
  server.addHook("onResponse", (request, reply, done) => {
    done();
    // A stream stays open as long as the page.
    if (String(reply.raw.getHeader("content-type")).startsWith("text/event-stream")) return;
    const route = routeOf(request) ?? "none";
    durations.observe({ method: request.method, route, status: classOf(reply.statusCode) }, reply.elapsedTime / 1_000);
  });
}

const classOf = (status: number) => `${Math.floor(status / 100)}xx`;
