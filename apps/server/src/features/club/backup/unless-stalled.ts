import type { Readable } from "node:stream";

/** The longest stall: a download that hangs would keep the database from vacuuming past its snapshot. */
const STALLED_MS = 60_000;

/** The stream's pieces; if nobody takes the next one in time, the stream is ended. */
export async function* unlessStalled(content: Readable, stalledMs = STALLED_MS): AsyncGenerator<Uint8Array> {
  let timer: NodeJS.Timeout | undefined;
  try {
    for await (const piece of content as AsyncIterable<Uint8Array>) {
      timer = setTimeout(() => content.destroy(new Error("the download stalled")), stalledMs);
      timer.unref();
      yield piece;
      clearTimeout(timer);
    }
  } finally {
    clearTimeout(timer);
    content.destroy();
  }
}
