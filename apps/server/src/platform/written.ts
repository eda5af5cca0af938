import { hash } from "node:crypto";

/** A JSON answer as it is sent. */
export interface Written {
  readonly body: string | Buffer;
  /** Of the body, for `ETag`. */
  readonly hash: string;
}

/** Node sends a short text in one piece with its headers; a long one costs less as bytes. */
const LONG = 8_000;

interface Kept {
  written: Written | null;
  isSame(): boolean;
}
/** Answers that handlers return again, and what was written of them. */
const kept = new WeakMap<object, Kept>();

/**
 * A handler may return this very object again, so it is written once. Nobody may change it any more. `isSame`: whether it would be
 * returned now, if the database is what it was.
 */
export function keepWritten<Answer extends object>(answer: Answer, isSame: () => boolean): Answer {
  kept.set(answer, { written: kept.get(answer)?.written ?? null, isSame });
  return answer;
}

export const isKept = (answer: object): boolean => kept.has(answer);

/** Of an answer that was written before: the `isSame` it was kept with. */
export function repeatedWhile(answer: object): (() => boolean) | undefined {
  const known = kept.get(answer);
  return known?.written ? known.isSame : undefined;
}

/** @throws Error if `check` finds that an answer which was written before has been changed */
export function writtenOf(answer: object, check: boolean): Written {
  const known = kept.get(answer);
  const before = known?.written;
  if (before && check && before.hash !== write(answer).hash) throw new Error("an answer was changed after it was kept");
  const written = before ?? write(answer);
  if (known) known.written = written;
  return written;
}

function write(answer: object): Written {
  const text = JSON.stringify(answer);
  const body = text.length < LONG ? text : Buffer.from(text);
  return { body, hash: hash("sha1", body, "base64url") };
}
