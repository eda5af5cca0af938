import type { GrammyError, HttpError } from "grammy";

/** Why the bot as a whole does not work. `conflict`: another program reads this bot's messages. */
export type BotTrouble = "wrong_token" | "unreachable" | "conflict";
/** Also troubles that it works around. */
export type Trouble = BotTrouble | "webhook_unreachable";

/** `waitMs`: how long Telegram asks us to wait, if it does. */
export interface BotFailure {
  kind: BotTrouble;
  reason: string;
  waitMs: number | null;
}

/**
 * What the library threw, in our own words. Its errors contain the call's address with the token: only what is copied here may be
 * logged.
 */
export type Failure =
  | BotFailure
  /** This person has blocked the bot or left Telegram. */
  | { kind: "person_gone"; reason: string }
  /** Telegram understood the call and will always refuse it. */
  | { kind: "refused"; reason: string };

/** Null if it is not Telegram's failure. */
export function failureOf(error: unknown): Failure | null {
  if (isNamed<HttpError>(error, "HttpError"))
    return { kind: "unreachable", reason: networkReason(error.error), waitMs: null };
  if (!isNamed<GrammyError>(error, "GrammyError")) return null;
  const { error_code: status, method, description, parameters } = error;
  const reason = `${method}: ${status} ${description}`;
  const waitMs = parameters.retry_after === undefined ? null : parameters.retry_after * 1_000;
  // Telegram answers 404 to a token that never existed.
  if (status === 401 || status === 404) return { kind: "wrong_token", reason, waitMs };
  if (status === 409) return { kind: "conflict", reason, waitMs };
  if (status === 429 || status >= 500) return { kind: "unreachable", reason, waitMs };
  return { kind: status === 403 ? "person_gone" : "refused", reason };
}

export const isOfBot = (failure: Failure | null): failure is BotFailure => failure !== null && "waitMs" in failure;

/** For the log. The library's errors contain the token, so only our own words of them are logged. */
export const detailsOf = (error: unknown): object => {
  const failure = failureOf(error);
  return failure === null ? { err: error } : { reason: failure.reason };
};

// By name: the library itself is loaded only if there is a bot.
const isNamed = <Kind extends Error>(error: unknown, name: string): error is Kind =>
  error instanceof Error && error.name === name;

function networkReason(inner: unknown): string {
  const { code, type, name } = inner as { code?: unknown; type?: unknown; name?: unknown };
  return [code, type, name].find((word): word is string => typeof word === "string") ?? "no answer";
}
