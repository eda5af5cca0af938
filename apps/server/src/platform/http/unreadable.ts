import { maxHeaderSize, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { statusOf } from "@krug/contract/refusals";
import type { ConnectionError, FastifyInstance } from "fastify";
import { Refusal } from "../refusal.ts";
import { readLanguage } from "./mount.ts";

/** Of a chunk's extensions; the limit in Node's parser. */
const MOST_EXTENSIONS_KB = 16;

/** Errors of Node's parser for a request that it gives up on. All others mean it is not HTTP. */
const REFUSALS: Readonly<Record<string, () => Refusal>> = {
  HPE_HEADER_OVERFLOW: () => new Refusal("request.headers_too_large", { kilobytes: Math.floor(maxHeaderSize / 1_024) }),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: () => new Refusal("request.too_large", { kilobytes: MOST_EXTENSIONS_KB }),
  ERR_HTTP_REQUEST_TIMEOUT: () => new Refusal("request.too_slow"),
};

/** A request that could not be read. It may contain a token or a password, so none of it is logged, at any level. */
export function answerUnreadable(this: FastifyInstance, error: ConnectionError, socket: Socket): void {
  if (error.code === "ECONNRESET" || socket.destroyed) return;
  this.log.debug({ reason: error.code }, "a request could not be read");
  const refusal = REFUSALS[error.code]?.() ?? new Refusal("request.not_http");
  const { code, details } = refusal;
  const status = statusOf(code);
  const messages = { ru: refusal.sentence("ru"), en: refusal.sentence("en") };
  const body = JSON.stringify({
    error: {
      code,
      message: messages[languageIn(error.rawPacket)],
      messages,
      ...(Object.keys(details).length > 0 ? { details } : {}),
    },
  });
  if (socket.writable)
    socket.write(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nCache-Control: no-store\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  socket.destroy();
}

/** From the packet at which reading ended, which may contain the header. */
function languageIn(packet: unknown) {
  const [, wanted] =
    /^accept-language:([^\r\n]{0,200})/im.exec(Buffer.isBuffer(packet) ? packet.toString("latin1") : "") ?? [];
  return readLanguage(wanted);
}
