import type { Readable } from "node:stream";

/** For this long nothing may be taken: a download that hangs would keep the database from tidying up behind its moment. */
const STALLED_MS = 60_000;

/** The stream's pieces; where nobody takes the next, the stream is ended. */
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
