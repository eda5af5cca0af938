import type { FastifyReply, FastifyRequest } from "fastify";
import { refuse } from "../refusal.ts";
import { type BodyBounds, tooLarge } from "./read-body.ts";

/** Large bodies read and handled at once in this process, so their memory is bounded. */
const MOST_AT_ONCE = 2;
/** Pictures are sent as raw bytes of at most 5 MB, so many slow connections need not wait for each other. */
const MOST_PICTURES_AT_ONCE = 8;
const RETRY_AFTER_S = 3;

interface Place {
  giveBack: () => void;
  isHandled: boolean;
}
const places = new WeakMap<FastifyRequest, Place>();

/** Whether others may have to wait until this request is done. */
export const hasPlace = (request: FastifyRequest) => places.has(request);

/** Keeps a request's place, if it has one, while it is handled, even if the sender has gone. */
export function inPlace<Result>(request: FastifyRequest, handle: () => Promise<Result>): Promise<Result> {
  const place = places.get(request);
  if (place === undefined) return handle();
  place.isHandled = true;
  return handle().finally(place.giveBack);
}

/** For a request refused before it is handled. */
export const giveBackPlace = (request: FastifyRequest) => places.get(request)?.giveBack();

export function makeLargeBodies() {
  const take = { json: makePlaces(MOST_AT_ONCE), picture: makePlaces(MOST_PICTURES_AT_ONCE) };
  /**
   * Decides from a request's headers whether its body may come. Refuses a declared length over the limit. Gives a place to a
   * large body, or to one of unknown length where a large one is allowed, or refuses while no place is free.
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
    // Covers a sender who leaves before the body is complete, and a connection lost before the answer starts.
    request.raw.once("close", () => request.raw.complete || giveBack());
    reply.raw.once("close", () => place.isHandled || giveBack());
  };
}

/** One place per holder, so none can take them all. Returns a function that releases it, or null if none is free. */
export function makePlaces(mostAtOnce: number): (holder: string) => (() => void) | null {
  const holders = new Set<string>();
  return (holder) => {
    if (holders.size >= mostAtOnce || holders.has(holder)) return null;
    holders.add(holder);
    let held = true;
    return () => {
      // Ignore a second call: by then the place may belong to someone else, or to the member's next request.
      if (held) holders.delete(holder);
      held = false;
    };
  };
}
