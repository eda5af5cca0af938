import type { Duplex, Readable } from "node:stream";

/**
 * The same command's stream, which ends with an error once the machine has sent more bytes than this on stdout and stderr
 * together. Reading must start at once.
 */
export function atMost<Stream extends Duplex & { stderr?: Readable }>(bytes: number, stream: Stream): Stream {
  let heard = 0;
  const count = (piece: Buffer) => {
    heard += piece.length;
    if (heard <= bytes) return;
    stream.off("data", count);
    stream.stderr?.off("data", count);
    // A machine need not confirm that the stream is closed.
    stream.emit("error", new Error("the machine says more than it was asked"));
    stream.destroy();
  };
  // There may be no listeners at that moment.
  stream.on("error", () => {}).on("data", count);
  stream.stderr?.on("data", count);
  return stream;
}
