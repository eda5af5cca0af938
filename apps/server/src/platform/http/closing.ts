import { setTimeout as wait } from "node:timers/promises";
import type { FastifyInstance } from "fastify";

/** A client that kept its connection has sent the next request by then, or has none to send. */
const QUIET_MS = 100;
/** Those who come without a pause are not waited for longer: each of them was told to come back. */
const QUIET_WITHIN_MS = 1_000;
const LOOK_EVERY_MS = 20;
/** After this an answer that still goes on is cut. */
const ANSWERS_WITHIN_MS = 2_500;

/**
 * Has the server end without cutting anybody off: from the first word of it each answer is the last one on its connection, and
 * a connection is closed only when nothing is on it and nothing can be on its way. `server.close()` begins it.
 */
export function closeGently(server: FastifyInstance): void {
  let closing = false;
  let cameAt = 0;
  server.addHook("onRequest", (_request, _reply, done) => {
    cameAt = performance.now();
    done();
  });
  server.addHook("onSend", (_request, reply, _payload, done) => {
    if (closing) reply.header("connection", "close");
    done();
  });
  server.addHook("preClose", async () => {
    closing = true;
    const until = performance.now() + QUIET_WITHIN_MS;
    while (performance.now() < Math.min(cameAt + QUIET_MS, until)) await wait(LOOK_EVERY_MS);
    // The server closes what is idle once, at its start; what falls idle later would stay for a minute.
    const closeIdle = setInterval(() => server.server.closeIdleConnections(), LOOK_EVERY_MS).unref();
    const closeAll = setTimeout(() => server.server.closeAllConnections(), ANSWERS_WITHIN_MS).unref();
    server.server.once("close", () => {
      clearInterval(closeIdle);
      clearTimeout(closeAll);
    });
  });
}
