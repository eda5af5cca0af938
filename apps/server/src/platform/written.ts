import { hash } from "node:crypto";

/** A JSON answer as it is sent. */
export interface Written {
  readonly body: string | Buffer;
  /** Of the body, for `ETag`. */
  readonly hash: string;
}

/** Node sends a short text in one piece with its headers; a long one costs less as bytes. */
const LONG = 8_000;

/** Answers that handlers return again, and what was written of them. */
const kept = new WeakMap<object, Written | null>();

/** A handler may return this very object again, so it is written once. Nobody may change it any more. */
export function keepWritten<Answer extends object>(answer: Answer): Answer {
  if (!kept.has(answer)) kept.set(answer, null);
  return answer;
}

export const isKept = (answer: object): boolean => kept.has(answer);

/** @throws Error if `check` finds that an answer which was written before has been changed */
export function writtenOf(answer: object, check: boolean): Written {
  const before = kept.get(answer);
  if (before && check && before.hash !== write(answer).hash) throw new Error("an answer was changed after it was kept");
  const written = before ?? write(answer);
  if (before === null) kept.set(answer, written);
  return written;
}

function write(answer: object): Written {
  const text = JSON.stringify(answer);
  const body = text.length < LONG ? text : Buffer.from(text);
  return { body, hash: hash("sha1", body, "base64url") };
}
