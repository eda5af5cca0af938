import { isUtf8 } from "node:buffer";
import type { Readable } from "node:stream";
import { MOST_BODY_DEPTH } from "@krug/contract/endpoint";
import type { Language } from "@krug/contract/refusals";
import { Refusal, refuse } from "../refusal.ts";
import { invalid } from "./input.ts";
import { wrongShape } from "./input-problem.ts";
import { watchShape } from "./json-shape.ts";

/** What a call takes as its body. */
export interface BodyBounds {
  kind: "json" | "picture";
  bytes: number;
  values: number;
}

/** Set for every mounted call; what is addressed to none is not read. */
declare module "fastify" {
  interface FastifyContextConfig {
    body?: BodyBounds;
  }
}

/** A body that has a place others wait for has to come at this pace: 64 kbit/s, a phone's bad connection. */
const SLOWEST_BYTES_PER_S = 8_000;
const PACE_CHECKED_EVERY_S = 5;
/** Twice in a row: the panel itself may have stood still once. */
const SLOW_CHECKS = 2;

export const tooLarge = (mostBytes: number) =>
  new Refusal("request.too_large", { kilobytes: Math.floor(mostBytes / 1024) });

/** Text of a JSON body, looked at while it comes in; undefined where there is none. */
export async function readJsonText(
  payload: Readable,
  bounds: BodyBounds,
  { language, hasPlace }: { language: Language; hasPlace: boolean },
): Promise<string | undefined> {
  const watch = watchShape({ depth: MOST_BODY_DEPTH, values: bounds.values });
  const body = await readBytes(payload, { most: bounds.bytes, hasPlace }, (piece) => {
    const problem = watch(piece);
    if (problem === null) return null;
    return invalid(
      [],
      wrongShape(language, problem, problem === "tooDeep" ? MOST_BODY_DEPTH : bounds.values),
      language,
    );
  });
  if (body.length === 0) return undefined;
  return isUtf8(body) ? body.toString("utf8") : refuse("request.malformed");
}

/**
 * The whole body. Stops keeping it at the first fault that `faultIn` finds, but hears its sender out, who would otherwise be cut
 * off in the middle and never read the refusal.
 */
export function readBytes(
  payload: Readable,
  { most, hasPlace }: { most: number; hasPlace: boolean },
  faultIn: (piece: Buffer) => Refusal | null = () => null,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let pieces: Buffer[] = [];
    let received = 0;
    let receivedBefore = 0;
    let slowChecks = 0;
    let fault: Refusal | null = null;
    const checkPace = () => {
      slowChecks = received - receivedBefore < SLOWEST_BYTES_PER_S * PACE_CHECKED_EVERY_S ? slowChecks + 1 : 0;
      receivedBefore = received;
      if (slowChecks === SLOW_CHECKS) end(new Refusal("request.too_slow"));
    };
    const pace = hasPlace ? setInterval(checkPace, PACE_CHECKED_EVERY_S * 1000) : undefined;
    const onData = (piece: Buffer) => {
      received += piece.length;
      // Nor is one heard for ever who does not say how long he will be.
      if (received > 2 * most) return end(tooLarge(most));
      if (fault !== null) return;
      fault = received > most ? tooLarge(most) : faultIn(piece);
      if (fault === null) pieces.push(piece);
      else pieces = [];
    };
    const onEnd = () => end(fault);
    // A sender who goes away in the middle hears nothing, and that is no mistake of the panel's.
    const onGone = () => end(new Refusal("request.malformed"));
    const end = (refusal: Refusal | null) => {
      clearInterval(pace);
      payload.off("data", onData).off("end", onEnd).off("error", onGone).off("close", onGone);
      if (refusal === null) resolve(Buffer.concat(pieces, received));
      else reject(refusal);
    };
    payload.on("data", onData).on("end", onEnd).on("error", onGone).on("close", onGone);
  });
}
