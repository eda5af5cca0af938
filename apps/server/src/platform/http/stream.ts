import type { Feed, StreamAnswer } from "@krug/contract/endpoint";
import { createSession } from "better-sse";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isTroubled } from "../database/trouble.ts";

/** A comment line that keeps proxies from closing a quiet stream. */
const KEEP_ALIVE_MS = 20_000;
const RETRY_MS = 2_000;
/** A page that comes back makes five calls. */
const RETRY_PER_STREAM_MS = 2;
const LONGEST_SPREAD_MS = 30_000;
/** How often a stream's session is checked: it may expire without anyone ending it. */
const STILL_ALLOWED_EVERY_MS = 60_000;

/** How long a browser waits before it reconnects: by chance, so that many pages do not return at once. `open`: streams. */
export const reconnectAfterMs = (open: number, random = Math.random): number =>
  RETRY_MS + Math.round(random() * Math.min(open * RETRY_PER_STREAM_MS, LONGEST_SPREAD_MS));

export type Streams = ReturnType<typeof makeStreams>;

/** Answers requests with server-sent events, and ends all streams before the server closes. */
export function makeStreams(server: FastifyInstance) {
  const open = new Set<() => void>();
  let closing = false;
  server.addHook("preClose", async () => {
    closing = true;
    for (const end of [...open]) end();
  });

  return {
    /** `isStillAllowed` is called at once and every minute; the stream ends when it returns false. */
    async open(
      request: FastifyRequest,
      reply: FastifyReply,
      feed: Feed<StreamAnswer>,
      isStillAllowed: () => Promise<boolean>,
    ): Promise<FastifyReply> {
      reply.hijack();
      // The head is sent in a later tick: before that nothing may be pushed and the stream may not end.
      const session = await createSession(request.raw, reply.raw, {
        keepAlive: KEEP_ALIVE_MS,
        retry: reconnectAfterMs(open.size),
        headers: reply.getHeaders() as Record<string, string>,
      });
      if (!session.isConnected || reply.raw.destroyed) return reply;
      let stop = () => {};
      const end = () => {
        clearInterval(looking);
        open.delete(end);
        stop();
        stop = () => {};
        if (!reply.raw.writableEnded) reply.raw.end();
      };
      const look = () =>
        isStillAllowed().then(
          (allowed) => allowed || end(),
          (error: unknown) => {
            if (!isTroubled(error)) request.log.error({ err: error }, "a stream's session could not be looked at");
          },
        );
      const looking = setInterval(look, STILL_ALLOWED_EVERY_MS);
      open.add(end);
      reply.raw.once("close", end);
      stop = feed({
        push: ({ event, data, id }) => void session.push(data, event, id ?? session.lastId),
        end,
        lastSeenId: session.lastId === "" ? null : session.lastId,
      });
      // Catches a session that ended between the request's own check and now, unannounced.
      if (closing) end();
      else void look();
      return reply;
    },
  };
}
