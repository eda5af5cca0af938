import { createHmac, randomBytes } from "node:crypto";

/** Standard Webhooks 1.0.0 (https://www.standardwebhooks.com): base64 after a prefix that people and scanners recognise. */
const PREFIX = "whsec_";

export const newSecret = (): string => PREFIX + randomBytes(32).toString("base64");

/** The headers that identify the club to a receiver. `secrets`: one signature each, while a receiver changes over. */
export function signedHeaders(secrets: readonly string[], id: string, now: Date, body: string): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1_000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  });
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}
