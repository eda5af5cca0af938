import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { type Reason, reason, reasonAt } from "@krug/domain/reasons";
import { parseXml, XmlElement } from "@rgrove/parse-xml";
import type { AwsClient } from "aws4fetch";
import { answerBytes } from "../platform/answer-bytes.ts";
import { type BackupPlace, isBackupName, measuring } from "../platform/archive/place.ts";
import { Failure, failure, reasonOf } from "../platform/failure.ts";

export interface S3Config {
  kind: "s3";
  /** 'https://s3.example.com'; the bucket is in the path. */
  endpoint: string;
  region: string;
  bucket: string;
  /** 'club/krug'; empty: the bucket's root. */
  prefix: string;
  accessKey: string;
  secretFile: string;
}

/** All parts but the last: storage takes none smaller than 5 MiB, and no more than 10,000. */
const PART_BYTES = 8 * 2 ** 20;
const MOST_PARTS = 10_000;
/**
 * A part may take this long with its retries, and so may the next piece of a read, a list, or the deletion of many; a short call, a
 * fifth of it.
 */
const PATIENCE_MS = 5 * 60_000;
const TRIES = 4;
const FIRST_PAUSE_MS = 500;
/** More than one club can have. */
const MOST_PAGES = 100;
/** The most that the protocol has in a page. */
const NAMES_IN_A_PAGE = 1_000;
/** For answers other than a backup: a page of the list takes about half a MB. */
const MOST_ANSWER_BYTES = 4 * 2 ** 20;

/** A bucket of S3-compatible storage. `haste` is for tests. */
/** What tests shorten. */
export type Haste = { patienceMs?: number; firstPauseMs?: number; partBytes?: number };

export function s3Place(config: S3Config, haste: Haste = {}): BackupPlace {
  const { endpoint, region, bucket, prefix, accessKey, secretFile } = config;
  const { patienceMs = PATIENCE_MS, firstPauseMs = FIRST_PAUSE_MS, partBytes = PART_BYTES } = haste;
  const under = prefix === "" ? "" : `${prefix}/`;
  const address = `${new URL(endpoint).host}/${bucket}${prefix === "" ? "" : `/${prefix}`}`;
  const failed = (error: unknown) => new Failure(reasonAt(address, whyOf(error)), { cause: error });

  const connect = async (): Promise<Call> => {
    const { AwsClient } = await import("aws4fetch");
    const secretAccessKey = ((await readFile(secretFile, "utf8")).split(/\r?\n/)[0] ?? "").trim();
    const client = new AwsClient({ accessKeyId: accessKey, secretAccessKey, region, service: "s3" });
    return (method, name, { query = {}, body, signal } = {}) => {
      const url = new URL(`${endpoint}/${bucket}${name === null ? "" : `/${under}${name}`}`);
      url.search = new URLSearchParams(query).toString();
      const inTime = AbortSignal.timeout(body === undefined ? patienceMs / 5 : patienceMs);
      return send(client, { method, url, body, signal: signal ?? inTime, firstPauseMs });
    };
  };
  const during = async <T>(work: (call: Call) => Promise<T>): Promise<T> => {
    try {
      return await work(await connect());
    } catch (error) {
      throw failed(error);
    }
  };

  const upload = async (call: Call, name: string, pieces: AsyncIterable<Buffer>) => {
    const begun = await xmlOf(await call("POST", name, { query: { uploads: "" } }));
    const uploadId = textIn(begun, "UploadId");
    if (uploadId === null) throw failure("storage.began_nothing");
    try {
      const parts: string[] = [];
      for await (const part of inParts(pieces, partBytes)) {
        const partNumber = parts.length + 1;
        if (partNumber > MOST_PARTS) throw failure("storage.too_many_parts", { most: MOST_PARTS });
        const taken = await call("PUT", name, { query: { partNumber: String(partNumber), uploadId }, body: part });
        await textOf(taken);
        const etag = taken.headers.get("etag")?.replaceAll('"', "");
        if (etag === undefined || !/^[\w+/=-]+$/.test(etag)) throw failure("storage.part_unnamed");
        parts.push(`<Part><PartNumber>${partNumber}</PartNumber><ETag>"${etag}"</ETag></Part>`);
      }
      const body = Buffer.from(`<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`);
      const completed = await xmlOf(await call("POST", name, { query: { uploadId }, body }));
      // It may answer 200 before it knows the result.
      if (completed?.name !== "CompleteMultipartUploadResult") throw refusalOf(200, completed);
    } catch (error) {
      await abort(call, name, uploadId).catch(() => {});
      throw error;
    }
  };
  const abort = async (call: Call, name: string, uploadId: string, signal?: AbortSignal) => {
    const answer = await call("DELETE", name, { query: { uploadId }, ...(signal && { signal }) }).catch(
      (error: unknown) => {
        if (error instanceof S3Refusal && error.status === 404) return null;
        throw error;
      },
    );
    if (answer !== null) await textOf(answer);
  };
  const remove = async (call: Call, name: string, signal?: AbortSignal) => {
    await textOf(await call("DELETE", name, signal && { signal }));
  };

  return {
    kind: "s3",
    address,
    put: (name, content) =>
      during(async (call) => {
        const { pieces, measured } = measuring(content as AsyncIterable<Buffer>);
        await upload(call, name, pieces);
        return measured();
      }).finally(() => content.destroy()),

    read: (name) =>
      during(async (call) => {
        const ending = new AbortController();
        const silence = () => ending.abort(new DOMException("silent", "TimeoutError"));
        const beforeFirst = setTimeout(silence, patienceMs);
        const answer = await call("GET", name, { signal: ending.signal }).finally(() => clearTimeout(beforeFirst));
        async function* pieces() {
          const reader = answer.body?.getReader();
          try {
            for (;;) {
              const timer = setTimeout(silence, patienceMs);
              const next = await reader?.read().finally(() => clearTimeout(timer));
              if (next?.value === undefined) return;
              yield next.value;
            }
          } catch (error) {
            throw failed(error);
          }
        }
        return Readable.from(pieces(), { objectMode: false }).once("close", () => ending.abort());
      }),

    list: () =>
      during(async (call) => {
        const found: { name: string; bytes: number }[] = [];
        const signal = AbortSignal.timeout(patienceMs);
        let token: string | null = null;
        for (let page = 0; page < MOST_PAGES; page++) {
          const query: Record<string, string> = {
            "list-type": "2",
            "max-keys": String(NAMES_IN_A_PAGE),
            prefix: `${under}krug-`,
          };
          if (token !== null) query["continuation-token"] = token;
          const answer = await xmlOf(await call("GET", null, { query, signal }));
          if (answer?.name !== "ListBucketResult") throw failure("storage.no_list");
          const entries = elementsIn(answer, "Contents");
          if (entries.length > NAMES_IN_A_PAGE) throw failure("storage.endless");
          for (const entry of entries) {
            const name = (textIn(entry, "Key") ?? "").slice(under.length);
            // A copy: a part of the answer's text would keep all of it in memory.
            if (isBackupName(name))
              found.push({ name: Buffer.from(name).toString(), bytes: Number(textIn(entry, "Size")) });
          }
          token = textIn(answer, "NextContinuationToken");
          if (token === null || textIn(answer, "IsTruncated") !== "true")
            return found.sort((one, other) => (one.name < other.name ? -1 : 1));
        }
        throw failure("storage.endless");
      }),

    remove: (names) =>
      during(async (call) => {
        const signal = AbortSignal.timeout(patienceMs);
        for (const name of names) await remove(call, name, signal);
      }),

    discard: (name) =>
      during(async (call) => {
        const signal = AbortSignal.timeout(patienceMs);
        await remove(call, name, signal);
        const query = { uploads: "", prefix: `${under}${name}` };
        const begun = await xmlOf(await call("GET", null, { query, signal }));
        for (const upload of elementsIn(begun, "Upload")) {
          const uploadId = textIn(upload, "UploadId");
          if (uploadId !== null && textIn(upload, "Key") === `${under}${name}`)
            await abort(call, name, uploadId, signal);
        }
      }),
  };
}

type Call = (
  method: "GET" | "PUT" | "POST" | "DELETE",
  /** Null: the bucket. */
  name: string | null,
  sent?: { query?: Record<string, string>; body?: Buffer; signal?: AbortSignal },
) => Promise<Response>;

/** The storage's refusal. */
class S3Refusal extends Failure {
  readonly status: number;
  constructor(status: number, why: Reason) {
    super(why);
    this.status = status;
  }
}

interface Request {
  method: string;
  url: URL;
  body: Buffer | undefined;
  signal: AbortSignal;
  firstPauseMs: number;
}

/** Signs and sends, and retries if the storage or the network was not ready. @throws S3Refusal, or fetch's error */
async function send(client: AwsClient, { method, url, body, signal, firstPauseMs }: Request): Promise<Response> {
  const headers = {
    "x-amz-content-sha256": createHash("sha256")
      .update(body ?? "")
      .digest("hex"),
  };
  for (let tries = 1; ; tries++) {
    try {
      const signed = await client.sign(url.href, {
        method,
        headers,
        ...(body && { body: body as Uint8Array<ArrayBuffer> }),
      });
      const answer = await fetch(signed, { signal, redirect: "manual" });
      if (answer.ok) return answer;
      throw refusalOf(answer.status, await xmlOf(answer));
    } catch (error) {
      const isPassing = !(error instanceof S3Refusal) || error.status >= 500 || error.status === 429;
      if (!isPassing || tries === TRIES || signal.aborted) throw error;
      await wait(firstPauseMs * 2 ** (tries - 1) * (0.5 + Math.random()), undefined, { ref: false });
    }
  }
}

const MOST_REASON = 200;

function refusalOf(status: number, answer: XmlElement | null): S3Refusal {
  const [code, message] = ["Code", "Message"].map((tag) => textIn(answer, tag));
  const said = [code, message]
    .filter((part) => part)
    .join(": ")
    .slice(0, MOST_REASON);
  return new S3Refusal(
    status,
    said === "" ? reason("storage.status", { status }) : reason("storage.refused", {}, said),
  );
}

/** Each in one buffer, which is reused once it was taken. */
async function* inParts(pieces: AsyncIterable<Buffer>, bytes: number): AsyncGenerator<Buffer> {
  const part = Buffer.allocUnsafe(bytes);
  let filled = 0;
  for await (const piece of pieces)
    for (let from = 0; from < piece.length; ) {
      const copied = piece.copy(part, filled, from);
      from += copied;
      filled += copied;
      if (filled < bytes) continue;
      yield part;
      filled = 0;
    }
  if (filled > 0) yield part.subarray(0, filled);
}

/** @throws Error if it is longer than any proper answer */
async function textOf(answer: Response): Promise<string> {
  const bytes = await answerBytes(answer, MOST_ANSWER_BYTES);
  if (bytes === null) throw failure("storage.too_much");
  return bytes.toString("utf8");
}

/** Null if it is no XML. */
async function xmlOf(answer: Response): Promise<XmlElement | null> {
  const text = await textOf(answer);
  try {
    return parseXml(text.trim()).root;
  } catch {
    return null;
  }
}

const elementsIn = (element: XmlElement | null, name: string): XmlElement[] =>
  (element?.children ?? []).filter((child): child is XmlElement => child instanceof XmlElement && child.name === name);
const textIn = (element: XmlElement | null, name: string): string | null => elementsIn(element, name)[0]?.text || null;

function whyOf(error: unknown): Reason {
  if (error instanceof Failure) return error.why;
  const { name, cause } = error as { name: string; cause?: { code?: string } };
  if (name === "TimeoutError") return reason("storage.silent");
  return cause?.code === undefined ? reasonOf(error) : reason("storage.no_connection", { code: cause.code });
}
