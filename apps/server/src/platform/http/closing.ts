import { setTimeout as wait } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import type { Repeats } from "./repeats.ts";

/** A client that kept its connection open has sent its next request by then, or has none. */
const QUIET_MS = 100;
/** The server does not wait longer for clients that never pause: every answer told them to reconnect. */
const QUIET_WITHIN_MS = 1_000;
const LOOK_EVERY_MS = 20;
/** From the start of closing; after this, answers still in progress are cut. */
const ANSWERS_WITHIN_MS = 2_500;

/**
 * Lets the server stop without cutting anyone off. Each answer is then the last on its connection, and a connection closes only
 * when it is idle with nothing on its way. `server.close()` starts it.
 */
export function closeGently(server: FastifyInstance, repeats?: Pick<Repeats, "lastAt" | "end">): void {
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
    repeats?.end();
    // Before any await: the time starts here.
    const closeAll = setTimeout(() => server.server.closeAllConnections(), ANSWERS_WITHIN_MS).unref();
    cameAt = Math.max(cameAt, repeats?.lastAt() ?? 0);
    const until = performance.now() + QUIET_WITHIN_MS;
    while (performance.now() < Math.min(cameAt + QUIET_MS, until)) await wait(LOOK_EVERY_MS);
    // The server would close idle connections only once, at the start: including one whose request is on its way, and none that
    // become idle later.
    const endIdle = server.server.closeIdleConnections.bind(server.server);
    server.server.closeIdleConnections = () => {};
    const from = performance.now() + QUIET_MS;
    // After a pause this timer may fire before data received meanwhile was read: that comes first.
    const closeIdle = setInterval(() => performance.now() > from && setImmediate(endIdle), LOOK_EVERY_MS).unref();
    server.server.once("close", () => {
      clearInterval(closeIdle);
      clearTimeout(closeAll);
    });
  });
}
