import type { RefusalCode } from "@krug/contract/refusals";

/** An expected 'no'. `details` fill the text and go to the client, so they never hold secrets. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly details: Readonly<Record<string, unknown>>;
  constructor(code: RefusalCode, details: Readonly<Record<string, unknown>> = {}) {
    super(code);
    this.code = code;
    this.details = details;
  }
}

export function refuse(code: RefusalCode, details?: Readonly<Record<string, unknown>>): never {
  throw new Refusal(code, details);
}

/** Turns a rule's result (a reason or null) into a refusal. */
export function refuseIf(code: RefusalCode | null, details?: Readonly<Record<string, unknown>>): void {
  if (code !== null) throw new Refusal(code, details);
}
