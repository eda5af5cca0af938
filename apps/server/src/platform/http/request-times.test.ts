import fastify from "fastify";
import { Registry } from "prom-client";
import { expect, test } from "vitest";
import type { Repeated } from "./repeats.ts";
import { timeRequests } from "./request-times.ts";

test("answers that were repeated before fastify saw the request are timed too", async () => {
  const server = fastify();
  const registry = new Registry();
  const listeners: ((told: Repeated) => void)[] = [];
  timeRequests(server, registry, { onRepeated: (listener) => void listeners.push(listener) });
  server.get("/here", () => "here");
  await server.inject("/here");
  for (const tell of listeners) tell({ requestId: "1", route: "/here", status: 304, ms: 4 });
  const text = await registry.metrics();
  for (const status of ["2xx", "3xx"])
    expect(text).toContain(
      `krug_http_request_duration_seconds_count{method="GET",route="/here",status="${status}"} 1\n`,
    );
  expect(text).toContain(`sum{method="GET",route="/here",status="3xx"} 0.004\n`);
});
