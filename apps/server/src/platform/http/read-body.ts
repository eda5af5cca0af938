import { isUtf8 } from "node:buffer";
import type { Readable } from "node:stream";
import { MOST_BODY_DEPTH } from "@krug/contract/endpoint";
import type { Language } from "@krug/contract/refusals";
import { Refusal, refuse } from "../refusal.ts";
import { invalid } from "./input.ts";
import { wrongShape } from "./input-problem.ts";
import { watchShape } from "./json-shape.ts";

/** What a call accepts as its body. */
export interface BodyBounds {
  kind: "json" | "picture";
  bytes: number;
  values: number;
}

/** The minimum pace of a body that holds a place others wait for: 64 kbit/s, a phone's bad connection. */
const SLOWEST_BYTES_PER_S = 8_000;
const PACE_CHECKED_EVERY_S = 5;
/** Twice in a row: the first time, the panel itself may have stalled. */
const SLOW_CHECKS = 2;

export const tooLarge = (mostBytes: number) =>
  new Refusal("request.too_large", { kilobytes: Math.floor(mostBytes / 1024) });

/** The text of a JSON body, checked as it arrives; undefined if there is none. */
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
      (inLanguage) => wrongShape(inLanguage, problem, problem === "tooDeep" ? MOST_BODY_DEPTH : bounds.values),
      language,
    );
  });
  if (body.length === 0) return undefined;
  return isUtf8(body) ? body.toString("utf8") : refuse("request.malformed");
}

/**
 * The whole body. Stops storing it at the first fault `faultIn` finds, but keeps reading: a sender cut off midway would
 * never read the refusal.
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
      // Senders who do not declare a length are not read forever either.
      if (received > 2 * most) return end(tooLarge(most));
      if (fault !== null) return;
      fault = received > most ? tooLarge(most) : faultIn(piece);
      if (fault === null) pieces.push(piece);
      else pieces = [];
    };
    const onEnd = () => end(fault);
    // A sender who leaves midway gets no answer, and that is not the panel's fault.
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
