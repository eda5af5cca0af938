import type { WebhookEvent } from "./calls.ts";

export type { WebhookEvent, WebhookEvents } from "./calls.ts";

/** Why a webhook's request cannot be trusted. */
export class WebhookError extends Error {
  readonly code: "headers_missing" | "too_old" | "signature_wrong" | "secret_unreadable";
  constructor(code: WebhookError["code"], message: string) {
    super(message);
    this.name = "WebhookError";
    this.code = code;
  }
}

export interface Delivered {
  /** The request's raw body, before any parsing. */
  body: string;
  /** The request's headers: a `Headers`, or an object with names in lower case like Node's. */
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The webhook's signing secret; it begins with whsec_. */
  secret: string;
  /** How far the clocks may differ, and how late a request may be replayed, s; five minutes by default. */
  toleranceSeconds?: number;
  /** ms since 1970; now by default. */
  now?: number;
}

/**
 * The event, if the club sent it (Standard Webhooks 1.0.0). An event may arrive twice, with the same `id`.
 * @throws WebhookError
 */
export async function verifyWebhook({
  body,
  headers,
  secret,
  toleranceSeconds = 300,
  now = Date.now(),
}: Delivered): Promise<WebhookEvent> {
  const given = (name: string) => {
    const value = headers instanceof Headers ? headers.get(name) : headers[name];
    if (typeof value !== "string" || value === "")
      throw new WebhookError("headers_missing", `The request has no header ${name}.`);
    return value;
  };
  const [id, timestamp, signatures] = [given("webhook-id"), given("webhook-timestamp"), given("webhook-signature")];
  const age = now / 1_000 - Number(timestamp);
  if (!/^\d+$/.test(timestamp) || Math.abs(age) > toleranceSeconds)
    throw new WebhookError("too_old", "The request was not signed within the tolerated time.");
  const key = await keyOf(secret);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  for (const signature of signatures.split(" ")) {
    const [version, text = ""] = signature.split(",", 2);
    const bytes = version === "v1" ? bytesOf(text) : null;
    // Takes the same time for any signature.
    if (bytes !== null && (await crypto.subtle.verify("HMAC", key, bytes, signed)))
      return JSON.parse(body) as WebhookEvent;
  }
  throw new WebhookError("signature_wrong", "The request is not signed with this secret.");
}

async function keyOf(secret: string): Promise<CryptoKey> {
  const bytes = secret.startsWith("whsec_") ? bytesOf(secret.slice("whsec_".length)) : null;
  if (bytes === null || bytes.length === 0)
    throw new WebhookError("secret_unreadable", "The secret is not one of a webhook's: it begins with whsec_.");
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
}

/** Null if it is not base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
}
