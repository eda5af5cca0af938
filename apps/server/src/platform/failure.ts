import { type Reason, type ReasonCode, reason, reasonLine } from "@krug/domain/reasons";

/** An error that people read: `why` in their language, the message in English. Never holds a secret. */
export class Failure extends Error {
  readonly why: Reason;

  constructor(why: Reason, options?: ErrorOptions) {
    super(reasonLine(why, "en"), options);
    this.name = new.target.name;
    this.why = why;
  }
}

/** One of our own code. */
export const failure = (code: ReasonCode, details: Record<string, string | number> = {}, options?: ErrorOptions) =>
  new Failure(reason(code, details), options);

/** Of whatever was thrown; what nobody has words for is quoted. */
export const reasonOf = (error: unknown): Reason =>
  error instanceof Failure
    ? error.why
    : reason("panel.unexpected", {}, error instanceof Error ? error.message : String(error));
