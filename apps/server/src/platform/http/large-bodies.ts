import type { FastifyReply, FastifyRequest } from "fastify";
import { refuse } from "../refusal.ts";
import { type BodyBounds, tooLarge } from "./read-body.ts";

/** Large bodies that are read and handled at once in this process, so that what they hold in memory has a bound. */
const MOST_AT_ONCE = 2;
/** Pictures come as they are and take 5 MB at most, so that many on slow connections need not wait for each other. */
const MOST_PICTURES_AT_ONCE = 8;
const RETRY_AFTER_S = 3;

interface Place {
  giveBack: () => void;
  isHandled: boolean;
}
const places = new WeakMap<FastifyRequest, Place>();

/** Whether others may wait until this request is through. */
export const hasPlace = (request: FastifyRequest) => places.has(request);

/** Keeps a request's place, if it has one, while the request is handled, also where its sender is gone meanwhile. */
export async function inPlace<Result>(request: FastifyRequest, handle: () => Promise<Result>): Promise<Result> {
  const place = places.get(request);
  if (place === undefined) return handle();
  place.isHandled = true;
  try {
    return await handle();
  } finally {
    place.giveBack();
  }
}

/** For a request that is refused before it is handled. */
export const giveBackPlace = (request: FastifyRequest) => places.get(request)?.giveBack();

export function makeLargeBodies() {
  const take = { json: makePlaces(MOST_AT_ONCE), picture: makePlaces(MOST_PICTURES_AT_ONCE) };
  /**
   * Decides by the head of a request whether its body may come: refuses one that says itself that it is too long, and gives a
   * large one, or one of unknown length where a large one may come, a place, or refuses it while there is none.
   */
  return (
    request: FastifyRequest,
    reply: FastifyReply,
    bounds: BodyBounds & { usualBytes: number },
    holder: string,
  ) => {
    const said = request.headers["content-length"];
    const length = said === undefined ? null : Number(said);
    if (length !== null && length > bounds.bytes) throw tooLarge(bounds.bytes);
    const isLarge = length === null ? "transfer-encoding" in request.headers : length > bounds.usualBytes;
    if (!isLarge || bounds.bytes <= bounds.usualBytes) return;
    const giveBack = take[bounds.kind](holder) ?? refuse("request.large_busy", { seconds: RETRY_AFTER_S });
    const place: Place = { giveBack, isHandled: false };
    places.set(request, place);
    // A sender who goes away before his body is whole; an answer whose connection is gone before it was begun.
    request.raw.once("close", () => request.raw.complete || giveBack());
    reply.raw.once("close", () => place.isHandled || giveBack());
  };
}

/** One place for a holder, who cannot take them all. Answers how to give it back, or null where there is none. */
export function makePlaces(mostAtOnce: number): (holder: string) => (() => void) | null {
  const holders = new Set<string>();
  return (holder) => {
    if (holders.size >= mostAtOnce || holders.has(holder)) return null;
    holders.add(holder);
    let held = true;
    return () => {
      // Twice does no harm: by then the place may be somebody else's or the same member's next.
      if (held) holders.delete(holder);
      held = false;
    };
  };
}
