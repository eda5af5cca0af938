import { makeSendNotices, type SendingParts } from "../outbox/index.ts";
import type { Push } from "./index.ts";
import { makePushWay } from "./push-way.ts";

/** Sends notices to browsers, in the background. */
export function makePushSender(parts: SendingParts & { push: Push }) {
  const { log, push } = parts;
  const stopping = new AbortController();
  let working: Promise<unknown> = Promise.resolve();
  return {
    start(): void {
      const { subject } = push;
      if (subject === null) return;
      const send = makeSendNotices(parts, makePushWay({ ...push, subject }));
      working = send(stopping.signal).catch((error: unknown) =>
        log.error({ err: error }, "notices are no longer sent to browsers"),
      );
    },
    /** Aborts what is in flight; it is sent again after the next start. */
    async stop(): Promise<void> {
      stopping.abort();
      await working;
    },
  };
}
