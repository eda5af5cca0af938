import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { negotiate } from "@fastify/accept-negotiator";
import type { FastifyReply, FastifyRequest } from "fastify";

/** The best level takes seconds for the API's description and saves a few per cent. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };

type Encoding = "br" | "gzip" | "identity";

/** A text that does not change while the panel runs: built and compressed on first use, then cached. */
export function compressedText(mediaType: string, make: () => string) {
  let made: Promise<{ bodies: Record<Encoding, Buffer>; hash: string }> | undefined;
  const prepare = async () => {
    const plain = Buffer.from(make());
    const [br, gz] = await Promise.all([promisify(brotliCompress)(plain, BROTLI), promisify(gzip)(plain)]);
    const hash = createHash("sha256").update(plain).digest("base64url").slice(0, 27);
    return { bodies: { br, gzip: gz, identity: plain }, hash };
  };
  return async (request: FastifyRequest, reply: FastifyReply) => {
    made ??= prepare();
    const { bodies, hash } = await made;
    const encoding = encodingFor(request.headers["accept-encoding"]);
    const tag = `"${hash}-${encoding}"`;
    reply.header("vary", "accept-encoding").header("etag", tag).header("cache-control", "no-cache");
    if (hasTag(request.headers["if-none-match"], tag)) return reply.code(304).send();
    if (encoding !== "identity") reply.header("content-encoding", encoding);
    return reply.type(mediaType).send(bodies[encoding]);
  };
}

/** The level at which a page made for one visitor takes less time to compress than it saves on any connection. */
const AT_ONCE = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

/** The body of a text made for this request; sets the headers that say how it is encoded. */
export async function compressedNow(request: FastifyRequest, reply: FastifyReply, text: string): Promise<Buffer> {
  const encoding = encodingFor(request.headers["accept-encoding"]);
  reply.header("vary", "accept-encoding");
  if (encoding === "identity") return Buffer.from(text);
  reply.header("content-encoding", encoding);
  return encoding === "br" ? promisify(brotliCompress)(text, AT_ONCE) : promisify(gzip)(text);
}

/** If the client refuses every encoding, send it uncompressed: an empty answer helps nobody. */
function encodingFor(accepted: string | undefined): Encoding {
  if (accepted === undefined || accepted.trim() === "") return "identity";
  return (negotiate(accepted, ["br", "gzip", "identity"]) as Encoding | null) ?? "identity";
}

/** Whether an `If-None-Match` names this tag. */
export const hasTag = (named = "", tag: string) =>
  named.split(",").some((each) => ["*", tag, `W/${tag}`].includes(each.trim()));
