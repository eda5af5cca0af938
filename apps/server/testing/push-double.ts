import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  type ECDH,
  hkdfSync,
  randomBytes,
  randomUUID,
  verify,
} from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type DoubleName, startTlsDouble } from "./tls-double.ts";

/** A browser's part of its subscription (Push API; RFC 8291, section 3). */
export interface DoubleBrowser {
  endpoint: string;
  key: ECDH;
  auth: Buffer;
}

/** A browser whose notifications come through this service. */
export function newBrowser(service: string): DoubleBrowser {
  const key = createECDH("prime256v1");
  key.generateKeys();
  return { endpoint: `${service}/push/${randomUUID()}`, key, auth: randomBytes(16) };
}

/** As the browser gives it to the page (PushSubscription.toJSON). */
export const subscriptionOf = ({ endpoint, key, auth }: DoubleBrowser) => ({
  endpoint,
  keys: { p256dh: key.getPublicKey("base64url"), auth: auth.toString("base64url") },
});

const derived = (secret: Buffer, salt: Buffer, info: Buffer, length: number) =>
  Buffer.from(hkdfSync("sha256", secret, salt, info, length));

/**
 * Decrypts a body in `aes128gcm` as a browser does (RFC 8188, section 2; RFC 8291, section 3.4).
 * @throws if it is for another browser
 */
export function decrypted({ key, auth }: DoubleBrowser, body: Buffer): string {
  const salt = body.subarray(0, 16);
  const recordSize = body.readUInt32BE(16);
  const senderKey = body.subarray(21, 21 + body.readUInt8(20));
  const record = body.subarray(21 + senderKey.length);
  if (record.length > recordSize) throw new Error("more than one record");
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), key.getPublicKey(), senderKey]);
  const input = derived(key.computeSecret(senderKey), auth, info, 32);
  const contentKey = derived(input, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
  const nonce = derived(input, salt, Buffer.from("Content-Encoding: nonce\0"), 12);
  const decipher = createDecipheriv("aes-128-gcm", contentKey, nonce).setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  // The last record ends with 2 and perhaps zeros.
  const end = padded.findLastIndex((byte) => byte !== 0);
  if (padded[end] !== 2) throw new Error("not the last record");
  return padded.subarray(0, end).toString("utf8");
}

/** The claims of an `authorization: vapid t=…, k=…` (RFC 8292, section 3). @throws if `k` has not signed them */
export function claimsOf(authorization: string): { aud: string; sub: string; exp: number; key: string } {
  const [, token = "", key = ""] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization) ?? [];
  const [head = "", claims = "", signature = ""] = token.split(".");
  const read = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
  if (read(head).alg !== "ES256") throw new Error("signed otherwise");
  const point = Buffer.from(key, "base64url");
  const [x, y] = [point.subarray(1, 33).toString("base64url"), point.subarray(33).toString("base64url")];
  const publicKey = createPublicKey({ format: "jwk", key: { kty: "EC", crv: "P-256", x, y } });
  const isRight = verify(
    "sha256",
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  );
  if (!isRight) throw new Error("not signed by its key");
  return { ...read(claims), key };
}

export interface Pushed {
  endpoint: string;
  headers: IncomingMessage["headers"];
  claims: ReturnType<typeof claimsOf>;
  body: Buffer;
  bytes: number;
  /** When it came, ms of `performance.now()`. */
  at: number;
}

type Answer = { status: number; headers?: Record<string, string> } | "silence";

export type PushDouble = Awaited<ReturnType<typeof startPushDouble>>;

/**
 * A push service (RFC 8030) as browser vendors run them, over TLS on this machine: it checks the sender as they do, and stores
 * what came. No test reaches a real one.
 */
export async function startPushDouble() {
  const calls: string[] = [];
  const pushed: Pushed[] = [];
  /** Answers other than 201, by endpoint; `*`: for all. */
  const told = new Map<string, Answer>();

  const answerTo = async (request: IncomingMessage): Promise<Answer> => {
    const endpoint = `https://${request.headers.host}${request.url}`;
    calls.push(endpoint);
    const wish = told.get(endpoint) ?? told.get("*");
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (wish !== undefined) return wish;
    const { headers, method } = request;
    const body = Buffer.concat(chunks);
    if (method !== "POST" || headers["content-encoding"] !== "aes128gcm" || headers.ttl === undefined)
      return { status: 400 };
    if (body.length > 4_096) return { status: 413 };
    const claims = claimsOf(headers.authorization ?? "");
    const now = Date.now() / 1_000;
    const isOurs = claims.aud === new URL(endpoint).origin && claims.exp > now && claims.exp <= now + 86_400;
    if (!isOurs || !/^(https:|mailto:)/.test(claims.sub)) return { status: 403 };
    pushed.push({ endpoint, headers, claims, body, bytes: body.length, at: performance.now() });
    return { status: 201, headers: { location: `${endpoint}/message` } };
  };

  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const answer = await answerTo(request).catch((): Answer => ({ status: 401 }));
    if (answer === "silence") return;
    response.writeHead(answer.status, answer.headers).end("x".repeat(64));
  };
  const double = await startTlsDouble((request, response) => void serve(request, response));

  return {
    ...double,
    /** The service under one of its names. */
    at: (name: DoubleName) => `https://${name}:${double.port}`,
    /** Endpoints that were called, in order, whatever the answer. */
    calls,
    /** What this browser got and shows, oldest first. */
    shownBy: (browser: DoubleBrowser): Record<string, string>[] =>
      pushed
        .filter(({ endpoint }) => endpoint === browser.endpoint)
        .map(({ body }) => JSON.parse(decrypted(browser, body))),
    pushed,
    /** Gives this answer for one browser or for all from now on; null: normal again. */
    answer(answer: Answer | null, browser?: DoubleBrowser): void {
      const whose = browser?.endpoint ?? "*";
      if (answer === null) told.delete(whose);
      else told.set(whose, answer);
    },
  };
}
