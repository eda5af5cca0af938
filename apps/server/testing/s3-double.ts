import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { gzipSync } from "node:zlib";

/** Failures, starting with the next request. */
export interface S3Troubles {
  /** This many requests get this status; 0 breaks the connection. */
  next?: { status: number; times: number };
  /** Requests of this kind get no answer. */
  silent?: string;
  /** Answers 200 and then reports a failure. */
  failsAtTheEnd?: boolean;
  /** The upload completes, but the answer is lost. */
  breaksAfterTheEnd?: boolean;
  /** Changes one byte of what is read. */
  lies?: boolean;
  /** The answer breaks after this many bytes. */
  cutAfterRead?: number;
  /** An upload starts, and then every connection breaks until this is off. */
  breaksAfterBegin?: boolean;
  /** Whether deleting an object with that key fails. */
  refusesToDelete?(key: string): boolean;
  /** Every answer is compressed, and decompresses to this many bytes. */
  unpacksTo?: number;
  /** Lists everything at once. */
  ignoresMaxKeys?: boolean;
  /** Waits before each answer. */
  slowMs?: number;
  /** Adds this many bytes to what is read. */
  addsToRead?: number;
  /** Bytes that the bucket accepts. */
  room?: number;
}

export interface S3Double {
  origin: string;
  objects: Map<string, Buffer>;
  /** Started, and neither completed nor aborted, by id. */
  uploads: Map<string, { key: string; parts: Map<number, Buffer> }>;
  /** 'PUT part', 'POST complete' … in order. */
  requests: string[];
  trouble: S3Troubles;
  close(): Promise<void>;
}

export interface S3DoubleOptions {
  bucket: string;
  region: string;
  accessKey: string;
  secret: string;
  /** Names in a page of a list. */
  pageSize?: number;
  port?: number;
}

const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest("hex");
const hmac = (key: string | Buffer, data: string) => createHmac("sha256", key).update(data).digest();
const escaped = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
const xml = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

class Refused extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** S3 storage over HTTP on loopback, in memory. It verifies every signature as 'Signature Version 4' describes. */
export async function startS3Double(options: S3DoubleOptions): Promise<S3Double> {
  const { bucket, pageSize = 1000 } = options;
  const objects: S3Double["objects"] = new Map();
  const uploads: S3Double["uploads"] = new Map();
  const requests: string[] = [];
  const trouble: S3Troubles = {};
  let begun = 0;

  const answerTo = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? "", "http://double");
    const { searchParams: query } = url;
    const [, inBucket, ...rest] = url.pathname.split("/");
    const key = decodeURIComponent(rest.join("/"));
    const kind = `${request.method} ${kindOf(request.method, key, query)}`;
    requests.push(kind);
    if (trouble.silent === kind) return;
    if (trouble.breaksAfterBegin && kind !== "POST begin") return void request.socket.destroy();
    const { next } = trouble;
    if (next !== undefined && next.times > 0) {
      next.times--;
      if (next.status === 0) return void request.socket.destroy();
      throw new Refused(next.status, next.status === 503 ? "SlowDown" : "InternalError", "Please try again.");
    }
    const body = await buffer(request);
    if (trouble.slowMs !== undefined) await wait(trouble.slowMs);
    checkSignature(request, url, body, options);
    if (inBucket !== bucket) throw new Refused(404, "NoSuchBucket", "The specified bucket does not exist");
    const said = (text: string, headers = {}) => {
      if (trouble.unpacksTo !== undefined) {
        response.writeHead(200, { "content-type": "application/xml", "content-encoding": "gzip" });
        return void response.end(gzipSync(Buffer.alloc(trouble.unpacksTo, " ")));
      }
      response.writeHead(200, { "content-type": "application/xml", ...headers });
      response.end(text === "" ? "" : `<?xml version="1.0" encoding="UTF-8"?>\n${text}`);
    };
    const upload = uploads.get(query.get("uploadId") ?? "");
    switch (kind) {
      case "POST begin": {
        const id = `upload "${++begun}" & more`;
        uploads.set(id, { key, parts: new Map() });
        return said(`<InitiateMultipartUploadResult><UploadId>${xml(id)}</UploadId></InitiateMultipartUploadResult>`);
      }
      case "PUT part": {
        if (upload === undefined) throw new Refused(404, "NoSuchUpload", "The specified upload does not exist");
        const used = [...uploads.values()].flatMap(({ parts }) => [...parts.values()]).concat([...objects.values()]);
        if (used.reduce((sum, { length }) => sum + length, body.length) > (trouble.room ?? Infinity))
          throw new Refused(403, "QuotaExceeded", "The bucket is full");
        upload.parts.set(Number(query.get("partNumber")), Buffer.from(body));
        return said("", { etag: `"${createHash("md5").update(body).digest("hex")}"` });
      }
      case "POST complete": {
        if (upload === undefined) throw new Refused(404, "NoSuchUpload", "The specified upload does not exist");
        if (trouble.failsAtTheEnd)
          return said("<Error><Code>InternalError</Code><Message>We failed late</Message></Error>");
        objects.set(key, whole(upload.parts, body.toString("utf8")));
        uploads.delete(query.get("uploadId") ?? "");
        if (trouble.breaksAfterTheEnd) return void request.socket.destroy();
        return said(`<CompleteMultipartUploadResult><Key>${xml(key)}</Key></CompleteMultipartUploadResult>`);
      }
      case "DELETE upload":
        if (!uploads.delete(query.get("uploadId") ?? "")) throw new Refused(404, "NoSuchUpload", "No such upload");
        response.writeHead(204).end();
        return;
      case "DELETE object":
        if (trouble.refusesToDelete?.(key)) throw new Refused(403, "AccessDenied", "Access Denied");
        objects.delete(key);
        response.writeHead(204).end();
        return;
      case "GET object": {
        const found = objects.get(key);
        if (found === undefined) throw new Refused(404, "NoSuchKey", "The specified key does not exist.");
        const content = Buffer.from(found);
        if (trouble.lies) content.writeUInt8(content.readUInt8(content.length - 1) ^ 1, content.length - 1);
        if (trouble.addsToRead !== undefined)
          return void response.end(Buffer.concat([content, Buffer.alloc(trouble.addsToRead)]));
        response.writeHead(200, { "content-length": content.length });
        if (trouble.cutAfterRead === undefined) response.end(content);
        else response.write(content.subarray(0, trouble.cutAfterRead), () => request.socket.destroy());
        return;
      }
      case "GET uploads":
        return said(
          `<ListMultipartUploadsResult><IsTruncated>false</IsTruncated>${[...uploads]
            .filter(([, { key }]) => key.startsWith(query.get("prefix") ?? ""))
            .map(([id, { key }]) => `<Upload><Key>${xml(key)}</Key><UploadId>${xml(id)}</UploadId></Upload>`)
            .join("")}</ListMultipartUploadsResult>`,
        );
      case "GET list": {
        const names = [...objects.keys()].filter((name) => name.startsWith(query.get("prefix") ?? "")).sort();
        const from = Number(query.get("continuation-token")?.replace("from & ", "") ?? 0);
        const most = trouble.ignoresMaxKeys ? names.length : Math.min(pageSize, Number(query.get("max-keys") ?? 1000));
        const page = names.slice(from, from + most);
        const isTruncated = from + most < names.length;
        return said(
          `<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><IsTruncated>${isTruncated}</IsTruncated>${page
            .map((name) => `<Contents><Key>${xml(name)}</Key><Size>${objects.get(name)?.length}</Size></Contents>`)
            .join("")}${
            isTruncated ? `<NextContinuationToken>${xml(`from & ${from + most}`)}</NextContinuationToken>` : ""
          }</ListBucketResult>`,
        );
      }
      default:
        throw new Refused(405, "MethodNotAllowed", kind);
    }
  };

  const server = createServer((request, response) => {
    request.on("error", () => {});
    answerTo(request, response).catch((error: Error) => {
      const { status, code } = error instanceof Refused ? error : { status: 500, code: "InternalError" };
      response.writeHead(status, { "content-type": "application/xml", connection: "close" });
      response.end(`<Error><Code>${code}</Code><Message>${xml(error.message)}</Message></Error>`);
    });
  });
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    uploads,
    requests,
    trouble,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function kindOf(method: string | undefined, key: string, query: URLSearchParams): string {
  if (query.has("partNumber")) return "part";
  if (query.has("uploads")) return key === "" ? "uploads" : "begin";
  if (query.has("uploadId")) return method === "POST" ? "complete" : "upload";
  return key === "" ? "list" : "object";
}

/** The parts in the order the client names, each with the ETag it was given. */
function whole(parts: Map<number, Buffer>, wish: string): Buffer {
  const named = [...wish.matchAll(/<Part><PartNumber>(\d+)<\/PartNumber><ETag>"(\w+)"<\/ETag><\/Part>/g)];
  if (named.length === 0) throw new Refused(400, "MalformedXML", "The XML you provided was not well-formed");
  return Buffer.concat(
    named.map(([, number, etag], at) => {
      const part = parts.get(Number(number));
      if (part === undefined || createHash("md5").update(part).digest("hex") !== etag)
        throw new Refused(400, "InvalidPart", "One or more of the specified parts could not be found.");
      if (at < named.length - 1 && part.length < 5 * 2 ** 20)
        throw new Refused(400, "EntityTooSmall", "Your proposed upload is smaller than the minimum allowed size");
      return part;
    }),
  );
}

/** Computed from the request only, without the client's library. */
function checkSignature({ method, headers }: IncomingMessage, url: URL, body: Buffer, options: S3DoubleOptions): void {
  const { region, accessKey, secret } = options;
  const given = /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
    headers.authorization ?? "",
  );
  const refuse = (code: string, message: string) => new Refused(403, code, message);
  if (given === null) throw refuse("AccessDenied", "Access Denied");
  const [, credential = "", signed = "", signature = ""] = given;
  const [id, day = "", ofRegion, service, end] = credential.split("/");
  const moment = String(headers["x-amz-date"]);
  if (id !== accessKey) throw refuse("InvalidAccessKeyId", "The access key Id you provided does not exist.");
  if (ofRegion !== region)
    throw new Refused(400, "AuthorizationHeaderMalformed", `the region '${ofRegion}' is wrong; expecting '${region}'`);
  if (service !== "s3" || end !== "aws4_request" || !moment.startsWith(day)) throw refuse("AccessDenied", "Scope");
  const at = Date.parse(moment.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
  if (!(Math.abs(at - Date.now()) < 15 * 60_000)) throw refuse("RequestTimeTooSkewed", "The time is too far apart.");
  const names = signed.split(";");
  if (!names.includes("host") || !names.includes("x-amz-content-sha256")) throw refuse("AccessDenied", "Unsigned");
  if (headers["x-amz-content-sha256"] !== sha256(body))
    throw new Refused(400, "XAmzContentSHA256Mismatch", "The provided hash does not match what was computed.");
  const canonical = [
    method,
    url.pathname
      .split("/")
      .map((part) => escaped(decodeURIComponent(part)))
      .join("/"),
    [...url.searchParams]
      .map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
      .sort()
      .join("&"),
    ...names.map((name) => `${name}:${String(headers[name]).trim().replace(/\s+/g, " ")}`),
    "",
    signed,
    headers["x-amz-content-sha256"],
  ].join("\n");
  const scope = `${day}/${region}/s3/aws4_request`;
  const key = [region, "s3", "aws4_request"].reduce((key, part) => hmac(key, part), hmac(`AWS4${secret}`, day));
  const right = hmac(key, ["AWS4-HMAC-SHA256", moment, scope, sha256(canonical)].join("\n"));
  if (!timingSafeEqual(right, Buffer.from(signature, "hex")))
    throw refuse("SignatureDoesNotMatch", "The request signature we calculated does not match the one you provided.");
}
