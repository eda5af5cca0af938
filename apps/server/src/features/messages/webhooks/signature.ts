import { createHmac, randomBytes } from "node:crypto";

/** Standard Webhooks 1.0.0 (https://www.standardwebhooks.com): a prefix by which people and scanners know it, and base64. */
const PREFIX = "whsec_";

export const newSecret = (): string => PREFIX + randomBytes(32).toString("base64");

/** What a receiver knows the club by. `secrets`: one signature each, for the time in which a receiver changes over. */
export function signedHeaders(secrets: readonly string[], id: string, now: Date, body: string): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1_000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  });
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}
