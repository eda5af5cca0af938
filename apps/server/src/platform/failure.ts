import { type Reason, type ReasonCode, reason, reasonLine } from "@krug/domain/reasons";

/** An error for people: `why` in their language, the message in English. Never holds a secret. */
export class Failure extends Error {
  readonly why: Reason;

  constructor(why: Reason, options?: ErrorOptions) {
    super(reasonLine(why, "en"), options);
    this.name = new.target.name;
    this.why = why;
  }
}

/** With one of our own codes. */
export const failure = (code: ReasonCode, details: Record<string, string | number> = {}, options?: ErrorOptions) =>
  new Failure(reason(code, details), options);

/** For any thrown value; unknown errors are quoted. */
export const reasonOf = (error: unknown): Reason =>
  error instanceof Failure
    ? error.why
    : reason("panel.unexpected", {}, error instanceof Error ? error.message : String(error));
